// Motion made from the move: the whole row slides as one, an ejected marble rolls into the tray.

import { type Cell, corners, type Point, place, SLOPE, step, TRAY_SLOPE, way } from "./geometry";
import type { Marble, Standing } from "./marbles";
import type { Effect } from "./state";
import type { Lying } from "./tray";

const SLIDE = 230;
const ROLL = 900;
const EASE = "cubic-bezier(.3, .1, .25, 1)";

function isStill(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Slide the marbles of a move to where they already stand; `done` is the part a drag has done. */
export function slideForward(
  standing: Standing,
  effect: Effect,
  turns: number,
  done: number,
): void {
  const { x, y } = way(effect.direction, turns);
  const rest = done - 1;
  slide(standing, effect, { x: x * rest, y: y * rest }, (cell) => step(cell, effect.direction));
}

export function slideBack(standing: Standing, effect: Effect, turns: number): void {
  slide(standing, effect, way(effect.direction, turns), (cell) => cell);
}

function slide(
  standing: Standing,
  effect: Effect,
  from: Point,
  standsAt: (cell: Cell) => Cell | null,
): void {
  if (isStill()) return;
  for (const cell of [...effect.moved, ...effect.pushed]) {
    const moving = standing.get(standsAt(cell) ?? "");
    moving?.inner.animate([{ transform: shift(from) }, { transform: shift({ x: 0, y: 0 }) }], {
      duration: SLIDE,
      easing: EASE,
    });
  }
}

/** Roll the ejected marble over the rim and along the tray to its place in the pile. */
export function roll(lying: Lying, effect: Effect, turns: number): void {
  const last = effect.pushed.at(-1);
  if (isStill() || last === undefined) return;
  const from = place(last, turns);
  const towards = way(effect.direction, turns);
  const fallen = intoTray({ x: from.x + towards.x, y: from.y + towards.y });
  const route = [from, fallen, ...along(fallen, lying.at), lying.at];
  const keyframes = route.map((at) => ({
    transform: shift({ x: (at.x - lying.at.x) / 0.84, y: (at.y - lying.at.y) / 0.84 }),
  }));
  lying.marble.inner.animate(keyframes, { duration: ROLL, easing: "ease-in-out" });
}

/** The nearest point of the tray's middle line to a point on the rim. */
function intoTray(at: Point): Point {
  const apothem = (((SLOPE + TRAY_SLOPE) / 2) * Math.sqrt(3)) / 2;
  const reach = Math.max(...normals().map(({ x, y }) => at.x * x + at.y * y));
  const factor = apothem / reach;
  return { x: at.x * factor, y: at.y * factor };
}

/** The corners of the tray that a marble passes, the shorter way round. */
function along(from: Point, to: Point): Point[] {
  const ring = corners((SLOPE + TRAY_SLOPE) / 2);
  const start = edgeOf(from);
  const end = edgeOf(to);
  const ahead = (end - start + 6) % 6;
  const steps = ahead <= 3 ? ahead : 6 - ahead;
  return Array.from({ length: steps }, (_, k) => {
    const corner = ahead <= 3 ? start + 1 + k : start - k;
    return ring[(((corner % 6) + 6) % 6) as number] as Point;
  });
}

function edgeOf(at: Point): number {
  const reaches = normals().map(({ x, y }) => at.x * x + at.y * y);
  return reaches.indexOf(Math.max(...reaches));
}

function normals(): Point[] {
  return Array.from({ length: 6 }, (_, k) => {
    const angle = ((270 + 60 * k) * Math.PI) / 180;
    return { x: Math.cos(angle), y: -Math.sin(angle) };
  });
}

function shift({ x, y }: Point): string {
  return `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
}

/** A small shake: this won't go. */
export function refuse(marbles: readonly Marble[]): void {
  if (isStill()) return;
  for (const { inner } of marbles) {
    inner.animate(
      [0, 2.5, -2.5, 1.5, 0].map((x) => ({ transform: shift({ x, y: 0 }) })),
      { duration: 240 },
    );
  }
}
