// Puzzles with an account: the server keeps the first try of each, and a rating made of them.
// Without an account or a network there is only what this device keeps.

import { api } from "../api";
import { hasServer } from "../local/site";
import type { PuzzleStanding } from "../protocol";

/** How the account fares; null for a guest, or while the server can't be asked. */
export async function standing(): Promise<PuzzleStanding | null> {
  if (!hasServer) return null;
  try {
    return (await api.me()).account ? await api.puzzleStanding() : null;
  } catch {
    return null;
  }
}

/** Tell the server of a first try; null if it can't be told. */
export async function tellResult(id: string, solved: boolean): Promise<PuzzleStanding | null> {
  try {
    return await api.puzzleResult(id, solved);
  } catch {
    return null;
  }
}
