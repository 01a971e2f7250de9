// The state of the review page: a record, what the engine found in it so far, the shown move, and
// the turning point that the reader tries again. The page draws it; this knows no DOM.

import type { Board } from "../../kernel/src/board";
import type { Search } from "../../kernel/src/search";
import type { Verdict } from "../../kernel/src/types";
import type { Annotation, Effect } from "../board/state";
import { engineError } from "../domain/errors";
import { t } from "../domain/i18n";
import { announce, toast } from "../domain/messages";
import { faultText } from "../domain/mistakes";
import type { Colour } from "../domain/protocol";
import { kernel } from "../kernel/loader";
import { errorText } from "../record/errors";
import type { GameRecord, Referee } from "../record/record";
import { referee } from "../record/referee";
import { gameRecord } from "../record/sources";
import { Study } from "../record/study";
import type { Node } from "../record/tree";
import {
  accuracies,
  type JudgedMove,
  judge,
  type PositionReview,
  runReview,
  turningPoints,
} from "./review";
import { cachedReview, cacheReview, keyOf } from "./review-cache";

const NAGS: Record<Verdict, number> = { good: 0, inaccuracy: 6, mistake: 2, blunder: 4 };
/** A try that loses no more than this is as good. */
const AS_GOOD = 0.04;
/** How many moves of the better variation go to the analysis board. */
const ANALYSED_MOVES = 5;
const CACHE_EVERY = 10;

/** What became of a try: better than the move of the game, that move itself, or neither. */
export type TryResult = "better" | "same" | "worse";

/** One player's row in the table of accuracy. */
export interface PlayerSummary {
  readonly seat: Colour;
  readonly accuracy: number;
  readonly counts: Readonly<Record<Verdict, number>>;
}

export class ReviewController {
  record: GameRecord | null = null;
  positions: readonly PositionReview[] = [];
  running = false;
  /** Why there is nothing to review. */
  failed = "";
  /** How many moves are shown. */
  at = 0;
  /** The turning point whose better move is looked for. */
  trying: JudgedMove | null = null;
  tried: Effect | null = null;
  judged: readonly JudgedMove[] = [];
  /** The ply whose better move may be seen. */
  private revealed: number | null = null;
  private id: string | null = null;
  private referee: Referee | null = null;
  private search: Search | null = null;
  /** The current run. One that ends late finds another here, or none, and changes nothing. */
  private current: AbortController | null = null;
  /** Tries that are being searched; an interrupted run goes on after the last of them. */
  private probes = 0;
  private resume = false;
  private shownBoard: { readonly key: string; readonly board: Board } | null = null;

  constructor(private readonly changed: () => void) {}

  /** Review a game by its id, or with an empty one what lies on the analysis board. */
  async load(id: string): Promise<void> {
    this.halt();
    this.search?.stop();
    this.id = id;
    this.record = null;
    this.failed = "";
    this.setPositions([]);
    try {
      const judging = await referee();
      const opened = await Study.lastOpened(judging);
      const record = id ? await gameRecord(id, judging) : (opened?.record ?? null);
      if (id !== this.id) return;
      if (!record || record.root.next === null) {
        this.failed = t("There are no moves to review.");
        this.changed();
        return;
      }
      const positions = await cachedReview(keyOf(record));
      if (id === this.id) this.open(record, judging, positions);
    } catch (error) {
      if (id !== this.id) return;
      this.failed = errorText(error);
      this.changed();
    }
  }

  private open(record: GameRecord, judging: Referee, positions: readonly PositionReview[]): void {
    this.referee = judging;
    this.record = record;
    this.shownBoard = null;
    this.show(0);
    this.setPositions(positions);
    void this.run();
  }

  close(): void {
    this.id = null;
    this.halt();
    this.search?.close();
    this.search = null;
  }

  get plies(): number {
    return this.record?.root.line().length ?? 0;
  }

  /** The share of positions that were searched. */
  get progress(): number {
    return Math.min(1, this.positions.length / (this.plies + 1));
  }

  private setPositions(positions: readonly PositionReview[]): void {
    const { record, referee: judging } = this;
    this.positions = positions;
    this.judged = record && judging ? judge(judging.kernel, record, positions) : [];
    this.changed();
  }

  // The run through all positions.

  /** Search the positions that aren't known yet. */
  async run(): Promise<void> {
    const { record } = this;
    if (this.current || !record || this.positions.length > this.plies) return;
    const run = new AbortController();
    this.current = run;
    this.running = true;
    this.changed();
    const known = this.positions;
    let found = known;
    try {
      const loaded = await kernel();
      if (run.signal.aborted) return;
      this.search ??= loaded.search();
      await runReview(loaded, this.search, record, known, run.signal, (positions) => {
        found = [...positions];
        this.setPositions(found);
        if (found.length % CACHE_EVERY === 0) void cacheReview(keyOf(record), found);
      });
      if (!run.signal.aborted) announce(t("The review is ready."));
    } catch (error) {
      if (!run.signal.aborted) this.failed = engineError(error).message;
    } finally {
      if (this.current === run) this.halt();
      if (found.length > known.length) await cacheReview(keyOf(record), found);
    }
  }

  /** Stop the run and its search; the position it was at is searched again later. */
  stop(): void {
    this.halt();
    this.search?.stop();
  }

  private halt(): void {
    this.current?.abort();
    this.current = null;
    this.running = false;
    this.changed();
  }

  // The shown move.

  /** Show the position after a number of moves; a try ends. */
  show(ply: number): void {
    this.trying = null;
    this.tried = null;
    this.at = Math.max(0, Math.min(this.plies, ply));
    this.changed();
  }

  /** The node of the shown position. */
  get node(): Node | null {
    const { record } = this;
    return record ? ([record.root, ...record.root.line()][this.at] ?? record.root) : null;
  }

  /** The judgement of the move that led to the shown position. */
  get shownMove(): JudgedMove | null {
    return this.judged.find(({ ply }) => ply === this.at) ?? null;
  }

  /** The shown position with what is tried on it: the same object until it changes. */
  get board(): Board | null {
    const { record, referee: judging, node, tried } = this;
    if (!record || !judging || !node) return null;
    const key = `${this.at} ${tried?.move ?? ""}`;
    if (this.shownBoard?.key !== key) {
      const board = record.board(judging.kernel, node);
      if (tried) board.push(tried.move);
      this.shownBoard = { key, board };
    }
    return this.shownBoard.board;
  }

  /** Whether the better move of a turning point is shown, together with the position before it. */
  reveal(point: JudgedMove, isOpen: boolean): void {
    if (isOpen) this.show(point.ply - 1);
    this.revealed = isOpen ? point.ply : null;
    this.changed();
  }

  /** Arrows for the next move of the game and, once it is revealed, a better one. */
  annotations(): Annotation[] {
    const next = this.judged.find(({ ply }) => ply === this.at + 1);
    const { record, referee: judging } = this;
    const isQuiet = this.trying !== null || this.tried !== null;
    if (!next || !record || !judging || isQuiet || next.verdict === "good") return [];
    const board = record.board(judging.kernel, next.node.parent ?? record.root);
    const better = this.revealed === next.ply ? next.better[0] : undefined;
    return [
      ...(better ? [{ kind: "best", effect: board.effect(better) } as const] : []),
      ...(next.node.effect ? [{ kind: "played", effect: next.node.effect } as const] : []),
    ];
  }

  // Turning points.

  get turningPoints(): JudgedMove[] {
    return turningPoints(this.judged);
  }

  /** Accuracy and mistakes of each player, as far as the moves are judged. */
  summaries(): PlayerSummary[] {
    if (!this.referee || this.judged.length === 0) return [];
    return [...accuracies(this.referee.kernel, this.judged)].map(([seat, accuracy]) => {
      const counts = { good: 0, inaccuracy: 0, mistake: 0, blunder: 0 };
      for (const one of this.judged) if (one.seat === seat) counts[one.verdict]++;
      return { seat, accuracy, counts };
    });
  }

  /** Ask the reader for a better move at a turning point. */
  try(point: JudgedMove): void {
    this.show(point.ply - 1);
    this.trying = point;
    this.changed();
  }

  /** Judge the reader's try; null if it can't be judged, or they went elsewhere meanwhile. */
  async answer(effect: Effect): Promise<TryResult | null> {
    const point = this.trying;
    if (!point || !this.record || this.tried) return null;
    this.tried = effect;
    this.changed();
    const isBetter = await this.isAsGood(point, effect.move).catch((error) => {
      if (this.id !== null) toast(engineError(error).message);
      return null;
    });
    if (this.trying !== point || this.tried !== effect) return null;
    if (isBetter) this.trying = null;
    else this.tried = null;
    this.changed();
    if (isBetter === null) return null;
    if (isBetter) return "better";
    return effect.move === point.node.move ? "same" : "worse";
  }

  private async isAsGood(point: JudgedMove, move: string): Promise<boolean> {
    const { record, referee: judging } = this;
    if (point.better[0] === move) return true;
    if (!record || !judging || move === point.node.move) return false;
    const board = record.board(judging.kernel, point.node.parent ?? record.root);
    this.search ??= judging.kernel.search();
    this.resume ||= this.running;
    this.halt();
    this.probes++;
    try {
      const limits = { nodes: 100_000, analysis: true, moves: [move] };
      const [line] = await this.search.start(board, limits);
      return line ? point.before - judging.kernel.chance(line, record.mode) <= AS_GOOD : false;
    } finally {
      this.probes--;
      if (this.probes === 0 && this.resume && this.id !== null) {
        this.resume = false;
        void this.run();
      }
    }
  }

  /** Put the game on the analysis board, with marks, reasons and better variations. */
  putOnAnalysisBoard(): void {
    const { record, referee: judging } = this;
    if (!record || !judging) return;
    for (const move of this.judged) annotate(judging, record, move);
    const study = new Study(judging, [record]);
    study.go(this.node);
    study.putOnBoard();
  }
}

/** Write what was found about a move into the record. */
function annotate(judging: Referee, record: GameRecord, judged: JudgedMove): void {
  const { node, verdict, better, faults } = judged;
  const nag = NAGS[verdict];
  if (nag === 0) return;
  if (!node.nags.includes(nag)) node.nags = [nag, ...node.nags];
  const reasons = faults.map(faultText).join(" ");
  if (reasons && !node.comment.includes(reasons)) {
    node.comment = `${node.comment} ${reasons}`.trim();
  }
  let at = node.parent ?? record.root;
  const board = record.board(judging.kernel, at);
  for (const move of better.slice(0, ANALYSED_MOVES)) {
    at = at.add(move, board);
    board.push(move);
  }
}
