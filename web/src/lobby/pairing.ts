// Quick pairing: the server joins a game with this clock that somebody waits in, or makes one that
// waits. It is rated if both players have an account.

import { api } from "../client/api";
import type { Control } from "../domain/protocol";

/** The game to play, be it with an opponent already or waiting for one. */
export async function pair(control: Control): Promise<string> {
  const { account } = await api.me();
  const rated = account !== null && control.kind !== "none";
  const { id } = await api.pair({ control, rated });
  return id;
}
