// The terms of the same game once more.

import type { GameState } from "../domain/game-state";
import type { NewGame, Seating } from "../domain/protocol";

/** The same game again, against computers of a level if one is given. */
export function sameTerms(game: GameState, level: string | null = null): NewGame {
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
