// Positions of the past, made by applying what each move did to the start.

import {
  apply,
  type Colour,
  type Effect,
  type Marbles,
  type Pile,
  readMarbles,
} from "../board/state";
import { edgeOf, sideOf, sidesOf } from "../modes";
import type { Mode } from "../protocol";
import type { Game, Moved } from "./game";

/** Positions already worked out, by the list of moves they belong to. */
const known = new WeakMap<readonly Moved[], Marbles[]>();

/** The marbles after so many moves. */
export function marblesAfter(game: Game, count: number): Marbles {
  let positions = known.get(game.moves);
  if (positions === undefined) {
    positions = [readMarbles(game.start)];
    for (const move of game.moves) positions.push(apply(positions.at(-1) as Marbles, move));
    known.set(game.moves, positions);
  }
  return positions[Math.min(count, game.moves.length)] as Marbles;
}

/** What each side had ejected after some moves; `extra` is one still on its way to the server. */
export function pilesAfter(game: Game, count: number, extra: Effect | null): Pile[] {
  const given = (game.start.split(" ")[2] ?? "").split(",").map(Number);
  const piles: Colour[][] = sidesOf(game.mode).map((_, side) =>
    Array.from({ length: given[side] ?? 0 }, () => opponentOf(game.mode, side)),
  );
  const moves: { seat: Colour; ejected: Colour | null }[] = [
    ...game.moves.slice(0, count),
    ...(extra && game.turn ? [{ seat: game.turn, ejected: extra.ejected }] : []),
  ];
  for (const { seat, ejected } of moves) {
    if (ejected !== null) piles[sideOf(game.mode, seat)]?.push(ejected);
  }
  return piles.map((marbles, side) => ({
    edge: edgeOf(game.mode, sidesOf(game.mode)[side]?.[0] ?? "black"),
    marbles,
  }));
}

/** A handicap counts marbles that never stood on the board; any opponent's will do. */
function opponentOf(mode: Mode, side: number): Colour {
  const sides = sidesOf(mode);
  return sides[(side + 1) % sides.length]?.[0] ?? "white";
}

export function lastBefore(moves: readonly Moved[], count: number): Moved | null {
  return moves[count - 1] ?? null;
}
