// Caches reviews in IndexedDB, by the start and the moves, so that a game that goes on, or another
// with the same opening, is searched only where it is new.

import type { GameRecord } from "../record/record";
import { Database } from "../storage/database";
import type { PositionReview } from "./review";

const REVIEWS = "reviews";

interface StoredReview {
  readonly key: string;
  readonly positions: readonly PositionReview[];
  readonly at: number;
}

export function keyOf(record: GameRecord): string {
  const moves = record.root.line().map(({ move }) => move);
  return [record.start, JSON.stringify(record.rules), ...moves].join(" ");
}

// Version 2 drops what version 1 stored: it may hold searches that were stopped half-way.
const database = new Database("sumito-reviews", 2, (upgraded, from) => {
  if (from > 0) upgraded.deleteObjectStore(REVIEWS);
  upgraded.createObjectStore(REVIEWS, { keyPath: "key" });
});

export async function cachedReview(key: string): Promise<readonly PositionReview[]> {
  const stored = await database
    .read<StoredReview | undefined>(REVIEWS, (reviews) => reviews.get(key))
    .catch(() => undefined);
  return stored?.positions ?? [];
}

export async function cacheReview(
  key: string,
  positions: readonly PositionReview[],
): Promise<void> {
  const stored: StoredReview = { key, positions, at: Date.now() };
  await database.write(REVIEWS, (reviews) => reviews.put(stored)).catch(() => undefined);
}
