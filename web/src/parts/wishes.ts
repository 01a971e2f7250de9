// Games to be made: the one played last, as somebody would like to play it again.

import type { Game } from "../games/game";
import type { Mode, NewGame, Seating } from "../protocol";

const KEPT = "sumito.wish";

/** The same game again, against computers of a level if one is given. */
export function sameAgain(game: Game, level: string | null = null): NewGame {
  const seats = Object.fromEntries(
    game.seats.map((seat, index): [string, Seating] => {
      const { colour, kind } = seat;
      if (kind === "computer") return [colour, { kind, level: level ?? seat.level ?? "friendly" }];
      if (!game.you.includes(colour)) return [colour, { kind: "open" }];
      const first = game.seats.findIndex((one) => game.you.includes(one.colour));
      return [colour, { kind: index === first ? "me" : "here" }];
    }),
  );
  return {
    mode: game.mode,
    layout: game.layout,
    rules: game.rules.preset,
    control: game.control,
    seats,
    win_at: game.rules.win_at === 6 ? null : game.rules.win_at,
  };
}

/** What was chosen in the dialog for a new game, kept for the next time. */
export interface Choices {
  mode: Mode;
  layout: string;
  level: number;
  colour: string;
  clock: string;
  purpose: string;
}

export function rememberChoices(choices: Choices): void {
  localStorage.setItem(KEPT, JSON.stringify(choices));
}

export function lastChoices(): Partial<Choices> {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "{}");
  } catch {
    return {};
  }
}
