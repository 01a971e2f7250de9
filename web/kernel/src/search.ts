// The engine, thinking in a worker so that the page never waits. A search can always be stopped:
// where memory can be shared it is asked to end; elsewhere its worker is ended and another started,
// and its best so far is the answer.

import type { Board, BoardState } from "./board.js";
import type { Kernel, Port } from "./kernel.js";
import { wrong } from "./memory.js";
import { LEVELS, type Limits, type Line } from "./types.js";

/** To the worker. */
export type Asked =
  | { readonly type: "begin"; readonly module: WebAssembly.Module; readonly hashMb: number }
  | { readonly type: "network"; readonly bytes: ArrayBuffer }
  | {
      readonly type: "search";
      readonly id: number;
      readonly board: BoardState;
      readonly limits: readonly number[];
      readonly analysis: boolean;
      readonly stop: Int32Array | null;
    }
  | { readonly type: "clear" }
  | { readonly type: "bench"; readonly id: number; readonly depth: number };

/** From the worker. */
export type Answered =
  | { readonly type: "line"; readonly id: number; readonly line: Line; readonly rank: number }
  | { readonly type: "done"; readonly id: number; readonly lines: readonly Line[] }
  | { readonly type: "bench"; readonly id: number; readonly nodes: number; readonly ms: number }
  | { readonly type: "failed"; readonly id: number; readonly message: string };

interface Running {
  readonly id: number;
  readonly wanted: number;
  readonly stop: Int32Array | null;
  readonly report: (lines: readonly Line[]) => void;
  readonly resolve: (lines: readonly Line[]) => void;
  readonly reject: (error: Error) => void;
  /** Of the last depth that was reported whole. */
  best: readonly Line[];
  coming: Line[];
  ending: boolean;
}

export interface Bench {
  readonly nodes: number;
  readonly ms: number;
}

export class Search {
  private port: Promise<Port> | null = null;
  /** The search that runs, and at most one that waits for it to end. */
  private readonly active = new Map<number, Running>();
  private benching: { resolve: (done: Bench) => void; reject: (error: Error) => void } | null =
    null;
  private last: Promise<unknown> = Promise.resolve();
  private count = 0;

  /** Use `kernel.search`. */
  constructor(
    private readonly kernel: Kernel,
    private readonly hashMb: number,
  ) {
    if (!(Number.isInteger(hashMb) && hashMb >= 1 && hashMb <= 1024)) {
      wrong("option", `hashMb is 1 to 1024, not ${hashMb}`);
    }
  }

  /** Fetch and start everything, so that the first search begins at once. */
  async ready(): Promise<void> {
    await this.worker();
  }

  /**
   * Search a position; the best lines of every finished depth are reported, the last of them
   * returned. A search that still runs is stopped first.
   */
  start(
    board: Board,
    limits: Limits,
    report: (lines: readonly Line[]) => void = () => undefined,
  ): Promise<readonly Line[]> {
    if (board.outcome !== null) wrong("game-over", "the game is over: there is nothing to search");
    const numbers = this.numbersOf(limits);
    const asked = { board: board.state(), limits: numbers, analysis: limits.analysis ?? false };
    const wanted = Math.min(limits.lines ?? 1, limits.moves?.length || board.legalMoves().length);
    this.stop();
    const before = this.last;
    const id = ++this.count;
    const found = new Promise<readonly Line[]>((resolve, reject) => {
      const stop = sharedFlag();
      const running: Running = {
        id,
        wanted,
        stop,
        report,
        resolve,
        reject,
        best: [],
        coming: [],
        ending: false,
      };
      this.active.set(id, running);
      before
        .then(() => this.worker())
        .then(
          (port) => port.postMessage({ type: "search", id, stop, ...asked } satisfies Asked),
          reject,
        );
    });
    this.last = found.catch(() => undefined);
    return found;
  }

  /** End the search that runs: it answers with the best it has. */
  stop(): void {
    for (const running of this.active.values()) {
      if (running.ending) continue;
      running.ending = true;
      if (running.stop) Atomics.store(running.stop, 0, 1);
      else this.endNow(running);
    }
  }

  /** Forget what earlier searches found, as before a new game. */
  async clear(): Promise<void> {
    await this.last;
    (await this.worker()).postMessage({ type: "clear" } satisfies Asked);
  }

  /** The fixed task that measures a machine. */
  async bench(depth: number): Promise<Bench> {
    await this.last;
    const port = await this.worker();
    return new Promise((resolve, reject) => {
      this.benching = { resolve, reject };
      port.postMessage({ type: "bench", id: 0, depth } satisfies Asked);
    });
  }

  /** End the worker. Closing twice is fine. */
  close(): void {
    this.endWorker();
    this.fail(new Error("the search has been closed"));
  }

  private worker(): Promise<Port> {
    if (this.port === null) {
      const begun = this.begin();
      begun.catch(() => {
        if (this.port === begun) this.port = null; // the next search tries again
      });
      this.port = begun;
    }
    return this.port;
  }

  private async begin(): Promise<Port> {
    const { module, sources } = this.kernel;
    const [port, bytes] = await Promise.all([sources.worker(), sources.network()]);
    port.onmessage = ({ data }) => this.hear(data as Answered);
    port.onerror = ({ message }) => {
      this.port = null;
      this.fail(new Error(message ?? "the search's worker failed"));
    };
    port.postMessage({ type: "begin", module, hashMb: this.hashMb } satisfies Asked);
    port.postMessage({ type: "network", bytes } satisfies Asked);
    return port;
  }

  private hear(answered: Answered): void {
    if (answered.type === "bench") {
      this.benching?.resolve({ nodes: answered.nodes, ms: answered.ms });
      this.benching = null;
      return;
    }
    if (answered.type === "failed") {
      this.endWorker(); // a kernel that failed is of no more use
      this.fail(new Error(answered.message));
      return;
    }
    const running = this.active.get(answered.id);
    if (running === undefined) return;
    if (answered.type === "done") this.finish(running, answered.lines);
    else this.take(running, answered.line, answered.rank);
  }

  private take(running: Running, line: Line, rank: number): void {
    if (rank === 1) running.coming = [];
    running.coming.push(line);
    if (running.coming.length < running.wanted) return;
    running.best = running.coming;
    running.report(running.best);
    if (running.ending && running.stop === null) this.endNow(running);
  }

  /** Without shared memory a worker hears nothing while it searches, so it goes. */
  private endNow(running: Running): void {
    if (running.best.length === 0) return; // the first depth takes no time; then it ends
    this.endWorker();
    this.finish(running, running.best);
  }

  private endWorker(): void {
    this.port?.then((port) => port.terminate()).catch(() => undefined);
    this.port = null;
  }

  private finish(running: Running, lines: readonly Line[]): void {
    this.active.delete(running.id);
    running.resolve(lines);
  }

  private fail(error: Error): void {
    for (const running of this.active.values()) running.reject(error);
    this.active.clear();
    this.benching?.reject(error);
    this.benching = null;
  }

  /** In the order in which the kernel reads them. */
  private numbersOf(limits: Limits): number[] {
    const { depth = 0, nodes = 0, time = 0, clock, lines = 1, seed = 0, moves = [] } = limits;
    const level = limits.level === undefined ? LEVELS.length : LEVELS.indexOf(limits.level) + 1;
    if (level < 1) wrong("option", `'${limits.level}' is no level`);
    const checked = (name: string, value: number, least: number) => {
      if (Number.isFinite(value) && value >= least && value <= 2 ** 50) return Math.round(value);
      return wrong("option", `${name} is a number from ${least} on, not ${value}`);
    };
    const given = <T>(value: T | undefined, least: number) => (value === undefined ? 0 : least);
    return [
      Math.min(checked("depth", depth, given(limits.depth, 1)), 1000),
      checked("nodes", nodes, given(limits.nodes, 1)),
      checked("time", time, given(limits.time, 1)),
      clock === undefined ? -1 : checked("remaining", clock.remaining, 0),
      checked("increment", clock?.increment ?? 0, 0),
      checked("moves", clock?.moves ?? 0, 0),
      Math.min(checked("lines", lines, 1), this.kernel.moves.length),
      level,
      checked("seed", seed, 0),
      ...moves.map((move) => this.kernel.indexOf(move)),
    ];
  }
}

/** A flag that a page and its worker both see, where the browser allows it; Node always does. */
function sharedFlag(): Int32Array | null {
  const { crossOriginIsolated = true } = globalThis as { crossOriginIsolated?: boolean };
  if (typeof SharedArrayBuffer === "undefined" || !crossOriginIsolated) return null;
  return new Int32Array(new SharedArrayBuffer(4));
}
