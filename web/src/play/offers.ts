// Texts about draw and take-back offers: who has proposed what, who has agreed, who is still
// asked.

import type { GameState } from "../domain/game-state";
import { t } from "../domain/i18n";
import { sideOf, sidesOf } from "../domain/modes";
import { nameOf, sideNameOf } from "../domain/outcomes";
import type { Colour } from "../domain/protocol";

/** What one player can propose to the other sides. */
export type Proposal = "draw" | "takeback";

type OfferGame = Pick<GameState, "id" | "mode" | "seats" | "you" | "offers">;

/** What a seat is to the reader. */
export function partyTo({ mode, you }: Pick<GameState, "mode" | "you">, seat: Colour) {
  if (you.includes(seat)) return "you";
  return you.some((own) => sideOf(mode, own) === sideOf(mode, seat)) ? "partner" : "other";
}

/** Who has proposed it. */
export function offerText(game: OfferGame, about: Proposal, asker: Colour): string {
  const draw = about === "draw";
  const party = partyTo(game, asker);
  if (party === "you") return draw ? t("You offered a draw.") : t("You asked to take a move back.");
  if (party === "partner") {
    return draw ? t("Your partner offers a draw.") : t("Your partner asks to take a move back.");
  }
  if (game.mode === "two") {
    return draw
      ? t("Your opponent offers a draw.")
      : t("Your opponent asks to take the last move back.");
  }
  const name = nameOf(game, asker);
  return draw
    ? t("{name} offers a draw.", { name })
    : t("{name} asks to take a move back.", { name });
}

/** Which of the other sides have agreed, and which are asked; empty where there is only one. */
export function answersText(game: OfferGame, about: Proposal, asker: Colour): string {
  const { mode, you, offers, seats } = game;
  if (mode === "two") return "";
  const agreed = about === "draw" ? offers.draw_agreed : offers.takeback_agreed;
  const isIn = (seat: Colour) => !seats.some(({ colour, out }) => colour === seat && out);
  const own = (side: readonly Colour[]) => side.some((seat) => you.includes(seat));
  const asked = sidesOf(mode).filter((side) => !side.includes(asker) && side.some(isIn));
  const hasAgreed = (side: readonly Colour[]) => side.some((seat) => agreed.includes(seat));
  const sentences = asked.filter(hasAgreed).map((side) => acceptedText(game, side, own(side)));
  const waiting = asked.filter((side) => !hasAgreed(side) && !own(side));
  return [...sentences, askedText(game, waiting)].filter(Boolean).join(" ");
}

function acceptedText(game: OfferGame, side: readonly Colour[], own: boolean): string {
  if (own) return t("You have accepted.");
  return t("{name} has accepted.", { name: sideNameOf(game, side[0] as Colour) });
}

function askedText(game: OfferGame, sides: readonly (readonly Colour[])[]): string {
  const [one, other] = sides.flatMap((side) => side.map((seat) => nameOf(game, seat)));
  if (one === undefined) return "";
  return other === undefined
    ? t("{name} is asked.", { name: one })
    : t("{one} and {other} are asked.", { one, other });
}
