// Time left on a clock between two updates, and as text.

import type { GameState } from "./game-state";
import { number } from "./i18n";
import type { Colour } from "./protocol";

const TENTHS_UNDER = 20_000;

export function timeLeft(game: GameState, colour: Colour, receivedAt: number): number | null {
  const told = game.clocks?.[colour];
  if (told === undefined) return null;
  if (game.turn !== colour) return told;
  return Math.max(0, told - Math.max(0, performance.now() - receivedAt - game.delay_left));
}

export function isLow(ms: number): boolean {
  return ms < TENTHS_UNDER;
}

/** 9:58, 1:02:03, or 7.4 when it gets tight. */
export function clockText(ms: number): string {
  if (isLow(ms)) return number(Math.floor(ms / 100) / 10, { minimumFractionDigits: 1 });
  const seconds = Math.ceil(ms / 1000);
  const two = (value: number) => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = two(seconds % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}
