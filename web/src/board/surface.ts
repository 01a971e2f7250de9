// The board without marbles: shadow, wooden frame with coordinates, groove, and a surface with a
// dent for every cell. Light falls from the upper left. It never changes, so it is an image of its
// own beneath the one with the marbles.

import {
  CELLS,
  EDGE,
  GROOVE,
  labels,
  outline,
  place,
  points,
  side,
  TOP,
  VIEW_BOX,
} from "./geometry";
import { svg, translate } from "./svg";

export function surface(id: string): SVGSVGElement {
  return svg(
    "svg",
    { viewBox: VIEW_BOX, class: "surface", "aria-hidden": "true" },
    definitions(id),
    svg("path", { d: outline(EDGE), class: "board-shadow", filter: `url(#${id}-soft)` }),
    ...slab(id, EDGE, "board-frame", "frame-grain"),
    svg("path", { d: outline(GROOVE), class: "board-groove" }),
    svg("path", { d: outline(GROOVE), class: "groove-lip", stroke: `url(#${id}-lip)` }),
    ...slab(id, TOP, "board-top", "top-grain"),
    svg("path", { d: outline(TOP), fill: `url(#${id}-light)` }),
    ...CELLS.map((cell) =>
      svg("circle", {
        r: 16.5,
        transform: translate(place(cell, 0)),
        fill: `url(#${id}-dent)`,
        stroke: `url(#${id}-lip)`,
        "stroke-width": 1.3,
      }),
    ),
  );
}

/** A piece of the board with its grain and a bevelled edge. */
function slab(id: string, beyond: number, colour: string, grain: string): SVGElement[] {
  const d = outline(beyond);
  return [
    svg("path", { d, class: colour }),
    svg("path", { d, class: "grain", filter: `url(#${id}-${grain})` }),
    svg("path", { d: outline(beyond - 0.9), class: "bevel", stroke: `url(#${id}-bevel)` }),
  ];
}

function definitions(id: string): SVGDefsElement {
  return svg(
    "defs",
    {},
    gradient("radialGradient", `${id}-light`, { cx: ".36", cy: ".26", r: ".85" }, [
      ["0", "board-bright", 0.3],
      [".55", "board-bright", 0],
      ["1", "board-dark", 0.2],
    ]),
    gradient("linearGradient", `${id}-bevel`, { x1: ".25", y1: "0", x2: ".7", y2: "1" }, [
      ["0", "board-bright", 0.6],
      [".45", "board-bright", 0.08],
      ["1", "board-dark", 0.55],
    ]),
    gradient("linearGradient", `${id}-dent`, { x1: ".25", y1: "0", x2: ".7", y2: "1" }, [
      ["0", "board-dark", 0.52],
      [".55", "board-dark", 0.22],
      ["1", "board-bright", 0.24],
    ]),
    gradient("linearGradient", `${id}-lip`, { x1: ".25", y1: "0", x2: ".7", y2: "1" }, [
      [".3", "board-dark", 0.35],
      ["1", "board-bright", 0.5],
    ]),
    grain(`${id}-frame-grain`, ".05 .012", 7),
    grain(`${id}-top-grain`, ".009 .075", 3),
    svg(
      "filter",
      { id: `${id}-soft`, x: "-.1", y: "-.1", width: "1.2", height: "1.25" },
      svg("feOffset", { dx: 2, dy: 7 }),
      svg("feGaussianBlur", { stdDeviation: "6" }),
    ),
  );
}

/** Long noise, as wood has it; the theme gives it a colour and says how much of it shows. */
function grain(id: string, frequency: string, seed: number): SVGElement {
  return svg(
    "filter",
    { id, x: "0", y: "0", width: "1", height: "1", "color-interpolation-filters": "sRGB" },
    svg("feTurbulence", {
      type: "fractalNoise",
      baseFrequency: frequency,
      numOctaves: "4",
      seed,
      result: "noise",
    }),
    svg("feColorMatrix", {
      in: "noise",
      type: "matrix",
      values: "0 0 0 0 0  0 0 0 0 0  0 0 0 0 0  2.6 0 0 0 -.95",
      result: "streaks",
    }),
    svg("feComposite", { in: "SourceGraphic", in2: "streaks", operator: "in" }),
  );
}

export function gradient(
  kind: "radialGradient" | "linearGradient",
  id: string,
  shape: Record<string, string>,
  stops: [string, string, number][],
): SVGElement {
  const children = stops.map(([offset, name, opacity]) =>
    svg("stop", { offset, class: name, "stop-opacity": String(opacity) }),
  );
  return svg(kind, { id, ...shape }, ...children);
}

export function labelsOf(turns: number): SVGElement[] {
  return labels(turns).map(({ text, at }) => svg("text", { x: at.x, y: at.y + 4 }, text));
}

/** An inlay in the frame where the player to move sits. */
export function lamp(edge: number, turns: number): SVGElement {
  const ends = side((edge + turns) % 6, EDGE - 3.4, 0.3, 0.7);
  return svg("polyline", { points: points(ends), class: "lamp" });
}
