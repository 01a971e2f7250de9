// The board with the players around it. Its state is in `PlayController`; input on the board goes
// there, and what comes back is drawn.

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { SumitoBoard } from "../board/element";
import {
  type Attempt,
  type Effect,
  type Highlight,
  type Marbles,
  type Miss,
  same,
} from "../board/state";
import type { Pointed } from "../domain/features";
import type { GameSession } from "../domain/game-session";
import type { GameState } from "../domain/game-state";
import { ejectedAfter } from "../domain/history";
import { t } from "../domain/i18n";
import type { Term } from "../domain/reasons";
import { settings } from "../storage/preferences";
import { describeCell } from "../ui/board-hints";
import { BaseElement } from "../ui/element";
import { formationsAmong, mayShowFormations, pushName } from "../ui/formations";
import { icon } from "../ui/icon";
import { glossary, withTerm } from "../ui/reason-text";
import { isTyping } from "../ui/typing";
import "../ui/play-area.css";
import { PlayController } from "./play-controller";
import { seatBar, seatToBe, teamScore } from "./seat-bar";
import { type Corner, cornersOf } from "./seating";
import { SessionFollower } from "./session-follower";

const CORNERS_TO_BE = html`<div class="corner ur alone">${seatToBe()}</div>
  <div class="corner lr alone">${seatToBe()}</div>`;

export class PlayArea extends BaseElement {
  @property({ attribute: false }) session: GameSession | null = null;
  /** How many moves of the game are shown; null for all of them, as it stands now. */
  @property({ attribute: false }) shown: number | null = null;
  @property({ attribute: false }) flips = 0;
  /** What a coach points at. */
  @property({ attribute: false }) pointed: Pointed | null = null;
  /** The term that is explained below the message. */
  @state() term: Term | null = null;
  /** The formations that are highlighted, and the marbles among which they were found. */
  @state() formations: {
    readonly marbles: Marbles;
    readonly found: readonly Highlight[];
    /** Whether those that are everywhere are among them. */
    readonly all: boolean;
  } | null = null;
  private readonly play = new PlayController({
    changed: () => this.requestUpdate(),
    draw: () => this.drawn(),
    rested: (isCaughtUp) =>
      this.dispatchEvent(new CustomEvent("rest", { detail: isCaughtUp, bubbles: true })),
  });
  private readonly follower = new SessionFollower(this, this.play.onNotice);
  /** The message to which the explained term belongs. */
  private explained: unknown = null;

  override connectedCallback(): void {
    super.connectedCallback();
    settings.addEventListener("change", this.settingsChanged);
    addEventListener("keydown", this.key);
    addEventListener("language", this.languageChanged);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    settings.removeEventListener("change", this.settingsChanged);
    removeEventListener("keydown", this.key);
    removeEventListener("language", this.languageChanged);
  }

  private readonly languageChanged = () => this.play.clearMessages();
  private readonly settingsChanged = () => this.requestUpdate();

  private readonly key = (event: KeyboardEvent) => {
    if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "r" || event.key === "R") this.play.replay();
  };

  protected override willUpdate(changed: PropertyValues<this>): void {
    const { play } = this;
    if (changed.has("session")) {
      this.follower.follow(this.session);
      play.session = this.session;
    }
    play.shown = this.shown;
    play.flips = this.flips;
    if (play.message !== this.explained) this.term = null;
    play.update();
  }

  private get board(): SumitoBoard | null {
    return this.querySelector<SumitoBoard>("sumito-board");
  }

  /** Draw what is shown now; resolves when all marbles are at rest. */
  private async drawn(): Promise<void> {
    this.requestUpdate();
    await this.updateComplete;
    await this.board?.settled;
  }

  protected override updated(): void {
    const { board } = this;
    if (!board) return;
    board.describe = describeCell;
    board.ejectedPlace = () => this.querySelector(".tray .fresh");
    board.view = {
      ...this.play.view(),
      highlights: [...(this.formations?.found ?? []), ...(this.pointed?.highlights ?? [])],
      signs: this.pointed?.signs ?? [],
    };
    this.findFormations(board.view.marbles);
  }

  /** Highlight the formations among the marbles, if the reader wants that. */
  private findFormations(marbles: Marbles): void {
    const game = this.session?.game;
    if (!(settings.now.formations && game && mayShowFormations(game))) {
      if (this.formations) this.formations = null;
      return;
    }
    const all = settings.now.allFormations;
    const known = this.formations;
    if (known?.all !== all || !same(known.marbles, marbles)) {
      this.formations = { marbles, found: [], all };
      void formationsAmong(marbles, game.mode).then((found) => {
        const { formations } = this;
        if (formations?.marbles === marbles && formations.all === all)
          this.formations = { marbles, found, all };
      });
    }
  }

  /** Say why a row can't go that way. */
  explain(attempt: Attempt): Promise<void> {
    return this.play.explain(attempt);
  }

  override render(): TemplateResult {
    const { play } = this;
    const { game } = play;
    return html`
      ${game ? this.corners(game) : CORNERS_TO_BE}
      <div class="board-place" @pointerdown=${() => this.board?.finish()}>
        <sumito-board
          label=${t("Board")}
          aria-busy=${game === null}
          @choose=${(event: CustomEvent<Effect>) => play.choose(event.detail)}
          @attempt=${(event: CustomEvent<Attempt>) => play.explain(event.detail)}
          @miss=${(event: CustomEvent<Miss>) => play.answerMiss(event.detail)}
          @premove=${(event: CustomEvent<Attempt | null>) => play.setPremove(event.detail)}
          @hand=${(event: CustomEvent<{ cells: readonly string[]; ways: number }>) =>
            play.selected(event.detail.cells, event.detail.ways)}
          @motionstart=${(event: CustomEvent<{ move: string; forward: boolean }>) =>
            play.moving(event.detail.forward ? (this.board?.view.last ?? null) : null)}
        ></sumito-board>
      </div>
      ${this.hint(game)}
    `;
  }

  private corners(game: GameState): TemplateResult {
    const corners = cornersOf(game.mode, this.play.turns);
    const ejected = ejectedAfter(game, this.play.count, this.play.unconfirmed);
    const turn = game.status === "playing" ? this.play.turnShown(game) : null;
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
    const { proposed, message, isCaughtUp } = this.play;
    if (proposed) return this.confirmation(proposed);
    const isOver = game?.status === "over" && isCaughtUp;
    const kind = message.text ? "reason" : isOver ? "over" : "";
    return html`<div class="hint ${kind}">
      <p>${message.text ? this.message() : this.play.hint || this.status()}</p>
      ${this.term ? html`<p class="explained">${glossary(this.term)}</p>` : nothing}
      ${this.play.canReplay ? this.replayButton() : nothing}
    </div>`;
  }

  private confirmation({ move }: Effect): TemplateResult {
    return html`<div class="hint ask">
      <button class="primary" @click=${() => this.play.confirm()}>
        ${t("Play {move}", { move })}
      </button>
      <button @click=${() => this.play.cancel()}>${t("Cancel")}</button>
    </div>`;
  }

  private message(): TemplateResult {
    const { message } = this.play;
    return withTerm(message, (term) => {
      this.explained = message;
      this.term = term;
    });
  }

  /** The name of the push that was just shown, and whose turn it is. */
  private status(): string {
    const { lastShown, status } = this.play;
    return [lastShown ? pushName(lastShown) : "", status].filter(Boolean).join(" ");
  }

  private replayButton(): TemplateResult {
    return html`<button
      class="quiet round again"
      aria-label=${t("Show the last moves again")}
      title="${t("Show the last moves again")} (R)"
      ?disabled=${!this.play.isCaughtUp}
      @click=${() => this.play.replay()}
    >
      ${icon("replay")}
    </button>`;
  }
}

customElements.define("sumito-play", PlayArea);

declare global {
  interface HTMLElementTagNameMap {
    "sumito-play": PlayArea;
  }
}
