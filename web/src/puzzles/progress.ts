// Puzzle progress on this device: a rating, the puzzles done, and the best runs.

import type { Puzzle } from "./shipped";

export interface Progress {
  readonly rating: number;
  /** The rating's deviation, by Glicko. */
  readonly deviation: number;
  /** Whether each puzzle was solved at the first try, by id. */
  readonly done: Readonly<Record<string, boolean>>;
  readonly history: readonly number[];
  readonly streak: number;
  readonly storm: number;
  /** The day whose puzzle was solved last. */
  readonly daily: string;
}

const STORAGE_KEY = "sumito.puzzles";
const FIRST: Progress = {
  rating: 1000,
  deviation: 350,
  done: {},
  history: [],
  streak: 0,
  storm: 0,
  daily: "",
};
const MAX_HISTORY = 100;

export function progress(): Progress {
  try {
    return { ...FIRST, ...JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}") };
  } catch {
    return FIRST;
  }
}

export function updateProgress(change: Partial<Progress>): Progress {
  const stored = { ...progress(), ...change };
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(stored));
  } catch {
    // Without storage, progress is lost on reload.
  }
  return stored;
}

/** The rating after a puzzle, by Glicko's formula; the puzzle's own rating is taken as known. */
export function rated(
  { rating, deviation }: Pick<Progress, "rating" | "deviation">,
  puzzle: number,
  solved: boolean,
): { rating: number; deviation: number } {
  const q = Math.LN10 / 400;
  const certainty = 1 / Math.sqrt(1 + (3 * (q * 60) ** 2) / Math.PI ** 2);
  const expected = 1 / (1 + 10 ** ((-certainty * (rating - puzzle)) / 400));
  const weight = 1 / deviation ** 2 + (q * certainty) ** 2 * expected * (1 - expected);
  const next = rating + (q / weight) * certainty * ((solved ? 1 : 0) - expected);
  return {
    rating: Math.round(Math.max(100, Math.min(3500, next))),
    deviation: Math.round(Math.max(45, Math.sqrt(1 / weight))),
  };
}

/** Note the end of a rated puzzle; one that was done before changes nothing. */
export function note(puzzle: Puzzle, solved: boolean): { before: Progress; after: Progress } {
  const before = progress();
  if (puzzle.id in before.done) return { before, after: before };
  const next = rated(before, puzzle.rating, solved);
  const history = [...before.history, next.rating].slice(-MAX_HISTORY);
  const after = updateProgress({ ...next, history, done: { ...before.done, [puzzle.id]: solved } });
  return { before, after };
}

/** A puzzle near the rating that is not done yet, or a done one if all are. The puzzle that was
 * just shown is chosen again only if there is no other. */
export function choose(
  list: readonly Puzzle[],
  { rating, done }: Progress,
  shown: Puzzle | null = null,
  random: () => number = Math.random,
): Puzzle | null {
  const others = list.filter(({ id }) => id !== shown?.id);
  const fresh = others.filter(({ id }) => !(id in done));
  const from = [fresh, others, list].find(({ length }) => length > 0) ?? [];
  const near = [...from].sort((a, b) => Math.abs(a.rating - rating) - Math.abs(b.rating - rating));
  const choice = near.slice(0, Math.max(5, Math.ceil(near.length / 20)));
  return choice[Math.floor(random() * choice.length)] ?? null;
}

/** How many steps lead from the easiest puzzle of a run to the hardest. */
const STEPS = 40;

/** The next puzzle of a run after `count` solved ones: runs begin easy and get harder. A puzzle of
 * the run comes again only after all others of `list`, which is sorted by difficulty. */
export function climb(
  list: readonly Puzzle[],
  count: number,
  seen: ReadonlySet<string>,
  random: () => number = Math.random,
): Puzzle | null {
  const two = list.filter(({ mode }) => mode === "two");
  const from = two.length > 0 ? two : list;
  const step = Math.max(1, Math.floor(from.length / STEPS));
  const least = Math.min(count * step, Math.max(0, from.length - step));
  const unseen = from.filter(({ id }) => !seen.has(id));
  const left = unseen.length > 0 ? unseen : from;
  const harder = left.filter(({ rating }) => rating >= (from[least]?.rating ?? 0));
  const choice = harder.length > 0 ? harder.slice(0, step) : left.slice(-step);
  return choice[Math.floor(random() * choice.length)] ?? null;
}
