// Submits puzzle results to the account: the server stores the first try of each puzzle and a
// rating. Results wait in a queue on this device, by account, until the server can be reached.
// Guests have only what this device stores.

import { ApiError, api } from "../client/api";
import { userSession } from "../client/session";
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

/** The account's standing, after waiting results were sent; null for a guest, or while the server
 * can't be reached. */
export function fetchStanding(): Promise<PuzzleStanding | null> {
  fetching ??= requestStanding().finally(() => {
    fetching = null;
  });
  return fetching;
}

let fetching: Promise<PuzzleStanding | null> | null = null;

async function requestStanding(): Promise<PuzzleStanding | null> {
  if (!hasServer) return null;
  try {
    const me = await userSession.load();
    writeItem(ACCOUNT, me?.account ? me.id : null);
    return me?.account ? ((await submitAll()) ?? (await api.puzzleStanding())) : null;
  } catch {
    return null;
  }
}

/** The account that this device was last seen with, also without a network. */
export function knownAccount(): string | null {
  return readItem<string>(ACCOUNT);
}

/** Send a first try to the server, now or when it can be reached; null if not now. */
export async function submitResult(
  id: string,
  tried: readonly string[],
): Promise<PuzzleStanding | null> {
  const account = knownAccount();
  if (account === null) return null;
  writeItem(WAITING, [...waiting(), { account, id, moves: tried.map(numberOf) }]);
  return submitAll();
}

let submitting: Promise<PuzzleStanding | null> | null = null;

/** Send all waiting results, the oldest first; return the standing, or null if none was sent. */
function submitAll(): Promise<PuzzleStanding | null> {
  submitting ??= submitOneByOne().finally(() => {
    submitting = null;
  });
  return submitting;
}

async function submitOneByOne(): Promise<PuzzleStanding | null> {
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
    writeItem(WAITING, rest);
  }
}

/** A puzzle that the server doesn't know is never wanted; all else may be another time. */
function isRefused(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 422);
}

function waiting(): readonly Result[] {
  // Earlier versions stored no moves; without them nothing can be rated.
  return (readItem<Result[]>(WAITING) ?? []).filter(({ moves }) => Array.isArray(moves));
}

function readItem<T>(key: string): T | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

function writeItem(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Without storage, results are lost on reload.
  }
}
