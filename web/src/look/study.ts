// What is looked at: one record or several, and the move in them that is shown. Everything that
// changes it goes through here, so that it can be kept and drawn.

import type { Board } from "../../kernel/src/board";
import { readRecords } from "../record/reader";
import { begin, type GameRecord, type Referee } from "../record/record";
import { GLYPHS, type Node, type Shape } from "../record/tree";
import { writeRecords } from "../record/writer";

const KEPT = "sumito.analysis";

export const START = "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0,0 0 1";

interface Kept {
  readonly text: string;
  readonly game: number;
  readonly path: readonly number[];
}

/** Dispatches `change` when something else is shown, and `edit` when the records changed. */
export class Study extends EventTarget {
  records: GameRecord[] = [];
  game = 0;
  node: Node;
  /** The board at the node. */
  board: Board;
  private keeping = 0;

  constructor(
    readonly referee: Referee,
    records: readonly GameRecord[],
  ) {
    super();
    this.records = [...records];
    this.node = this.record.root;
    this.board = this.boardAt(this.node);
  }

  /** A new study from a position. */
  static from(referee: Referee, position: string): Study {
    return new Study(referee, [begin(referee, position)]);
  }

  get record(): GameRecord {
    return this.records[this.game] as GameRecord;
  }

  private boardAt(node: Node): Board {
    return this.record.board(this.referee.kernel, node);
  }

  // Walking.

  go(node: Node | null): void {
    if (node === null || node === this.node) return;
    this.node = node;
    this.board = this.boardAt(node);
    this.dispatchEvent(new Event("change"));
  }

  back(): void {
    this.go(this.node.parent);
  }
  forward(): void {
    this.go(this.node.next);
  }
  toStart(): void {
    this.go(this.record.root);
  }
  toEnd(): void {
    this.go(this.node.line().at(-1) ?? null);
  }

  /** To another move that was tried here instead. */
  beside(step: 1 | -1): void {
    const siblings = this.node.parent?.children ?? [];
    this.go(siblings[siblings.indexOf(this.node) + step] ?? null);
  }

  choose(game: number): void {
    if (!this.records[game]) return;
    this.game = game;
    this.node = this.record.root;
    this.board = this.boardAt(this.node);
    this.dispatchEvent(new Event("change"));
  }

  // Changing.

  play(move: string): void {
    const known = this.node.children.length;
    const next = this.node.add(move, this.board);
    const added = this.node.children.length > known;
    this.go(next);
    if (added) this.edited();
  }

  /** Add moves that follow each other, and go to the last. */
  playLine(moves: readonly string[]): void {
    const board = this.board.copy();
    let { node } = this;
    for (const move of moves) {
      node = node.add(move, board);
      board.push(move);
    }
    this.go(node);
    this.edited();
  }

  promote(): void {
    this.node.promoteAll();
    this.edited();
  }

  remove(): void {
    const { parent } = this.node;
    if (!parent) return;
    this.node.remove();
    this.go(parent);
    this.edited();
  }

  comment(text: string): void {
    this.node.comment = text;
    this.edited();
  }

  /** Of ! and its like a move has one at most; other numbers stay. */
  mark(glyph: string): void {
    const nag = GLYPHS[glyph];
    if (nag === undefined || this.node.parent === null) return;
    const marks = Object.values(GLYPHS);
    const others = this.node.nags.filter((one) => !marks.includes(one));
    this.node.nags = this.node.nags.includes(nag) ? others : [nag, ...others];
    this.edited();
  }

  /** Draw an arrow or a ring, or wipe the same away. */
  draw(shape: Shape): void {
    const same = (one: Shape) => one.from === shape.from && one.to === shape.to;
    const { shapes } = this.node;
    this.node.shapes = shapes.some(same) ? shapes.filter((one) => !same(one)) : [...shapes, shape];
    this.edited();
  }

  wipe(): void {
    if (this.node.shapes.length === 0) return;
    this.node.shapes = [];
    this.edited();
  }

  private edited(): void {
    this.dispatchEvent(new Event("edit"));
    this.dispatchEvent(new Event("change"));
    clearTimeout(this.keeping);
    this.keeping = window.setTimeout(() => this.keep(), 300);
  }

  // Keeping.

  text(): string {
    return writeRecords(this.records, this.referee.kernel);
  }

  /** In this browser, for the next visit. */
  keep(): void {
    clearTimeout(this.keeping);
    const kept: Kept = { text: this.text(), game: this.game, path: placeOf(this.node) };
    try {
      localStorage.setItem(KEPT, JSON.stringify(kept));
    } catch {
      // A whole archive is more than a browser keeps: the file is still where it came from.
    }
  }

  /** What was looked at last, if anything was kept. */
  static kept(referee: Referee): Study | null {
    try {
      const kept = JSON.parse(localStorage.getItem(KEPT) ?? "null") as Kept | null;
      if (!kept) return null;
      const study = new Study(referee, readRecords(kept.text, referee));
      study.choose(kept.game);
      let { node } = study;
      for (const child of kept.path) node = node.children[child] ?? node;
      study.go(node);
      return study;
    } catch {
      return null;
    }
  }
}

/** The way to a node, as the numbers of children. */
function placeOf(node: Node): number[] {
  return node.path().map((one) => one.parent?.children.indexOf(one) ?? 0);
}
