// Puzzles with an account: the server keeps the first try of each, and a rating made of them. Results
// that can't be told, since there is no network, wait on this device for the account they belong to.
// Guests have only what this device keeps.

import { api, Refused } from "../client/api";
import { hasServer } from "../domain/hosting";
import { numberOf } from "../domain/moves";
import type { PuzzleStanding } from "../domain/protocol";

interface Result {
  readonly account: string;
  readonly id: string;
  /** The numbers of the moves that were tried; the server finds out whether they solve it. */
  readonly moves: readonly number[];
}

const ACCOUNT = "sumito.puzzles.account";
const WAITING = "sumito.puzzles.waiting";

/** How the account fares, after it has been told what waited; null for a guest, or while the server
 * can't be asked. */
export async function standing(): Promise<PuzzleStanding | null> {
  if (!hasServer) return null;
  try {
    const { account, id } = await api.me();
    put(ACCOUNT, account ? id : null);
    return account ? ((await tellAll()) ?? (await api.puzzleStanding())) : null;
  } catch {
    return null;
  }
}

/** The account that this device was last seen with, also without a network. */
export function knownAccount(): string | null {
  return got<string>(ACCOUNT);
}

/** Send a first try to the server, now or when it can be reached; null if not now. */
export async function tellResult(
  id: string,
  tried: readonly string[],
): Promise<PuzzleStanding | null> {
  const account = knownAccount();
  if (account === null) return null;
  put(WAITING, [...waiting(), { account, id, moves: tried.map(numberOf) }]);
  return tellAll();
}

let telling: Promise<PuzzleStanding | null> | null = null;

/** Tell all that waits, the oldest first; where the account stands then, or null if nothing was told. */
function tellAll(): Promise<PuzzleStanding | null> {
  telling ??= tellOneByOne().finally(() => {
    telling = null;
  });
  return telling;
}

async function tellOneByOne(): Promise<PuzzleStanding | null> {
  const account = knownAccount();
  let after: PuzzleStanding | null = null;
  for (;;) {
    const next = waiting().find((result) => result.account === account);
    if (!next) return after;
    try {
      after = await api.puzzleResult(next.id, next.moves);
    } catch (error) {
      if (!isRefused(error)) return after;
    }
    const rest = waiting().filter(({ account, id }) => account !== next.account || id !== next.id);
    put(WAITING, rest);
  }
}

/** A puzzle that the server doesn't know is never wanted; all else may be another time. */
function isRefused(error: unknown): boolean {
  return error instanceof Refused && (error.status === 404 || error.status === 422);
}

function waiting(): readonly Result[] {
  // Earlier versions kept no moves; without them nothing can be rated.
  return (got<Result[]>(WAITING) ?? []).filter(({ moves }) => Array.isArray(moves));
}

function got<T>(key: string): T | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

function put(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A browser that forbids storage forgets, no more.
  }
}
