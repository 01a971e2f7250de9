// New games of this page.

import type { PlayedGame } from "../../domain/game-session";
import type { NewGame } from "../../domain/protocol";
import { kernel } from "../../kernel/loader";
import { storedFor } from "../../storage/new-game";
import { LocalGame } from "./local";

/** Fetch what a game needs, so that the first move finds it there. */
export function warm(): void {
  kernel().catch(() => undefined);
}

/** A game that nobody else takes part in; stored from its first move on. */
export async function open(wanted: NewGame): Promise<PlayedGame> {
  return LocalGame.make(await storedFor(wanted));
}
