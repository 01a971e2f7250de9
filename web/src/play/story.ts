// What was special about a game, in one sentence, as its reader saw it.

import type { GameState } from "../domain/game-state";
import { t } from "../domain/i18n";
import { sideOf, sidesOf } from "../domain/modes";
import { type OutcomeGame, outcomeText, sideNameOf } from "../domain/outcomes";

/** Marbles behind from which a win is a comeback. */
const COMEBACK = 2;
/** Ejections of the winner from which a score says something. */
const MANY = 4;
/** Moves of all players within which a whole game is short. */
const SHORT = 40;
/** Moves of each player without an ejection that make a long beginning. */
const LONG_BEGINNING = 35;

/** The game as far as its story depends on it. */
type StoryGame = OutcomeGame & Pick<GameState, "moves" | "outcome" | "start">;

/** One sentence about a game that ended by ejections; null if nothing stands out. */
export function storyOf(game: StoryGame): string | null {
  const { outcome } = game;
  if (!outcome?.winner || outcome.reason !== "ejected" || sidesOf(game.mode).length !== 2)
    return null;
  const winner = sideOf(game.mode, outcome.winner);
  const { tone } = outcomeText(game, outcome);
  const name = sideNameOf(game, outcome.winner);
  const { own, theirs, behind, first } = course(game, winner);
  if (behind && behind.theirs - behind.own >= COMEBACK) {
    if (tone === "won") return t("You came back from {own} : {theirs}.", { ...behind });
    if (tone === "lost") return t("You led {theirs} : {own}, then the game turned.", { ...behind });
    return t("{name} came back from {own} : {theirs}.", { name, ...behind });
  }
  if (own >= MANY && own - theirs === 1) return t("It came down to the last marble.");
  if (own >= MANY && theirs === 0) {
    if (tone === "won") return t("You didn't lose a single marble.");
    return tone === "lost" ? null : t("{name} didn't lose a single marble.", { name });
  }
  if (own >= MANY && game.moves.length <= SHORT)
    return t("It was over after {count} moves.", { count: game.moves.length });
  return first > LONG_BEGINNING
    ? t("The first marble left the board only on move {number}.", { number: first })
    : null;
}

/** The score at the end and at the winner's worst moment, and the move of the first ejection. */
function course({ mode, moves, start }: StoryGame, winner: number) {
  const given = (start.split(" ")[2] ?? "").split(",").map(Number);
  let own = given[winner] ?? 0;
  let theirs = given[1 - winner] ?? 0;
  let behind: { own: number; theirs: number } | null = null;
  let first = 0;
  for (const [index, { seat, ejected }] of moves.entries()) {
    if (ejected === null) continue;
    if (sideOf(mode, seat) === winner) own++;
    else theirs++;
    first ||= Math.floor(index / (mode === "two" ? 2 : 4)) + 1;
    if (theirs - own > (behind ? behind.theirs - behind.own : 0)) behind = { own, theirs };
  }
  return { own, theirs, behind, first };
}
