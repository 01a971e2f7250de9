// The state of the game page: the followed game, the shown move, when its result appears, and what
// its player may do. Knows no DOM.

import { type Attempt, attemptOf, type Effect } from "../board/state";
import { api } from "../client/api";
import type { Pointed } from "../domain/features";
import { isLocal } from "../domain/game-ids";
import type { GameSession, Notice } from "../domain/game-session";
import type { GameState } from "../domain/game-state";
import { t } from "../domain/i18n";
import type { Colour } from "../domain/protocol";
import { claimHandedOver } from "./handoff";
import { OnlineSession } from "./sessions/online";

export type Tab = "moves" | "chat";

/** An open invitation: what may be joined, and with which key. */
export interface Invitation {
  readonly seats: readonly Colour[];
  readonly key: string | undefined;
}

interface Callbacks {
  readonly changed: () => void;
  /** An opponent has moved, and it is the player's turn. */
  readonly yourTurn: (game: GameState) => void;
  /** The players have begun a rematch. */
  readonly rematch: (id: string) => void;
}

export class GamePageController {
  session: GameSession | null = null;
  /** How many moves are shown; null for all of them. */
  shown: number | null = null;
  tab: Tab = "moves";
  /** What the coach points at on the board. */
  pointed: Pointed | null = null;
  /** A result waits until the last move was seen to its end; of an old game it isn't shown. */
  result: "none" | "waiting" | "shown" = "none";
  private id = "";
  private chatLinesRead = 0;

  constructor(
    private readonly on: Callbacks,
    private readonly openSession: (id: string) => Promise<GameSession> | GameSession = openById,
  ) {}

  get game(): GameState | null {
    return this.session?.game ?? null;
  }

  /** Follow a game, perhaps one that was begun on another page. */
  async open(id: string): Promise<void> {
    this.close();
    this.id = id;
    this.shown = null;
    this.result = "none";
    const opening = claimHandedOver(id) ?? this.openSession(id);
    const session = opening instanceof Promise ? await opening : opening;
    if (this.id !== id || this.session) session.close();
    else this.follow(session);
  }

  close(): void {
    this.id = "";
    this.session?.removeEventListener("change", this.on.changed);
    this.session?.removeEventListener("notice", this.onNotice);
    this.session?.close();
    this.session = null;
  }

  private follow(session: GameSession): void {
    this.session = session;
    session.addEventListener("change", this.on.changed);
    session.addEventListener("notice", this.onNotice);
    this.on.changed();
  }

  private readonly onNotice = (notice: Event): void => {
    const { kind, event, effect } = (notice as CustomEvent<Notice>).detail;
    const { game } = this;
    if (!game) return;
    if (kind === "ended") this.result = "waiting";
    const isMine = game.turn !== null && game.you.includes(game.turn);
    if (kind === "moved" && isMine && effect && !game.you.includes(effect.seat)) {
      this.on.yourTurn(game);
    }
    if (event?.type === "rematch" && game.you.length > 0) this.on.rematch(event.id);
    // Players who look at earlier moves return to the game when something happens in it.
    if (game.status === "playing" && game.you.length > 0) this.shown = null;
    this.on.changed();
  };

  /** Whether the reader, who plays for themselves alone, is to move. */
  get isYourTurn(): boolean {
    const { game } = this;
    return (
      game !== null && game.turn !== null && game.you.length === 1 && game.you[0] === game.turn
    );
  }

  // What is shown.

  show(count: number | null): void {
    this.shown = count;
    this.on.changed();
  }

  point(pointed: Pointed | null): void {
    this.pointed = pointed;
    this.on.changed();
  }

  /** The marbles are at rest: after the last move the result may be shown. */
  rested(isCaughtUp: boolean): void {
    if (this.result !== "waiting" || !isCaughtUp) return;
    this.result = "shown";
    this.on.changed();
  }

  closeResult(): void {
    this.result = "none";
    this.on.changed();
  }

  /** Go back to the first move, to go through the game at leisure. */
  startReplay(): void {
    this.result = "none";
    this.tab = "moves";
    this.show(0);
  }

  openTab(tab: Tab): void {
    this.tab = tab;
    this.on.changed();
  }

  /** Whether there are messages to read, or other people to write to. */
  get hasChat(): boolean {
    const { game } = this;
    if (!game) return false;
    const others = game.seats.some(
      ({ colour, kind }) => kind === "person" && !game.you.includes(colour),
    );
    return game.chat.length > 0 || (others && game.can.includes("chat"));
  }

  /** Whether the chat is shown instead of the moves. */
  get isChatShown(): boolean {
    return this.tab === "chat" && this.hasChat;
  }

  markChatRead(): void {
    this.chatLinesRead = this.game?.chat.length ?? 0;
  }

  get unreadCount(): number {
    return (this.game?.chat.length ?? 0) - this.chatLinesRead;
  }

  // What the player does.

  /** A coach may help one person who plays against computers in this browser. */
  get mayBeCoached(): boolean {
    const { game } = this;
    if (!game || !isLocal(game.id)) return false;
    return game.you.length === 1 && game.seats.some(({ kind }) => kind === "computer");
  }

  /** Whether moves may be typed. */
  get mayType(): boolean {
    const { game } = this;
    return game?.status === "playing" && game.you.length > 0 && !this.session?.elsewhere;
  }

  /**
   * Play a move that was typed. Return what is wrong with it: a sentence, or the attempt that the
   * rules refuse.
   */
  type(text: string): string | Attempt | null {
    const { game, session } = this;
    if (!game || !session) return null;
    const move = text.toLowerCase().replace(/[^a-i1-9]/g, "");
    if (!game.turn || !game.you.includes(game.turn)) return t("It isn't your turn.");
    const effect = game.legal.find((one) => one.move === move || fromOtherEnd(one) === move);
    if (!effect) {
      const sentence = t("{move} is not a move. Write it like a1b2 or c3c5d4.", { move: text });
      return attemptOf(move) ?? sentence;
    }
    session.play(effect);
    return null;
  }

  /** What a reader may join, by the query of the link they came by; null if nothing. */
  invitation(query: string): Invitation | null {
    const { game } = this;
    const asked = new URLSearchParams(query);
    const key = asked.get("key") ?? undefined;
    if (!game || game.you.length > 0 || !(key || game.listed)) return null;
    const open = game.seats.filter(({ kind }) => kind === "open").map(({ colour }) => colour);
    const wanted = asked.get("seat");
    const seats = wanted ? open.filter((colour) => colour === wanted) : open;
    return open.length > 0 ? { seats, key } : null;
  }

  /** Take a seat. Raise `ApiError` if the server refuses. */
  async join(seat: Colour, name: string, key: string | undefined): Promise<void> {
    const request = { seat, ...(key ? { key } : {}), ...(name ? { name } : {}) };
    const game = await api.join(this.id, request);
    this.session?.take(game);
    this.on.changed();
  }
}

/** A side-step's other name, from the other end of its row. */
function fromOtherEnd({ move }: Effect): string {
  if (move.length !== 6) return move;
  const [first, last, to] = [move.slice(0, 2), move.slice(2, 4), move.slice(4)];
  const row = to.charCodeAt(0) - first.charCodeAt(0) + last.charCodeAt(0);
  const digit = Number(to[1]) - Number(first[1]) + Number(last[1]);
  return `${last}${first}${String.fromCharCode(row)}${digit}`;
}

/** Local games load the kernel, which games between people don't need. */
function openById(id: string): Promise<GameSession> | GameSession {
  if (!isLocal(id)) return new OnlineSession(id);
  return import("./sessions/local").then(({ LocalSession }) => LocalSession.open(id));
}
