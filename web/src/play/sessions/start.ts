// Starts local games.

import type { GameSession } from "../../domain/game-session";
import type { NewGame } from "../../domain/protocol";
import { kernel } from "../../kernel/loader";
import { storedGameFor } from "../../storage/new-game";
import { LocalSession } from "./local";

/** Fetch what a game needs, so that the first move finds it there. */
export function preloadKernel(): void {
  kernel().catch(() => undefined);
}

/** A game without other people; stored from its first move on. */
export async function startLocalGame(wanted: NewGame): Promise<GameSession> {
  return LocalSession.create(await storedGameFor(wanted));
}
