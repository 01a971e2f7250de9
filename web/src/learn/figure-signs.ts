// What a figure draws besides its marbles: arrows, crosses, lines and labels.

import { step } from "../board/geometry";
import { type Annotation, attemptOf, readMarbles, type Sign } from "../board/state";
import { sideOf } from "../domain/modes";
import type { Mode } from "../domain/protocol";
import { type Figure, teachingText } from "./teaching";

/** The moves of a figure, and the pushes it crosses out. */
export function signsOf({ position, show = [], refuse = [], cross = [] }: Figure): Sign[] {
  return [
    ...show.map((move) => signOf(move, position, false)),
    ...refuse.map((move) => signOf(move, position, true)),
    ...cross.map((push) => crossOf(push)),
  ].filter((sign) => sign !== null);
}

export function annotationsOf({ labels = [], lines = [] }: Figure): Annotation[] {
  return [
    ...lines.map((line) => ({ kind: "line" as const, ...line })),
    ...labels.map(({ cell, text }) => ({
      kind: "label" as const,
      from: cell,
      text: teachingText(text),
    })),
  ];
}

/** A crossed arrow from the front marble of a row to the next cell. */
function crossOf(push: string): Sign | null {
  const attempt = attemptOf(push);
  const next = attempt && step(push.slice(0, 2), attempt.direction);
  return attempt && next ? { ...attempt, cells: [next], refused: true } : null;
}

/** A move as an arrow from the front of its row. */
function signOf(move: string, position: string, refused: boolean): Sign | null {
  const attempt = attemptOf(move);
  const [rear] = attempt?.cells ?? [];
  if (!attempt || rear === undefined) return null;
  if (attempt.cells.length > 1) return { ...attempt, refused };
  const mode = (position.split(" ")[5] ?? "two") as Mode;
  const marbles = readMarbles(position);
  const sideAt = (cell: string) => {
    const colour = marbles.get(cell);
    return colour === undefined ? -1 : sideOf(mode, colour);
  };
  const cells = [rear];
  let next = step(rear, attempt.direction);
  while (next !== null && sideAt(next) === sideAt(rear)) {
    cells.push(next);
    next = step(next, attempt.direction);
  }
  return { cells, direction: attempt.direction, refused };
}
