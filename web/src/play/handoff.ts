// Hands a session that was started elsewhere to the game page, so that nothing is loaded twice.

import type { GameSession } from "../domain/game-session";
import { go } from "../domain/navigation";

let handedOver: GameSession | null = null;

/** Open a game that was started elsewhere on its own page. */
export function openOnGamePage(session: GameSession): void {
  handedOver = session;
  go(`/g/${session.id}`);
}

/** Return the game that was handed over if it has this id; only the first caller gets it. */
export function claimHandedOver(id: string): GameSession | null {
  const found = handedOver?.id === id ? handedOver : null;
  handedOver = null;
  return found;
}
