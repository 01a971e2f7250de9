// What a board shows, as plain values, and the few things that follow from them without any rule:
// reading a position, applying what a move does, and which offered moves fit a selection.

import { between, CELLS, type Cell, type Direction, step } from "./geometry";

export const COLOURS = ["black", "white", "red", "blue"] as const;
export type Colour = (typeof COLOURS)[number];
export type Marbles = ReadonlyMap<Cell, Colour>;

/** What a move does, as the server sends it: the rear or lower end of `moved` comes first. */
export interface Effect {
  readonly move: string;
  readonly direction: Direction;
  readonly moved: readonly Cell[];
  readonly pushed: readonly Cell[];
  readonly ejected: Colour | null;
}

/** A selected row and a direction; it may be no legal move. */
export interface Attempt {
  readonly cells: readonly Cell[];
  readonly direction: Direction;
}

/** A touch that means no move; `cells` is the selected row, which stays selected. */
export interface Miss {
  readonly kind: "far" | "theirs" | "ambiguous" | "empty" | "between";
  readonly cell: Cell;
  readonly cells: readonly Cell[];
}

/** Marbles that are lit up together, with what they are called. */
export interface Highlight {
  readonly cells: readonly Cell[];
  readonly tone: "good" | "danger" | "calm" | "firm";
  /** Where rows meet, the cells are a line; elsewhere each is joined with its neighbours. */
  readonly line: boolean;
  readonly name: string;
}

/** A move drawn as a figure of a booklet draws it, with a cross if it can't be made. */
export interface Sign extends Attempt {
  readonly refused: boolean;
}

/** What is drawn over the marbles: a move, an arrow or a named line between cells, a ring, a text. */
export type Annotation =
  | { readonly kind: "best" | "good" | "threat" | "played"; readonly effect: Effect }
  | { readonly kind: "arrow"; readonly from: Cell; readonly to: Cell }
  | { readonly kind: "ring"; readonly from: Cell }
  | {
      readonly kind: "line";
      readonly from: Cell;
      readonly to: Cell;
      readonly names: readonly string[];
    }
  | { readonly kind: "label"; readonly from: Cell; readonly text: string };

export interface View {
  readonly marbles: Marbles;
  readonly legal: readonly Effect[];
  /** The move that led here, for the marbles to slide. */
  readonly last: Effect | null;
  /** The moves to be marked, oldest first. */
  readonly trail: readonly Effect[];
  /** Colours whose marbles may be picked up now. */
  readonly hand: readonly Colour[];
  /** Take any direction, to be played when the turn comes. */
  readonly ahead: boolean;
  readonly premove: Attempt | null;
  /** What is drawn on the board. */
  readonly annotations?: readonly Annotation[];
  /** The edge where the player to move sits. */
  readonly lamp: number | null;
  readonly turns: number;
  readonly coordinates: boolean;
  readonly letters: boolean;
  /** What is lit up. */
  readonly highlights: readonly Highlight[];
  /** Moves that are drawn but not made. */
  readonly signs: readonly Sign[];
  /** A touch points at a cell and takes nothing up. */
  readonly pointing: boolean;
}

export const EMPTY_VIEW: View = {
  marbles: new Map(),
  legal: [],
  last: null,
  trail: [],
  hand: [],
  ahead: false,
  premove: null,
  lamp: null,
  turns: 0,
  coordinates: true,
  letters: false,
  highlights: [],
  signs: [],
  pointing: false,
};

const LETTERS: Record<string, Colour> = { b: "black", w: "white", r: "red", u: "blue" };

/** The marbles of a position text, whose rows run from i down to a. */
export function readMarbles(position: string): Marbles {
  const rows = (position.split(" ")[0] ?? "").split("/").reverse();
  const marbles = new Map<Cell, Colour>();
  rows.forEach((text, row) => {
    const cells = CELLS.filter((cell) => cell[0] === "abcdefghi"[row]);
    let at = 0;
    for (const letter of text) {
      const colour = LETTERS[letter];
      const cell = cells[at];
      if (colour !== undefined && cell !== undefined) marbles.set(cell, colour);
      at += colour === undefined ? Number(letter) : 1;
    }
  });
  return marbles;
}

export function apply(marbles: Marbles, effect: Effect): Marbles {
  const after = new Map(marbles);
  const cells = [...effect.moved, ...effect.pushed];
  for (const cell of cells) after.delete(cell);
  for (const cell of cells) {
    const target = step(cell, effect.direction);
    const colour = marbles.get(cell);
    if (target !== null && colour !== undefined) after.set(target, colour);
  }
  return after;
}

export function same(one: Marbles, other: Marbles): boolean {
  return one.size === other.size && [...one].every(([cell, colour]) => other.get(cell) === colour);
}

export function isInLine({ moved, direction }: Effect): boolean {
  const [first, second] = moved;
  return first !== undefined && (second === undefined || step(first, direction) === second);
}

/** The legal moves of a selected row; in line, it takes along the marbles ahead of it. */
export function movesOf(selection: readonly Cell[], legal: readonly Effect[]): Effect[] {
  return legal.filter((effect) => {
    if (!selection.every((cell) => effect.moved.includes(cell))) return false;
    if (isInLine(effect)) return selection.includes(effect.moved[0] ?? "");
    return effect.moved.length === selection.length;
  });
}

/** The cell to touch for a move: just ahead of the row, so that it never hides an own marble. */
export function handle(cells: readonly Cell[], direction: Direction): Cell | null {
  const foremost = cells.find((cell) =>
    cells.every((other) => other === cell || leads(cell, other, direction)),
  );
  return foremost === undefined ? null : step(foremost, direction);
}

/** Whether one cell of a row is at least as far along a direction as another. */
function leads(cell: Cell, other: Cell, direction: Direction): boolean {
  const line = between(other, cell);
  if (line === null) return false;
  const turn = Math.abs(ORDER.indexOf(line.direction) - ORDER.indexOf(direction));
  return turn <= 1 || turn === 5;
}

const ORDER = ["E", "NE", "NW", "W", "SW", "SE"];

/** A row of two or three from one cell to another whose marbles may all be picked up. */
export function rowBetween(from: Cell, to: Cell, view: View): Cell[] | null {
  const line = between(from, to);
  if (line === null || line.steps > 2) return null;
  const row = Array.from({ length: line.steps + 1 }, (_, k) => step(from, line.direction, k) ?? "");
  return row.every((cell) => inHand(cell, view)) ? row : null;
}

export function inHand(cell: Cell, view: View): boolean {
  const colour = view.marbles.get(cell);
  return colour !== undefined && view.hand.includes(colour);
}

/** The row and direction of a move's name, whatever the position; null if it is no name. */
export function attemptOf(name: string): Attempt | null {
  const [from = "", to = "", aside = ""] = name.match(/[a-i][1-9]/g) ?? [];
  if (!CELLS.includes(from) || !CELLS.includes(to) || name.length !== (aside ? 6 : 4)) return null;
  const line = between(from, to);
  if (!aside) return line?.steps === 1 ? { cells: [from], direction: line.direction } : null;
  const way = between(from, aside);
  if (line === null || line.steps > 2 || way?.steps !== 1) return null;
  const cells = Array.from(
    { length: line.steps + 1 },
    (_, k) => step(from, line.direction, k) ?? "",
  );
  return { cells, direction: way.direction };
}
