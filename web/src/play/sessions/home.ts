// The game on the home page. Its start is known, so it can be played before the rules are loaded;
// the game is created with the first move, which is sent once it exists.

import { ApiError } from "../../client/api";
import { PageError } from "../../domain/errors";
import type { GameSession, Notice, Pending } from "../../domain/game-session";
import type { Attempt, Colour, Effect, GameState } from "../../domain/game-state";
import { gameOf } from "../../domain/game-state";
import { t } from "../../domain/i18n";
import type { Reason } from "../../domain/reasons";

/** Black's 44 moves, as the server would number them. */
const OPENING =
  "A8BCBIABAEAIAMAPATAXAdAjApAuA9BDBJHRIWIuIaHdACAFAJANAQAUAYAeAkAqAvA-BEBKF7IXIvIbGTA_BFBL";
const START = "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0,0 0 1";
const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;

function opening(): GameState {
  const seat = { rating: null, online: true, out: false, guest: false };
  return gameOf({
    id: "",
    mode: "two",
    sides: [["black"], ["white"]],
    layout: "standard",
    rules: {
      preset: "rulebook",
      win_at: 6,
      repetition: null,
      ply_limit: null,
      stuck: "",
      partner_sidestep: "",
      first: "black",
      leave_three: "",
      leave_teams: "",
      team_talk: "",
    },
    control: { kind: "none" },
    rated: false,
    listed: false,
    takebacks: true,
    created_at: 0,
    status: "playing",
    seats: [
      { ...seat, colour: "black", kind: "person", name: "", level: null },
      { ...seat, colour: "white", kind: "computer", name: "", level: "friendly" },
    ],
    start: START,
    position: START,
    turn: "black",
    captured: [0, 0],
    ply: 1,
    moves: [],
    clocks: null,
    delay_left: 0,
    at: 0,
    offers: { draw: [], takeback: [], rematch: [], draw_agreed: [], takeback_agreed: [] },
    outcome: null,
    rematch: null,
    spectators: 0,
    chat: [],
    version: 0,
    you: ["black"],
    can: ["move"],
    legal: OPENING,
  });
}

/** Trying again won't help: the server refuses the game, or this browser can't run it. */
function isFinal(error: unknown): error is Error {
  if (error instanceof PageError) return error.code !== "offline";
  return error instanceof ApiError && error.status > 0 && error.status < 500;
}

export class HomeSession extends EventTarget implements GameSession {
  readonly id = "";
  readonly game = opening();
  pending: Pending | null = null;
  connected = true;
  readonly thinking: ReadonlySet<Colour> = new Set();
  readonly receivedAt = 0;
  readonly missing = false;
  readonly lag = null;
  private made: Promise<GameSession> | null = null;
  private closed = false;

  /** `make` makes the game; `onStart` is called with it at the first move. */
  constructor(
    private readonly make: () => Promise<GameSession>,
    private readonly onStart: (game: GameSession) => void,
  ) {
    super();
  }

  play(effect: Effect): void {
    if (this.pending) return;
    this.pending = { effect, ply: this.game.ply };
    this.changed();
    this.notify({ kind: "moved", effect: { ...effect, seat: "black" } });
    void this.send(effect);
  }

  private async send(effect: Effect): Promise<void> {
    for (let wait = FIRST_WAIT; !this.closed; wait = Math.min(LONGEST_WAIT, 2 * wait)) {
      try {
        const made = await this.there();
        made.play(effect);
        this.onStart(made);
        return;
      } catch (error) {
        if (isFinal(error)) {
          this.refused(error.message);
          return;
        }
        this.connected = false;
        this.changed();
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
  }

  private refused(message: string): void {
    this.pending = null;
    this.changed();
    this.notify({ kind: "refused", message });
  }

  /** The game itself, created when it is first needed. */
  private there(): Promise<GameSession> {
    this.made ??= this.make().catch((error) => {
      this.made = null;
      throw error;
    });
    return this.made;
  }

  async why(attempt: Attempt): Promise<Reason> {
    try {
      return await (await this.there()).why(attempt);
    } catch {
      return { code: "", values: {}, message: t("That isn't possible here.") };
    }
  }

  command(): void {}

  callFlag(): void {}

  take(): void {}

  close(): void {
    this.closed = true;
    if (!this.pending) void this.made?.then((made) => made.close()).catch(() => undefined);
  }

  private changed(): void {
    this.dispatchEvent(new Event("change"));
  }

  private notify(notice: Notice): void {
    this.dispatchEvent(new CustomEvent("notice", { detail: notice }));
  }
}
