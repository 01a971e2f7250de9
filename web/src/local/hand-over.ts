// Games of this browser given to the server, where their player finds them on every device: when
// asked for, or each as it ends. What is there already is given no second time.

import { api } from "../api";
import { numberOf } from "../games/moves";
import type { EndedBy, FinishedGame, NewGame, Seating } from "../protocol";
import { type StoredGame, type StoredSeat, store } from "./store";

/** Over, and worth keeping: a game that was called off isn't. */
export function isFinished({ outcome }: StoredGame): boolean {
  return outcome !== null && outcome.reason !== "aborted";
}

/** Finished games that only this browser has. */
export async function onlyHere(): Promise<StoredGame[]> {
  return (await store.all()).filter((game) => game.kept === null && isFinished(game));
}

/** Give a finished game to the server; its id there. */
export async function handOver(id: string): Promise<string> {
  const stored = await store.get(id);
  if (stored === null || !isFinished(stored)) throw new Error(`${id} isn't over`);
  if (stored.kept !== null) return stored.kept;
  const { id: kept } = await api.keepFinished(finished(stored));
  await store.put({ ...stored, kept });
  return kept;
}

/** Give all of them; how many there were. The first refusal ends it. */
export async function handOverAll(): Promise<number> {
  const games = await onlyHere();
  for (const { id } of games) await handOver(id);
  return games.length;
}

function finished(stored: StoredGame): FinishedGame {
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

/** Whoever plays here is oneself; of several, the first. */
function seating(seat: StoredSeat, seats: readonly StoredSeat[]): Seating {
  if (seat.kind === "computer") return { kind: "computer", level: seat.level ?? "friendly" };
  const first = seats.find(({ kind }) => kind === "person");
  const alone = seats.filter(({ kind }) => kind === "person").length === 1;
  if (alone || (seat === first && !seat.name)) return { kind: "me" };
  return { kind: "here", ...(seat.name ? { name: seat.name } : {}) };
}
