// New games of this page, from the same wishes that a server takes.

import { coloursOf } from "../modes";
import type { Colour, Wish } from "../protocol";
import { newId } from "./ids";
import { layouts } from "./kernel";
import type { StoredGame, StoredSeat } from "./store";

export async function storedFor(wish: Wish): Promise<StoredGame> {
  const known = await layouts(wish.mode);
  const layout = known.find(({ id }) => id === wish.layout) ?? known[0];
  if (layout === undefined) throw new Error(`there is no layout for ${wish.mode}`);
  const now = Date.now();
  return {
    id: newId(),
    mode: wish.mode,
    layout: layout.id,
    rules: { preset: wish.rules, win_at: wish.win_at ?? 6 },
    control: wish.control,
    seats: seatsFor(wish),
    start: layout.position,
    moves: [],
    left: [],
    ended: null,
    position: layout.position,
    outcome: null,
    createdAt: now,
    changedAt: now,
    kept: null,
  };
}

function seatsFor(wish: Wish): StoredSeat[] {
  const colours = coloursOf(wish.mode);
  const players = colours.map((colour) => wish.seats[colour]);
  if (wish.draw_lots) shuffle(players);
  return colours.map((colour, n) => {
    const player = players[n];
    const computer = player?.kind === "computer";
    return {
      colour,
      kind: computer ? "computer" : "person",
      level: computer ? player.level : null,
    };
  });
}

function shuffle<T>(list: T[]): void {
  for (let n = list.length - 1; n > 0; n--) {
    const other = Math.floor(Math.random() * (n + 1));
    [list[n], list[other]] = [list[other] as T, list[n] as T];
  }
}

/** The same once more, everybody one seat further round the table. */
export function again(stored: StoredGame): StoredGame {
  const colours: Colour[] = stored.seats.map(({ colour }) => colour);
  const seats = stored.seats.map((_, n) => {
    const from = stored.seats[(n + stored.seats.length - 1) % stored.seats.length] as StoredSeat;
    return { ...from, colour: colours[n] as Colour };
  });
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
    kept: null,
  };
}
