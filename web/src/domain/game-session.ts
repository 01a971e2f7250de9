// The interface of a game one can play or watch, wherever it lives: at the server, in this
// browser, or on the home page before it exists.

import type { Attempt, Effect, GameState } from "./game-state";
import type { Colour, GameEvent } from "./protocol";
import type { Reason } from "./reasons";

/** Something that happened, for sounds, announcements and navigation. */
export interface Notice {
  readonly kind: "moved" | "ended" | "refused" | "other";
  readonly event?: GameEvent;
  /** The move that was made, if one was. */
  readonly effect?: Effect & { readonly seat: Colour };
  readonly message?: string;
}

/** A move that is shown already but not confirmed. */
export interface Pending {
  readonly effect: Effect;
  readonly ply: number;
}

/** Dispatches `change` when anything below has changed, and `notice` with a `Notice`. */
export interface GameSession extends EventTarget {
  readonly id: string;
  /** Null until it is known. */
  readonly game: GameState | null;
  readonly pending: Pending | null;
  /** Colours whose computer is at work. */
  readonly thinking: ReadonlySet<Colour>;
  /** When the clocks of `game` were true, by `performance.now()`. */
  readonly receivedAt: number;
  readonly connected: boolean;
  /** There is no such game. */
  readonly missing: boolean;
  /** Why it can't be shown, if there is such a game. */
  readonly failed?: string;
  /** Another tab of this browser plays it; here it is only shown. */
  readonly elsewhere?: boolean;
  /** Round-trip time to the server in milliseconds; null without a server. */
  readonly lag: number | null;

  play(effect: Effect): void;
  /** Resign, offer a draw, chat …: whatever isn't a move. */
  command(type: string, fields?: object): void;
  /** The clock of the player to move shows zero: ask the referee to check it. */
  callFlag(): void;
  /** Which rule forbids a row to go that way. */
  why(attempt: Attempt): Promise<Reason>;
  /** Take it over from the other tab. */
  playHere?(): void;
  /** Take over the state of the game from an HTTP answer. */
  take(game: GameState): void;
  close(): void;
}
