// A clock that runs on screen between two updates.

import { html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import { clockText, isLow, timeLeft } from "../domain/clock-time";
import type { GameSession } from "../domain/game-session";
import type { GameState } from "../domain/game-state";
import type { Colour } from "../domain/protocol";
import { BaseElement } from "../ui/element";
import { sounds } from "../ui/sounds";

const WARN_AT = 10_000;

class Clock extends BaseElement {
  @property({ attribute: false }) session!: GameSession;
  @property({ attribute: false }) game!: GameState;
  @property({ attribute: false }) colour!: Colour;
  private ticking = 0;
  private warned = false;
  /** The ply whose flag was called, so that the server is asked once. */
  private called: number | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.ticking = window.setInterval(() => this.tick(), 100);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.ticking);
  }

  private tick(): void {
    const { game } = this;
    if (game.clocks === null || game.turn !== this.colour) return;
    this.requestUpdate();
    const left = timeLeft(game, this.colour, this.session.receivedAt) ?? 0;
    if (left < WARN_AT && !this.warned && game.you.includes(this.colour)) {
      this.warned = true;
      sounds.low();
    }
    // Spectators needn't ask: the players' pages and the server check the clock.
    if (left === 0 && game.you.length > 0 && this.called !== game.version) {
      this.called = game.version;
      this.session.callFlag();
    }
  }

  override render(): TemplateResult | typeof nothing {
    const { game } = this;
    const left = timeLeft(game, this.colour, this.session.receivedAt);
    if (left === null) return nothing;
    const running = game.turn === this.colour;
    const name = `clock ${running ? "running" : ""} ${isLow(left) ? "low" : ""}`;
    return html`<time class=${name} role="timer">${clockText(left)}</time>`;
  }
}

customElements.define("sumito-clock", Clock);
