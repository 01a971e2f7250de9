// What the server and the page say to each other.

import type { Attempt, Colour, Effect } from "./board/state";

export type { Attempt, Colour, Effect };
export type Mode = "two" | "three" | "teams" | "teams-double";
export type Status = "waiting" | "playing" | "over";

export type Control =
  | { kind: "none" }
  | { kind: "sudden_death"; ms: number }
  | { kind: "fischer"; ms: number; increment_ms: number }
  | { kind: "delay"; ms: number; delay_ms: number };

export interface Moved extends Effect {
  readonly ply: number;
  readonly seat: Colour;
  readonly nacre: string;
  readonly clock: number | null;
}

export interface Seat {
  readonly colour: Colour;
  readonly kind: "person" | "computer" | "open";
  readonly name: string | null;
  readonly level: string | null;
  readonly online?: boolean;
  readonly you?: boolean;
  readonly out?: boolean;
  readonly rating?: number | null;
}

export interface Outcome {
  readonly winner: Colour | null;
  readonly reason: string;
}

export interface Said {
  readonly from: string;
  readonly text?: string | null;
  readonly preset?: string | null;
  readonly at: number;
}

export interface Game {
  readonly id: string;
  readonly mode: Mode;
  readonly layout: string;
  readonly rules: { readonly preset: string; readonly win_at: number };
  readonly control: Control;
  readonly rated: boolean;
  readonly listed: boolean;
  readonly created_at: number | string;
  readonly status: Status;
  readonly seats: readonly Seat[];
  readonly start: string;
  readonly position: string;
  /** Null unless the game is on. */
  readonly turn: Colour | null;
  readonly captured: readonly number[];
  readonly ply: number;
  readonly moves: readonly Moved[];
  readonly legal: readonly Effect[];
  readonly clocks: Partial<Record<Colour, number>> | null;
  readonly running: Colour | null;
  readonly at: number;
  readonly offers: {
    readonly draw: readonly Colour[];
    readonly takeback: readonly Colour[];
    readonly rematch?: readonly Colour[];
  };
  readonly outcome: Outcome | null;
  readonly claimable: readonly Colour[];
  readonly rematch: string | null;
  readonly spectators: number;
  readonly chat: readonly Said[];
  readonly version: number;
  readonly you: readonly Colour[];
}

export interface Summary {
  readonly id: string;
  readonly mode: Mode;
  readonly layout: string;
  readonly control: Control;
  readonly rated: boolean;
  readonly status: Status;
  readonly seats: readonly Seat[];
  readonly position: string;
  readonly moves: number;
  readonly outcome: Outcome | null;
  readonly created_at: number | string;
}

export interface Layout {
  readonly id: string;
  readonly name: string;
  readonly fair: boolean;
  readonly position: string;
}

export interface Rating {
  readonly rating: number;
  readonly games: number;
}

export interface Me {
  readonly id: string;
  readonly name: string | null;
  readonly account: null | { name: string; ratings: Partial<Record<Mode, Rating>> };
  readonly language: string | null;
}

export type SeatWish =
  | { kind: "me" }
  | { kind: "here" }
  | { kind: "open" }
  | { kind: "computer"; level: string };

export interface Wish {
  mode: Mode;
  layout: string;
  rules: string;
  control: Control;
  seats: Partial<Record<Colour, SeatWish>>;
  rated?: boolean;
  listed?: boolean;
  win_at?: number | null;
  draw_lots?: boolean;
}

export type Invitations = Partial<Record<Colour | "any", string>>;

export type GameEvent =
  | ({ type: "moved" } & Moved)
  | { type: "taken_back"; plies: number }
  | { type: "rematch"; id: string }
  | { type: string; seat?: Colour };

export type FromServer =
  | { type: "state"; game: Game }
  | { type: "event"; version: number; event: GameEvent; patch: Partial<Game> }
  | { type: "ack"; ref: string; version: number }
  | { type: "error"; ref: string | null; code: string; message: string }
  | {
      type: "why";
      ref: string;
      message: string;
      reason: string | null;
      values?: Record<string, string | number>;
    }
  | { type: "pong"; sent: number; at: number }
  | {
      type: "presence";
      seats: Partial<Record<Colour, boolean>>;
      spectators: number;
      claimable?: readonly Colour[];
    }
  | { type: "thinking"; seat: Colour; on: boolean }
  | ({ type: "chat" } & Said);
