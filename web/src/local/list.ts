// The games of this browser as lists show them.

import type { Summary } from "../protocol";
import { type StoredGame, store } from "./store";

export async function summaries(): Promise<readonly Summary[]> {
  return (await store.all()).map(summaryOf);
}

function summaryOf(stored: StoredGame): Summary {
  const { id, mode, layout, control, seats, position, moves, outcome, createdAt } = stored;
  return {
    id,
    mode,
    layout,
    control,
    rated: false,
    status: outcome ? "over" : "playing",
    seats: seats.map((seat) => ({ ...seat, name: "", rating: null })),
    position,
    moves: moves.length,
    outcome,
    created_at: createdAt,
  };
}
