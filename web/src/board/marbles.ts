// Marbles on the board: one element each, reused while the marble is on the board, so that it can
// slide.

import { type Cell, MARBLE, place, step, way } from "./geometry";
import { COLOURS, type Colour, type Effect, type Marbles, type View } from "./state";
import { gradient } from "./surface";
import { svg, translate } from "./svg";

export interface Marble {
  readonly colour: Colour;
  /** At rest on its cell. */
  readonly outer: SVGGElement;
  /** Slides relative to it. */
  readonly inner: SVGGElement;
}

/** The paints of all marbles of a board; the set in use colours them. */
export function paints(id: string): SVGDefsElement {
  return svg(
    "defs",
    {},
    gradient("radialGradient", `${id}-shadow`, {}, [
      [".5", "board-dark", 0.55],
      ["1", "board-dark", 0],
    ]),
    gradient("radialGradient", `${id}-shine`, {}, [
      ["0", "board-bright", 0.95],
      ["1", "board-bright", 0],
    ]),
    gradient("radialGradient", `${id}-glow`, { cx: ".68", cy: ".74", r: ".5" }, [
      ["0", "board-bright", 0.75],
      ["1", "board-bright", 0],
    ]),
    ...COLOURS.map((colour) =>
      gradient("radialGradient", `${id}-${colour}`, { cx: ".36", cy: ".3", r: ".74" }, [
        ["0", `marble-${colour}-light`, 1],
        [".45", `marble-${colour}-body`, 1],
        ["1", `marble-${colour}-edge`, 1],
      ]),
    ),
    speckles(`${id}-speckles`),
  );
}

/** Grains of stone, the same on every marble. */
function speckles(id: string): SVGElement {
  const grains = [4, 9, 15, 20, 26, 31, 7, 13, 29, 23, 17, 34].map((x, k) =>
    svg("circle", { cx: x, cy: (k * 23 + 5) % 36, r: 0.7 + (k % 3) * 0.45, class: "speckle" }),
  );
  const size = { width: "36", height: "36", patternUnits: "userSpaceOnUse" };
  return svg("pattern", { id, x: -MARBLE, y: -MARBLE, ...size }, ...grains);
}

export function marble(colour: Colour, id: string): Marble {
  const inner = svg(
    "g",
    { class: "slide" },
    svg("ellipse", { cx: 3.5, cy: 5, rx: 20.5, ry: 20, fill: `url(#${id}-shadow)` }),
    svg("circle", { r: MARBLE, fill: `url(#${id}-${colour})`, class: "ball" }),
    svg("circle", { r: MARBLE, fill: `url(#${id}-speckles)`, class: "stone" }),
    svg("circle", { r: MARBLE, fill: `url(#${id}-glow)`, class: `glow glow-${colour}` }),
    svg("ellipse", {
      cx: -6,
      cy: -8,
      rx: 7.5,
      ry: 5,
      transform: "rotate(-35 -6 -8)",
      fill: `url(#${id}-shine)`,
      class: `shine shine-${colour}`,
    }),
    svg("text", { y: 6, class: `letter letter-${colour}` }, letterOf(colour)),
  );
  return { colour, inner, outer: svg("g", { class: `marble ${colour}` }, inner) };
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

  /** Let the marbles of a move take their new cells; returns the one that leaves the board. */
  follow(effect: Effect): Marble | null {
    let leaving: Marble | null = null;
    const cells = [...effect.moved, ...effect.pushed];
    const going = cells.map((cell) => [step(cell, effect.direction), this.at.get(cell)] as const);
    for (const cell of cells) this.at.delete(cell);
    for (const [target, moving] of going) {
      if (moving === undefined) continue;
      if (target === null) leaving = moving;
      else this.at.set(target, moving);
    }
    leaving?.outer.remove();
    return leaving;
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

  /** Update the elements to the marbles on the cells. */
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
