// The reader's own analyses in IndexedDB, each by its id, so that opening another overwrites none.

import { Database, warnMemoryOnly } from "./database";

export interface Analysis {
  readonly id: string;
  /** The records as a text. */
  readonly text: string;
  /** The game and the move that are shown, the move as the numbers of children on the way to it. */
  readonly game: number;
  readonly path: readonly number[];
  /** For the list: who plays, how many moves there are, and the position that is shown. */
  readonly players: string;
  readonly moves: number;
  readonly position: string;
  readonly changedAt: number;
}

const ANALYSES = "analyses";

const database = new Database("sumito-analyses", 1, (upgraded) => {
  upgraded.createObjectStore(ANALYSES, { keyPath: "id" });
});

/** Analyses that couldn't be written. */
const memoryOnly = new Map<string, Analysis>();

export function newId(): string {
  return [...crypto.getRandomValues(new Uint8Array(8))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

/** What to store, where `stored` is stored already. */
function merge(
  analysis: Analysis,
  stored: Analysis | undefined,
  basedOn: number | null,
  fork: string,
): Analysis {
  if (stored?.text === analysis.text) return { ...analysis, changedAt: stored.changedAt };
  const isLatest = stored === undefined || stored.changedAt === basedOn;
  return isLatest ? analysis : { ...analysis, id: fork };
}

export const analyses = {
  /**
   * Store an analysis that was loaded when it was last changed at `basedOn`; return it as it is
   * stored. If another tab has changed it since, both are stored: this one under the id `fork`.
   */
  async put(analysis: Analysis, basedOn: number | null, fork: string): Promise<Analysis> {
    try {
      const stored = await database.write(ANALYSES, async (all) => {
        const merged = merge(analysis, await all.get(analysis.id), basedOn, fork);
        await all.put(merged);
        return merged;
      });
      memoryOnly.delete(analysis.id);
      return stored;
    } catch {
      memoryOnly.set(analysis.id, analysis);
      warnMemoryOnly();
      return analysis;
    }
  },

  async get(id: string): Promise<Analysis | null> {
    const held = memoryOnly.get(id);
    if (held) return held;
    return database
      .read<Analysis | undefined>(ANALYSES, (all) => all.get(id))
      .then(
        (found) => found ?? null,
        () => null,
      );
  },

  /** All of them, the last changed first. */
  async all(): Promise<Analysis[]> {
    const stored = await database.read<Analysis[]>(ANALYSES, (all) => all.getAll()).catch(() => []);
    const written = stored.filter(({ id }) => !memoryOnly.has(id));
    return [...written, ...memoryOnly.values()].sort((a, b) => b.changedAt - a.changedAt);
  },

  async remove(id: string): Promise<void> {
    memoryOnly.delete(id);
    await database.write(ANALYSES, (all) => all.delete(id));
  },
};
