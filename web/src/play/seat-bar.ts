// One seat beside the board: its player, the marbles they have ejected, their clock.

import { html, nothing, type TemplateResult } from "lit";
import type { GameSession } from "../domain/game-session";
import type { GameState } from "../domain/game-state";
import { playerName } from "../domain/game-texts";
import { t, tn } from "../domain/i18n";
import { colourName, levelName, sideName, sideOf, sidesOf } from "../domain/modes";
import type { Colour, Seat } from "../domain/protocol";
import { personName } from "../ui/person-name";
import { littleMarble } from "../ui/pictures";
import "./seat-bar.css";
import "./seat-clock";

/** The game as far as it is shown: what each side has ejected, and who moves next. */
export interface Shown {
  readonly ejected: readonly (readonly Colour[])[];
  readonly turn: Colour | null;
}

export function seatBar(
  session: GameSession,
  game: GameState,
  colour: Colour,
  { ejected, turn }: Shown,
): TemplateResult | typeof nothing {
  const seat = game.seats.find((one) => one.colour === colour);
  if (!seat) return nothing;
  const teams = game.mode.startsWith("teams");
  const side = sideOf(game.mode, colour);
  const classes = `seat ${turn === colour ? "active" : ""} ${seat.out ? "out" : ""}`;
  return html`<section
    class=${classes}
    aria-label=${colourName(colour)}
    data-seat=${colour}
    data-team=${teams ? side : nothing}
  >
    ${littleMarble(colour)}
    <div class="who">
      <span class="name">${
        seat.kind === "computer"
          ? t("Computer")
          : personName(playerName(game, seat), seat.guest && !game.you.includes(colour))
      }</span>
      <span class="about">${about(session, game, seat, turn)}</span>
    </div>
    ${teams ? nothing : tray(game, ejected[side] ?? [])}
    ${
      game.clocks?.[colour] === undefined
        ? nothing
        : html`<sumito-clock .session=${session} .game=${game} .colour=${colour}></sumito-clock>`
    }
  </section>`;
}

/** A placeholder for a player who isn't known yet. */
export function seatToBe(): TemplateResult {
  return html`<div class="seat" aria-hidden="true">
    <div class="who"><span class="name">&nbsp;</span><span class="about">&nbsp;</span></div>
  </div>`;
}

/** Partners win together: one tray for both. */
export function teamScore(game: GameState, ejected: Shown["ejected"]): TemplateResult {
  return html`<div class="team-score">
    ${sidesOf(game.mode).map(
      (
        side,
        index,
      ) => html`<div data-team=${index} aria-label=${sideName(game.mode, side[0] ?? "black")}>
        <span class="pair">${side.map(littleMarble)}</span>${tray(game, ejected[index] ?? [])}
      </div>`,
    )}
  </div>`;
}

function about(
  session: GameSession,
  game: GameState,
  seat: Seat,
  turn: Colour | null,
): TemplateResult {
  const { colour } = seat;
  const parts: string[] = [];
  if (seat.kind === "computer") parts.push(levelName(seat.level ?? ""));
  const own = game.you.length === 1 ? game.you[0] : undefined;
  if (own && own !== colour && sideOf(game.mode, own) === sideOf(game.mode, colour)) {
    parts.push(t("partner"));
  }
  if (seat.rating) parts.push(String(Math.round(seat.rating)));
  if (seat.out) parts.push(t("out"));
  else if (seat.kind === "computer" && turn === colour) parts.push(t("thinking…"));
  else if (session.thinking.has(colour)) parts.push(t("thinking…"));
  else if (seat.kind === "person" && seat.online === false && !game.you.includes(colour)) {
    parts.push(t("away"));
  }
  const known = colourName(colour) === playerName(game, seat);
  const rest = parts.join(" · ");
  if (known) return html`${rest}`;
  return html`<span class="colour">${colourName(colour)}${rest ? " · " : ""}</span>${rest}`;
}

/** A tray with a dent for each ejection that is needed, and the ejected marbles in order. */
function tray(game: GameState, ejected: readonly Colour[]): TemplateResult {
  const { win_at: goal } = game.rules;
  const count = ejected.length;
  return html`<span
    class="tray"
    role="img"
    aria-label=${tn("{count} of {goal} marble ejected", "{count} of {goal} marbles ejected", goal, {
      count,
      goal,
    })}
    >${Array.from({ length: Math.max(goal, count) }, (_, k) => {
      const colour = ejected[k];
      const fresh = k === count - 1 ? "fresh" : "";
      return html`<i class=${fresh}>${colour ? littleMarble(colour) : nothing}</i>`;
    })}</span
  >`;
}
