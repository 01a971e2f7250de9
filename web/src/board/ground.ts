// The board itself, from the table up: a frame with the coordinates, a tray for the ejected, and a
// raised hexagon with a dent for every cell. Light falls from the upper left.

import {
  CELLS,
  corners,
  EDGE,
  FRAME,
  labels,
  type Point,
  place,
  points,
  SLOPE,
  TOP,
  TRAY,
  TRAY_SLOPE,
} from "./geometry";
import { COLOURS } from "./state";
import { round, svg, translate } from "./svg";

const LIGHT = (118 * Math.PI) / 180;

export function definitions(id: string): SVGDefsElement {
  return svg(
    "defs",
    {},
    gradient("radialGradient", `${id}-top`, { cx: ".38", cy: ".3", r: ".9" }, [
      ["0", "board-top-lit", 1],
      ["1", "board-top", 1],
    ]),
    gradient("radialGradient", `${id}-shadow`, {}, [
      [".55", "board-dark", 0.5],
      ["1", "board-dark", 0],
    ]),
    gradient("radialGradient", `${id}-shine`, {}, [
      ["0", "board-bright", 0.95],
      ["1", "board-bright", 0],
    ]),
    gradient("linearGradient", `${id}-dent`, { x1: ".25", y1: "0", x2: ".7", y2: "1" }, [
      ["0", "board-dark", 0.5],
      [".55", "board-dark", 0.2],
      ["1", "board-bright", 0.28],
    ]),
    gradient("linearGradient", `${id}-lip`, { x1: ".25", y1: "0", x2: ".7", y2: "1" }, [
      [".3", "board-dark", 0.3],
      ["1", "board-bright", 0.5],
    ]),
    ...COLOURS.map((colour) =>
      gradient("radialGradient", `${id}-${colour}`, { cx: ".36", cy: ".3", r: ".74" }, [
        ["0", `marble-${colour}-light`, 1],
        [".45", `marble-${colour}-body`, 1],
        ["1", `marble-${colour}-edge`, 1],
      ]),
    ),
  );
}

function gradient(
  kind: "radialGradient" | "linearGradient",
  id: string,
  shape: Record<string, string>,
  stops: [string, string, number][],
): SVGElement {
  const children = stops.map(([offset, name, opacity]) =>
    svg("stop", { offset, class: name, "stop-opacity": opacity }),
  );
  return svg(kind, { id, ...shape }, ...children);
}

export function ground(id: string): SVGGElement {
  const shadow = corners(EDGE).map(({ x, y }) => ({ x: x + 0.5, y: y + 5 }));
  return svg(
    "g",
    { class: "ground" },
    svg("polygon", { points: points(shadow), opacity: ".22" }),
    hexagon(EDGE, "board-frame"),
    ...slopes(FRAME, EDGE, 0.38),
    hexagon(TRAY, "board-tray"),
    ...slopes(TRAY, TRAY_SLOPE, 0.32),
    hexagon(SLOPE, "board-edge"),
    ...slopes(TOP, SLOPE, 0.5),
    svg("polygon", { points: points(corners(TOP)), fill: `url(#${id}-top)` }),
    ...CELLS.map((cell) =>
      svg("circle", {
        r: 16.5,
        transform: translate(place(cell, 0)),
        fill: `url(#${id}-dent)`,
        stroke: `url(#${id}-lip)`,
        "stroke-width": 1.4,
      }),
    ),
  );
}

function hexagon(radius: number, name: string): SVGElement {
  return svg("polygon", { points: points(corners(radius)), class: name });
}

/** Six slopes between two hexagons: falling outwards if `lower` is the larger, else inwards. */
function slopes(upper: number, lower: number, strength: number): SVGElement[] {
  const inner = corners(Math.min(upper, lower));
  const outer = corners(Math.max(upper, lower));
  return inner.map((_, k) => {
    const facing = Math.cos(((270 + 60 * k) * Math.PI) / 180 - LIGHT);
    const lit = lower > upper ? facing : -facing;
    const next = (k + 1) % 6;
    const shape = [inner[k], inner[next], outer[next], outer[k]] as Point[];
    return svg("polygon", {
      points: points(shape),
      fill: lit > 0 ? "#fff" : "#000",
      opacity: String(round(Math.abs(lit) * strength * 10) / 10),
    });
  });
}

export function labelsOf(turns: number): SVGElement[] {
  return labels(turns).map(({ text, at }) => svg("text", { x: at.x, y: at.y + 4.3 }, text));
}

/** An inlay in the frame where the player to move sits. */
export function lamp(edge: number, turns: number): SVGElement {
  const ring = corners(EDGE - 2.2);
  const k = (edge + turns) % 6;
  const from = ring[k] as Point;
  const to = ring[(k + 1) % 6] as Point;
  const at = (part: number): Point => ({
    x: from.x + (to.x - from.x) * part,
    y: from.y + (to.y - from.y) * part,
  });
  return svg("polyline", { points: points([at(0.3), at(0.7)]), class: "lamp" });
}
