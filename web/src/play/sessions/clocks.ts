// The clocks of a local game: time left after the last move, and when that was. Closing the page
// stops them, since the players may have left the board.

import type { Colour, Control } from "../../domain/protocol";

/** A take-back alone must not make a flag fall. */
const LEAST_AFTER_TAKEBACK = 1000;

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

/** Has that colour no time left? */
export function flagged(clocks: Clocks, control: Control, colour: Colour, now: number): boolean {
  return control.kind !== "none" && shows(clocks, control, colour, now) <= 0;
}

/** How much of the running turn isn't charged any more. */
export function delayLeft({ running, since }: Clocks, control: Control, now: number): number {
  if (running === null || control.kind !== "delay") return 0;
  return Math.max(0, control.delay_ms - (now - since));
}

/** All clocks stopped, with the time used so far. */
export function stopped(clocks: Clocks, control: Control, now: number): Clocks {
  const { left, running } = clocks;
  if (running === null || control.kind === "none") return { ...clocks, running: null };
  const rest = Math.round(shows(clocks, control, running, now));
  return { left: { ...left, [running]: rest }, running: null, since: now };
}

/** After a take-back the used time stays used, and increments of the undone moves are lost. */
export function afterTakeback(
  clocks: Clocks,
  control: Control,
  seats: readonly Colour[],
  now: number,
): Clocks["left"] {
  const { left } = stopped(clocks, control, now);
  if (control.kind !== "fischer") return left;
  const entries = Object.entries(left).map(([colour, ms]) => {
    const earned = seats.filter((seat) => seat === colour).length * control.increment_ms;
    return [colour, Math.min(ms, Math.max(LEAST_AFTER_TAKEBACK, ms - earned))];
  });
  return Object.fromEntries(entries);
}

/** What it shows once its player has moved. */
export function afterMove(clocks: Clocks, control: Control, colour: Colour, now: number): number {
  const extra = control.kind === "fischer" ? control.increment_ms : 0;
  return Math.round(shows(clocks, control, colour, now)) + extra;
}
