// Quick pairing: the server joins a game with this clock that somebody waits in, or makes one that
// waits. It is rated if both players have an account.

import { api } from "../client/api";
import { userSession } from "../client/session";
import { go } from "../domain/navigation";
import type { Control } from "../domain/protocol";
import { rememberCreated } from "../storage/created-games";

/** Clocks to choose from, fast to slow; the home page offers `FAVOURITES`. */
export const CLOCKS: readonly Control[] = [
  fischer(1, 2),
  suddenDeath(3),
  fischer(3, 2),
  suddenDeath(5),
  fischer(5, 3),
  suddenDeath(10),
  fischer(10, 5),
  suddenDeath(15),
  fischer(15, 10),
];
export const FAVOURITES: readonly Control[] = [fischer(5, 3), suddenDeath(10), suddenDeath(15)];

/** Find an opponent with this clock and open the game, be it one that waits for them. */
export async function pairAndOpen(control: Control): Promise<void> {
  const me = await userSession.load();
  const rated = Boolean(me?.account) && control.kind !== "none";
  const { id } = await api.pair({ control, rated });
  rememberCreated(id);
  go(`/g/${id}`);
}

/** A clock as players write it: 5 + 3 is five minutes, and three seconds for each move. */
export function shortName(control: Control): string {
  if (control.kind === "none") return "∞";
  const minutes = control.ms / 60_000;
  return control.kind === "fischer"
    ? `${minutes} + ${control.increment_ms / 1000}`
    : `${minutes} + 0`;
}

function fischer(minutes: number, seconds: number): Control {
  return { kind: "fischer", ms: minutes * 60_000, increment_ms: seconds * 1000 };
}

function suddenDeath(minutes: number): Control {
  return { kind: "sudden_death", ms: minutes * 60_000 };
}
