// One running kernel: its memory, and the buffers through which texts and numbers are passed.

import { KernelError } from "./types.js";

type Functions = Record<string, (...values: number[]) => number>;

/** What a search calls back. */
export interface Watch {
  line(): void;
  goesOn(): boolean;
}

const NOT_THERE = 52; // what WASI answers for a function that a system doesn't have

export class Memory {
  readonly call: Functions;
  watch: Watch = { line: () => undefined, goesOn: () => true };
  private readonly memory: WebAssembly.Memory;
  private errorText = "";
  private readonly encoder = new TextEncoder();
  private readonly decoder = new TextDecoder();

  constructor(readonly module: WebAssembly.Module) {
    const imports: Record<string, Record<string, (...values: never[]) => unknown>> = {};
    for (const wanted of WebAssembly.Module.imports(module)) {
      imports[wanted.module] ??= {};
      (imports[wanted.module] as Record<string, () => number>)[wanted.name] = () => NOT_THERE;
    }
    imports.wasi_snapshot_preview1 = {
      ...imports.wasi_snapshot_preview1,
      clock_time_get: (_clock: number, _precision: bigint, at: number) => this.writeTime(at),
      fd_write: (_file: number, parts: number, count: number, done: number) =>
        this.collectError(parts, count, done),
    };
    imports.sumito = {
      line: () => this.watch.line(),
      goes_on: () => (this.watch.goesOn() ? 1 : 0),
    };
    const instance = new WebAssembly.Instance(module, imports as WebAssembly.Imports);
    this.memory = instance.exports.memory as WebAssembly.Memory;
    this.call = instance.exports as unknown as Functions;
    this.ask("_initialize");
  }

  /** Call a function of the kernel by its name. One that fails says why, and is of no more use. */
  ask(name: string, ...values: number[]): number {
    const asked = this.call[name];
    if (asked === undefined) throw new Error(`the kernel has no function ${name}`);
    try {
      return asked(...values) ?? 0;
    } catch (error) {
      const message = this.errorText.trim();
      throw error instanceof WebAssembly.RuntimeError && message ? new Error(message) : error;
    }
  }

  /** Write a text or bytes for the coming call; returns how many bytes. */
  write(what: string | Uint8Array): number {
    const bytes = typeof what === "string" ? this.encoder.encode(what) : what;
    const at = this.ask("in_buffer", bytes.length);
    new Uint8Array(this.memory.buffer, at, bytes.length).set(bytes);
    return bytes.length;
  }

  writeNumbers(numbers: readonly number[]): number {
    const at = this.ask("in_buffer", 8 * numbers.length);
    new Float64Array(this.memory.buffer, at, numbers.length).set(numbers);
    return numbers.length;
  }

  /** The text that a call returned, given its length. */
  readText(length: number): string {
    return this.decoder.decode(new Uint8Array(this.memory.buffer, this.ask("out_text"), length));
  }

  /** The numbers that a call returned, given how many. */
  readNumbers(length: number): Reader {
    return new Reader(
      new Float64Array(this.memory.buffer, this.ask("out_numbers"), length).slice(),
    );
  }

  /** What the kernel writes before it gives up. */
  private collectError(parts: number, count: number, done: number): number {
    const view = new DataView(this.memory.buffer);
    let written = 0;
    for (let n = 0; n < count; n++) {
      const at = view.getUint32(parts + 8 * n, true);
      const size = view.getUint32(parts + 8 * n + 4, true);
      this.errorText += this.decoder.decode(new Uint8Array(this.memory.buffer, at, size));
      written += size;
    }
    view.setUint32(done, written, true);
    return 0;
  }

  private writeTime(at: number): number {
    const nanoseconds = BigInt(Math.round(performance.now() * 1e6));
    new DataView(this.memory.buffer).setBigUint64(at, nanoseconds, true);
    return 0;
  }
}

/** Numbers read one after another. */
export class Reader {
  private at = 0;

  constructor(private readonly numbers: Float64Array) {}

  get done(): boolean {
    return this.at >= this.numbers.length;
  }

  next(): number {
    const number = this.numbers[this.at++];
    if (number === undefined) throw new Error("the kernel returned fewer numbers than expected");
    return number;
  }

  /** A list, which begins with its length. */
  list(): number[] {
    return Array.from({ length: this.next() }, () => this.next());
  }
}

export function wrong(code: string, message: string, values = {}): never {
  throw new KernelError(message, { code, values });
}
