// Games of this browser in IndexedDB, with the coach's notes. A move is shown immediately and
// written in the background; where writing fails, the game stays in memory and the reader is
// warned.

import type { Fault, Verdict } from "../../kernel/src/types";
import type { Colour, Control, Mode, Outcome, Rules } from "../domain/protocol";
import { Database, warnMemoryOnly } from "./database";

/** A move that lost something, and why. */
export interface Slip {
  readonly ply: number;
  readonly move: string;
  readonly verdict: Verdict;
  readonly loss: number;
  readonly faults: readonly Fault[];
}

export interface StoredSeat {
  readonly colour: Colour;
  readonly kind: "person" | "computer";
  readonly level: string | null;
  /** The name of a player at this screen. */
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

export interface Refusal {
  readonly code: string;
  /** In the language its player read at the time. */
  readonly message: string;
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
  /** Players who left, and after how many moves. */
  readonly left: readonly { readonly colour: Colour; readonly after: number }[];
  /** The clocks after some of the moves, where the moves alone don't determine them. */
  readonly clocks?: StoredClocks;
  /** An end that doesn't follow from the rules: resigned, flag, agreed, aborted. */
  readonly ended: Outcome | null;
  /** The position after the last move, for lists that don't load the rules. */
  readonly position: string;
  readonly outcome: Outcome | null;
  readonly createdAt: number;
  readonly changedAt: number;
  /** Its id in the server's library, once it was handed over. */
  readonly serverId: string | null;
  /** Why the server doesn't take it; it is offered again only when its player asks. */
  readonly refused?: Refusal;
}

const GAMES = "games";
const SLIPS = "slips";

const database = new Database("sumito", 2, (upgraded) => {
  const there = upgraded.objectStoreNames;
  if (!there.contains(GAMES)) {
    const games = upgraded.createObjectStore(GAMES, { keyPath: "id" });
    games.createIndex("changedAt", "changedAt");
  }
  if (!there.contains(SLIPS)) upgraded.createObjectStore(SLIPS);
});

/** Games that couldn't be written, as in private windows of some browsers or on a full disk. */
const memoryOnly = new Map<string, StoredGame>();
const memoryOnlySlips = new Map<string, readonly Slip[]>();

export const store = {
  async put(game: StoredGame): Promise<void> {
    try {
      await database.write(GAMES, (games) => games.put(game));
      memoryOnly.delete(game.id);
    } catch {
      memoryOnly.set(game.id, game);
      warnMemoryOnly();
    }
  },

  async get(id: string): Promise<StoredGame | null> {
    const held = memoryOnly.get(id);
    if (held) return held;
    return database
      .read<StoredGame | undefined>(GAMES, (games) => games.get(id))
      .then(
        (game) => game ?? null,
        () => null,
      );
  },

  async remove(id: string): Promise<void> {
    memoryOnly.delete(id);
    memoryOnlySlips.delete(id);
    for (const kind of [GAMES, SLIPS]) {
      await database.write(kind, (all) => all.delete(id)).catch(() => undefined);
    }
  },

  /** All of them, the last played first. */
  async all(): Promise<StoredGame[]> {
    const stored = await database
      .read<StoredGame[]>(GAMES, (games) => games.getAll())
      .catch(() => []);
    const written = stored.filter(({ id }) => !memoryOnly.has(id));
    return [...written, ...memoryOnly.values()].sort((a, b) => b.changedAt - a.changedAt);
  },
};

/** What the coach noted in each game it saw, wherever the game lives. */
export const slips = {
  async put(game: string, noted: readonly Slip[]): Promise<void> {
    try {
      await database.write(SLIPS, (slips) => slips.put(noted, game));
      memoryOnlySlips.delete(game);
    } catch {
      memoryOnlySlips.set(game, noted);
    }
  },

  /** Null if no coach saw the game. */
  async get(game: string): Promise<readonly Slip[] | null> {
    const held = memoryOnlySlips.get(game);
    if (held) return held;
    return database
      .read<readonly Slip[] | undefined>(SLIPS, (slips) => slips.get(game))
      .then(
        (noted) => noted ?? null,
        () => null,
      );
  },
};
