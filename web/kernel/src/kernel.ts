// The kernel, loaded once: makes boards and searches.

import { Board } from "./board.js";
import { Memory, wrong } from "./memory.js";
import { Search } from "./search.js";
import { type Mode, RULEBOOK, type Rules, VERDICTS, type Verdict } from "./types.js";

/** A dedicated worker of a browser or of Node. */
export interface Port {
  postMessage(message: unknown): void;
  onmessage: ((event: { data: unknown }) => void) | null;
  onerror: ((event: { message?: string }) => void) | null;
  terminate(): void;
}

/** Where the kernel's parts are found. Each is asked for when it is first needed. */
export interface Sources {
  readonly wasm: () => Promise<WebAssembly.Module>;
  readonly network: () => Promise<ArrayBuffer>;
  readonly worker: () => Port | Promise<Port>;
}

export class Kernel {
  /** The names of all moves by their numbers. */
  readonly moves: readonly string[];
  /** For the kernel's own worker. */
  readonly memory: Memory;
  private readonly numbers: ReadonlyMap<string, number>;

  private constructor(
    readonly module: WebAssembly.Module,
    readonly sources: Sources,
  ) {
    this.memory = new Memory(module);
    this.moves = this.memory.readText(this.memory.ask("move_names")).split(" ");
    this.numbers = new Map(this.moves.map((name, number) => [name, number]));
  }

  static async load(sources: Sources): Promise<Kernel> {
    return new Kernel(await sources.wasm(), sources);
  }

  /** A kernel within a worker, which starts none of its own. */
  static within(module: WebAssembly.Module): Kernel {
    const none = () => Promise.reject(new Error("a worker has no worker"));
    return new Kernel(module, { wasm: none, network: none, worker: none });
  }

  /** A board from a position text; a `KernelError` says what is wrong with it. */
  board(position: string, rules: Rules = RULEBOOK): Board {
    return new Board(this, this.memory, position, rules);
  }

  /** The engine, in a worker of its own. */
  search(options: { readonly hashMb?: number } = {}): Search {
    return new Search(this, options.hashMb ?? 16);
  }

  /**
   * The chance of winning of the side whose score it is, 0 to 1, a draw counted as half a win: of a
   * line, or of a score in hundredths of a marble.
   */
  chance(line: number | { readonly score: number; readonly winIn: number | null }, mode: Mode) {
    if (typeof line !== "number" && line.winIn !== null) return line.winIn > 0 ? 1 : 0;
    const score = typeof line === "number" ? line : line.score;
    return this.memory.ask("chance", score, mode === "three" ? 3 : 2);
  }

  /** What a move that loses so much of the chance is called. */
  verdict(loss: number): Verdict {
    return VERDICTS[this.memory.ask("verdict", loss)] ?? "good";
  }

  /** How accurately somebody played, 0 to 1, by the chance of winning that each move lost. */
  accuracy(losses: readonly number[]): number {
    return this.memory.ask("accuracy", this.memory.writeNumbers(losses));
  }

  /** The number of a move by its Aba-Pro name. */
  indexOf(move: string): number {
    return this.numbers.get(move) ?? wrong("invalid-move", `'${move}' is no move`, { text: move });
  }

  nameOf(index: number): string {
    return this.moves[index] ?? wrong("invalid-move", `moves are numbered 0 to 1271, not ${index}`);
  }
}

/** The builds of the kernel. */
export type Build = "relaxed" | "simd" | "plain";

/** Returns the sum of four products of -100 and 127, and 1000. */
const RELAXED = [
  1, 5, 1, 96, 0, 1, 127, 3, 2, 1, 0, 7, 5, 1, 1, 97, 0, 0, 10, 25, 1, 23, 0, 65, 156, 127, 253, 15,
  65, 255, 0, 253, 15, 65, 232, 7, 253, 17, 253, 147, 2, 253, 27, 0, 11,
];
/** Splats a number. */
const SIMD = [1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];

/** The fastest build of the kernel that this machine can run; all compute the same. */
export function fastestBuild(): Build {
  const module = (probe: readonly number[]) =>
    new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, ...probe]);
  if (WebAssembly.validate(module(RELAXED))) {
    // Early versions of V8 add the products to themselves, so the result is checked.
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module(RELAXED)));
    if ((exports as { a(): number }).a() === 1000 - 4 * 100 * 127) return "relaxed";
  }
  return WebAssembly.validate(module(SIMD)) ? "simd" : "plain";
}
