// The hexagon on the screen: cells, six directions, and where they lie on a board that is turned.
// Lengths are those of the pictures the Python library draws, so that page and pictures agree:
// one step from cell to cell is 40 units, the centre e5 is the origin, y grows downwards.

export type Cell = string;
export type Point = { readonly x: number; readonly y: number };

/** Counter-clockwise from east, as everywhere else in Sumito. */
export const DIRECTIONS = ["E", "NE", "NW", "W", "SW", "SE"] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** Steps along E and along NW; a row of the board is a line of constant second number. */
type Lattice = readonly [number, number];

const ROWS = "abcdefghi";
const STEPS: Record<Direction, Lattice> = {
  E: [1, 0],
  NE: [1, 1],
  NW: [0, 1],
  W: [-1, 0],
  SW: [-1, -1],
  SE: [0, -1],
};

export const STEP = 40;
export const MARBLE = 18;
const ROW = (STEP * Math.sqrt(3)) / 2;

/** From the centre to the middles of the outermost holes; the board's outlines run around these. */
const HOLES = 4 * STEP;
/** How far the playing surface, the groove around it and the frame reach beyond those holes. */
export const TOP = 20.5;
export const GROOVE = 25.5;
export const EDGE = 42;
/** A label lies between the groove and the edge, in line with the holes it names. */
const LABEL = 36.5;

const MARGIN = 2;
const WIDTH = 2 * (HOLES + EDGE + MARGIN);
const HALF = (HOLES * Math.sqrt(3)) / 2 + EDGE + MARGIN;
export const VIEW_BOX = `${-WIDTH / 2} ${-HALF} ${WIDTH} ${2 * HALF}`;

function lattice(cell: Cell): Lattice {
  return [Number(cell[1]) - 5, ROWS.indexOf(cell[0] ?? "") - 4];
}

function named([x, y]: Lattice): Cell | null {
  const onBoard = Math.max(Math.abs(x), Math.abs(y), Math.abs(x - y)) <= 4;
  return onBoard ? `${ROWS[y + 4]}${x + 5}` : null;
}

/** Reading order: a1 a2 … i9. */
export const CELLS: readonly Cell[] = [...ROWS].flatMap((_, y) =>
  Array.from({ length: 9 }, (_, x) => named([x - 4, y - 4])).filter((cell) => cell !== null),
);

export function step(cell: Cell, direction: Direction, times = 1): Cell | null {
  const [x, y] = lattice(cell);
  const [dx, dy] = STEPS[direction];
  return named([x + dx * times, y + dy * times]);
}

/** The direction and the number of steps between two cells of one line, or null. */
export function between(from: Cell, to: Cell): { direction: Direction; steps: number } | null {
  for (const direction of DIRECTIONS) {
    for (let steps = 1; steps <= 8; steps++) {
      if (step(from, direction, steps) === to) return { direction, steps };
    }
  }
  return null;
}

export function turnDirection(direction: Direction, turns: number): Direction {
  const index = DIRECTIONS.indexOf(direction) + turns;
  return DIRECTIONS[((index % 6) + 6) % 6] as Direction;
}

function turned([x, y]: Lattice, turns: number): Lattice {
  return turns === 0 ? [x, y] : turned([x - y, x], turns - 1);
}

function point([x, y]: Lattice): Point {
  return { x: STEP * (x - y / 2), y: -ROW * y };
}

/** Where a cell lies on a board turned by multiples of 60° counter-clockwise. */
export function place(cell: Cell, turns: number): Point {
  return point(turned(lattice(cell), turns));
}

/** One step in a direction, as a way on the screen. */
export function way(direction: Direction, turns: number): Point {
  return point(turned(STEPS[direction], turns));
}

/** The cell at a point, if one is near enough for a finger to mean it. */
export function cellAt(at: Point, turns: number): Cell | null {
  let nearest: Cell | null = null;
  let distance = STEP * 0.62;
  for (const cell of CELLS) {
    const { x, y } = place(cell, turns);
    const away = Math.hypot(at.x - x, at.y - y);
    if (away < distance) [nearest, distance] = [cell, away];
  }
  return nearest;
}

/** Degrees off the line between two directions within which a drag means neither. */
const UNCLEAR = 7;

/** The direction a drag points to, the one next to it, and whether it is clear which is meant. */
export function bearing(
  drag: Point,
  turns: number,
): { direction: Direction; other: Direction; clear: boolean } {
  const angle = Math.atan2(-drag.y, drag.x) / (Math.PI / 3);
  const index = Math.round(angle);
  const off = angle - index;
  return {
    direction: turnDirection("E", index - turns),
    other: turnDirection("E", index + (off < 0 ? -1 : 1) - turns),
    clear: Math.abs(off) * 60 < 30 - UNCLEAR,
  };
}

/** The corners of a hexagon, counter-clockwise from the lower left one. */
export function corners(radius: number): Point[] {
  return Array.from({ length: 6 }, (_, k) => {
    const angle = ((240 + 60 * k) * Math.PI) / 180;
    return { x: radius * Math.cos(angle), y: -radius * Math.sin(angle) };
  });
}

export function points(list: readonly Point[]): string {
  return list.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
}

/** A hexagon with round corners, so far beyond the outermost holes. */
export function outline(beyond: number): string {
  const parts = corners(HOLES).map((_, k) => {
    const [from, to] = side(k, beyond, 0, 1);
    const arc = k === 0 ? "M" : `A${beyond} ${beyond} 0 0 0 `;
    return `${arc}${spot(from)}L${spot(to)}`;
  });
  const [first] = side(0, beyond, 0, 1);
  return `${parts.join("")}A${beyond} ${beyond} 0 0 0 ${spot(first)}Z`;
}

/** A piece of one of the six sides; edges count counter-clockwise from the bottom. */
export function side(edge: number, beyond: number, start: number, end: number): [Point, Point] {
  const ring = corners(HOLES);
  const from = ring[edge % 6] as Point;
  const to = ring[(edge + 1) % 6] as Point;
  const angle = ((270 + 60 * edge) * Math.PI) / 180;
  const out = { x: beyond * Math.cos(angle), y: -beyond * Math.sin(angle) };
  const at = (part: number): Point => ({
    x: from.x + (to.x - from.x) * part + out.x,
    y: from.y + (to.y - from.y) * part + out.y,
  });
  return [at(start), at(end)];
}

function spot({ x, y }: Point): string {
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}

/** Letters west of their rows, digits south-east of their lines, each beside the hole it names. */
export function labels(turns: number): { text: string; at: Point }[] {
  const list: { text: string; at: Point }[] = [];
  const beside = (hole: Lattice, towards: Direction): Point => {
    const from = point(turned(hole, turns));
    const ray = way(towards, turns);
    return { x: from.x + (ray.x * LABEL) / STEP, y: from.y + (ray.y * LABEL) / STEP };
  };
  for (let k = -4; k <= 4; k++) {
    const end = Math.max(-4, k - 4);
    list.push({ text: ROWS[k + 4] ?? "", at: beside([end, k], "W") });
    list.push({ text: String(k + 5), at: beside([k, end], "SE") });
  }
  return list;
}
