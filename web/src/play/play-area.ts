// The board with the players around it: shows a game or one of its past positions, and turns input
// on the board into commands.

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { SumitoBoard } from "../board/element";
import {
  type Attempt,
  apply,
  type Colour,
  type Effect,
  EMPTY_VIEW,
  type Highlight,
  type Marbles,
  type Miss,
  movesOf,
  type Sign,
  same,
  type View,
} from "../board/state";
import { timeLeft } from "../domain/clock-time";
import type { GameSession, Notice } from "../domain/game-session";
import type { GameState } from "../domain/game-state";
import { ejectedAfter, marblesAfter, sinceOwn } from "../domain/history";
import { t } from "../domain/i18n";
import { announce } from "../domain/messages";
import { edgeOf, sideOf, sidesOf, turnsFor } from "../domain/modes";
import { leavingText } from "../domain/outcomes";
import { settings } from "../storage/preferences";
import { describeCell, selectionHint } from "../ui/board-hints";
import { BaseElement } from "../ui/element";
import { formationsAmong, mayShowFormations, pushName } from "../ui/formations";
import { icon } from "../ui/icon";
import { sounds } from "../ui/sounds";
import { GameController } from "./game-controller";
import { computerPause, MovePacer, viewpoint } from "./move-pacing";
import "../ui/play-area.css";
import { describeMove, passedLine, statusLine } from "../domain/game-texts";
import { missText, offBoard, reasonText, type Term } from "../domain/reasons";
import { glossary, withTerm } from "../ui/reason-text";
import { seatBar, seatToBe, teamScore } from "./seat-bar";
import { type Corner, cornersOf } from "./seating";

const CORNERS_TO_BE = html`<div class="corner ur alone">${seatToBe()}</div>
  <div class="corner lr alone">${seatToBe()}</div>`;
/** Between moves that are shown again. */
const REPLAY_PAUSE = 320;

export class PlayArea extends BaseElement {
  static override properties = {
    session: { attribute: false },
    shown: { attribute: false },
    flips: { attribute: false },
    pointed: { attribute: false },
    proposed: { state: true },
    premove: { state: true },
    reason: { state: true },
    term: { state: true },
    held: { state: true },
    highlights: { state: true },
  };
  declare session: GameSession | null;
  /** How many moves of the game are shown; null: all, as it stands now. */
  declare shown: number | null;
  declare flips: number;
  /** What a coach points at. */
  declare pointed: {
    readonly highlights: readonly Highlight[];
    readonly signs: readonly Sign[];
  } | null;
  /** A move that waits for its player's yes. */
  declare proposed: Effect | null;
  declare premove: Attempt | null;
  /** Why the last try was no move. */
  declare reason: TemplateResult | string;
  declare term: Term | null;
  /** What to say about the row in hand. */
  declare held: string;
  /** What is lit up, and the marbles for which that is true. */
  declare highlights: { readonly marbles: Marbles; readonly found: readonly Highlight[] } | null;
  private readonly follower = new GameController(this, (notice) => this.notice(notice));
  private readonly pacer = new MovePacer({
    game: () => this.session?.game ?? null,
    goal: () => this.goal(),
    show: () => this.seen(),
    pause: (index) => this.pause(index),
  });
  /** When the board came to rest, and how long the player then took. */
  private restedAt = performance.now();
  private answeredIn: number | null = null;
  private replaying = false;
  /** Who has left the game and why, shown beside the status until everybody had a turn. */
  private news: { readonly text: string; readonly until: number } | null = null;
  /** How often something was said, so that a late answer isn't taken for one to the last try. */
  private said = 0;

  constructor() {
    super();
    this.session = null;
    this.shown = null;
    this.flips = 0;
    this.pointed = null;
    this.proposed = null;
    this.premove = null;
    this.reason = "";
    this.term = null;
    this.held = "";
    this.highlights = null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    settings.addEventListener("change", this.settingsChanged);
    addEventListener("keydown", this.key);
    addEventListener("language", this.forgetSaid);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    settings.removeEventListener("change", this.settingsChanged);
    removeEventListener("keydown", this.key);
    removeEventListener("language", this.forgetSaid);
  }

  /** What was said in another language isn't said again. */
  private readonly forgetSaid = () => {
    this.say("");
    this.held = "";
    this.news = null;
  };

  private readonly settingsChanged = () => this.requestUpdate();

  private readonly key = (event: KeyboardEvent) => {
    const writing =
      event.target instanceof Element && event.target.closest("input, textarea, select, dialog");
    if (writing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "r" || event.key === "R") this.replay();
  };

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("session")) {
      this.follower.follow(this.session);
      this.news = null;
      this.proposed = null;
      this.premove = null;
    }
    if (this.session?.pending) this.pacer.advance();
    this.pacer.follow();
  }

  private get board(): SumitoBoard | null {
    return this.querySelector<SumitoBoard>("sumito-board");
  }

  protected override updated(): void {
    const { board } = this;
    if (!board) return;
    board.describe = describeCell;
    board.keeper = () => this.querySelector(".tray .fresh");
    board.view = this.view();
    this.lightUp(board.view.marbles);
  }

  /** Have what the players have words for lit up, if that is wished. */
  private lightUp(marbles: Marbles): void {
    const game = this.session?.game;
    const wished = settings.now.words && game && mayShowFormations(game);
    if (!wished) {
      if (this.highlights) this.highlights = null;
    } else if (!this.highlights || !same(this.highlights.marbles, marbles)) {
      this.highlights = { marbles, found: [] };
      void formationsAmong(marbles, game.mode).then((found) => {
        if (this.highlights?.marbles === marbles) this.highlights = { marbles, found };
      });
    }
  }

  // Rhythm.

  private goal(): number {
    const { game, pending } = this.session ?? {};
    return game ? game.moves.length + (pending ? 1 : 0) : 0;
  }

  private async seen(): Promise<void> {
    this.requestUpdate();
    await this.updateComplete;
    await this.board?.settled;
    this.restedAt = performance.now();
    if (this.pacer.caughtUp) {
      this.replaying = false;
      this.requestUpdate();
      this.playAhead();
    }
    this.dispatchEvent(new CustomEvent("rest", { detail: this.pacer.caughtUp, bubbles: true }));
  }

  private pause(index: number): number {
    const game = this.session?.game;
    if (this.replaying) return REPLAY_PAUSE;
    const mover = game?.moves[index]?.seat;
    const seat = game?.seats.find(({ colour }) => colour === mover);
    if (!game || !this.session || seat?.kind !== "computer" || settings.now.pace === "none") {
      return 0;
    }
    const { receivedAt } = this.session;
    const lefts = game.you.map((colour) => timeLeft(game, colour, receivedAt) ?? Infinity);
    return computerPause({
      mode: game.mode,
      marbles: marblesAfter(game, index),
      answeredIn: this.answeredIn,
      left: game.clocks ? Math.min(...lefts) : null,
    });
  }

  /** Show again what has happened since the player's own last move. */
  replay(): void {
    const game = this.session?.game;
    if (!game || this.shown !== null || !this.pacer.caughtUp) return;
    const since = sinceOwn(game.moves, this.pacer.seen, viewpoint(game)).length;
    this.replaying = true;
    this.pacer.replay(this.pacer.seen - since);
  }

  // The view.

  private view(): View {
    const game = this.session?.game ?? null;
    const { coordinates, letters } = settings.now;
    const common = { coordinates, letters, premove: this.premove, turns: this.turns(game) };
    // Until the game is known nothing can be taken up: no touch could be answered.
    if (game === null) return { ...EMPTY_VIEW, ...common };
    const live = this.shown === null;
    const count = this.shown ?? Math.min(this.pacer.seen, game.moves.length);
    const coming = this.coming();
    const before = marblesAfter(game, count);
    const here = game.status === "playing" && !this.session?.elsewhere;
    const ready = live && coming === null && this.pacer.caughtUp && here;
    const ahead = ready && !this.isMyTurn(game) && game.clocks !== null && game.you.length === 1;
    const turn = this.turnShown(game);
    return {
      ...EMPTY_VIEW,
      ...common,
      marbles: coming ? apply(before, coming) : before,
      last: coming ?? game.moves[count - 1] ?? null,
      trail: coming ? [coming] : sinceOwn(game.moves, count, live ? viewpoint(game) : null),
      legal: ready && this.isMyTurn(game) ? game.legal : [],
      hand: ready ? this.movableColours(game, ahead) : [],
      ahead,
      highlights: [...(this.highlights?.found ?? []), ...(this.pointed?.highlights ?? [])],
      signs: this.pointed?.signs ?? [],
      lamp: turn && live ? edgeOf(game.mode, turn) : null,
    };
  }

  /** One's own move that isn't confirmed, by its player or by the referee. */
  private coming(): Effect | null {
    const { game, pending } = this.session ?? {};
    if (!game || this.shown !== null || this.pacer.seen < game.moves.length) return null;
    return pending?.effect ?? this.proposed;
  }

  /** Whose move comes next on the screen. */
  private turnShown(game: GameState): Colour | null {
    return game.moves[this.pacer.seen]?.seat ?? game.turn;
  }

  private turns(game: GameState | null): number {
    const seat = game?.you.length === 1 ? game.you[0] : undefined;
    const own = game && seat ? turnsFor(game.mode, seat) : 0;
    return (own + 3 * this.flips) % 6;
  }

  private isMyTurn(game: GameState): boolean {
    return game.turn !== null && game.you.includes(game.turn) && !this.session?.elsewhere;
  }

  /** A partner's marbles may be part of a row. */
  private movableColours(game: GameState, ahead: boolean): readonly Colour[] {
    const seat = ahead ? game.you[0] : this.isMyTurn(game) ? game.turn : null;
    return seat ? (sidesOf(game.mode)[sideOf(game.mode, seat)] ?? []) : [];
  }

  // What the player does.

  private choose(effect: Effect): void {
    this.say("");
    this.answeredIn = performance.now() - this.restedAt;
    if (settings.now.confirm) this.proposed = effect;
    else this.session?.play(effect);
  }

  private confirm(): void {
    const effect = this.proposed;
    this.proposed = null;
    if (effect) this.session?.play(effect);
  }

  private say(reason: TemplateResult | string): void {
    this.said++;
    this.reason = reason;
    this.term = null;
  }

  /** Say why a row can't go that way. */
  async explain(attempt: Attempt): Promise<void> {
    const game = this.session?.game;
    if (!game?.turn || !this.session) return;
    sounds.refuse();
    const before = this.said;
    const said = reasonText(offBoard(attempt) ?? (await this.session.why(attempt)));
    // The player, or the game, has gone on meanwhile: by now there may be nothing against it.
    if (this.said !== before || !said.text) return;
    this.say(
      withTerm(said, (term) => {
        this.term = term;
      }),
    );
    announce(said.text.replaceAll("*", ""));
  }

  private missed(miss: Miss): void {
    const game = this.session?.game;
    if (game?.status !== "playing" || this.shown !== null || game.you.length === 0) return;
    if (miss.kind === "empty" && miss.cells.length === 0 && this.isMyTurn(game)) {
      this.say("");
      this.held = missText(miss, null, []);
      return;
    }
    if (!this.pacer.caughtUp || !this.isMyTurn(game)) {
      this.say(statusLine(game, this.session));
      return;
    }
    const marble = this.board?.view.marbles.get(miss.cell) ?? null;
    sounds.refuse();
    const text = missText(miss, marble, this.board?.view.hand ?? []);
    this.say(text);
    announce(text);
  }

  private taken({ cells, ways }: { cells: readonly string[]; ways: number }): void {
    const view = this.board?.view;
    const game = this.session?.game;
    this.say("");
    this.held = view && game ? selectionHint(cells, ways, view) : "";
  }

  private notice({ kind, event, message }: Notice): void {
    const game = this.session?.game;
    if (kind === "refused") {
      this.say(message ?? "");
      this.proposed = null;
    } else if (kind === "moved") {
      this.say("");
      if (game && game.moves.length > (this.news?.until ?? 0)) this.news = null;
    } else if (event?.type === "left" && game) {
      const text = leavingText(game, event.seat, event.reason);
      this.news = { text, until: game.moves.length + game.seats.length };
      announce(text);
      this.requestUpdate();
    } else if (kind === "ended" && game) {
      // The result is worth more than why an answer was refused before it.
      this.say("");
      this.news = null;
      const side = game.outcome?.winner;
      const won =
        side && game.you.some((seat) => sideOf(game.mode, seat) === sideOf(game.mode, side));
      if (won) sounds.won();
      else sounds.over();
      announce(statusLine(game, this.session));
      // A flag or a resignation moves nothing: the board is at rest already.
      if (this.pacer.caughtUp) void this.seen();
    }
  }

  /** Marbles begin to move: let it be heard. */
  private moving({ forward }: { move: string; forward: boolean }): void {
    const last = this.board?.view.last;
    const game = this.session?.game;
    if (!forward || !last || !game) return;
    sounds.moved(last);
    const seat = (last as Effect & { seat?: Colour }).seat ?? game.turn ?? "black";
    if (this.shown !== null || this.replaying) return;
    announce([describeMove(last, seat), passedLine(game)].filter(Boolean).join(". "));
  }

  /** The turn has come: play what was chosen ahead of it, if it is a move by now. */
  private playAhead(): void {
    const { premove, session } = this;
    const game = session?.game;
    if (!premove || !game || !session || !this.isMyTurn(game) || session.pending) return;
    this.premove = null;
    const effect = movesOf(premove.cells, game.legal).find(
      ({ direction }) => direction === premove.direction,
    );
    if (effect) session.play(effect);
  }

  // Drawing.

  override render(): TemplateResult {
    const game = this.session?.game ?? null;
    return html`
      ${game ? this.corners(game) : CORNERS_TO_BE}
      <div class="board-place" @pointerdown=${() => this.board?.finish()}>
        <sumito-board
          label=${t("Board")}
          aria-busy=${game === null}
          @choose=${(event: CustomEvent<Effect>) => this.choose(event.detail)}
          @attempt=${(event: CustomEvent<Attempt>) => this.explain(event.detail)}
          @miss=${(event: CustomEvent<Miss>) => this.missed(event.detail)}
          @premove=${(event: CustomEvent<Attempt | null>) => {
            this.premove = event.detail;
          }}
          @hand=${(event: CustomEvent<{ cells: readonly string[]; ways: number }>) =>
            this.taken(event.detail)}
          @motionstart=${(event: CustomEvent<{ move: string; forward: boolean }>) =>
            this.moving(event.detail)}
        ></sumito-board>
      </div>
      ${this.hint(game)}
    `;
  }

  private corners(game: GameState): TemplateResult {
    const corners = cornersOf(game.mode, this.turns(game));
    const count = this.shown ?? Math.min(this.pacer.seen, game.moves.length);
    const ejected = ejectedAfter(game, count, this.coming());
    const turn = game.status === "playing" ? this.turnShown(game) : null;
    const both = (one: Corner, other: Corner) => corners.has(one) && corners.has(other);
    return html`
      ${(["ul", "ur", "ll", "lr"] as const).map((corner) => {
        const colour = corners.get(corner);
        if (!colour || !this.session) return nothing;
        const shared = corner[0] === "u" ? both("ul", "ur") : both("ll", "lr");
        return html`<div class="corner ${corner} ${shared ? "shared" : "alone"}">
          ${seatBar(this.session, game, colour, { ejected, turn })}
        </div>`;
      })}
      ${game.mode.startsWith("teams") ? teamScore(game, ejected) : nothing}
    `;
  }

  private hint(game: GameState | null): TemplateResult {
    if (this.proposed) {
      return html`<div class="hint ask">
        <button class="primary" @click=${() => this.confirm()}>
          ${t("Play {move}", { move: this.proposed.move })}
        </button>
        <button
          @click=${() => {
            this.proposed = null;
          }}
        >
          ${t("Take it back")}
        </button>
      </div>`;
    }
    const over = game?.status === "over" && this.pacer.caughtUp;
    const kind = this.reason ? "reason" : over ? "over" : "";
    return html`<div class="hint ${kind}">
      <p>${this.reason || this.held || this.status(game)}</p>
      ${this.term ? html`<p class="explained">${glossary(this.term)}</p>` : nothing}
      ${this.againButton(game)}
    </div>`;
  }

  private status(game: GameState | null): string {
    if (!game) {
      const lost = this.session?.connected === false;
      return lost ? t("Connection lost. Trying again…") : t("The game is on its way…");
    }
    const turn = this.turnShown(game);
    const late = game.moves.length > this.pacer.seen;
    const moves = game.moves.slice(0, this.pacer.seen);
    const line = statusLine(late ? { ...game, turn, moves, outcome: null } : game, this.session);
    const news = game.outcome === null && this.shown === null ? this.news?.text : "";
    return [this.pushShown(game), news, line].filter(Boolean).join(" ");
  }

  /** The name of the push that was just seen. */
  private pushShown(game: GameState): string {
    const last = game.moves[(this.shown ?? this.pacer.seen) - 1];
    const over = game.outcome !== null && this.shown === null;
    return last && !over ? pushName(last) : "";
  }

  private againButton(game: GameState | null): TemplateResult | typeof nothing {
    const player = game && viewpoint(game);
    if (!game || this.shown !== null || game.moves.length === 0 || !player) return nothing;
    if (game.moves.at(-1)?.seat === player || this.reason) return nothing;
    return html`<button
      class="quiet round again"
      aria-label=${t("Show the last moves again")}
      title="${t("Show the last moves again")} (R)"
      ?disabled=${!this.pacer.caughtUp}
      @click=${() => this.replay()}
    >
      ${icon("again")}
    </button>`;
  }
}

customElements.define("sumito-play", PlayArea);

declare global {
  interface HTMLElementTagNameMap {
    "sumito-play": PlayArea;
  }
}
