// The state of a game: the server's snapshot, with moves in full instead of numbers.

import type { Direction } from "../board/geometry";
import type { Attempt, Colour, Effect } from "../board/state";
import { readMarbles } from "../board/state";
import { effectOf, MOVES, unpack } from "./moves";
import type { PlayedMove, Snapshot } from "./protocol";

export type { Attempt, Colour, Effect };

/** A move that was made. */
export interface MadeMove extends Effect {
  readonly ply: number;
  readonly seat: Colour;
  readonly nacre: string;
  readonly clock: number | null;
}

export interface GameState extends Omit<Snapshot, "moves" | "legal"> {
  readonly moves: readonly MadeMove[];
  readonly legal: readonly Effect[];
}

export function movedOf(played: PlayedMove): MadeMove {
  const { name, direction } = MOVES[played.move] as { name: string; direction: Direction };
  return { ...played, move: name, direction };
}

/** The legal moves of a packed text, on the board as it stands after a position and some moves. */
export function legalOf(
  packed: string,
  game: Pick<GameState, "sides" | "turn">,
  marbles: ReturnType<typeof readMarbles>,
): Effect[] {
  const friends = game.sides.find((side) => side.some((colour) => colour === game.turn)) ?? [];
  return unpack(packed).map((index) => effectOf(index, marbles, friends));
}

export function gameOf(snapshot: Snapshot): GameState {
  const marbles = readMarbles(snapshot.position);
  return {
    ...snapshot,
    moves: snapshot.moves.map(movedOf),
    legal: legalOf(snapshot.legal, snapshot, marbles),
  };
}
