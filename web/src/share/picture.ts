// Draws the board on a canvas, for pictures and films: the same shapes as on the page, flat.

import { CELLS, EDGE, GROOVE, outline, place, TOP } from "../board/geometry";
import { COLOURS, type Colour, type Marbles } from "../board/state";
import { PageError } from "../domain/errors";

export const WIDTH = 440;
export const HEIGHT = 400;

/** The colours of the chosen board and marbles. */
export interface Paint {
  readonly page: string;
  readonly frame: string;
  readonly groove: string;
  readonly top: string;
  readonly dent: string;
  readonly marbles: Readonly<Record<Colour, { light: string; body: string; edge: string }>>;
}

export function paintNow(): Paint {
  const probe = document.createElement("i");
  document.body.append(probe);
  const colour = (value: string): string => {
    probe.style.color = value;
    return getComputedStyle(probe).color;
  };
  const marbles = Object.fromEntries(
    COLOURS.map((name) => [
      name,
      {
        light: colour(`var(--${name}-light)`),
        body: colour(`var(--${name}-body)`),
        edge: colour(`var(--${name}-edge)`),
      },
    ]),
  ) as Paint["marbles"];
  const paint = {
    page: colour("var(--paper)"),
    frame: colour("var(--board-frame)"),
    groove: colour("var(--board-groove)"),
    top: colour("var(--board-top)"),
    dent: "rgb(0 0 0 / 26%)",
    marbles,
  };
  probe.remove();
  return paint;
}

export function canvas(scale: number): CanvasRenderingContext2D {
  const element = document.createElement("canvas");
  element.width = WIDTH * scale;
  element.height = HEIGHT * scale;
  const context = element.getContext("2d", { willReadFrequently: true });
  if (context === null) throw new PageError("no-canvas");
  context.scale(scale, scale);
  context.translate(WIDTH / 2, HEIGHT / 2);
  return context;
}

export function draw(
  on: CanvasRenderingContext2D,
  marbles: Marbles,
  turns: number,
  paint: Paint,
): void {
  on.fillStyle = paint.page;
  on.fillRect(-WIDTH / 2, -HEIGHT / 2, WIDTH, HEIGHT);
  for (const [beyond, colour] of [
    [EDGE, paint.frame],
    [GROOVE, paint.groove],
    [TOP, paint.top],
  ] as const) {
    on.fillStyle = colour;
    on.fill(new Path2D(outline(beyond)));
  }
  for (const cell of CELLS) {
    const { x, y } = place(cell, turns);
    const colour = marbles.get(cell);
    if (colour === undefined) disc(on, x, y, 16, paint.dent);
    else ball(on, x, y, paint.marbles[colour]);
  }
}

function disc(on: CanvasRenderingContext2D, x: number, y: number, r: number, fill: string): void {
  on.fillStyle = fill;
  on.beginPath();
  on.arc(x, y, r, 0, 2 * Math.PI);
  on.fill();
}

function ball(
  on: CanvasRenderingContext2D,
  x: number,
  y: number,
  { light, body, edge }: { light: string; body: string; edge: string },
): void {
  disc(on, x, y, 18, edge);
  disc(on, x - 0.8, y - 0.8, 16.4, body);
  disc(on, x - 5.5, y - 6.5, 5, light);
}
