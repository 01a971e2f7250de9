// The state of the puzzle page: a single puzzle, training, a streak without a mistake, or a storm
// against the clock, with the ratings of this device and of the account. Knows no DOM.

import type { Mode, PuzzleStanding } from "../domain/protocol";
import { choose, climb, note, type Progress, progress, updateProgress } from "./progress";
import { fetchStanding, knownAccount, submitResult } from "./results-sync";
import { daily, isOfKind, type Puzzle, puzzles, today } from "./shipped";

const STORM_MS = 180_000;
const STORM_COST_MS = 10_000;
const TICK_MS = 200;
/** How long a solved or missed puzzle of a run is left standing. */
const STREAK_PAUSE_MS = 700;
const STORM_PAUSE_MS = 350;

export type Run = "daily" | "train" | "streak" | "storm" | "one";
const RUNS: readonly Run[] = ["daily", "train", "streak", "storm"];

export class PuzzlesController {
  /** All puzzles; null until they are loaded. */
  list: readonly Puzzle[] | null = null;
  /** Why they can't be loaded. */
  failed = "";
  puzzle: Puzzle | null = null;
  progress: Progress = progress();
  /** The standing of the account, where there is one. */
  account: PuzzleStanding | null = null;
  /** How the rating changed by the current puzzle. */
  ratingChange: number | null = null;
  /** Whether this puzzle, or this run, is over. */
  isOver = false;
  /** The puzzles solved in this run. */
  count = 0;
  /** Grows with each puzzle, so that the same one set again restarts. */
  round = 0;
  private path = "";
  private query = new URLSearchParams();
  private endsAt = 0;
  private clock: ReturnType<typeof setInterval> | undefined;
  private pause: ReturnType<typeof setTimeout> | undefined;
  /** The puzzles of this run, by id. */
  private readonly seen = new Set<string>();

  constructor(private readonly changed: () => void) {}

  /** What the address asks for: the path behind /puzzles/ and its query. */
  open(path: string, query: string): void {
    this.path = path;
    this.query = new URLSearchParams(query);
    this.restart();
  }

  async load(): Promise<void> {
    this.failed = "";
    try {
      this.list = await puzzles();
      this.restart();
    } catch (error) {
      this.failed = (error as Error).message;
      this.changed();
    }
  }

  readonly loadStanding = async (): Promise<void> => {
    this.account = await fetchStanding();
    this.changed();
  };

  /** Stop all timers. */
  stop(): void {
    clearInterval(this.clock);
    clearTimeout(this.pause);
  }

  /** Null on the page that lists the puzzles. */
  get run(): Run | null {
    if (this.path === "") return null;
    return RUNS.find((run) => run === this.path) ?? "one";
  }

  /** A run goes on from puzzle to puzzle by itself. */
  get isQuick(): boolean {
    return this.run === "storm" || this.run === "streak";
  }

  /** The kind of puzzle that is trained; empty for all. */
  get kind(): string {
    return this.query.get("kind") ?? "";
  }

  /** The account's rating, or that of this device. */
  get rating(): number {
    return this.account?.rating ?? this.progress.rating;
  }

  /** How many puzzles were solved at the first try. */
  get solvedCount(): number {
    return Object.values(this.progress.done).filter((solved) => solved).length;
  }

  /** The best run of this kind so far. */
  get best(): number {
    return this.run === "storm" ? this.progress.storm : this.progress.streak;
  }

  get secondsLeft(): number {
    return Math.max(0, Math.ceil((this.endsAt - Date.now()) / 1000));
  }

  /** Puzzles of a kind, in a mode or in all. */
  ofKind(kind: string, mode: string): readonly Puzzle[] {
    return (this.list ?? []).filter(
      (puzzle) => (kind === "" || isOfKind(puzzle, kind)) && (mode === "" || puzzle.mode === mode),
    );
  }

  /** The modes that have puzzles, with most players last. */
  get modes(): readonly Mode[] {
    return [...new Set((this.list ?? []).map(({ mode }) => mode))].sort().reverse();
  }

  /** Begin what the address asks for. */
  restart(): void {
    this.stop();
    this.seen.clear();
    this.puzzle = null;
    this.isOver = false;
    this.ratingChange = null;
    this.count = 0;
    this.endsAt = 0;
    this.progress = progress();
    if (this.list && this.run !== null) {
      if (this.run === "storm") this.startClock();
      this.next();
    }
    this.changed();
  }

  private startClock(): void {
    this.endsAt = Date.now() + STORM_MS;
    this.clock = setInterval(() => {
      if (Date.now() >= this.endsAt) {
        this.stop();
        this.isOver = true;
      }
      this.changed();
    }, TICK_MS);
  }

  /** Set another puzzle. */
  next(): void {
    clearTimeout(this.pause);
    this.ratingChange = null;
    this.isOver = false;
    this.puzzle = this.choose();
    if (this.puzzle) this.seen.add(this.puzzle.id);
    this.round++;
    this.changed();
  }

  private choose(): Puzzle | null {
    const all = this.list ?? [];
    const chosen = this.ofKind(this.kind, this.query.get("mode") ?? "");
    switch (this.run) {
      case "daily":
        return daily(all, today());
      case "one":
        return all.find(({ id }) => id === this.path) ?? null;
      case "train":
        return choose(chosen, { ...progress(), rating: this.rating }, this.puzzle);
      default:
        return climb(chosen, this.count, this.seen);
    }
  }

  /** The puzzle was solved, at the first try or later; `tried` are the reader's moves. */
  recordSolved(firstTry: boolean, tried: readonly string[]): void {
    const { puzzle, run } = this;
    if (!puzzle || run === null) return;
    if (this.isQuick) {
      this.count++;
      this.recordBest();
      this.nextAfter(run === "storm" ? STORM_PAUSE_MS : STREAK_PAUSE_MS);
    } else {
      if (firstTry) this.rate(puzzle, true, tried);
      if (run === "daily") this.progress = updateProgress({ daily: today() });
      this.isOver = true;
    }
    this.changed();
  }

  /** The first wrong move. */
  recordMiss(tried: readonly string[]): void {
    const { puzzle, run } = this;
    if (!puzzle) return;
    if (run === "streak") this.isOver = true;
    else if (run === "storm") {
      this.endsAt -= STORM_COST_MS;
      this.nextAfter(STREAK_PAUSE_MS);
    } else this.rate(puzzle, false, tried);
    this.changed();
  }

  private nextAfter(ms: number): void {
    this.pause = setTimeout(() => this.next(), ms);
  }

  private recordBest(): void {
    const { count } = this;
    if (this.run === "streak" && count > this.progress.streak) {
      this.progress = updateProgress({ streak: count });
    }
    if (this.run === "storm" && count > this.progress.storm) {
      this.progress = updateProgress({ storm: count });
    }
  }

  private rate(puzzle: Puzzle, solved: boolean, tried: readonly string[]): void {
    const { before, after } = note(puzzle, solved);
    this.progress = after;
    const { account } = this;
    if (before !== after && knownAccount() !== null) void this.submit(puzzle, tried, account);
    if (!account || before === after) this.ratingChange = after.rating - before.rating;
  }

  private async submit(
    puzzle: Puzzle,
    tried: readonly string[],
    before: PuzzleStanding | null,
  ): Promise<void> {
    const { round } = this;
    const after = await submitResult(puzzle.id, tried);
    if (!after) return;
    this.account = after;
    if (before && this.round === round) this.ratingChange = after.rating - before.rating;
    this.changed();
  }
}
