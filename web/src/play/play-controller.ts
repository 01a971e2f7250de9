// The state of a board that is played on: which moves are shown, what the player chose but did not
// confirm yet, what may be moved, and the message about the last try. Knows no DOM.

import {
  type Attempt,
  apply,
  type Colour,
  type Effect,
  EMPTY_VIEW,
  type Miss,
  movesOf,
  type View,
} from "../board/state";
import { timeLeft } from "../domain/clock-time";
import type { GameSession, Notice } from "../domain/game-session";
import type { GameState } from "../domain/game-state";
import { describeMove, passedLine, statusLine } from "../domain/game-texts";
import { marblesAfter, sinceOwn } from "../domain/history";
import { t } from "../domain/i18n";
import { announce } from "../domain/messages";
import { edgeOf, sideOf, sidesOf, turnsFor } from "../domain/modes";
import { leavingText } from "../domain/outcomes";
import { missText, offBoard, type ReasonText, reasonText } from "../domain/reasons";
import { settings } from "../storage/preferences";
import { selectionHint } from "../ui/board-hints";
import { sounds } from "../ui/sounds";
import { computerPause, MovePacer, viewpoint } from "./move-pacing";

/** Between moves that are shown again. */
const REPLAY_PAUSE_MS = 320;

/** Where the board is drawn. */
export interface Stage {
  /** Something that is drawn has changed. */
  changed(): void;
  /** Draw now; resolves when all marbles are at rest. */
  draw(): Promise<void>;
  /** The marbles are at rest, after the last move or between two. */
  rested(isCaughtUp: boolean): void;
}

export class PlayController {
  /** How many moves of the game are shown; null for all of them, as it stands now. */
  shown: number | null = null;
  /** By how many sixths the player has turned the board, in half turns. */
  flips = 0;
  /** A move that waits for its player's confirmation. */
  proposed: Effect | null = null;
  premove: Attempt | null = null;
  /** Why the last try was no move, or another answer to it. */
  message: ReasonText = { text: "" };
  /** What can be done with the selected row. */
  hint = "";
  private current: GameSession | null = null;
  private readonly pacer = new MovePacer({
    game: () => this.game,
    goal: () => this.goal,
    show: () => this.draw(),
    pause: (index) => this.pauseBefore(index),
  });
  /** When the board came to rest, and how long the player then took to move. */
  private restedAt = performance.now();
  private answeredIn: number | null = null;
  private isReplaying = false;
  /** Who has left the game and why, shown until a number of moves is made. */
  private departure: { readonly text: string; readonly until: number } | null = null;
  /** Grows with each message, so that a late answer isn't taken for one to the last try. */
  private messages = 0;

  constructor(private readonly stage: Stage) {}

  get session(): GameSession | null {
    return this.current;
  }

  set session(session: GameSession | null) {
    if (session === this.current) return;
    this.current = session;
    this.departure = null;
    this.proposed = null;
    this.premove = null;
  }

  get game(): GameState | null {
    return this.current?.game ?? null;
  }

  /** The game, or what is shown of it, may have changed: show new moves one by one. */
  update(): void {
    if (this.current?.pending) this.pacer.advance();
    this.pacer.follow();
  }

  /** Clear all messages: after a change of the language they are in the wrong one. */
  clearMessages(): void {
    this.say("");
    this.hint = "";
    this.departure = null;
  }

  // Pacing.

  /** Everything there is has been shown. */
  get isCaughtUp(): boolean {
    return this.pacer.caughtUp;
  }

  /** How many moves are on the board. */
  get count(): number {
    return this.shown ?? Math.min(this.pacer.seen, this.game?.moves.length ?? 0);
  }

  /** How many moves are to be shown, with an unconfirmed one. */
  private get goal(): number {
    const { game, pending } = this.current ?? {};
    return game ? game.moves.length + (pending ? 1 : 0) : 0;
  }

  private async draw(): Promise<void> {
    await this.stage.draw();
    this.restedAt = performance.now();
    if (this.isCaughtUp) {
      this.isReplaying = false;
      this.stage.changed();
      this.playPremove();
    }
    this.stage.rested(this.isCaughtUp);
  }

  private pauseBefore(index: number): number {
    const { game } = this;
    if (this.isReplaying) return REPLAY_PAUSE_MS;
    const mover = game?.moves[index]?.seat;
    const seat = game?.seats.find(({ colour }) => colour === mover);
    if (!game || !this.current || seat?.kind !== "computer" || settings.now.pace === "none") {
      return 0;
    }
    const { receivedAt } = this.current;
    const lefts = game.you.map((colour) => timeLeft(game, colour, receivedAt) ?? Infinity);
    return computerPause({
      mode: game.mode,
      marbles: marblesAfter(game, index),
      answeredIn: this.answeredIn,
      left: game.clocks ? Math.min(...lefts) : null,
    });
  }

  /** Whether others have moved since the player's own last move. */
  get canReplay(): boolean {
    const { game } = this;
    const player = game && viewpoint(game);
    if (!game || this.shown !== null || game.moves.length === 0 || !player) return false;
    return game.moves.at(-1)?.seat !== player && this.message.text === "";
  }

  /** Show again what has happened since the player's own last move. */
  replay(): void {
    const { game } = this;
    if (!game || this.shown !== null || !this.isCaughtUp) return;
    const since = sinceOwn(game.moves, this.pacer.seen, viewpoint(game)).length;
    this.isReplaying = true;
    this.pacer.replay(this.pacer.seen - since);
  }

  // What is shown.

  /** The board as it is shown now, without highlights. */
  view(): View {
    const { game } = this;
    const { coordinates, letters } = settings.now;
    const common = { coordinates, letters, premove: this.premove, turns: this.turns };
    // Until the game is known nothing can be moved: no try could be answered.
    if (game === null) return { ...EMPTY_VIEW, ...common };
    const isLive = this.shown === null;
    const { count, unconfirmed } = this;
    const before = marblesAfter(game, count);
    const canMove = game.status === "playing" && !this.current?.elsewhere;
    const isReady = isLive && unconfirmed === null && this.isCaughtUp && canMove;
    const isMine = this.isMyTurn(game);
    const isAhead = isReady && !isMine && game.clocks !== null && game.you.length === 1;
    const turn = this.turnShown(game);
    return {
      ...EMPTY_VIEW,
      ...common,
      marbles: unconfirmed ? apply(before, unconfirmed) : before,
      last: unconfirmed ?? game.moves[count - 1] ?? null,
      trail: unconfirmed
        ? [unconfirmed]
        : sinceOwn(game.moves, count, isLive ? viewpoint(game) : null),
      legal: isReady && isMine ? game.legal : [],
      hand: isReady ? this.movableColours(game, isAhead) : [],
      ahead: isAhead,
      lamp: turn && isLive ? edgeOf(game.mode, turn) : null,
    };
  }

  /** The player's move that isn't confirmed yet, by themselves or by the referee. */
  get unconfirmed(): Effect | null {
    const { game, pending } = this.current ?? {};
    if (!game || this.shown !== null || this.pacer.seen < game.moves.length) return null;
    return pending?.effect ?? this.proposed;
  }

  /** Whose move comes next on the board. */
  turnShown(game: GameState): Colour | null {
    return game.moves[this.pacer.seen]?.seat ?? game.turn;
  }

  /** By how many sixths the board is turned. */
  get turns(): number {
    const { game } = this;
    const seat = game?.you.length === 1 ? game.you[0] : undefined;
    const own = game && seat ? turnsFor(game.mode, seat) : 0;
    return (own + 3 * this.flips) % 6;
  }

  private isMyTurn(game: GameState): boolean {
    return game.turn !== null && game.you.includes(game.turn) && !this.current?.elsewhere;
  }

  /** A partner's marbles may be part of a row. */
  private movableColours(game: GameState, isAhead: boolean): readonly Colour[] {
    const seat = isAhead ? game.you[0] : this.isMyTurn(game) ? game.turn : null;
    return seat ? (sidesOf(game.mode)[sideOf(game.mode, seat)] ?? []) : [];
  }

  /** Whose turn it is on the board, or how the game ended, and who left it. */
  get status(): string {
    const { game } = this;
    if (!game) {
      const isLost = this.current?.connected === false;
      return isLost ? t("Connection lost. Trying again…") : t("Loading…");
    }
    const { seen } = this.pacer;
    const isLate = game.moves.length > seen;
    const late = {
      ...game,
      turn: this.turnShown(game),
      moves: game.moves.slice(0, seen),
      outcome: null,
    };
    const line = statusLine(isLate ? late : game, this.current);
    const isPlaying = game.outcome === null && this.shown === null;
    return [isPlaying ? this.departure?.text : "", line].filter(Boolean).join(" ");
  }

  /** The move that was just shown; null once the game is over. */
  get lastShown(): Effect | null {
    const { game } = this;
    const isOver = game?.outcome && this.shown === null;
    return (!isOver && game?.moves[(this.shown ?? this.pacer.seen) - 1]) || null;
  }

  // What the player does.

  /** Play a move, or propose it where the player wants to be asked. */
  choose(effect: Effect): void {
    this.say("");
    this.answeredIn = performance.now() - this.restedAt;
    if (settings.now.confirm) this.proposed = effect;
    else this.current?.play(effect);
  }

  confirm(): void {
    const effect = this.proposed;
    this.cancel();
    if (effect) this.current?.play(effect);
  }

  cancel(): void {
    this.proposed = null;
    this.stage.changed();
  }

  setPremove(premove: Attempt | null): void {
    this.premove = premove;
    this.stage.changed();
  }

  /** The turn has come: play what was chosen ahead of it, if it is a move by now. */
  private playPremove(): void {
    const { premove, current: session, game } = this;
    if (!premove || !game || !session || !this.isMyTurn(game) || session.pending) return;
    this.premove = null;
    const effect = movesOf(premove.cells, game.legal).find(
      ({ direction }) => direction === premove.direction,
    );
    if (effect) session.play(effect);
  }

  /** Say why a row can't go that way. */
  async explain(attempt: Attempt): Promise<void> {
    if (!this.game?.turn || !this.current) return;
    sounds.refuse();
    const { messages } = this;
    const reason = reasonText(offBoard(attempt) ?? (await this.current.why(attempt)));
    // Meanwhile the position may have changed, and the move may be legal.
    if (this.messages !== messages || !reason.text) return;
    this.say(reason);
    announce(reason.text.replaceAll("*", ""));
  }

  /** Answer a touch that meant no move. */
  answerMiss(miss: Miss): void {
    const { game } = this;
    if (game?.status !== "playing" || this.shown !== null || game.you.length === 0) return;
    if (miss.kind === "empty" && miss.cells.length === 0 && this.isMyTurn(game)) {
      this.say("");
      this.hint = missText(miss, null, []);
    } else if (!this.isCaughtUp || !this.isMyTurn(game)) {
      this.say(statusLine(game, this.current));
    } else {
      const { marbles, hand } = this.view();
      sounds.refuse();
      const text = missText(miss, marbles.get(miss.cell) ?? null, hand);
      this.say(text);
      announce(text);
    }
  }

  /** Other marbles are selected, with a number of possible directions. */
  selected(cells: readonly string[], ways: number): void {
    this.say("");
    this.hint = this.game ? selectionHint(cells, ways, this.view()) : "";
  }

  private say(message: ReasonText | string): void {
    this.messages++;
    this.message = typeof message === "string" ? { text: message } : message;
    this.stage.changed();
  }

  // What happens in the game.

  readonly onNotice = ({ kind, event, message }: Notice): void => {
    const { game } = this;
    if (kind === "refused") {
      this.proposed = null;
      this.say(message ?? "");
    } else if (kind === "moved") {
      this.say("");
      if (game && game.moves.length > (this.departure?.until ?? 0)) this.departure = null;
    } else if (event?.type === "left" && game) {
      const text = leavingText(game, event.seat, event.reason);
      this.departure = { text, until: game.moves.length + game.seats.length };
      announce(text);
      this.stage.changed();
    } else if (kind === "ended" && game) this.ended(game);
  };

  private ended(game: GameState): void {
    // The result matters more than why an answer was refused before it.
    this.say("");
    this.departure = null;
    const winner = game.outcome?.winner;
    const isWon =
      winner && game.you.some((seat) => sideOf(game.mode, seat) === sideOf(game.mode, winner));
    if (isWon) sounds.won();
    else sounds.over();
    announce(statusLine(game, this.current));
    // A flag or a resignation moves nothing: the board is at rest already.
    if (this.isCaughtUp) void this.draw();
  }

  /** A move begins on the board: play its sound and announce it. */
  moving(last: Effect | null): void {
    const { game } = this;
    if (!last || !game) return;
    sounds.moved(last);
    if (this.shown !== null || this.isReplaying) return;
    const seat = (last as Effect & { seat?: Colour }).seat ?? game.turn ?? "black";
    announce([describeMove(last, seat), passedLine(game)].filter(Boolean).join(". "));
  }
}
