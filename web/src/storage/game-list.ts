// Summaries of the games of this browser, for lists.

import type { Summary } from "../domain/protocol";
import { type StoredGame, store } from "./games";

export interface LocalSummary extends Summary {
  /** Its id at the server, if it was handed over. */
  readonly serverId: string | null;
  /** Why the server refused it, in a sentence; null if it didn't. */
  readonly refused: string | null;
}

export async function summaries(): Promise<readonly LocalSummary[]> {
  return (await store.all()).map(summaryOf);
}

/** The one that is being played: moved in since then, and not over. */
export async function running(since: number): Promise<Summary | null> {
  const found = (await store.all()).find(
    ({ outcome, moves, changedAt }) => !outcome && moves.length > 0 && changedAt > since,
  );
  return found ? summaryOf(found) : null;
}

function summaryOf(stored: StoredGame): LocalSummary {
  const { id, serverId, mode, layout, control, seats, position, moves, outcome, createdAt } =
    stored;
  return {
    id,
    mode,
    layout,
    control,
    rated: false,
    status: outcome ? "over" : "playing",
    seats: seats.map((seat) => ({ ...seat, name: seat.name ?? "", rating: null, guest: false })),
    position,
    moves: moves.length,
    outcome,
    created_at: createdAt,
    serverId,
    refused: stored.refused?.message ?? null,
    imported: false,
  };
}
