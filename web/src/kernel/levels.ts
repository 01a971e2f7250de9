// The computer's levels: thinking time and opening book, as in `sumito.engine.levels` and on the
// server.

import { LEVELS, type Level } from "../../kernel/src/types";

const LEAST_TIME = 20;
/** The level from which the opening book is played: those below err, and vary by themselves. */
const FIRST_WITH_OPENINGS: Level = "expert";

/** Milliseconds to think, by those left on the clock: the strong longer, and none for a second. */
export function timeOf(level: Level, left = Infinity): number {
  const time = 50 * 1.34 ** (LEVELS.indexOf(level) + 1);
  return Math.max(LEAST_TIME, Math.min(time, left / 30));
}

export function knowsOpenings(level: Level): boolean {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(FIRST_WITH_OPENINGS);
}
