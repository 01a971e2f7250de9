// A local game, against the computer or at one screen: the kernel is its referee, IndexedDB stores
// it.

import type { Board } from "../../../kernel/src/board";
import type { Kernel } from "../../../kernel/src/kernel";
import type { Search } from "../../../kernel/src/search";
import type { Level } from "../../../kernel/src/types";
import { engineError } from "../../domain/errors";
import type { GameSession, Notice } from "../../domain/game-session";
import type { Attempt, Effect, GameState, MadeMove } from "../../domain/game-state";
import { hasServer } from "../../domain/hosting";
import { coloursOf, sideOf, sidesOf } from "../../domain/modes";
import type { Colour, Outcome } from "../../domain/protocol";
import type { Reason } from "../../domain/reasons";
import { knowsOpenings, timeOf } from "../../kernel/levels";
import { kernel } from "../../kernel/loader";
import { askToPersist } from "../../storage/database";
import { type StoredClocks, type StoredGame, type StoredMove, store } from "../../storage/games";
import { settings } from "../../storage/preferences";
import { replayGame } from "../../storage/replay";
import { afterMove, afterTakeback, type Clocks, flagged, startLeft, stopped } from "./clocks";
import { GameLock } from "./game-lock";
import { takeBackPlies, viewOf } from "./local-view";

/** Tells other tabs that show the same game of its moves. */
const tabs = "BroadcastChannel" in globalThis ? new BroadcastChannel("sumito-games") : null;

export class LocalSession extends EventTarget implements GameSession {
  game: GameState | null = null;
  readonly pending = null;
  readonly thinking = new Set<Colour>();
  receivedAt = 0;
  readonly connected = true;
  missing = false;
  /** Why the game can't be shown, if it isn't simply missing. */
  failed = "";
  readonly lag = null;
  /** Of all tabs only the one that holds the lock plays; the others follow. */
  private readonly lock: GameLock;
  private board: Board | null = null;
  private search: Search | null = null;
  private moves: readonly MadeMove[] = [];
  private clocks: Clocks = { left: {}, running: null, since: 0 };
  private version = 0;
  private closed = false;
  private saving: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly id: string,
    private kernel: Kernel | null,
    private stored: StoredGame | null,
  ) {
    super();
    tabs?.addEventListener("message", this.onTabMessage);
    this.lock = new GameLock(
      id,
      (held) => this.onLockChange(held),
      () => this.saving,
    );
  }

  /** A game that was played here before. */
  static open(id: string): LocalSession {
    const session = new LocalSession(id, null, null);
    // The lock first: what is read after it was granted is the last that another tab wrote.
    const read = session.lock.open().then(() => store.get(id));
    void Promise.all([kernel(), read]).then(
      ([loaded, stored]) => session.start(loaded, stored),
      (error: Error) => {
        session.failed = error.message;
        session.start(null, null);
      },
    );
    return session;
  }

  /** A new game; it is stored from its first move on. */
  static async create(stored: StoredGame): Promise<LocalSession> {
    const loaded = await kernel();
    const session = new LocalSession(stored.id, null, stored);
    await session.lock.open();
    session.start(loaded, stored);
    return session;
  }

  /** Another tab plays this game. */
  get elsewhere(): boolean {
    return this.game?.status === "playing" && !this.lock.held;
  }

  /** Take the game over from the tab that plays it. */
  playHere(): void {
    this.lock.take();
  }

  close(): void {
    this.closed = true;
    tabs?.removeEventListener("message", this.onTabMessage);
    this.lock.close();
    this.search?.close();
    this.search = null;
  }

  play(effect: Effect): void {
    if (this.elsewhere) return;
    const turn = this.game?.turn;
    if (turn && this.game?.you.includes(turn)) this.move(effect.move);
  }

  command(type: string, fields: { seat?: Colour } = {}): void {
    const seat = fields.seat ?? this.game?.you[0];
    if (this.game === null || seat === undefined) return;
    if (type === "rematch") void this.rematch();
    if (this.game.status !== "playing" || this.elsewhere) return;
    if (type === "resign") this.leave(seat, "resigned");
    else if (type === "abort") this.end({ winner: null, reason: "aborted", by: null });
    else if (type === "offer_draw") this.end({ winner: null, reason: "agreed", by: null });
    else if (type === "ask_takeback") this.takeBack();
  }

  callFlag(): void {
    if (this.elsewhere) return;
    const { turn, status } = this.game ?? {};
    if (status !== "playing" || !turn || !this.stored) return;
    if (flagged(this.clocks, this.stored.control, turn, performance.now()))
      this.leave(turn, "flag");
  }

  async why({ cells, direction }: Attempt): Promise<Reason> {
    const move = this.board?.moveOf(cells, direction) ?? null;
    const refusal = move === null ? null : (this.board?.why(move) ?? null);
    const { code, values } = refusal ?? { code: "no-row", values: {} };
    return { code, values, message: "" };
  }

  take(): void {
    // Nothing but this page announces it.
  }

  // Beginning.

  private start(loaded: Kernel | null, stored: StoredGame | null): void {
    if (this.closed) return;
    if (loaded === null || stored === null) {
      this.missing = true;
      this.dispatchEvent(new Event("change"));
      return;
    }
    this.kernel = loaded;
    this.restore(stored);
    this.warm();
    this.show();
    this.think();
  }

  /** Start the engine, so that it is there when the computer is to move. */
  private warm(): void {
    if (this.search || !this.lock.held || this.computers().length === 0) return;
    this.search = this.kernel?.search() ?? null;
    this.search?.ready().catch(() => undefined); // a search reports what is wrong
  }

  /** This tab got the game, or lost it to another one. */
  private onLockChange(held: boolean): void {
    if (this.closed || this.game === null) return;
    if (!held) {
      this.search?.stop();
      this.thinking.clear();
      this.show();
      return;
    }
    void store.get(this.id).then((stored) => {
      if (this.closed || !this.lock.held) return;
      if (stored) this.restore(stored);
      this.warm();
      this.show();
      this.think();
    });
  }

  /** The game as it was stored, played through by the rules. */
  private restore(stored: StoredGame): void {
    if (this.kernel === null) return;
    this.stored = stored;
    const { board, moves } = replayGame(this.kernel, stored);
    this.board = board;
    this.moves = moves;
    this.clocks = {
      left: leftOf(stored, moves),
      running: this.runs(),
      since: performance.now(),
    };
  }

  // Moves.

  private move(name: string): void {
    const { board, stored } = this;
    if (!board || !stored || this.game?.status !== "playing") return;
    const seat = board.turn;
    const now = performance.now();
    const { control } = stored;
    // An increment is for a move in time: it doesn't raise a flag that has fallen.
    if (flagged(this.clocks, control, seat, now)) {
      this.callFlag();
      return;
    }
    const clock = control.kind === "none" ? null : afterMove(this.clocks, control, seat, now);
    const nacre = board.write(name, "nacre");
    const ply = board.ply;
    const { out } = board;
    const effect = board.push(name);
    const moved: MadeMove = { ...effect, ply, seat, nacre, clock };
    this.moves = [...this.moves, moved];
    const left = clock === null ? this.clocks.left : { ...this.clocks.left, [seat]: clock };
    this.clocks = { left, running: this.runs(), since: now };
    this.save({ moves: [...stored.moves, { move: name, clock }] });
    this.show();
    this.notify({ kind: "moved", effect: moved });
    for (const eliminated of board.out.filter((colour) => !out.includes(colour))) {
      this.notify({ kind: "other", event: { type: "left", seat: eliminated, reason: "no-move" } });
    }
    this.announceEnd();
    this.think();
  }

  /**
   * Take back the last move that a person made, with the replies to it; at one screen, one move.
   * The time that was used stays used: otherwise taking back would be a clock without end.
   */
  private takeBack(): void {
    const { board, stored } = this;
    if (!board || !stored) return;
    const plies = takeBackPlies(stored, board, this.moves);
    if (plies === 0) return;
    this.search?.stop();
    const moves = stored.moves.slice(0, stored.moves.length - plies);
    const undone = this.moves.slice(moves.length).map(({ seat }) => seat);
    const left = afterTakeback(this.clocks, stored.control, undone, performance.now());
    const clocks = { after: moves.length, left };
    this.restore({ ...stored, moves, clocks });
    this.save({ moves, clocks });
    this.show();
    this.notify({ kind: "other", event: { type: "taken_back", plies } });
    this.think();
  }

  // Ends.

  /** One of three goes and the others play on; elsewhere that side has lost. */
  private leave(seat: Colour, reason: "resigned" | "flag"): void {
    const { board, stored } = this;
    if (!board || !stored) return;
    const { mode } = stored;
    if (mode === "three" && board.out.length < 2) {
      this.search?.stop();
      board.leave(seat);
      const left = [...stored.left, { colour: seat, after: stored.moves.length }];
      this.stopClocks();
      this.clocks = { ...this.clocks, running: this.runs() };
      this.save({ left, clocks: this.storedClocks() });
      this.show();
      this.notify({ kind: "other", event: { type: "left", seat, reason } });
      this.announceEnd();
      this.think();
      return;
    }
    const winner = sidesOf(mode)[1 - sideOf(mode, seat)]?.[0] ?? null;
    this.end({ winner, reason, by: seat });
  }

  /** The clocks as they show now, 0 where a flag has fallen. */
  private stopClocks(): void {
    if (this.stored) this.clocks = stopped(this.clocks, this.stored.control, performance.now());
  }

  private storedClocks(): StoredClocks {
    return { after: this.moves.length, left: this.clocks.left };
  }

  private end(outcome: Outcome): void {
    this.search?.stop();
    this.thinking.clear();
    this.stopClocks();
    this.save({ ended: outcome, clocks: this.storedClocks() });
    this.show();
    this.announceEnd();
  }

  private announceEnd(): void {
    const outcome = this.game?.outcome;
    if (!outcome) return;
    this.notify({ kind: "ended", event: { type: "ended", outcome } });
    if (outcome.reason !== "aborted") void askToPersist();
    // Without a network it waits: the next page that finds the server does it.
    void this.saving.then(uploadIfWanted).catch(() => undefined);
  }

  private async rematch(): Promise<void> {
    if (!this.stored || this.game?.status !== "over") return;
    const { rematchOf } = await import("../../storage/new-game");
    const next = rematchOf(this.stored);
    await store.put(next);
    this.notify({ kind: "other", event: { type: "rematch", id: next.id } });
  }

  // The computer.

  private computers(): readonly Colour[] {
    const seats = this.stored?.seats ?? [];
    return seats.filter(({ kind }) => kind === "computer").map(({ colour }) => colour);
  }

  private think(): void {
    const { board, game, search } = this;
    this.thinking.clear();
    if (!board || !search || !game?.turn || game.status !== "playing" || this.elsewhere) return;
    const seat = game.seats.find(({ colour }) => colour === game.turn);
    if (seat?.kind !== "computer") return;
    const level = (seat.level ?? "friendly") as Level;
    const { version } = this;
    this.thinking.add(seat.colour);
    this.dispatchEvent(new Event("change"));
    const time = timeOf(level, this.clocks.left[seat.colour]);
    const limits = { level, time, seed: seedOf(this.id) };
    const stale = () => this.closed || this.version !== version;
    this.opening(level)
      .then((move) => {
        if (move !== null || stale()) return move;
        return search.start(board, limits).then(([best]) => best?.move ?? null);
      })
      .then((move) => {
        if (move !== null && !stale()) this.move(move);
      })
      .catch((error: Error) => {
        if (stale()) return;
        this.thinking.clear();
        this.notify({ kind: "refused", message: engineError(error).message });
        this.dispatchEvent(new Event("change"));
      });
  }

  /** How a strong level begins a game; null where it has to think. */
  private async opening(level: Level): Promise<string | null> {
    const { board, stored } = this;
    if (!board || !stored || !playsOpenings(level, board.moves.length)) return null;
    try {
      return await (await import("./opening-book")).drawn(stored, board, seedOf(this.id));
    } catch {
      return null; // it can think instead
    }
  }

  // Storing and showing.

  private save(change: Partial<StoredGame> & { moves?: readonly StoredMove[] }): void {
    if (this.stored === null || this.board === null) return;
    const changed = { ...this.stored, ...change, changedAt: Date.now() };
    const outcome = changed.ended ?? (this.board.outcome as Outcome | null);
    this.stored = { ...changed, position: this.board.position, outcome };
    const game = this.stored;
    this.saving = this.saving.then(() => store.put(game)).then(() => tabs?.postMessage(game.id));
  }

  private readonly onTabMessage = (event: MessageEvent<string>) => {
    if (event.data !== this.id) return;
    void store.get(this.id).then((stored) => {
      if (!stored || this.closed || stored.changedAt <= (this.stored?.changedAt ?? 0)) return;
      this.search?.stop();
      this.restore(stored);
      this.show();
      this.think();
    });
  };

  private runs(): Colour | null {
    const { board, stored } = this;
    if (!board || !stored || stored.control.kind === "none") return null;
    return board.outcome || stored.ended ? null : board.turn;
  }

  private show(): void {
    if (!this.board || !this.stored) return;
    this.version++;
    this.receivedAt = performance.now();
    const view = viewOf(this.stored, this.board, this.moves, this.clocks, this.version);
    const follows = view.status === "playing" && !this.lock.held;
    this.game = follows ? { ...view, legal: [], can: [] } : view;
    this.dispatchEvent(new Event("change"));
  }

  private notify(notice: Notice): void {
    this.dispatchEvent(new CustomEvent("notice", { detail: notice }));
  }
}

/** What each clock showed after the last move, or when it was stopped since. */
function leftOf({ clocks, control, mode }: StoredGame, moves: readonly MadeMove[]): Clocks["left"] {
  const left = { ...startLeft(control, coloursOf(mode)), ...clocks?.left };
  for (const { seat, clock } of moves.slice(clocks?.after ?? 0)) {
    if (clock !== null) left[seat] = clock;
  }
  return left;
}

/** Upload a finished game, if the player has chosen that. */
async function uploadIfWanted(): Promise<void> {
  if (hasServer && settings.now.uploadGames)
    await (await import("../../storage/upload")).uploadAllGames();
}

/** Whether the opening book may be used: it has replies to at most two moves. */
function playsOpenings(level: Level, moves: number): boolean {
  return moves <= 2 && knowsOpenings(level);
}

/** Each game errs in its own way, and in the same way after a reload. */
function seedOf(id: string): number {
  return [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 2 ** 31, 7);
}
