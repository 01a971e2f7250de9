// The coach's texts: kind, and based on facts only.

import type { Fault } from "../../kernel/src/types";
import type { Effect } from "../board/state";
import type { GameState } from "../domain/game-state";
import { ejectedAfter } from "../domain/history";
import { t } from "../domain/i18n";
import { faultText } from "../domain/mistakes";
import { sideOf, sidesOf } from "../domain/modes";
import type { Slip } from "../storage/games";
import { pushName } from "../ui/formations";

export function threatText(cells: readonly string[]): string {
  if (cells.length === 0) return t("Nothing of yours can be pushed off next turn.");
  return cells.length === 1
    ? t("{cells} could be pushed off next turn.", { cells: cells.join() })
    : t("{cells} could be pushed off next turn; save the one that matters most.", {
        cells: cells.join(", "),
      });
}

export function groupText(effect: Effect): string {
  return effect.moved.length === 1
    ? t("Look at the marble on {cells}. What could it do?", { cells: effect.moved.join() })
    : t("Look at the row {cells}. What could it do?", { cells: effect.moved.join("–") });
}

export function moveText(effect: Effect): string {
  const { move } = effect;
  if (effect.ejected) return t("{move} pushes a marble off the board.", { move });
  if (effect.pushed.length > 0) return `${move}: ${pushName(effect)}`;
  return t("{move} is a good move here.", { move });
}

/** After a slip: a kind sentence, and the main reason. */
export function slipText({ verdict, faults }: Slip): string {
  const kind =
    verdict === "blunder" ? t("That can happen to anybody.") : t("There was something better.");
  const [first] = faults;
  return first ? `${kind} ${faultText(first)}` : kind;
}

/** What decided a game, in three sentences; if no coach saw it, only how it ended. */
export function decided(game: GameState, noted: readonly Slip[] | null): string[] {
  if (noted === null) return [score(game)];
  const slips = noted.filter((slip) => stands(game, slip));
  return [score(game), turningPoint(game, slips), advice(slips)];
}

/** Was the move never taken back? */
function stands({ moves }: GameState, { ply, move }: Slip): boolean {
  return moves.some((made) => made.ply === ply && made.move === move);
}

function score(game: GameState): string {
  const mine = sideOf(game.mode, game.you[0] ?? "black");
  const ejected = ejectedAfter(game, game.moves.length, null).map((marbles) => marbles.length);
  const own = ejected[mine] ?? 0;
  const theirs = Math.max(
    ...sidesOf(game.mode).map((_, side) => (side === mine ? 0 : (ejected[side] ?? 0))),
  );
  const first = game.moves.findIndex(({ ejected }) => ejected !== null);
  if (first < 0) return t("No marble left the board.");
  const number = Math.floor(first / game.seats.length) + 1;
  const opened = sideOf(game.mode, game.moves[first]?.seat ?? "black") === mine;
  return opened
    ? t(
        "You pushed off {own}, the other side {theirs}; the first marble was yours, on move {number}.",
        { own, theirs, number },
      )
    : t("You pushed off {own}, the other side {theirs}; they were the first, on move {number}.", {
        own,
        theirs,
        number,
      });
}

function turningPoint(game: GameState, slips: readonly Slip[]): string {
  const worst = [...slips].sort((one, other) => other.loss - one.loss)[0];
  if (!worst) return t("You made no move that cost much.");
  const number = Math.floor((worst.ply - 1) / game.seats.length) + 1;
  const [fault] = worst.faults;
  const sentence = t("Your move {number}, {move}, cost you most.", { number, move: worst.move });
  return fault ? `${sentence} ${faultText(fault)}` : sentence;
}

/** The fault that came most often says what to mind next time. */
function advice(slips: readonly Slip[]): string {
  const codes = slips.flatMap(({ faults }) => faults.slice(0, 1)).map(({ code }) => code);
  const often = [...codes].sort((one, other) => count(codes, other) - count(codes, one))[0];
  return often ? adviceOn(often) : t("Next time, try a stronger level.");
}

function count<T>(list: readonly T[], one: T): number {
  return list.filter((other) => other === one).length;
}

function adviceOn(code: Fault["code"]): string {
  switch (code) {
    case "missed-win":
    case "missed-ejection":
      return t("Next time, look first whether something can be pushed off.");
    case "allowed-win":
    case "allowed-ejection":
    case "exposed":
      return t("Next time, look before each move at what is threatened.");
    case "gave-up-pac":
      return t("Next time, keep your three in a row where they face the others.");
    case "left-centre":
      return t("Next time, hold the centre.");
    default:
      return t("Next time, keep your marbles together.");
  }
}
