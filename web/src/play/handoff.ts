// A game begun elsewhere on the page, handed to its own page so that nothing is asked twice.

import type { PlayedGame } from "../domain/game-session";
import { go } from "../domain/navigation";

let begun: PlayedGame | null = null;

/** Go on with a game on its own page. */
export function goOnWith(played: PlayedGame): void {
  begun = played;
  go(`/g/${played.id}`);
}

/** The game that was handed over, if it is this one; whoever asks has it for themselves. */
export function takeBegun(id: string): PlayedGame | null {
  const found = begun?.id === id ? begun : null;
  begun = null;
  return found;
}
