// The moves of a record as a tree, as in the Python library: each node is a move with its
// comments. The first child continues the main line, the others are variations.

import type { Board } from "../../kernel/src/board";
import type { Cell } from "../board/geometry";
import type { Colour, Effect } from "../board/state";
import { orderOf } from "../domain/modes";
import type { Mode } from "../domain/protocol";

/** How deep variations may nest. */
export const DEEPEST = 50;
export const MOST_NAG = 255;

/** Marks behind a move, and their numbers (numeric annotation glyphs, NAGs). */
export const GLYPHS: Readonly<Record<string, number>> = {
  "!": 1,
  "?": 2,
  "!!": 3,
  "??": 4,
  "!?": 5,
  "?!": 6,
};

/** The mark of a number, or nothing for one that has none. */
export function glyphOf(nag: number): string {
  return Object.keys(GLYPHS).find((glyph) => GLYPHS[glyph] === nag) ?? "";
}

/** How a move is numbered: its number, and its player's place in the order of turns. */
export interface Count {
  readonly number: number;
  readonly place: number;
}

/** Before the first move from a start. */
export function countAt(board: Pick<Board, "ply" | "mode">): Count {
  const players = orderOf(board.mode as Mode).length;
  return { number: Math.floor((board.ply - 1) / players) + 1, place: -1 };
}

export function nextCount(last: Count, mode: Mode, turn: Colour): Count {
  const place = orderOf(mode).indexOf(turn);
  return { number: last.number + (place <= last.place ? 1 : 0), place };
}

/** `2.` for the move that opens a round, `2...` for one within it. */
export function labelOf(count: Count, last: Count): string {
  const opens = count.number > last.number || count.place === 0;
  return opens ? `${count.number}.` : `${count.number}...`;
}

/** An arrow from cell to cell, or a ring around one, that belongs to a comment. */
export interface Shape {
  readonly from: Cell;
  /** Null for a ring. */
  readonly to: Cell | null;
}

export class Node {
  parent: Node | null = null;
  children: Node[] = [];
  comment = "";
  /** The comment before the move, where it opens a variation. */
  opening = "";
  nags: number[] = [];
  /** Milliseconds left to the player who moved. */
  clock: number | null = null;
  /** The evaluation after the move, in marbles, from black's side. */
  evaluation: number | null = null;
  /** Who leaves the game after this move, while the others play on. */
  outs: Colour[] = [];
  shapes: Shape[] = [];
  /** The move in the other notation that the page shows. */
  nacre = "";

  /** `effect` and `seat` are null at the root alone. */
  constructor(
    readonly effect: Effect | null,
    readonly seat: Colour | null,
    readonly count: Count,
  ) {}

  get move(): string {
    return this.effect?.move ?? "";
  }

  /** The move that follows in the line. */
  get next(): Node | null {
    return this.children[0] ?? null;
  }

  /** The move's number as it stands before it. */
  get label(): string {
    return this.parent ? labelOf(this.count, this.parent.count) : "";
  }

  /** The nodes that lead here from the root, this one last; the root has none. */
  path(): Node[] {
    const nodes: Node[] = [];
    for (let node: Node = this; node.parent !== null; node = node.parent) nodes.push(node);
    return nodes.reverse();
  }

  /** The nodes that follow in the line. */
  line(): Node[] {
    const nodes: Node[] = [];
    for (let node = this.next; node !== null; node = node.next) nodes.push(node);
    return nodes;
  }

  /** All nodes below this one: the line first at each branch, then what else was tried. */
  *walk(): Generator<Node> {
    const waiting = [...this.children].reverse();
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      yield node;
      waiting.push(...[...node.children].reverse());
    }
  }

  get root(): Node {
    let node: Node = this;
    while (node.parent !== null) node = node.parent;
    return node;
  }

  /** Is this a move of the line that was played? */
  get isPlayed(): boolean {
    return this.path().every((node) => node.parent?.next === node);
  }

  attach(child: Node): Node {
    child.parent = this;
    this.children.push(child);
    return child;
  }

  /** Add a move, or find it if it exists; `board` has the position of this node. */
  add(move: string, board: Board): Node {
    const found = this.children.find((child) => child.move === move);
    if (found) return found;
    const seat = board.turn;
    const count = nextCount(this.count, board.mode, seat);
    const child = this.attach(new Node(board.effect(move), seat, count));
    child.nacre = board.write(move, "nacre");
    return child;
  }

  /** Make this move the one that is played, and what was played a variation. */
  promote(): void {
    const { parent } = this;
    if (parent) parent.children = [this, ...parent.children.filter((one) => one !== this)];
  }

  /** Make the whole way here the line that was played. */
  promoteAll(): void {
    for (const node of this.path()) node.promote();
  }

  /** Take this move and all that follows it out of the tree. */
  remove(): void {
    if (!this.parent) return;
    this.parent.children = this.parent.children.filter((one) => one !== this);
    this.parent = null;
  }
}

/** Play the moves that lead to a node on a board that has the root's position. */
export function playTo(board: Board, node: Node): Board {
  for (const colour of node.root.outs) board.leave(colour);
  for (const one of node.path()) {
    board.push(one.move);
    for (const colour of one.outs) board.leave(colour);
  }
  return board;
}
