// The worker's side: a kernel of its own, asked by messages.

import type { Board, BoardState } from "./board.js";
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
        const numbers = memory.readNumbers(2);
        this.answer({ type: "bench", id: asked.id, nodes: numbers.next(), ms: numbers.next() });
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
        const numbers = memory.readNumbers(memory.ask("out_numbers_size"));
        this.answer({ type: "line", id, ...lineFrom(kernel, numbers) });
      },
      goesOn: () => stop === null || Atomics.load(stop, 0) === 0,
    };
    const count = memory.writeNumbers(asked.limits);
    const numbers = memory.readNumbers(
      memory.ask("search_run", this.searcher, board.address, count, asked.analysis ? 1 : 0),
    );
    const lines: Line[] = [];
    while (!numbers.done) lines.push(lineFrom(kernel, numbers).line);
    this.answer({ type: "done", id, lines });
  }

  private answer(answered: Answered): void {
    this.page.postMessage(answered);
  }
}

function boardOf(kernel: Kernel, state: BoardState): Board {
  const board = kernel.board(state.position, state.rules);
  for (const index of state.moves) board.push(kernel.nameOf(index));
  return board;
}

function lineFrom(kernel: Kernel, numbers: Reader): { line: Line; rank: number } {
  const rank = numbers.next();
  const depth = numbers.next();
  const selectiveDepth = numbers.next();
  const score = numbers.next();
  const winIn = numbers.next();
  const nodes = numbers.next();
  const time = numbers.next();
  const pv = numbers.list().map((index) => kernel.nameOf(index));
  const line = { move: pv[0] ?? "", score, winIn: winIn || null, depth, selectiveDepth };
  return { line: { ...line, nodes, time, pv }, rank };
}
