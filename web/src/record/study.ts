// A study: one record or several, and the shown move. Every change goes through here, so that it
// can be stored and rendered.

import type { Board } from "../../kernel/src/board";
import { type Analysis, analyses, newId } from "../storage/analyses";
import { readRecords } from "./reader";
import { type GameRecord, newRecord, type Referee } from "./record";
import { playersOf } from "./tags";
import { GLYPHS, type Node, type Shape } from "./tree";
import { writeRecords } from "./writer";

/** What is on the analysis board, for a reload and for the review. */
const BOARD = "sumito.analysis";
const SAVE_DELAY_MS = 300;

export const START = "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0,0 0 1";

interface OnBoard {
  /** The analysis it is, null for what isn't the reader's own; missing in what old pages stored. */
  readonly id?: string | null;
  readonly savedAt?: number | null;
  /** The id it gets if another tab has changed it too. */
  readonly fork?: string;
  /** Missing where it is longer than a browser stores here. */
  readonly text?: string;
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
  private saveTimer: ReturnType<typeof setTimeout> | undefined;
  /** The reader's own analysis from the first edit on; null for what was only opened. */
  private id: string | null = null;
  /** When it was last stored, by its own `changedAt`. */
  private savedAt: number | null = null;
  private fork = newId();
  private dirty = false;
  private onBoard = false;
  private saving: Promise<unknown> = Promise.resolve();

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
    return new Study(referee, [newRecord(referee, position)]);
  }

  /** The id of the reader's own analysis; null while it isn't one. */
  get analysis(): string | null {
    return this.id;
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

  get isAtStart(): boolean {
    return this.node.parent === null;
  }

  get isAtEnd(): boolean {
    return this.node.next === null;
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
    this.id ??= newId();
    this.dirty = true;
    this.dispatchEvent(new Event("edit"));
    this.dispatchEvent(new Event("change"));
    clearTimeout(this.saveTimer);
    this.saveTimer = setTimeout(() => this.save(), SAVE_DELAY_MS);
  }

  // Storing.

  text(): string {
    return writeRecords(this.records, this.referee.kernel);
  }

  /** Store the reader's own analysis; what was only opened isn't stored. */
  save(): void {
    clearTimeout(this.saveTimer);
    if (this.id !== null || this.onBoard) this.putOnBoard();
    if (this.id === null || !this.dirty) return;
    this.dirty = false;
    this.saving = this.saving.then(() => this.write());
  }

  private async write(): Promise<void> {
    if (this.id === null) return;
    const { tags } = this.record;
    const named = tags.Black !== "?" || tags.White !== "?";
    const analysis: Analysis = {
      id: this.id,
      text: this.text(),
      game: this.game,
      path: placeOf(this.node),
      players: named ? playersOf(tags) : "",
      moves: this.record.root.line().length,
      position: this.board.position,
      changedAt: Math.max(Date.now(), (this.savedAt ?? 0) + 1),
    };
    const stored = await analyses.put(analysis, this.savedAt, this.fork);
    if (stored.id === this.fork) this.fork = newId();
    this.id = stored.id;
    this.savedAt = stored.changedAt;
    if (this.onBoard) this.putOnBoard();
  }

  /** Show this on the next visit of the analysis board, and to the review. */
  putOnBoard(): void {
    const { id, savedAt, fork, game } = this;
    const path = placeOf(this.node);
    const shown: OnBoard = { id, savedAt, fork, text: this.text(), game, path };
    this.onBoard = true;
    if (!writeOnBoard(shown)) {
      const { text: _, ...rest } = shown;
      writeOnBoard(rest); // the text of an own analysis is stored with the others
    }
  }

  /**
   * What lay on the board last, if anything did. It is stored by then: an older page stored it nowhere
   * else, and a page that was left in a hurry may not have got round to it. Call this before anything
   * else is put on the board.
   */
  static async lastOpened(referee: Referee): Promise<Study | null> {
    const study = await Study.load(referee, readOnBoard());
    if (study) {
      study.onBoard = true;
      study.save();
      await study.saving;
    }
    return study;
  }

  /** One of the reader's analyses; null if there is none of that id or it can't be read. */
  static async open(referee: Referee, id: string): Promise<Study | null> {
    const found = await analyses.get(id);
    const study = found ? await Study.load(referee, { ...found, savedAt: found.changedAt }) : null;
    study?.putOnBoard();
    return study;
  }

  /** Delete one of the reader's analyses. */
  static async remove(id: string): Promise<void> {
    await analyses.remove(id);
    if (readOnBoard()?.id === id) localStorage.removeItem(BOARD);
  }

  private static async load(referee: Referee, shown: OnBoard | null): Promise<Study | null> {
    try {
      const { id = null, savedAt = null } = shown ?? {};
      const text = shown?.text ?? (id === null ? undefined : (await analyses.get(id))?.text);
      if (shown === null || text === undefined) return null;
      const study = new Study(referee, readRecords(text, referee));
      study.choose(shown.game);
      let { node } = study;
      for (const child of shown.path) node = node.children[child] ?? node;
      study.go(node);
      const { root } = study.record;
      const isWork = root.next !== null || root.comment !== "";
      study.id = shown.id === undefined && isWork ? newId() : id;
      study.savedAt = savedAt;
      study.fork = shown.fork ?? study.fork;
      study.dirty = study.id !== null; // the page may have gone before the last edit was stored
      return study;
    } catch {
      return null;
    }
  }
}

function readOnBoard(): OnBoard | null {
  try {
    return JSON.parse(localStorage.getItem(BOARD) ?? "null") as OnBoard | null;
  } catch {
    return null;
  }
}

/** Return false where there is no room or no storage. */
function writeOnBoard(shown: OnBoard): boolean {
  try {
    localStorage.setItem(BOARD, JSON.stringify(shown));
    return true;
  } catch {
    return false;
  }
}

/** The path to a node, as indices of children. */
function placeOf(node: Node): number[] {
  return node.path().map((one) => one.parent?.children.indexOf(one) ?? 0);
}
