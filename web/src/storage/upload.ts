// Uploads finished games of this browser to the server, where their player finds them on every
// device: on request, or each as it ends. A game is uploaded once; one that the server refuses is
// marked with the reason and uploaded again only on request.

import { ApiError, api } from "../client/api";
import { PageError } from "../domain/errors";
import { numberOf } from "../domain/moves";
import type { EndedBy, FinishedGame, NewGame, Seating } from "../domain/protocol";
import { layouts } from "../kernel/loader";
import { type StoredGame, type StoredSeat, store } from "./games";

/** Over, and worth keeping: a game that was called off isn't. */
export function isFinished({ outcome }: StoredGame): boolean {
  return outcome !== null && outcome.reason !== "aborted";
}

/** Finished games that only this browser has and that the server hasn't refused. */
async function onlyHere(): Promise<StoredGame[]> {
  const games = await store.all();
  return games.filter((game) => game.serverId === null && !game.refused && isFinished(game));
}

/** Upload a finished game; return its id at the server. Raise `Refused` if it is refused. */
export async function uploadGame(id: string): Promise<string> {
  const stored = await store.get(id);
  if (stored === null) throw new PageError("no-game");
  if (!isFinished(stored)) throw new PageError("not-over");
  if (stored.serverId !== null) return stored.serverId;
  try {
    const { id: serverId } = await api.uploadFinished(finished(stored, await startOf(stored)));
    const { refused: _, ...taken } = stored;
    await store.put({ ...taken, serverId });
    return serverId;
  } catch (error) {
    if (isFinal(error)) {
      const { code, message } = error;
      await store.put({ ...stored, refused: { code, message } });
    }
    throw error;
  }
}

/**
 * Upload all of them; return how many were accepted. Refused games are skipped. Raise the error if
 * the server can't be reached or wants to be asked later.
 */
export async function uploadAllGames(): Promise<number> {
  let taken = 0;
  for (const { id } of await onlyHere()) {
    try {
      await uploadGame(id);
      taken++;
    } catch (error) {
      if (!isFinal(error)) throw error;
    }
  }
  return taken;
}

/** The request itself was refused: the same game would be refused again. */
function isFinal(error: unknown): error is ApiError {
  return error instanceof ApiError && FINAL.has(error.status);
}

const FINAL: ReadonlySet<number> = new Set([400, 409, 413, 422]);

/** The position a game began from, if it isn't its layout's. */
async function startOf({ mode, layout, start }: StoredGame): Promise<string | null> {
  const known = (await layouts(mode)).find(({ id }) => id === layout);
  return known?.position === start ? null : start;
}

function finished(stored: StoredGame, start: string | null): FinishedGame {
  const { id, mode, layout, rules, control, moves, left, createdAt } = stored;
  const game: NewGame = {
    mode,
    layout,
    control,
    rules: rules.preset,
    seats: Object.fromEntries(
      stored.seats.map((seat) => [seat.colour, seating(seat, stored.seats)]),
    ),
    win_at: rules.win_at === 6 ? null : rules.win_at,
    start,
  };
  const clocks = moves.flatMap(({ clock }) => (clock === null ? [] : [Math.round(clock)]));
  return {
    ref: id,
    game,
    moves: moves.map(({ move }) => numberOf(move)),
    clocks: clocks.length === moves.length ? clocks : [],
    left: left.map(({ colour, after }) => ({ seat: colour, after })),
    ended: stored.ended as EndedBy | null,
    begun_at: Math.round(createdAt),
  };
}

/** The player at this browser; of several, the first. */
function seating(seat: StoredSeat, seats: readonly StoredSeat[]): Seating {
  if (seat.kind === "computer") return { kind: "computer", level: seat.level ?? "friendly" };
  const first = seats.find(({ kind }) => kind === "person");
  const alone = seats.filter(({ kind }) => kind === "person").length === 1;
  if (alone || (seat === first && !seat.name)) return { kind: "me" };
  return { kind: "here", ...(seat.name ? { name: seat.name } : {}) };
}
