// A game at the server as this page sees it: the server's word, kept up to date event by event, plus the move
// one has just made and that is on its way there.

import type { Attempt, Colour, Effect, FromServer, Game, GameEvent, Moved } from "../protocol";
import { Connection } from "./connection";
import type { Notice, Pending, PlayedGame } from "./played";

export class OnlineGame extends EventTarget implements PlayedGame {
  game: Game | null = null;
  /** When the server's clocks were heard, by this page's own clock. */
  heardAt = 0;
  connected = true;
  lag: number | null = null;
  missing = false;
  readonly thinking = new Set<Colour>();
  /** A move already shown here that the server hasn't confirmed. */
  pending: (Pending & { readonly ref: string }) | null = null;
  private readonly connection: Connection;
  private readonly questions = new Map<string, (message: string) => void>();

  constructor(
    readonly id: string,
    key: string | null,
    known: Game | null = null,
  ) {
    super();
    if (known) this.take(known);
    this.connection = new Connection(`/ws/games/${id}`, {
      heard: (message) => this.hear(message),
      connected: (on) => {
        if (this.connected !== on) this.change({ connected: on });
      },
      hello: () => ({ since: this.game?.version ?? null, ...(key ? { key } : {}) }),
    });
  }

  close(): void {
    this.connection.close();
  }

  play(effect: Effect): void {
    const { game } = this;
    if (game === null || game.turn === null || this.pending !== null) return;
    const { move } = effect;
    const { turn: seat, ply } = game;
    // Half of the way there and back, for the server to leave off the clock as far as it will.
    const lag = Math.round((this.lag ?? 0) / 2);
    const ref = this.connection.send({ type: "play", seat, ply, move, lag });
    this.change({ pending: { effect, ply: game.ply, ref } });
    this.notify({ kind: "moved", event: { type: "moved", ...effect } as GameEvent });
  }

  command(type: string, fields: object = {}): void {
    this.connection.send({ type, ...fields });
  }

  /** Ask the server to look at the clock; if there is nothing to see yet, nobody needs to know. */
  callFlag(): void {
    this.questions.set(this.connection.send({ type: "flag" }), () => undefined);
  }

  /** Why a row can't go that way, in the server's words. */
  why({ cells, direction }: Attempt, seat: Colour): Promise<string> {
    const ref = this.connection.send({ type: "why", seat, cells, direction });
    return new Promise((resolve) => this.questions.set(ref, resolve));
  }

  /** Take over a game as an HTTP answer told it. */
  take(game: Game): void {
    if (this.game !== null && game.version < this.game.version) return;
    this.heardAt = performance.now();
    const confirmed = this.pending && game.ply > this.pending.ply;
    this.change({ game, ...(confirmed ? { pending: null } : {}) });
  }

  private change(
    values: Partial<Pick<OnlineGame, "game" | "pending" | "connected" | "lag">>,
  ): void {
    Object.assign(this, values);
    this.dispatchEvent(new Event("change"));
  }

  private notify(notice: Notice): void {
    this.dispatchEvent(new CustomEvent("notice", { detail: notice }));
  }

  private hear(message: FromServer): void {
    switch (message.type) {
      case "state":
        this.take(message.game);
        break;
      case "event":
        this.happen(message);
        break;
      case "error":
        this.refused(message.ref, message.message, message.code);
        break;
      case "why":
        this.answer(message.ref, message.message);
        break;
      case "pong":
        this.change({ lag: Math.round(performance.now() - message.sent) });
        break;
      case "presence":
        this.present(message);
        break;
      case "thinking":
        this.thinking[message.on ? "add" : "delete"](message.seat);
        this.change({});
        break;
      case "chat":
        if (this.game) this.change({ game: { ...this.game, chat: [...this.game.chat, message] } });
        break;
      case "ack":
        break;
    }
  }

  private happen({ version, event, patch }: Extract<FromServer, { type: "event" }>): void {
    const { game } = this;
    if (game === null || version > game.version + 1) {
      this.connection.greet();
      return;
    }
    if (version <= game.version) return;
    const mine = this.pending?.effect.move === (event as Moved).move;
    const confirmed = event.type === "moved" && this.pending?.ply === (event as Moved).ply;
    const moves = patch.moves ?? movesAfter(game.moves, event);
    this.heardAt = performance.now();
    if (event.type === "moved") this.thinking.delete((event as Moved).seat);
    this.change({
      game: { ...game, ...patch, moves, version },
      ...(confirmed ? { pending: null } : {}),
    });
    if (event.type === "moved") {
      if (!(confirmed && mine)) this.notify({ kind: "moved", event });
      this.notify({ kind: "other", event });
    } else {
      this.notify({ kind: event.type === "ended" ? "ended" : "other", event });
    }
  }

  private refused(ref: string | null, message: string, code: string): void {
    if (code === "no-such-game") {
      this.missing = true;
      this.connection.close();
    }
    if (ref !== null && this.questions.has(ref)) {
      this.answer(ref, message);
      return;
    }
    this.change(this.pending?.ref === ref ? { pending: null } : {});
    this.notify({ kind: "refused", message });
  }

  private answer(ref: string, message: string): void {
    this.questions.get(ref)?.(message);
    this.questions.delete(ref);
  }

  private present(told: Extract<FromServer, { type: "presence" }>): void {
    if (this.game === null) return;
    const { seats, spectators, claimable = this.game.claimable } = told;
    const now = this.game.seats.map((seat) => ({
      ...seat,
      online: seats[seat.colour] ?? seat.online ?? false,
    }));
    this.change({ game: { ...this.game, seats: now, spectators, claimable } });
  }
}

function movesAfter(moves: readonly Moved[], event: GameEvent): readonly Moved[] {
  if (event.type === "moved") return [...moves, event as Moved];
  if (event.type === "taken_back") {
    return moves.slice(0, moves.length - (event as { plies: number }).plies);
  }
  return moves;
}
