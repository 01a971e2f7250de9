// Clocks are told by the server and only shown here: what it said, less the time since.

import type { Game } from "./game-state";
import { number } from "./i18n";
import type { Colour } from "./protocol";

const TENTHS_UNDER = 20_000;

export function remaining(game: Game, colour: Colour, heardAt: number): number | null {
  const told = game.clocks?.[colour];
  if (told === undefined) return null;
  if (game.turn !== colour) return told;
  return Math.max(0, told - Math.max(0, performance.now() - heardAt - game.delay_left));
}

export function isLow(ms: number): boolean {
  return ms < TENTHS_UNDER;
}

/** 9:58, 1:02:03, or 7.4 when it gets tight. */
export function written(ms: number): string {
  if (isLow(ms)) return number(Math.floor(ms / 100) / 10, { minimumFractionDigits: 1 });
  const seconds = Math.ceil(ms / 1000);
  const two = (value: number) => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = two(seconds % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}
