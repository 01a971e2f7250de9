// Hands a session that was started elsewhere to the game page, so that nothing is loaded twice.

import type { GameSession } from "../domain/game-session";
import { go } from "../domain/navigation";

let begun: GameSession | null = null;

/** Go on with a game on its own page. */
export function openOnGamePage(session: GameSession): void {
  begun = session;
  go(`/g/${session.id}`);
}

/** The game that was handed over, if it is this one; the caller owns it from then on. */
export function claimHandedOver(id: string): GameSession | null {
  const found = begun?.id === id ? begun : null;
  begun = null;
  return found;
}
