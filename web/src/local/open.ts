// New games of this page.

import type { PlayedGame } from "../games/played";
import type { NewGame } from "../protocol";
import { LocalGame } from "./game";
import { kernel } from "./kernel";
import { type Names, storedFor } from "./make";
import { store } from "./store";
import { boardOf } from "./view";

/** Fetch what a game needs, so that the first move finds it there. */
export function warm(): void {
  kernel().catch(() => undefined);
}

/** Store a new game for its own page to play; return its id. Raise if the rules refuse its start. */
export async function begin(wanted: NewGame, names: Names = {}): Promise<string> {
  const [loaded, stored] = await Promise.all([kernel(), storedFor(wanted, names)]);
  boardOf(loaded, stored);
  await store.put(stored);
  return stored.id;
}

/** A game that nobody else takes part in; stored from its first move on. */
export async function open(wanted: NewGame): Promise<PlayedGame> {
  return LocalGame.make(await storedFor(wanted));
}
