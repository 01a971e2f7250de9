// New games of this page.

import type { PlayedGame } from "../games/played";
import type { NewGame } from "../protocol";
import { LocalGame } from "./game";
import { kernel } from "./kernel";
import { type Names, storedFor } from "./make";

/** Fetch what a game needs, so that the first move finds it there. */
export function warm(): void {
  kernel().catch(() => undefined);
}

/** Begin a game and leave it to its own page; returns its id. */
export async function begin(wanted: NewGame, names: Names = {}): Promise<string> {
  const played = await LocalGame.make(await storedFor(wanted, names), "now");
  played.close();
  return played.id;
}

/** A game that nobody else takes part in; kept in this browser at once or from its first move. */
export async function open(wanted: NewGame, keep: "now" | "when moved"): Promise<PlayedGame> {
  return LocalGame.make(await storedFor(wanted), keep);
}
