// The overlay of the last move, of the selected row, and of its possible moves. A plain move has
// one chevron, a push two, an ejection a mark on the marble that will leave; shapes tell them
// apart as well as colours do.

import { type Cell, type Direction, type Point, place, points, step, way } from "./geometry";
import {
  type Attempt,
  type Colour,
  type Effect,
  handle,
  inHand,
  isInLine,
  type Marbles,
  movesOf,
  type View,
} from "./state";
import { svg, translate } from "./svg";

export type Kind = "plain" | "push" | "eject" | "ahead";

/** A move of the selected row, and the cell to touch for it. */
export interface Offer {
  readonly at: Cell;
  readonly direction: Direction;
  readonly kind: Kind;
  readonly effect: Effect | null;
}

export function offers(selection: readonly Cell[], view: View): Offer[] {
  if (selection.length === 0) return [];
  if (view.ahead) {
    return (["E", "NE", "NW", "W", "SW", "SE"] as const).flatMap((direction) => {
      const at = beyond(selection, direction, view);
      return at === null ? [] : [{ at, direction, kind: "ahead" as const, effect: null }];
    });
  }
  return movesOf(selection, view.legal).flatMap((effect) => {
    const at = handle(effect.moved, effect.direction);
    return at === null ? [] : [{ at, direction: effect.direction, kind: kindOf(effect), effect }];
  });
}

function kindOf(effect: Effect): Kind {
  if (effect.ejected !== null) return "eject";
  return effect.pushed.length > 0 ? "push" : "plain";
}

/** The first cell ahead of a row that holds no marble one could pick up instead. */
export function beyond(cells: readonly Cell[], direction: Direction, view: View): Cell | null {
  let at = handle(cells, direction);
  while (at !== null && inHand(at, view)) at = step(at, direction);
  return at;
}

/** Where on the frame a row would leave the board, if only own marbles lie between it and the rim. */
export function overRim(cells: readonly Cell[], direction: Direction, view: View): Point | null {
  let last = cells.find((cell) => !cells.includes(step(cell, direction) ?? ""));
  while (last !== undefined && inHand(step(last, direction) ?? "", view)) {
    last = step(last, direction) ?? undefined;
  }
  if (last === undefined || step(last, direction) !== null) return null;
  const [at, towards] = [place(last, view.turns), way(direction, view.turns)];
  return { x: at.x + towards.x, y: at.y + towards.y };
}

export function arrow(offer: Offer, turns: number, preview: boolean, unsure = false): SVGGElement {
  const group = svg("g", {
    class: `arrow ${offer.kind}${preview ? " preview" : ""}${unsure ? " unsure" : ""}`,
    transform: translate(place(offer.at, turns)),
    "data-arrow": offer.direction,
  });
  group.append(svg("circle", { r: 14, class: "disc" }));
  const count = offer.kind === "push" || offer.kind === "eject" ? 2 : 1;
  for (let k = 0; k < count; k++) {
    group.append(chevron(way(offer.direction, turns), k - (count - 1) / 2));
  }
  return group;
}

function chevron(towards: Point, shift: number): SVGElement {
  const ux = towards.x / 40;
  const uy = towards.y / 40;
  const shape = [
    [-3.5, 6],
    [3.5, 0],
    [-3.5, -6],
  ].map(([along = 0, across = 0]) => {
    const far = along + shift * 7;
    return { x: ux * far - uy * across, y: uy * far + ux * across };
  });
  return svg("polyline", { points: points(shape), class: "chevron" });
}

/** Rings on all marbles a move would take along, and a cross on the one it would eject. */
export function consequences(effect: Effect, turns: number, preview: boolean): SVGElement[] {
  const list: SVGElement[] = [];
  if (preview) for (const cell of effect.moved) list.push(ring(cell, turns, "goes"));
  for (const cell of effect.pushed) {
    const leaves = effect.ejected !== null && cell === effect.pushed.at(-1);
    list.push(ring(cell, turns, leaves ? "leaves" : "pushed"));
    if (leaves) list.push(exit(cell, effect.direction, turns));
  }
  return list;
}

function ring(cell: Cell, turns: number, name: string): SVGElement {
  return svg("circle", {
    r: 18.5,
    class: `ring ${name}`,
    transform: translate(place(cell, turns)),
  });
}

/** The direction over the rim. */
function exit(cell: Cell, direction: Direction, turns: number): SVGElement {
  const from = place(cell, turns);
  const towards = way(direction, turns);
  const at = (part: number): Point => ({
    x: from.x + towards.x * part,
    y: from.y + towards.y * part,
  });
  const tip = at(1.18);
  const head = chevron(towards, 0);
  head.setAttribute("transform", translate(tip));
  return svg(
    "g",
    { class: "exit" },
    svg("polyline", { points: points([at(0.55), at(1.1)]) }),
    head,
  );
}

export function selected(cells: readonly Cell[], turns: number): SVGElement[] {
  return cells.map((cell) => ring(cell, turns, "selected"));
}

/** Moves to be marked, the older ones fainter: a ghost where a marble stood, an arrow to where. */
export function trails({ trail: effects, turns, marbles }: View): SVGElement[] {
  return effects.map((effect, index) => {
    const age = effects.length - 1 - index;
    const opacity = String(Math.max(0.35, 1 - age * 0.25));
    const annotations = trail(effect, turns, marbles);
    return svg("g", { class: "trail", opacity, "data-move": effect.move }, ...annotations);
  });
}

function trail(effect: Effect, turns: number, marbles: Marbles): SVGElement[] {
  const cells = [...effect.moved, ...effect.pushed];
  const towards = way(effect.direction, turns);
  const rows = isInLine(effect) ? [cells] : cells.map((cell) => [cell]);
  const reached = new Set(cells.map((cell) => step(cell, effect.direction)));
  const reach = effect.ejected === null ? 1 : 0.5;
  const ribbons = rows.map((row) => {
    const from = place(row[0] ?? "e5", turns);
    const end = place(row.at(-1) ?? "e5", turns);
    const to = { x: end.x + towards.x * reach, y: end.y + towards.y * reach };
    return svg("polyline", { points: points([from, to]), class: "ribbon" });
  });
  const left = cells.filter((cell) => !reached.has(cell));
  return [
    ...ribbons,
    ...left.map((cell) => {
      const to = step(cell, effect.direction);
      return ghost(place(cell, turns), towards, to === null ? null : (marbles.get(to) ?? null));
    }),
  ];
}

/** The place a marble has left, as a shadow of it, with an arrow to the cell it went to. */
function ghost(from: Point, towards: Point, colour: Colour | null): SVGElement {
  const u = { x: towards.x / 40, y: towards.y / 40 };
  const at = (along: number, across: number): Point => ({
    x: u.x * along - u.y * across,
    y: u.y * along + u.x * across,
  });
  const shape = [
    at(-7, 2.2),
    at(9, 2.2),
    at(9, 7),
    at(21, 0),
    at(9, -7),
    at(9, -2.2),
    at(-7, -2.2),
  ];
  return svg(
    "g",
    { class: `ghost ${colour ?? ""}`, transform: translate(from) },
    svg("circle", { r: 16 }),
    svg("polygon", { points: points(shape) }),
  );
}

export function premoved(attempt: Attempt, view: View): SVGElement[] {
  const at = beyond(attempt.cells, attempt.direction, view);
  const rings = attempt.cells.map((cell) => ring(cell, view.turns, "premoved"));
  if (at === null) return rings;
  const { direction } = attempt;
  return [...rings, arrow({ at, direction, kind: "ahead", effect: null }, view.turns, true)];
}
