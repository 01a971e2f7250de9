// The list of moves in rounds, with step buttons and playback.

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { GameState, MadeMove } from "../domain/game-state";
import { rounds } from "../domain/history";
import { t } from "../domain/i18n";
import { colourName, orderOf } from "../domain/modes";
import { settings } from "../storage/preferences";
import { icon } from "../ui/icon";
import { stepBar, stepsOf } from "../ui/step-buttons";
import { isTyping } from "../ui/typing";
import "../ui/move-list.css";
import { BaseElement } from "../ui/element";
import { littleMarble } from "../ui/pictures";

const STEP_MS = 1100;
const SPEEDS = [0.5, 1, 2, 4];

export class MoveList extends BaseElement {
  @property({ attribute: false }) game!: GameState;
  @property({ attribute: false }) shown!: number | null;
  @state() playing = false;
  @state() speed = 1;
  private timer = 0;
  private readonly keys = (event: KeyboardEvent) => this.key(event);

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.keys);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.keys);
    this.stop();
  }

  /** Left and right go through the game, unless they are needed where the focus is. */
  private key(event: KeyboardEvent): void {
    if (isTyping(event, "[role=grid]")) return;
    if (event.key === "ArrowLeft") this.by(-1);
    else if (event.key === "ArrowRight") this.by(1);
  }

  private at(): number {
    return this.shown ?? this.game.moves.length;
  }

  private by(count: number): void {
    this.stop();
    this.go(this.at() + count);
  }

  private go(count: number): void {
    const last = this.game.moves.length;
    const to = Math.max(0, Math.min(last, count));
    const shown = to === last && this.game.status !== "over" ? null : to;
    this.dispatchEvent(new CustomEvent("show", { detail: shown }));
  }

  // Autoplay.

  private stop(): void {
    clearTimeout(this.timer);
    this.playing = false;
  }

  /** Play the moves through, from the start if the end is shown. */
  start(): void {
    if (this.at() >= this.game.moves.length) this.go(0);
    this.playing = true;
    this.next();
  }

  private next(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      this.go(this.at() + 1);
      if (this.at() + 1 >= this.game.moves.length) this.stop();
      else this.next();
    }, STEP_MS / this.speed);
  }

  private faster(): void {
    this.speed = SPEEDS[(SPEEDS.indexOf(this.speed) + 1) % SPEEDS.length] ?? 1;
    if (this.playing) this.next();
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has("game") && !changed.has("shown")) return;
    const list = this.querySelector<HTMLElement>(".list");
    const current = this.querySelector<HTMLElement>("[aria-current=step]");
    // Only the list scrolls, never the page.
    if (list) {
      list.scrollTop = current ? current.offsetTop - list.clientHeight / 2 : list.scrollHeight;
    }
  }

  override render(): TemplateResult {
    const at = this.at();
    const last = this.game.moves.length;
    const order = orderOf(this.game.mode);
    const steps = stepsOf(at, last, (to) => {
      this.stop();
      this.go(to);
    });
    return html`
      ${stepBar(steps, last > 1 ? this.autoplay() : nothing, t("Now"))}
      <ol class="list seats-${order.length}" tabindex="0" aria-label=${t("Moves")}>
        ${rounds(this.game.moves, order).map(
          ({ number, moves }) => html`<li>
            <span class="number">${number}.</span>
            ${moves.map((one) => (one ? this.move(one.move, one.index, at) : html`<i></i>`))}
          </li>`,
        )}
      </ol>
    `;
  }

  private move(move: MadeMove, index: number, at: number): TemplateResult {
    const text = settings.now.notation === "nacre" ? move.nacre : move.move;
    const mark = move.ejected ? "×" : move.pushed.length > 0 ? "›" : "";
    return html`<button
      class="quiet"
      aria-current=${at === index + 1 ? "step" : "false"}
      @click=${() => {
        this.stop();
        this.go(index + 1);
      }}
    >
      ${littleMarble(move.seat)}<span class="hidden">${colourName(move.seat)}</span
      ><span>${text}${mark}</span>
    </button>`;
  }

  private autoplay(): TemplateResult {
    const label = this.playing ? t("Pause") : t("Play through");
    return html`<button
        class="quiet"
        aria-label=${label}
        title=${label}
        @click=${() => (this.playing ? this.stop() : this.start())}
      >
        ${icon(this.playing ? "pause" : "play")}
      </button>
      <button
        class="quiet speed"
        aria-label=${t("Speed: {speed}", { speed: this.speed })}
        title=${t("Speed")}
        @click=${() => this.faster()}
      >
        ${this.speed}×
      </button>`;
  }
}

customElements.define("sumito-moves", MoveList);

declare global {
  interface HTMLElementTagNameMap {
    "sumito-moves": MoveList;
  }
}
