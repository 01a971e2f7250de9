// Games of this browser, kept in IndexedDB as they are played: written before a move is shown as
// done, so that a reload or a crash loses nothing. Beside them, what a coach noted in a game.

import type { Slip } from "../coach/facts";
import type { Colour, Control, Mode, Outcome, Rules } from "../protocol";

export interface StoredSeat {
  readonly colour: Colour;
  readonly kind: "person" | "computer";
  readonly level: string | null;
  /** What somebody at this screen wants to be called. */
  readonly name?: string;
}

export interface StoredMove {
  readonly move: string;
  /** What the mover's clock showed afterwards, in milliseconds. */
  readonly clock: number | null;
}

export interface StoredClocks {
  readonly after: number;
  readonly left: Readonly<Partial<Record<Colour, number>>>;
}

/** Everything a game is made of; the rest follows from the rules. */
export interface StoredGame {
  readonly id: string;
  readonly mode: Mode;
  readonly layout: string;
  readonly rules: Rules;
  readonly control: Control;
  readonly seats: readonly StoredSeat[];
  readonly start: string;
  readonly moves: readonly StoredMove[];
  /** Players who left, each after so many moves. */
  readonly left: readonly { readonly colour: Colour; readonly after: number }[];
  /** The clocks as they stood after so many moves, where the moves alone don't tell. */
  readonly clocks?: StoredClocks;
  /** An end that the rules alone don't tell: resigned, flag, agreed, aborted. */
  readonly ended: Outcome | null;
  /** How it stands, for lists that don't ask the rules. */
  readonly position: string;
  readonly outcome: Outcome | null;
  readonly createdAt: number;
  readonly changedAt: number;
  /** Its id in the server's library, once it was handed over. */
  readonly kept: string | null;
}

const NAME = "sumito";
const GAMES = "games";
const SLIPS = "slips";

let opening: Promise<IDBDatabase> | null = null;

function open(): Promise<IDBDatabase> {
  opening ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(NAME, 2);
    request.onupgradeneeded = () => {
      const there = request.result.objectStoreNames;
      if (!there.contains(GAMES)) {
        const store = request.result.createObjectStore(GAMES, { keyPath: "id" });
        store.createIndex("changedAt", "changedAt");
      }
      if (!there.contains(SLIPS)) request.result.createObjectStore(SLIPS);
    };
    request.onsuccess = () => {
      // Another tab with a newer page wants to change the tables.
      request.result.onversionchange = () => {
        request.result.close();
        opening = null;
      };
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("another tab holds the games"));
  }).catch((error) => {
    opening = null;
    throw error;
  });
  return opening;
}

async function within<T>(
  mode: IDBTransactionMode,
  act: (kept: IDBObjectStore) => IDBRequest<T>,
  kind = GAMES,
): Promise<T> {
  const database = await open();
  return new Promise((resolve, reject) => {
    // "strict": on the disk before the move counts.
    const change = database.transaction(kind, mode, { durability: "strict" });
    const request = act(change.objectStore(kind));
    change.oncomplete = () => resolve(request.result);
    change.onerror = () => reject(change.error);
    change.onabort = () => reject(change.error ?? new Error("the change was given up"));
  });
}

/** Kept in memory alone where a browser forbids storage, as some do in private windows. */
const unkept = new Map<string, StoredGame>();
const unkeptSlips = new Map<string, readonly Slip[]>();

export const store = {
  async put(game: StoredGame): Promise<void> {
    try {
      await within("readwrite", (games) => games.put(game));
      unkept.delete(game.id);
    } catch {
      unkept.set(game.id, game);
    }
  },

  async get(id: string): Promise<StoredGame | null> {
    const held = unkept.get(id);
    if (held) return held;
    return within<StoredGame | undefined>("readonly", (games) => games.get(id)).then(
      (game) => game ?? null,
      () => null,
    );
  },

  async remove(id: string): Promise<void> {
    unkept.delete(id);
    unkeptSlips.delete(id);
    await within("readwrite", (games) => games.delete(id)).catch(() => undefined);
    await within("readwrite", (slips) => slips.delete(id), SLIPS).catch(() => undefined);
  },

  /** All of them, the last played first. */
  async all(): Promise<StoredGame[]> {
    const stored = await within<StoredGame[]>("readonly", (games) => games.getAll()).catch(
      () => [],
    );
    const kept = stored.filter(({ id }) => !unkept.has(id));
    return [...kept, ...unkept.values()].sort((a, b) => b.changedAt - a.changedAt);
  },
};

/** What the coach noted in each game it saw, wherever the game lives. */
export const slips = {
  async put(game: string, noted: readonly Slip[]): Promise<void> {
    try {
      await within("readwrite", (kept) => kept.put(noted, game), SLIPS);
      unkeptSlips.delete(game);
    } catch {
      unkeptSlips.set(game, noted);
    }
  },

  /** Null if no coach saw the game. */
  async get(game: string): Promise<readonly Slip[] | null> {
    const held = unkeptSlips.get(game);
    if (held) return held;
    return within<readonly Slip[] | undefined>("readonly", (kept) => kept.get(game), SLIPS).then(
      (noted) => noted ?? null,
      () => null,
    );
  },
};
