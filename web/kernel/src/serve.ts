// The worker's side: a kernel of its own, asked by messages.

import type { Board, Told } from "./board.js";
import { Kernel } from "./kernel.js";
import type { Reader } from "./memory.js";
import type { Answered, Asked } from "./search.js";
import type { Line } from "./types.js";

export interface Listener {
  postMessage(message: unknown): void;
}

export class Server {
  private kernel: Kernel | null = null;
  private searcher = 0;

  constructor(private readonly page: Listener) {}

  hear(asked: Asked): void {
    const id = "id" in asked ? asked.id : 0;
    try {
      this.serve(asked);
    } catch (error) {
      this.answer({ type: "failed", id, message: (error as Error).message });
    }
  }

  private serve(asked: Asked): void {
    if (asked.type === "begin") {
      this.kernel = Kernel.within(asked.module);
      this.searcher = this.kernel.memory.ask("search_new", asked.hashMb);
      return;
    }
    if (this.kernel === null) throw new Error("the kernel has not begun");
    const { memory } = this.kernel;
    switch (asked.type) {
      case "network":
        memory.ask("use_network", memory.write(new Uint8Array(asked.bytes)));
        break;
      case "clear":
        memory.ask("search_clear", this.searcher);
        break;
      case "bench": {
        memory.ask("bench", asked.depth);
        const told = memory.told(2);
        this.answer({ type: "bench", id: asked.id, nodes: told.next(), ms: told.next() });
        break;
      }
      case "search":
        this.search(this.kernel, asked);
    }
  }

  private search(kernel: Kernel, asked: Extract<Asked, { type: "search" }>): void {
    const { memory } = kernel;
    const { id, stop } = asked;
    const board = boardOf(kernel, asked.board);
    memory.watch = {
      line: () => {
        const told = memory.told(memory.ask("told_size"));
        this.answer({ type: "line", id, ...lineFrom(kernel, told) });
      },
      goesOn: () => stop === null || Atomics.load(stop, 0) === 0,
    };
    const count = memory.writeNumbers(asked.limits);
    const told = memory.told(
      memory.ask("search_run", this.searcher, board.address, count, asked.analysis ? 1 : 0),
    );
    const lines: Line[] = [];
    while (!told.done) lines.push(lineFrom(kernel, told).line);
    this.answer({ type: "done", id, lines });
  }

  private answer(answered: Answered): void {
    this.page.postMessage(answered);
  }
}

function boardOf(kernel: Kernel, told: Told): Board {
  const board = kernel.board(told.position, told.rules);
  for (const index of told.moves) board.push(kernel.nameOf(index));
  return board;
}

function lineFrom(kernel: Kernel, told: Reader): { line: Line; rank: number } {
  const rank = told.next();
  const depth = told.next();
  const selectiveDepth = told.next();
  const score = told.next();
  const winIn = told.next();
  const nodes = told.next();
  const time = told.next();
  const pv = told.list().map((index) => kernel.nameOf(index));
  const line = { move: pv[0] ?? "", score, winIn: winIn || null, depth, selectiveDepth };
  return { line: { ...line, nodes, time, pv }, rank };
}
