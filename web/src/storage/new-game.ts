// Creates local games, from the same terms that a server takes.

import { PageError } from "../domain/errors";
import { newId } from "../domain/game-ids";
import { coloursOf } from "../domain/modes";
import type { Colour, Mode, NewGame, Rules } from "../domain/protocol";
import { kernel, layouts } from "../kernel/loader";
import { type StoredGame, type StoredSeat, store } from "./games";
import { replayGame } from "./replay";

export type PlayerNames = Partial<Record<Colour, string>>;

export async function storedGameFor(wanted: NewGame, names: PlayerNames = {}): Promise<StoredGame> {
  const { mode = "two" } = wanted;
  const known = await layouts(mode);
  const layout = known.find(({ id }) => id === wanted.layout) ?? known[0];
  if (layout === undefined) throw new PageError("no-layout");
  const now = Date.now();
  const start = wanted.start ?? layout.position;
  return {
    id: newId(),
    mode,
    layout: layout.id,
    rules: rulesFor(wanted),
    control: wanted.control ?? { kind: "none" },
    seats: seatsFor(mode, wanted).map((seat) => named(seat, names[seat.colour])),
    start,
    moves: [],
    left: [],
    ended: null,
    position: start,
    outcome: null,
    createdAt: now,
    changedAt: now,
    serverId: null,
  };
}

/** Store a new game for its own page to play; return its id. Raise if the rules refuse its start. */
export async function createLocalGame(wanted: NewGame, names: PlayerNames = {}): Promise<string> {
  const [loaded, stored] = await Promise.all([kernel(), storedGameFor(wanted, names)]);
  replayGame(loaded, stored);
  await store.put(stored);
  return stored.id;
}

function rulesFor({ rules = "rulebook", win_at }: NewGame): Rules {
  const options = typeof rules === "string" ? { preset: rules } : rules;
  const { preset = "rulebook" } = options;
  return {
    win_at: win_at ?? 6,
    repetition: preset === "tournament" ? 3 : null,
    ply_limit: null,
    stuck: "by-mode",
    partner_sidestep: "any",
    leave_three: "out",
    leave_teams: "loses",
    team_talk: "none",
    ...options,
    preset,
    first: "black",
  };
}

function seatsFor(mode: Mode, wanted: NewGame): StoredSeat[] {
  const colours = coloursOf(mode);
  const players = colours.map((colour) => wanted.seats?.[colour]);
  if (wanted.draw_lots) shuffle(players);
  return colours.map((colour, n) => {
    const player = players[n];
    const computer = player?.kind === "computer";
    return {
      colour,
      kind: computer ? "computer" : "person",
      level: computer ? (player.level ?? "friendly") : null,
    };
  });
}

function named(seat: StoredSeat, name = ""): StoredSeat {
  return seat.kind === "person" && name.trim() ? { ...seat, name: name.trim() } : seat;
}

function shuffle<T>(list: T[]): void {
  for (let n = list.length - 1; n > 0; n--) {
    const other = Math.floor(Math.random() * (n + 1));
    [list[n], list[other]] = [list[other] as T, list[n] as T];
  }
}

/** The seats of a rematch: everybody moves one seat further. */
export function nextSeats<Seat extends { readonly colour: Colour }>(
  seats: readonly Seat[],
): Seat[] {
  return seats.map(({ colour }, n) => {
    const from = seats[(n + seats.length - 1) % seats.length] as Seat;
    return { ...from, colour };
  });
}

/** The same once more, everybody one seat further round the table. */
export function rematchOf(stored: StoredGame): StoredGame {
  const seats = nextSeats(stored.seats);
  const now = Date.now();
  return {
    ...stored,
    id: newId(),
    seats,
    moves: [],
    left: [],
    ended: null,
    position: stored.start,
    outcome: null,
    createdAt: now,
    changedAt: now,
    serverId: null,
  };
}
