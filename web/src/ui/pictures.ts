// Little pictures: a whole board in a few paths, a single marble, and a QR code.

import { html, nothing, svg, type TemplateResult } from "lit";
import { CELLS, corners, place, points } from "../board/geometry";
import { COLOURS, type Colour, readMarbles } from "../board/state";
import "./pictures.css";

const BOARD = points(corners(206));

function discs(cells: readonly string[], radius: number, turns: number): string {
  return cells
    .map((cell) => {
      const { x, y } = place(cell, turns);
      const left = (x - radius).toFixed(1);
      return `M${left} ${y.toFixed(1)}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`;
    })
    .join("");
}

/** A small board for lists; hidden from screen readers, as a name is beside it. */
export function littleBoard(position: string, turns = 0): TemplateResult {
  const marbles = readMarbles(position);
  const empty = CELLS.filter((cell) => !marbles.has(cell));
  const layers = COLOURS.map((colour) => {
    const cells = CELLS.filter((cell) => marbles.get(cell) === colour);
    return cells.length === 0
      ? null
      : svg`<path class="little-${colour}" d=${discs(cells, 17.5, turns)} />`;
  });
  return html`<svg class="little-board" viewBox="-208 -182 416 364" aria-hidden="true">
    <polygon class="little-top" points=${BOARD} />
    <path class="little-dent" d=${discs(empty, 13, turns)} />
    ${layers}
  </svg>`;
}

export function littleMarble(colour: Colour): TemplateResult {
  return html`<svg class="little-marble" viewBox="-12 -12 24 24" aria-hidden="true">
    <circle r="11" class="little-${colour}" />
    <ellipse cx="-3.5" cy="-4.5" rx="4" ry="2.6" transform="rotate(-35 -3.5 -4.5)" class="little-shine" />
  </svg>`;
}

/** A sample of a board theme or a set of marbles. */
export function sample(theme: { board?: string; marbles?: string }): TemplateResult {
  return html`<svg
    class="sample"
    viewBox="0 0 84 40"
    aria-hidden="true"
    data-board=${theme.board ?? nothing}
    data-marbles=${theme.marbles ?? nothing}
  >
    <rect class="board-frame" width="84" height="40" rx="8" />
    <rect class="board-top" x="4" y="4" width="76" height="32" rx="5" />
    ${(["black", "white"] as const).map(
      (colour, k) => svg`<g transform="translate(${20 + 24 * k} 20)">
        <circle r="10.500" class="sample-edge-${colour}" />
        <circle r="9.500" cx="-.6" cy="-.6" class="little-${colour}" />
        <circle r="10" class="sample-speckle" />
        <circle r="4.500" cx="3" cy="4" class="sample-glow" />
        <ellipse cx="-3.500" cy="-4.500" rx="3.500" ry="2.200" transform="rotate(-35 -3.5 -4.5)" class="sample-shine" />
      </g>`,
    )}
    <circle cx="66" cy="20" r="8.500" class="sample-dent" />
  </svg>`;
}

/** A QR code of an address; the maker of codes is only loaded when one is shown. */
export async function qrCode(text: string): Promise<TemplateResult> {
  const { encode } = await import("uqr");
  const { data, size } = encode(text, { border: 2 });
  const dark = data
    .flatMap((row, y) => row.map((on, x) => (on ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label=${text}>
    <rect width=${size} height=${size} fill="#fff" />
    <path d=${dark} fill="#111" />
  </svg>`;
}
