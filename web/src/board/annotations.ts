// Annotations on the board: a move worth playing, a threat, an arrow, a ring, a line with names at
// its ends, a text. They lie over the marbles and take no input.

import { type Cell, type Point, place, points, way } from "./geometry";
import { type Annotation, type Effect, isInLine } from "./state";
import { svg, translate } from "./svg";

const HEAD = 15;

export function marked(annotations: readonly Annotation[], turns: number): SVGElement[] {
  // The best comes last, so that it lies on top.
  return [...annotations].reverse().flatMap((mark) => {
    if (mark.kind === "ring") return [ring(mark.from, turns)];
    if (mark.kind === "label") return [label(place(mark.from, turns), mark.text)];
    if (mark.kind === "line") {
      const ends = [place(mark.from, turns), place(mark.to, turns)];
      return [
        svg("polyline", { points: points(ends), class: "mark-line" }),
        ...ends.map((end, n) => label(end, mark.names[n] ?? "")),
      ];
    }
    if (mark.kind === "arrow") {
      return [arrow(place(mark.from, turns), place(mark.to, turns), "mark arrow-drawn")];
    }
    return moveMark(mark.effect, mark.kind, turns);
  });
}

function ring(cell: Cell, turns: number): SVGElement {
  return svg("circle", {
    r: 17,
    class: "mark ring-drawn",
    transform: translate(place(cell, turns)),
  });
}

function label(at: Point, text: string): SVGElement {
  const width = Math.max(22, text.length * 7.8 + 12);
  return svg(
    "g",
    { class: "mark-label", transform: translate(at) },
    svg("rect", { x: -width / 2, y: -11, width, height: 22, rx: 11 }),
    svg("text", { y: 5 }, text),
  );
}

/** Along the row from its rear to where its front goes; a side-step shows the row, and its way. */
function moveMark(effect: Effect, kind: string, turns: number): SVGElement[] {
  const cells = effect.moved.map((cell) => place(cell, turns));
  const towards = way(effect.direction, turns);
  const [first, last] = [cells[0], cells.at(-1)];
  if (!first || !last) return [];
  const onwards = ({ x, y }: Point): Point => ({ x: x + towards.x, y: y + towards.y });
  if (isInLine(effect)) return [arrow(first, onwards(last), `mark ${kind}`)];
  const middle = { x: (first.x + last.x) / 2, y: (first.y + last.y) / 2 };
  return [
    svg("polyline", { points: points([first, last]), class: `mark row ${kind}` }),
    arrow(middle, onwards(middle), `mark ${kind}`),
  ];
}

function arrow(from: Point, to: Point, name: string): SVGElement {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const u = { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
  const at = (along: number, across: number): Point => ({
    x: from.x + u.x * along - u.y * across,
    y: from.y + u.y * along + u.x * across,
  });
  const neck = Math.max(4, length - HEAD);
  const shape = [
    ...[at(0, 4), at(neck, 4), at(neck, 10), at(length, 0)],
    ...[at(neck, -10), at(neck, -4), at(0, -4)],
  ];
  return svg("polygon", { points: points(shape), class: name });
}
