// What the kernel knows about a position and about a move that was made, for the coach.

import type { Board } from "../../kernel/src/board";
import type { Kernel } from "../../kernel/src/kernel";
import type { Search } from "../../kernel/src/search";
import type { Line } from "../../kernel/src/types";
import type { GameState } from "../domain/game-state";
import { coloursOf, sideOf } from "../domain/modes";
import type { Colour } from "../domain/protocol";
import { rulesOf } from "../kernel/rules";
import { withTurn } from "../record/position";
import type { Slip } from "../storage/games";

/** Milliseconds for each search; enough to see a few moves ahead. */
const SEARCH_MS = 250;

/** Marbles of a side that an opponent could push off if it were their turn. */
export function threatened(kernel: Kernel, game: GameState, side: number): string[] {
  const cells = coloursOf(game.mode)
    .filter((colour) => sideOf(game.mode, colour) !== side)
    .flatMap((colour) => ejectable(kernel, game, colour))
    .filter(([, colour]) => sideOf(game.mode, colour) === side)
    .map(([cell]) => cell);
  return [...new Set(cells)].sort();
}

function ejectable(kernel: Kernel, game: GameState, mover: Colour): [string, Colour][] {
  return kernel
    .board(withTurn(game.position, mover), rulesOf(game.rules))
    .legalMoves()
    .flatMap(({ ejected, pushed }): [string, Colour][] =>
      ejected ? [[pushed.at(-1) ?? "", ejected]] : [],
    );
}

/** Analyses the player's turns: the best move, and what the played one lost. */
export class Advisor {
  private best: { readonly ply: number; readonly line: Promise<Line | null> } | null = null;

  constructor(
    private readonly kernel: Kernel,
    private readonly search: Search,
  ) {}

  /** The best line of a position that one is to move in; asked once. */
  bestOf(board: Board): Promise<Line | null> {
    if (this.best?.ply !== board.ply) {
      const line = this.analyse(board);
      this.best = { ply: board.ply, line };
    }
    return this.best?.line ?? Promise.resolve(null);
  }

  /** What a move lost, compared with the best; null if nothing to speak of. */
  async slipOf(before: Board, move: string): Promise<Slip | null> {
    const best = await this.bestOf(before);
    if (best === null || best.move === move) return null;
    const made = await this.analyse(before, move);
    if (made === null) return null;
    const { mode, ply } = before;
    const loss = this.kernel.chance(best, mode) - this.kernel.chance(made, mode);
    const verdict = this.kernel.verdict(loss);
    if (verdict === "good") return null;
    return { ply, move, verdict, loss, faults: before.faults(move, best.pv, made.pv.slice(1)) };
  }

  forget(): void {
    this.best = null;
  }

  private async analyse(board: Board, move?: string): Promise<Line | null> {
    if (board.outcome !== null) return null;
    const moves = move === undefined ? {} : { moves: [move] };
    const [line] = await this.search.start(board, { time: SEARCH_MS, analysis: true, ...moves });
    return line ?? null;
  }

  close(): void {
    this.search.close();
  }
}
