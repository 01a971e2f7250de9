// Reviews, kept beside the games they are of: by the start and the moves, so that a game that goes
// on, or another with the same opening, is looked at only where it is new.

import type { GameRecord } from "../record/record";
import type { Look } from "./review";

const NAME = "sumito-reviews";
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

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(REVIEWS, { keyPath: "key" });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function within<T>(
  mode: IDBTransactionMode,
  act: (reviews: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const database = await open();
  try {
    return await new Promise<T>((resolve, reject) => {
      const change = database.transaction(REVIEWS, mode);
      const request = act(change.objectStore(REVIEWS));
      change.oncomplete = () => resolve(request.result);
      change.onerror = () => reject(change.error);
      change.onabort = () => reject(change.error);
    });
  } finally {
    database.close();
  }
}

export async function keptLooks(key: string): Promise<readonly Look[]> {
  const kept = await within<Kept | undefined>("readonly", (reviews) => reviews.get(key)).catch(
    () => undefined,
  );
  return kept?.looks ?? [];
}

export async function keepLooks(key: string, looks: readonly Look[]): Promise<void> {
  const kept: Kept = { key, looks, at: Date.now() };
  await within("readwrite", (reviews) => reviews.put(kept)).catch(() => undefined);
}
