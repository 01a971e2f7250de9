// Paces moves on screen: they are shown one after the other, each to its end, and the computer
// pauses before its own.

import { between } from "../board/geometry";
import type { Marbles } from "../board/state";
import type { GameState } from "../domain/game-state";
import { sideOf } from "../domain/modes";
import type { Colour, Mode } from "../domain/protocol";

const SHORTEST = 400;
const LONGEST = 700;
/** A player who answers within this is in a hurry. */
const HURRY = 1500;
const LOW_CLOCK = 30_000;
/** More than this at once is caught up with in one step: a player who was away doesn't sit it out. */
const MAX_QUEUED = 8;

export interface PauseContext {
  readonly mode: Mode;
  readonly marbles: Marbles;
  /** How long the player took for the move before; null if the game was not waiting for them. */
  readonly answeredIn: number | null;
  /** The least time any player has left; null without clocks. */
  readonly left: number | null;
}

/** How long a computer seems to think: longer in a melee, shorter when there is a hurry. */
export function computerPause({ mode, marbles, answeredIn, left }: PauseContext): number {
  const tension = Math.min(1, contacts(mode, marbles) / 20);
  let time = SHORTEST + (LONGEST - SHORTEST) * tension;
  if (answeredIn !== null && answeredIn < HURRY) time *= 0.6 + (0.4 * answeredIn) / HURRY;
  if (left !== null && left < LOW_CLOCK) time *= 0.4;
  return Math.round(time);
}

/** Pairs of neighbours from different sides. */
function contacts(mode: Mode, marbles: Marbles): number {
  let count = 0;
  const list = [...marbles];
  list.forEach(([cell, colour], k) => {
    for (const [other, its] of list.slice(k + 1)) {
      if (sideOf(mode, colour) !== sideOf(mode, its) && between(cell, other)?.steps === 1) count++;
    }
  });
  return count;
}

export interface Screen {
  /** The game as it is; null while unknown. */
  game(): GameState | null;
  /** How many moves are to be shown, with the player's unconfirmed one. */
  goal(): number;
  /** Draw the game as it is after `seen` moves; resolves when the marbles are at rest. */
  show(): Promise<void>;
  /** The pause before the move at an index. */
  pause(index: number): number;
}

export class MovePacer {
  /** How many moves are on the screen. */
  seen = 0;
  private known: string | null = null;
  private running = false;
  private generation = 0;

  constructor(private readonly screen: Screen) {}

  /** Everything there is has been shown. */
  get caughtUp(): boolean {
    return this.seen >= this.screen.goal();
  }

  /** The game may have changed: show what is new, one by one. */
  follow(): void {
    const game = this.screen.game();
    const goal = this.screen.goal();
    if (game === null) return;
    if (this.known !== game.id || goal < this.seen || goal - this.seen > MAX_QUEUED) {
      this.known = game.id;
      this.jump(goal);
    } else if (goal > this.seen && !this.running) {
      void this.run();
    }
  }

  /** Show the player's own move at once. */
  advance(): void {
    if (this.seen === this.screen.goal() - 1) this.seen++;
  }

  /** Show everything at once. */
  jump(to: number): void {
    this.generation++;
    this.running = false;
    this.seen = to;
  }

  /** Show the moves from an earlier point on once more. */
  replay(from: number): void {
    if (from >= this.seen) return;
    this.jump(from);
    void this.run();
  }

  private async run(): Promise<void> {
    const mine = ++this.generation;
    this.running = true;
    await this.screen.show();
    while (mine === this.generation && this.seen < this.screen.goal()) {
      await sleep(this.screen.pause(this.seen));
      if (mine !== this.generation) return;
      this.seen++;
      await this.screen.show();
    }
    if (mine === this.generation) this.running = false;
  }
}

function sleep(ms: number): Promise<void> {
  return ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : Promise.resolve();
}

/** The seat since whose last move all moves are highlighted; null for spectators. */
export function viewpoint(game: GameState): Colour | null {
  const { you, turn } = game;
  if (you.length === 0) return null;
  return turn && you.includes(turn) ? turn : (you[0] ?? null);
}
