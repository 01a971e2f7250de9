// A game at the server: the last snapshot, updated event by event, plus the reader's own move that
// is not confirmed yet.

import { Connection } from "../../client/connection";
import type { GameSession, Notice, Pending } from "../../domain/game-session";
import type { Attempt, Colour, Effect, GameState, MadeMove } from "../../domain/game-state";
import { gameOf, legalOf, movedOf } from "../../domain/game-state";
import { marblesAfter } from "../../domain/history";
import { numberOf } from "../../domain/moves";
import type { ChatLine, EventFrame, Frame, PresenceFrame } from "../../domain/protocol";
import { PROTOCOL } from "../../domain/protocol";
import type { Reason } from "../../domain/reasons";

export class OnlineSession extends EventTarget implements GameSession {
  game: GameState | null = null;
  /** When the server's clocks were received, by `performance.now()`. */
  receivedAt = 0;
  connected = true;
  lag: number | null = null;
  missing = false;
  readonly thinking = new Set<Colour>();
  /** A move already shown here that the server hasn't confirmed. */
  pending: (Pending & { readonly ref: string }) | null = null;
  private readonly connection: Connection;
  private readonly questions = new Map<string, (reason: Reason) => void>();

  constructor(
    readonly id: string,
    known: GameState | null = null,
  ) {
    super();
    if (known) this.take(known);
    this.connection = new Connection(`/ws/games/${id}`, {
      onMessage: (message) => this.hear(message),
      onConnectionChange: (on) => {
        if (this.connected !== on) this.change({ connected: on });
      },
      hello: () => ({
        since: this.game?.version ?? null,
        heard: this.game?.chat.at(-1)?.id ?? 0,
        protocol: PROTOCOL,
      }),
    });
  }

  close(): void {
    this.connection.close();
  }

  play(effect: Effect): void {
    const { game } = this;
    if (game === null || game.turn === null || this.pending !== null) return;
    const move = numberOf(effect.move);
    const { turn: seat, ply } = game;
    const ref = this.connection.send({ type: "play", seat, ply, move });
    this.change({ pending: { effect, ply: game.ply, ref } });
    this.notify({ kind: "moved", effect: { ...effect, seat } });
  }

  command(type: string, fields: object = {}): void {
    this.connection.send({ type, ...fields });
  }

  /** Ask the server to check the clock; a refusal is ignored. */
  callFlag(): void {
    this.questions.set(this.connection.send({ type: "flag" }), () => undefined);
  }

  /** Which rule forbids a row to go that way; the server knows. */
  why({ cells, direction }: Attempt): Promise<Reason> {
    const ref = this.connection.send({ type: "why", cells, direction });
    return new Promise((resolve) => this.questions.set(ref, resolve));
  }

  /** Take over the state of the game from an HTTP answer. */
  take(game: GameState): void {
    if (this.game !== null && game.version < this.game.version) return;
    this.receivedAt = performance.now();
    const confirmed = this.pending && game.ply > this.pending.ply;
    this.change({ game, ...(confirmed ? { pending: null } : {}) });
  }

  private change(
    values: Partial<Pick<OnlineSession, "game" | "pending" | "connected" | "lag">>,
  ): void {
    Object.assign(this, values);
    this.dispatchEvent(new Event("change"));
  }

  private notify(notice: Notice): void {
    this.dispatchEvent(new CustomEvent("notice", { detail: notice }));
  }

  private hear(message: Frame): void {
    switch (message.type) {
      case "state":
        this.take(gameOf(message.game));
        break;
      case "event":
        this.happen(message);
        break;
      case "error":
        this.refused(message.ref, message.message, message.code);
        break;
      case "why":
        this.answer(message.ref, {
          code: message.reason ?? "",
          values: message.values ?? {},
          message: message.message,
        });
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
        this.addChatLine(message.line);
        break;
      case "ack":
        this.questions.delete(message.ref);
        // Stored, but the event that says so got lost on its way: ask for it.
        if (this.game !== null && message.version > this.game.version) this.connection.greet();
        break;
      case "ping":
      case "lobby":
        break;
    }
  }

  private addChatLine(line: ChatLine): void {
    const { game } = this;
    if (game === null || game.chat.some(({ id }) => id === line.id)) return;
    this.change({ game: { ...game, chat: [...game.chat, line] } });
  }

  private happen(frame: EventFrame): void {
    const { version, event } = frame;
    const { game } = this;
    if (game === null || version > game.version + 1) {
      this.connection.greet();
      return;
    }
    if (version <= game.version) return;
    const made = event.type === "moved" ? movedOf(event) : null;
    const confirmed = made !== null && this.pending?.ply === made.ply;
    const shown = confirmed && this.pending?.effect.move === made.move;
    if (frame.patch.clocks !== undefined) this.receivedAt = performance.now();
    if (made) this.thinking.delete(made.seat);
    this.change({
      game: after(game, frame, made),
      ...(confirmed ? { pending: null } : {}),
    });
    if (made && !shown) this.notify({ kind: "moved", effect: made });
    this.notify({ kind: event.type === "ended" ? "ended" : "other", event });
  }

  private refused(ref: string | null, message: string, code: string): void {
    if (code === "no-such-game") {
      this.missing = true;
      this.connection.close();
    }
    if (ref !== null && this.questions.has(ref)) {
      this.answer(ref, { code, values: {}, message });
      return;
    }
    this.change(this.pending?.ref === ref ? { pending: null } : {});
    this.notify({ kind: "refused", message });
  }

  private answer(ref: string, reason: Reason): void {
    this.questions.get(ref)?.(reason);
    this.questions.delete(ref);
  }

  private present({ online, spectators, mine }: PresenceFrame): void {
    if (this.game === null) return;
    const seats = this.game.seats.map((seat) => ({
      ...seat,
      online: online.includes(seat.colour),
    }));
    const can = mine?.can ?? this.game.can;
    this.change({ game: { ...this.game, seats, spectators, can } });
  }
}

/** The game after an event: what has changed for all, and what for oneself. */
function after(game: GameState, frame: EventFrame, made: MadeMove | null): GameState {
  const { version, event, patch, mine } = frame;
  let moves = made ? [...game.moves, made] : game.moves;
  if (event.type === "taken_back") moves = moves.slice(0, moves.length - event.plies);
  const { legal: packed, ...own } = mine ?? {};
  const now = { ...game, ...patch, ...own, moves, version };
  if (packed === undefined) return event.type === "moved" ? { ...now, legal: [] } : now;
  return { ...now, legal: legalOf(packed, now, marblesAfter(now, moves.length)) };
}
