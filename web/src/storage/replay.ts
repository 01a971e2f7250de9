// Replays stored games by the rules.

import type { Board } from "../../kernel/src/board";
import type { Kernel } from "../../kernel/src/kernel";
import type { MadeMove } from "../domain/game-state";
import { rulesOf } from "../kernel/rules";
import type { StoredGame } from "./games";

/** The stored moves played through by the rules, with what each did. */
export function replayGame(
  kernel: Kernel,
  stored: StoredGame,
): { board: Board; moves: readonly MadeMove[] } {
  const board = kernel.board(stored.start, rulesOf(stored.rules));
  const moves: MadeMove[] = [];
  const leave = (after: number) => {
    for (const { colour } of stored.left.filter((one) => one.after === after)) board.leave(colour);
  };
  stored.moves.forEach(({ move, clock }, index) => {
    leave(index);
    const { turn: seat, ply } = board;
    const nacre = board.write(move, "nacre");
    moves.push({ ...board.push(move), ply, seat, nacre, clock });
  });
  leave(stored.moves.length);
  return { board, moves };
}
