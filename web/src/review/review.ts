// A review: the engine searches every position of a game in turn, which gives what each move lost
// of its player's chance. It runs in the page and can be stopped at any time; what is known by
// then is cached.

import type { Kernel } from "../../kernel/src/kernel";
import type { Search } from "../../kernel/src/search";
import type { Fault, Line, Verdict } from "../../kernel/src/types";
import type { Colour } from "../board/state";
import { sideChances } from "../domain/evaluation";
import { sideOf } from "../domain/modes";
import type { Mode } from "../domain/protocol";
import type { GameRecord } from "../record/record";
import type { Node } from "../record/tree";

/** The limits of the search of each position; the first to be reached ends it. */
const LIMITS = { nodes: 120_000, time: 400, analysis: true };

/** The engine's result for one position. */
export interface PositionReview {
  /** The chance of each side. */
  readonly chances: readonly number[];
  /** The best line for the player to move; empty when the game is over. */
  readonly pv: readonly string[];
  /** The chance of the player to move with that line. */
  readonly best: number;
  /** Among three, whose scores don't compare: the chance with the move that was played. */
  readonly playedChance: number | null;
}

/** One move of the game, judged. */
export interface JudgedMove {
  readonly node: Node;
  readonly ply: number;
  readonly seat: Colour;
  /** What it lost of the player's chance, 0 to 1. */
  readonly loss: number;
  readonly verdict: Verdict;
  readonly before: number;
  readonly after: number;
  readonly better: readonly string[];
  readonly faults: readonly Fault[];
}

/**
 * Search the positions that aren't known yet; `report` is called after each. Once `stop` is aborted
 * nothing more is reported: a search that was stopped half-way judges nothing.
 */
export async function runReview(
  kernel: Kernel,
  search: Search,
  record: GameRecord,
  known: readonly PositionReview[],
  stop: AbortSignal,
  report: (positions: readonly PositionReview[]) => void,
): Promise<readonly PositionReview[]> {
  const nodes = [record.root, ...record.root.line()];
  const positions = [...known].slice(0, nodes.length);
  for (const node of nodes.slice(positions.length)) {
    const position = await reviewPosition(kernel, search, record, node, stop);
    if (position === null) break;
    positions.push(position);
    report(positions);
  }
  return positions;
}

/** Search a position; null if the review was stopped meanwhile. */
async function reviewPosition(
  kernel: Kernel,
  search: Search,
  record: GameRecord,
  node: Node,
  stop: AbortSignal,
): Promise<PositionReview | null> {
  if (stop.aborted) return null;
  const board = record.board(kernel, node);
  const mode = record.mode;
  const side = sideOf(mode, board.turn as Colour);
  if (board.outcome !== null) {
    const { winner } = board.outcome;
    const none = sideChances(mode, side, mode === "three" ? 1 / 3 : 1 / 2);
    const chances =
      winner === null
        ? none
        : none.map((_, index) => (index === sideOf(mode, winner as Colour) ? 1 : 0));
    return { chances, pv: [], best: chances[side] ?? 0, playedChance: null };
  }
  const [line] = await search.start(board, LIMITS);
  if (stop.aborted) return null;
  const best = chance(kernel, line, mode);
  const next = node.next?.move;
  const needed = mode === "three" && next !== undefined && next !== line?.move;
  const [tried] = needed ? await search.start(board, { ...LIMITS, moves: [next] }) : [];
  if (stop.aborted) return null;
  return {
    chances: sideChances(mode, side, best),
    pv: line?.pv ?? [],
    best,
    playedChance: tried ? chance(kernel, tried, mode) : null,
  };
}

function chance(kernel: Kernel, line: Line | undefined, mode: Mode): number {
  return line ? kernel.chance(line, mode) : 0.5;
}

/** The moves that could be judged so far. */
export function judge(
  kernel: Kernel,
  record: GameRecord,
  positions: readonly PositionReview[],
): JudgedMove[] {
  const { mode } = record;
  const judged: JudgedMove[] = [];
  record.root.line().forEach((node, index) => {
    const [before, after] = [positions[index], positions[index + 1]];
    const seat = node.seat;
    if (!before || !after || !seat || before.pv.length === 0) return;
    const isBest = before.pv[0] === node.move;
    const reached = before.playedChance ?? (after.chances[sideOf(mode, seat)] as number);
    const then = isBest ? Math.max(before.best, reached) : reached;
    const loss =
      isBest || (mode === "three" && before.playedChance === null)
        ? 0
        : Math.max(0, before.best - reached);
    const verdict = kernel.verdict(loss);
    const faults = verdict === "good" ? [] : faultsOf(kernel, record, node, before, after);
    judged.push({
      node,
      ply: index + 1,
      seat,
      loss,
      verdict,
      before: before.best,
      after: then,
      better: before.pv,
      faults,
    });
  });
  return judged;
}

function faultsOf(
  kernel: Kernel,
  record: GameRecord,
  node: Node,
  before: PositionReview,
  after: PositionReview,
): readonly Fault[] {
  try {
    const board = record.board(kernel, node.parent ?? node);
    return board.faults(node.move, before.pv, after.pv);
  } catch {
    return []; // players who leave in between make lines that can't be played on
  }
}

/** How accurately each player played; null for a player who hasn't moved. */
export function accuracies(kernel: Kernel, judged: readonly JudgedMove[]): Map<Colour, number> {
  const seats = new Set(judged.map(({ seat }) => seat));
  return new Map(
    [...seats].map((seat) => {
      const losses = judged.filter((one) => one.seat === seat).map(({ loss }) => loss);
      return [seat, kernel.accuracy(losses)] as const;
    }),
  );
}

/** Those worth a word: mistakes and blunders. */
export function turningPoints(judged: readonly JudgedMove[]): JudgedMove[] {
  return judged.filter(({ verdict }) => verdict === "mistake" || verdict === "blunder");
}
