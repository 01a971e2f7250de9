// Reviews, kept beside the games they are of: by the start and the moves, so that a game that goes
// on, or another with the same opening, is looked at only where it is new.

import type { GameRecord } from "../record/record";
import { Database } from "../storage/database";
import type { Look } from "./review";

const REVIEWS = "reviews";

interface Kept {
  readonly key: string;
  readonly looks: readonly Look[];
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

export async function keptLooks(key: string): Promise<readonly Look[]> {
  const kept = await database
    .request<Kept | undefined>(REVIEWS, "readonly", (reviews) => reviews.get(key))
    .catch(() => undefined);
  return kept?.looks ?? [];
}

export async function keepLooks(key: string, looks: readonly Look[]): Promise<void> {
  const kept: Kept = { key, looks, at: Date.now() };
  await database
    .request(REVIEWS, "readwrite", (reviews) => reviews.put(kept))
    .catch(() => undefined);
}
