// Clocks of a game in this page: what was left after the last move, and when that was. A closed
// page stops them, since nobody sits at the board then.

import type { Colour, Control } from "../protocol";

export interface Clocks {
  readonly left: Readonly<Partial<Record<Colour, number>>>;
  readonly running: Colour | null;
  /** When the running one began to run, by `performance.now()`. */
  readonly since: number;
}

export function startLeft(control: Control, colours: readonly Colour[]): Clocks["left"] {
  if (control.kind === "none") return {};
  return Object.fromEntries(colours.map((colour) => [colour, control.ms]));
}

/** What a colour's clock shows. */
export function shows(clocks: Clocks, control: Control, colour: Colour, now: number): number {
  const left = clocks.left[colour] ?? 0;
  if (clocks.running !== colour) return left;
  const free = control.kind === "delay" ? control.delay_ms : 0;
  return Math.max(0, left - Math.max(0, now - clocks.since - free));
}

/** What it shows once its player has moved. */
export function afterMove(clocks: Clocks, control: Control, colour: Colour, now: number): number {
  const extra = control.kind === "fischer" ? control.increment_ms : 0;
  return Math.round(shows(clocks, control, colour, now)) + extra;
}
