// Marbles on the board: one element each, kept while the marble lives, so that it can slide.

import { type Cell, MARBLE, place, step, way } from "./geometry";
import type { Colour, Effect, Marbles, View } from "./state";
import { svg, translate } from "./svg";

export interface Marble {
  readonly colour: Colour;
  /** Stands at the cell. */
  readonly outer: SVGGElement;
  /** Slides relative to it. */
  readonly inner: SVGGElement;
}

export function marble(colour: Colour, id: string, scale = 1): Marble {
  const inner = svg(
    "g",
    { class: "slide" },
    svg("ellipse", { cx: 3.5, cy: 5, rx: 20.5, ry: 20, fill: `url(#${id}-shadow)` }),
    svg("circle", { r: MARBLE, fill: `url(#${id}-${colour})` }),
    svg("ellipse", {
      cx: -6,
      cy: -8,
      rx: 7.5,
      ry: 5,
      transform: "rotate(-35 -6 -8)",
      fill: `url(#${id}-shine)`,
    }),
    svg("text", { y: 6, class: `letter letter-${colour}` }, letterOf(colour)),
  );
  const sized = scale === 1 ? inner : svg("g", { transform: `scale(${scale})` }, inner);
  return { colour, inner, outer: svg("g", { class: `marble ${colour}` }, sized) };
}

function letterOf(colour: Colour): string {
  return { black: "B", white: "W", red: "R", blue: "U" }[colour];
}

/** The marbles that stand on the board, by cell. */
export class Standing {
  readonly layer = svg("g", { class: "marbles" });
  private readonly at = new Map<Cell, Marble>();

  constructor(private readonly id: string) {}

  get(cell: Cell): Marble | undefined {
    return this.at.get(cell);
  }

  /** Let the marbles of a move take their new cells; the one that leaves the board is given up. */
  follow(effect: Effect): void {
    const cells = [...effect.moved, ...effect.pushed];
    const going = cells.map((cell) => [step(cell, effect.direction), this.at.get(cell)] as const);
    for (const cell of cells) this.at.delete(cell);
    for (const [target, moving] of going) {
      if (moving === undefined) continue;
      if (target === null) moving.outer.remove();
      else this.at.set(target, moving);
    }
  }

  /** The same for a move that is taken back. */
  unfollow(effect: Effect): void {
    const cells = [...effect.moved, ...effect.pushed];
    const going = cells.map((cell) => [cell, this.at.get(step(cell, effect.direction) ?? "")]);
    for (const cell of cells) this.at.delete(step(cell, effect.direction) ?? "");
    for (const [cell, moving] of going as [Cell, Marble | undefined][]) {
      if (moving !== undefined) this.at.set(cell, moving);
    }
  }

  /** Bring the elements in line with what stands where. */
  show(marbles: Marbles, turns: number): void {
    for (const [cell, standing] of this.at) {
      if (marbles.get(cell) !== standing.colour) {
        standing.outer.remove();
        this.at.delete(cell);
      }
    }
    for (const [cell, colour] of marbles) {
      if (!this.at.has(cell)) this.at.set(cell, marble(colour, this.id));
    }
    // From the back to the front, so that shadows fall on what lies behind.
    const order = [...this.at].map(([cell, it]) => ({ it, cell, at: place(cell, turns) }));
    order.sort((one, other) => one.at.y - other.at.y || one.at.x - other.at.x);
    order.forEach(({ it, cell, at }, index) => {
      it.outer.setAttribute("transform", translate(at));
      it.outer.setAttribute("data-cell", cell);
      if (this.layer.children[index] !== it.outer) {
        this.layer.insertBefore(it.outer, this.layer.children[index] ?? null);
      }
    });
  }

  /** Hold the marbles of a move part of the way, as a finger does. */
  hold(effect: Pick<Effect, "moved" | "pushed" | "direction">, part: number, view: View): void {
    const { x, y } = way(effect.direction, view.turns);
    for (const cell of [...effect.moved, ...effect.pushed]) {
      const held = this.at.get(cell);
      if (held) held.inner.style.transform = `translate(${x * part}px, ${y * part}px)`;
    }
  }

  release(): void {
    for (const { inner } of this.at.values()) inner.style.removeProperty("transform");
  }
}
