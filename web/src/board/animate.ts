// Animations of a move: the row slides as one; an ejected marble rolls over the rim and to the
// tray. Every function returns the animations it started.

import { type Cell, type Point, place, step, way } from "./geometry";
import type { Marble, Standing } from "./marbles";
import type { Effect } from "./state";

const SLIDE = 260;
const ROLL = 620;
const EASE = "cubic-bezier(.3, .1, .25, 1)";

export function isStill(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Slide the marbles of a move to their new cells; `done` is the part a drag has done. */
export function slideForward(
  standing: Standing,
  effect: Effect,
  turns: number,
  done: number,
): Animation[] {
  const { x, y } = way(effect.direction, turns);
  const rest = done - 1;
  return slide(standing, effect, { x: x * rest, y: y * rest }, (cell) =>
    step(cell, effect.direction),
  );
}

export function slideBack(standing: Standing, effect: Effect, turns: number): Animation[] {
  return slide(standing, effect, way(effect.direction, turns), (cell) => cell);
}

function slide(
  standing: Standing,
  effect: Effect,
  from: Point,
  standsAt: (cell: Cell) => Cell | null,
): Animation[] {
  if (isStill()) return [];
  return [...effect.moved, ...effect.pushed].flatMap((cell) => {
    const moving = standing.get(standsAt(cell) ?? "");
    const frames = [{ transform: shift(from) }, { transform: shift({ x: 0, y: 0 }) }];
    return moving ? [moving.inner.animate(frames, { duration: SLIDE, easing: EASE })] : [];
  });
}

/** Move the ejected marble over the rim and on to its place on the page, or drop it. */
export function roll(
  leaving: Marble,
  effect: Effect,
  turns: number,
  tray: { at: Point; scale: number } | null,
): Animation[] {
  const last = effect.pushed.at(-1);
  if (isStill() || last === undefined) return [];
  const from = place(last, turns);
  const towards = way(effect.direction, turns);
  const over = { x: from.x + towards.x * 0.95, y: from.y + towards.y * 0.95 };
  const fallen = { x: from.x + towards.x * 1.5, y: from.y + towards.y * 1.5 + 4 };
  const end = tray ?? { at: fallen, scale: 0.5 };
  const frames = [
    { transform: `${shift(from)} scale(1)`, offset: 0 },
    { transform: `${shift(over)} scale(1)`, offset: 0.34, easing: "ease-in" },
    { transform: `${shift(fallen)} scale(.86)`, offset: 0.5, easing: "ease-in-out" },
    { transform: `${shift(end.at)} scale(${end.scale.toFixed(3)})`, opacity: tray ? 1 : 0 },
  ];
  leaving.outer.removeAttribute("transform");
  return [leaving.outer.animate(frames, { duration: SLIDE + ROLL, fill: "forwards" })];
}

function shift({ x, y }: Point): string {
  return `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
}

/** A small shake: this won't go. */
export function refuse(marbles: readonly Marble[]): void {
  if (isStill()) return;
  for (const { inner } of marbles) {
    inner.animate(
      [0, 3, -3, 2, -2, 0].map((x) => ({ transform: shift({ x, y: 0 }) })),
      { duration: 300 },
    );
  }
}

/** Resolves when all have ended, or would have: hidden pages get no frames. */
export async function ended(animations: readonly Animation[]): Promise<void> {
  if (animations.length === 0) return;
  const all = Promise.all(animations.map(({ finished }) => finished.catch(() => undefined)));
  const late = new Promise((resolve) => setTimeout(resolve, SLIDE + ROLL + 300));
  await Promise.race([all, late]);
}
