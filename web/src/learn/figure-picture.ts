// A figure as plain lines for printing: the part of the board that it needs, at one scale for all.

import { html, svg, type TemplateResult } from "lit";
import { marked } from "../board/annotations";
import { CELLS, corners, place, points } from "../board/geometry";
import { signs } from "../board/highlights";
import { type Colour, readMarbles } from "../board/state";
import "./figure-picture.css";
import { annotationsOf, signsOf } from "./figure-signs";
import type { Figure } from "./teaching";

/** Millimetres on paper for one unit of the board's geometry; whole boards are a little smaller. */
const SCALE = 0.135;
const WHOLE_SCALE = 0.115;
/** From the outermost marbles to the edge of the picture. */
const AROUND = 62;
const EDGE = 206;

/** One board of a figure; `lit` cells are ringed. */
export function figurePicture(
  figure: Figure,
  { lit = [], whole = false }: { lit?: readonly string[]; whole?: boolean } = {},
): TemplateResult {
  const marbles = readMarbles(figure.position);
  const ends = (figure.lines ?? []).flatMap(({ from, to }) => [from, to]);
  const spots = [...marbles.keys(), ...lit, ...ends].map((cell) => place(cell, 0));
  const [left, right] = whole ? [-EDGE, EDGE] : range(spots.map(({ x }) => x));
  const [top, bottom] = whole ? [-182, 182] : range(spots.map(({ y }) => y));
  const [width, height] = [right - left, bottom - top];
  const scale = whole ? WHOLE_SCALE : SCALE;
  const length = (units: number) => `${(units * scale).toFixed(1)}mm`;
  return html`<svg class="figure-picture" viewBox="${left} ${top} ${width} ${height}" width=${length(width)} height=${length(height)} aria-hidden="true">
    <polygon class="picture-board" points=${points(corners(EDGE - 4))} />
    ${CELLS.map((cell) => {
      const { x, y } = place(cell, 0);
      const colour = marbles.get(cell);
      return colour
        ? marble(x, y, colour)
        : svg`<circle class="picture-hole" cx=${x} cy=${y} r="12" />`;
    })}
    ${lit.map((cell) => {
      const { x, y } = place(cell, 0);
      return svg`<circle class="picture-ring" cx=${x} cy=${y} r="19" />`;
    })}
    ${signs(signsOf(figure), 0)} ${marked(annotationsOf(figure), 0)}
  </svg>`;
}

/** The empty board, with the names of its lines. */
export function emptyBoard(): TemplateResult {
  const names = [..."abcdefghi"].map((row) => {
    const first = CELLS.find((cell) => cell[0] === row) ?? "e1";
    const { x, y } = place(first, 0);
    return svg`<text x=${x - 30} y=${y + 4}>${row}</text>`;
  });
  const digits = [...Array(9).keys()].map((n) => {
    const lowest = CELLS.find((cell) => cell[1] === String(n + 1)) ?? "a1";
    const { x, y } = place(lowest, 0);
    return svg`<text x=${x + 15} y=${y + 30}>${n + 1}</text>`;
  });
  return html`<svg class="figure-picture empty-board" viewBox="-212 -196 424 392" aria-hidden="true">
    <polygon class="picture-board" points=${points(corners(EDGE))} />
    ${CELLS.map((cell) => {
      const { x, y } = place(cell, 0);
      return svg`<circle class="picture-place" cx=${x} cy=${y} r="16" />`;
    })}
    ${names} ${digits}
  </svg>`;
}

function marble(x: number, y: number, colour: Colour): TemplateResult {
  return svg`<circle class="picture-${colour}" cx=${x} cy=${y} r="17" />`;
}

/** Around some numbers, but not beyond the board. */
function range(values: readonly number[]): [number, number] {
  return [
    Math.max(-EDGE, Math.min(...values) - AROUND),
    Math.min(EDGE, Math.max(...values) + AROUND),
  ];
}
