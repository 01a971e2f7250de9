// A record: its tags and the tree of its moves. `readRecords` and `writeRecords` convert it from
// and to APGN, as the Python library does.

import type { Board } from "../../kernel/src/board";
import type { Kernel } from "../../kernel/src/kernel";
import type { Layout } from "../../kernel/src/layouts";
import type { Rules } from "../../kernel/src/types";
import { coloursOf } from "../domain/modes";
import type { Mode } from "../domain/protocol";
import type { RecordError } from "./errors";
import { boardFor, modeOf } from "./position";
import { rulesTag, startTags, title } from "./tags";
import { countAt, Node, playTo } from "./tree";

/** The kernel, and the start positions that a file may name. */
export interface Referee {
  readonly kernel: Kernel;
  readonly layouts: (mode: Mode) => readonly Layout[];
}

export class GameRecord {
  constructor(
    readonly tags: Record<string, string>,
    readonly start: string,
    readonly root: Node,
    readonly errors: readonly RecordError[] = [],
  ) {}

  get mode(): Mode {
    return modeOf(this.start);
  }

  get rules(): Rules {
    return rulesTag(this.tags).rules;
  }

  /** The board at a node of the tree, with its history. */
  board(kernel: Kernel, node: Node): Board {
    return playTo(boardFor(kernel, this.start, this.rules), node);
  }
}

/** An empty record from a position. */
export function newRecord(
  { kernel, layouts }: Referee,
  position: string,
  tags: Record<string, string> = {},
): GameRecord {
  const board = boardFor(kernel, position);
  const mode = board.mode as Mode;
  const names = coloursOf(mode).map((colour) => [title(colour), "?"]);
  const all = {
    Event: "?",
    Date: "????.??.??",
    ...Object.fromEntries(names),
    ...startTags(board.position, layouts(mode)),
    Result: "*",
    Notation: "Aba-Pro",
    ...tags,
  };
  return new GameRecord(all, board.position, new Node(null, null, countAt(board)));
}
