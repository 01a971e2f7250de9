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

/** Half the height or width of the hexagons the board is built of, from the top to the table. */
export const TOP = 184;
export const SLOPE = 191;
export const TRAY_SLOPE = 227;
export const TRAY = 231;
export const FRAME = 254;
export const EDGE = 259;
const LABELS_WITHIN = 236;

const WIDTH = 2 * (EDGE + 4);
const HEIGHT = Math.sqrt(3) * EDGE + 14;
export const VIEW_BOX = `${-WIDTH / 2} ${(-Math.sqrt(3) / 2) * EDGE - 4} ${WIDTH} ${HEIGHT}`;

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

/** Where a cell lies on a board turned so many times 60° counter-clockwise. */
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

/** The direction a drag points to. */
export function directionOf(drag: Point, turns: number): Direction {
  const angle = Math.atan2(-drag.y, drag.x);
  const index = Math.round(angle / (Math.PI / 3));
  return turnDirection("E", index - turns);
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

/** Letters west of their rows, digits south-east of their lines, on the middle of the frame. */
export function labels(turns: number): { text: string; at: Point }[] {
  const list: { text: string; at: Point }[] = [];
  for (let k = -4; k <= 4; k++) {
    const letter: Lattice = [Math.max(-4, k - 4) - 1, k];
    const digit: Lattice = [k, Math.max(-4, k - 4) - 1];
    list.push({ text: ROWS[k + 4] ?? "", at: onFrame(letter, [-1, 0], turns) });
    list.push({ text: String(k + 5), at: onFrame(digit, [0, -1], turns) });
  }
  return list;
}

function onFrame(from: Lattice, towards: Lattice, turns: number): Point {
  const start = point(turned(from, turns));
  const ray = point(turned(towards, turns));
  const wanted = (((TRAY + FRAME) / 2) * Math.sqrt(3)) / 2;
  let nearest = Number.POSITIVE_INFINITY;
  for (let k = 0; k < 6; k++) {
    const angle = ((270 + 60 * k) * Math.PI) / 180;
    const normal = { x: Math.cos(angle), y: -Math.sin(angle) };
    const speed = ray.x * normal.x + ray.y * normal.y;
    if (speed > 1e-9) {
      nearest = Math.min(nearest, (wanted - start.x * normal.x - start.y * normal.y) / speed);
    }
  }
  // The two tips of the frame are cut off on narrow screens; no label hides there.
  const x = Math.max(-LABELS_WITHIN, Math.min(LABELS_WITHIN, start.x + ray.x * nearest));
  return { x, y: start.y + ray.y * nearest };
}
