// Past positions, and what else follows from the list of moves: ejected marbles, rounds, last
// moves.

import { apply, type Colour, type Effect, type Marbles, readMarbles } from "../board/state";
import type { GameState, MadeMove } from "./game-state";
import { sideOf, sidesOf } from "./modes";
import type { Mode } from "./protocol";

/** Positions already worked out, by the list of moves they belong to. */
const known = new WeakMap<readonly MadeMove[], Marbles[]>();

/** The marbles after a number of moves. */
export function marblesAfter(game: GameState, count: number): Marbles {
  let positions = known.get(game.moves);
  if (positions === undefined) {
    positions = [readMarbles(game.start)];
    for (const move of game.moves) positions.push(apply(positions.at(-1) as Marbles, move));
    known.set(game.moves, positions);
  }
  return positions[Math.min(count, game.moves.length)] as Marbles;
}

/** The marbles each side has ejected after some moves; `extra` is one that isn't confirmed yet. */
export function ejectedAfter(game: GameState, count: number, extra: Effect | null): Colour[][] {
  const given = (game.start.split(" ")[2] ?? "").split(",").map(Number);
  const bySide: Colour[][] = sidesOf(game.mode).map((_, side) =>
    Array.from({ length: given[side] ?? 0 }, () => opponentOf(game.mode, side)),
  );
  const moves: { seat: Colour; ejected: Colour | null }[] = [
    ...game.moves.slice(0, count),
    ...(extra && game.turn ? [{ seat: game.turn, ejected: extra.ejected }] : []),
  ];
  for (const { seat, ejected } of moves) {
    if (ejected !== null) bySide[sideOf(game.mode, seat)]?.push(ejected);
  }
  return bySide;
}

/** A handicap counts marbles that never stood on the board; any opponent's will do. */
function opponentOf(mode: Mode, side: number): Colour {
  const sides = sidesOf(mode);
  return sides[(side + 1) % sides.length]?.[0] ?? "white";
}

/** What happened since a player's own last move, up to a number of moves; at least the last move. */
export function sinceOwn(
  moves: readonly MadeMove[],
  count: number,
  player: Colour | null,
): readonly MadeMove[] {
  const shown = moves.slice(0, count);
  const own = player === null ? count - 2 : shown.findLastIndex(({ seat }) => seat === player);
  const since = shown.slice(Math.max(0, own + 1));
  return since.length > 0 ? since : shown.slice(-1);
}

/** A round of moves, numbered as people count them. */
export interface Round {
  readonly number: number;
  /** A move for each seat, in the order of turns; null where there is none. */
  readonly moves: readonly ({ readonly index: number; readonly move: MadeMove } | null)[];
}

/** The moves in rounds; a seat that comes round again, or comes earlier, begins a new one. */
export function rounds(moves: readonly MadeMove[], order: readonly Colour[]): Round[] {
  const list: { number: number; moves: Round["moves"][number][] }[] = [];
  let place = order.length;
  moves.forEach((move, index) => {
    const at = order.indexOf(move.seat);
    if (at <= place || list.length === 0) {
      list.push({ number: list.length + 1, moves: order.map(() => null) });
    }
    place = at;
    const round = list.at(-1);
    if (round) round.moves[at] = { index, move };
  });
  return list;
}
