// One player beside the board: who sits there, what they have ejected, how long they have.

import { html, nothing, type TemplateResult } from "lit";
import type { Game } from "../games/game";
import type { PlayedGame } from "../games/played";
import { colourName, levelName, seatName, sideOf } from "../modes";
import type { Colour, Seat } from "../protocol";
import { t } from "../words";
import "./seat-clock";
import { littleMarble } from "./pictures";

export function seatBar(
  played: PlayedGame,
  game: Game,
  colour: Colour,
): TemplateResult | typeof nothing {
  const seat = game.seats.find((one) => one.colour === colour);
  if (!seat) return nothing;
  const active = game.status === "playing" && game.turn === colour;
  const classes = `seat ${active ? "active" : ""} ${seat.out ? "out" : ""}`;
  return html`<section class=${classes} aria-label=${colourName(colour)} data-seat=${colour}>
    ${littleMarble(colour)}
    <div class="who">
      <span class="name">${seat.kind === "computer" ? t("Computer") : seatName(seat, game.you)}</span>
      <span class="about">${about(played, game, seat)}</span>
    </div>
    ${pips(game, colour)}
    ${
      game.clocks?.[colour] === undefined
        ? nothing
        : html`<sumito-clock .played=${played} .game=${game} .colour=${colour}></sumito-clock>`
    }
  </section>`;
}

/** The two players of the game that begins with the first touch. */
export function seatToBe(colour: Colour, name: string): TemplateResult {
  return html`<section class="seat" aria-label=${colourName(colour)}>
    ${littleMarble(colour)}
    <div class="who">
      <span class="name">${name}</span><span class="about">${colourName(colour)}</span>
    </div>
  </section>`;
}

function about(played: PlayedGame, game: Game, seat: Seat): string {
  const { colour } = seat;
  const parts = [colourName(colour)].filter((name) => name !== seatName(seat, game.you));
  if (seat.kind === "computer") parts.push(levelName(seat.level ?? ""));
  const own = game.you.length === 1 ? game.you[0] : undefined;
  if (own && own !== colour && sideOf(game.mode, own) === sideOf(game.mode, colour)) {
    parts.push(t("partner"));
  }
  if (seat.rating) parts.push(String(Math.round(seat.rating)));
  if (seat.out) parts.push(t("out"));
  else if (played.thinking.has(colour)) parts.push(t("thinking…"));
  else if (seat.kind === "person" && seat.online === false && !game.you.includes(colour)) {
    parts.push(t("away"));
  }
  return parts.join(" · ");
}

/** One dot for each ejection that is needed; partners share them. */
function pips(game: Game, colour: Colour): TemplateResult {
  const count = game.captured[sideOf(game.mode, colour)] ?? 0;
  const { win_at: goal } = game.rules;
  return html`<span
    class="pips"
    role="img"
    aria-label=${t("{count} of {goal} marbles ejected", { count, goal })}
    >${Array.from({ length: goal }, (_, k) => html`<i class=${k < count ? "full" : ""}></i>`)}</span
  >`;
}
