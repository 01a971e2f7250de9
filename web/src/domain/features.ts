// What features offer each other. No feature imports another; `app` provides these, loaded on
// demand.

import type { Highlight, Marbles, Sign } from "../board/state";
import type { GameState } from "./game-state";

/** What the coach points at on the board. */
export interface Pointed {
  readonly highlights: readonly Highlight[];
  readonly signs: readonly Sign[];
}

/** Links, pictures and films of games. */
export interface Sharing {
  shareLink(game: GameState): Promise<void>;
  sharePicture(game: GameState, count: number): Promise<void>;
  sharePosition(marbles: Marbles, turns: number, name: string): Promise<void>;
  shareFilm(game: GameState, progress: (part: number) => void): Promise<void>;
  shareLine(frames: readonly Marbles[], turns: number, name: string): Promise<void>;
}

interface Features {
  /** Defines <sumito-coach>. */
  coach(): Promise<unknown>;
  sharing(): Promise<Sharing>;
}

let provided: Features | null = null;

export function provideFeatures(features: Features): void {
  provided = features;
}

export function features(): Features {
  if (provided === null) throw new Error("no features are provided");
  return provided;
}
