// Quick pairing: two who want the same clock meet at once. Whoever finds an open game with that
// clock joins it; else one is made and listed. Two who made theirs at the same moment don't wait
// for each other: the younger game's maker joins the older.

import { api } from "../api";
import type { Control, Summary } from "../protocol";

const LOOK_EVERY = 2000;

function fits(game: Summary, control: Control, own: string | null): boolean {
  return (
    game.id !== own &&
    game.mode === "two" &&
    game.layout === "standard" &&
    !game.rated &&
    game.status === "waiting" &&
    JSON.stringify(game.control) === JSON.stringify(control)
  );
}

/** Sit down at somebody else's open game; null if there is none, or it was taken just now. */
async function joinOpen(
  control: Control,
  own: string | null,
  before: number,
): Promise<string | null> {
  const { games } = await api.lobby();
  const open = games
    .filter((game) => fits(game, control, own) && Number(game.created_at) < before)
    .sort((one, other) => Number(one.created_at) - Number(other.created_at));
  for (const { id } of open) {
    const joined = await api.join(id, {}).catch(() => null);
    if (joined) return id;
  }
  return null;
}

/** The game to play; resolves when there is one, be it with an opponent or waiting for one. */
export async function pair(control: Control): Promise<string> {
  const found = await joinOpen(control, null, Number.POSITIVE_INFINITY);
  if (found) return found;
  const { game } = await api.newGame({
    mode: "two",
    layout: "standard",
    rules: "rulebook",
    control,
    seats: { black: { kind: "me" }, white: { kind: "open" } },
    listed: true,
    draw_lots: true,
  });
  void keepLooking(game.id, control, Number(game.created_at));
  return game.id;
}

/** While one's own game waits, an older one may have appeared in the same moment. */
async function keepLooking(own: string, control: Control, made: number): Promise<void> {
  for (let k = 0; k < 5; k++) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
    if (location.pathname !== `/g/${own}`) return;
    const mine = await api.game(own).catch(() => null);
    if (mine?.status !== "waiting") return;
    const older = await joinOpen(control, own, made).catch(() => null);
    if (older) {
      dispatchEvent(new CustomEvent("paired", { detail: { own, older } }));
      return;
    }
  }
}
