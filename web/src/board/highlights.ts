// Highlights on the board: groups of marbles with a name, and moves drawn as in a rules booklet.
// Names are placed where they cover neither each other nor, if possible, what they name.

import { between, type Cell, type Point, place, points, way } from "./geometry";
import type { Highlight, Sign } from "./state";
import { svg, translate } from "./svg";

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

const HEIGHT = 17;
const LETTER = 7.1;

/** The names, and rings on what they name; for above the marbles. */
export function lit(highlights: readonly Highlight[], turns: number): SVGElement[] {
  const occupied: Box[] = [];
  const named = highlights.filter(({ name }) => name !== "");
  return [
    ...highlights.map((light) => rings(light, turns)),
    ...named.map((light) => label(light, turns, occupied)),
  ];
}

/** A band that joins the marbles, for below them. */
export function bands(highlights: readonly Highlight[], turns: number): SVGElement[] {
  return highlights.map(({ cells, tone, line }) =>
    svg(
      "g",
      { class: `light tone-${tone}` },
      ...(line ? [cells] : neighbours(cells)).map((row) =>
        svg("polyline", { points: points(row.map((cell) => place(cell, turns))), class: "band" }),
      ),
    ),
  );
}

function rings({ cells, tone }: Highlight, turns: number): SVGElement {
  return svg(
    "g",
    { class: `light tone-${tone}` },
    ...cells.map((cell) =>
      svg("circle", { r: 18.5, class: "halo", transform: translate(place(cell, turns)) }),
    ),
  );
}

function neighbours(cells: readonly Cell[]): [Cell, Cell][] {
  return cells.flatMap((one, n) =>
    cells
      .slice(n + 1)
      .filter((other) => between(one, other)?.steps === 1)
      .map((other): [Cell, Cell] => [one, other]),
  );
}

function label({ cells, name, tone }: Highlight, turns: number, occupied: Box[]): SVGElement {
  const width = name.length * LETTER + 12;
  const at = spotFor(cells, turns, width, occupied);
  occupied.push({ ...at, width });
  return svg(
    "g",
    { class: `light-name tone-${tone}`, transform: translate(at) },
    svg("rect", { x: -width / 2, y: -HEIGHT / 2, width, height: HEIGHT, rx: HEIGHT / 2 }),
    svg("text", { y: 4 }, name),
  );
}

/** Below, above, or on the marbles: the first place that is free. */
function spotFor(cells: readonly Cell[], turns: number, width: number, occupied: Box[]): Point {
  const spots = cells.map((cell) => place(cell, turns));
  const middle = {
    x: spots.reduce((sum, { x }) => sum + x, 0) / spots.length,
    y: spots.reduce((sum, { y }) => sum + y, 0) / spots.length,
  };
  const low = Math.max(...spots.map(({ y }) => y));
  const high = Math.min(...spots.map(({ y }) => y));
  const beside = width / 2 + 24;
  const tall = low - high > 50;
  const choices = [
    ...(tall ? [middle.x + beside, middle.x - beside].map((x) => ({ x, y: middle.y })) : []),
    { x: middle.x, y: low + 20 },
    { x: middle.x, y: high - 20 },
    middle,
    { x: middle.x + 30, y: low + 20 },
    { x: middle.x - 30, y: high - 20 },
    { x: middle.x, y: low + 36 },
    { x: middle.x, y: high - 36 },
  ];
  return (
    choices.find((spot) => !occupied.some((box) => overlaps({ ...spot, width }, box))) ?? middle
  );
}

function overlaps(one: Box, other: Box): boolean {
  const apart = Math.abs(one.x - other.x) * 2 >= one.width + other.width;
  return !apart && Math.abs(one.y - other.y) < HEIGHT;
}

/** In line one arrow is enough: ahead of the row, or behind a row that can't be pushed on. */
export function signs(list: readonly Sign[], turns: number): SVGElement[] {
  return list.flatMap(({ cells, direction, refused }) => {
    const towards = way(direction, turns);
    if (!isAlong(cells, turns, towards)) {
      return cells.map((cell) => sign(place(cell, turns), towards, refused));
    }
    const end = place((refused ? cells[0] : cells.at(-1)) ?? "e5", turns);
    const from = refused ? { x: end.x - towards.x * 1.1, y: end.y - towards.y * 1.1 } : end;
    return [sign(from, towards, refused)];
  });
}

/** Whether a row goes along its own line. */
function isAlong(cells: readonly Cell[], turns: number, towards: Point): boolean {
  const [first, second] = cells;
  if (first === undefined || second === undefined) return true;
  const [from, to] = [place(first, turns), place(second, turns)];
  return Math.hypot(to.x - from.x - towards.x, to.y - from.y - towards.y) < 1;
}

function sign(from: Point, towards: Point, refused: boolean): SVGElement {
  const u = { x: towards.x / 40, y: towards.y / 40 };
  const at = (along: number, across: number): Point => ({
    x: from.x + u.x * along - u.y * across,
    y: from.y + u.y * along + u.x * across,
  });
  const shape = [at(14, 3), at(24, 3), at(24, 9), at(38, 0), at(24, -9), at(24, -3), at(14, -3)];
  const group = svg("g", { class: refused ? "sign refused" : "sign" });
  group.append(svg("polygon", { points: points(shape) }));
  if (refused) {
    const middle = at(25, 0);
    group.append(
      svg("path", { d: "M-8 -8L8 8M8 -8L-8 8", class: "cross", transform: translate(middle) }),
    );
  }
  return group;
}
