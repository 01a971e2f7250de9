// <sumito-coach>: beside a game against the computer. Before a move it shows threats and gives
// hints, first the group, then the move; after a slip it offers a take-back; after the game it
// summarises. What it points at on the board it dispatches as `point`.

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { Board } from "../../kernel/src/board";
import type { Kernel } from "../../kernel/src/kernel";
import type { Effect, Highlight } from "../board/state";
import type { Pointed } from "../domain/features";
import type { GameSession } from "../domain/game-session";
import type { GameState } from "../domain/game-state";
import { t } from "../domain/i18n";
import { announce } from "../domain/messages";
import { sideOf } from "../domain/modes";
import { kernel } from "../kernel/loader";
import { rulesOf } from "../kernel/rules";
import { slips } from "../storage/games";
import { settings } from "../storage/preferences";
import { BaseElement } from "../ui/element";
import { icon } from "../ui/icon";
import "./coach.css";
import type { Slip } from "../storage/games";
import { Advisor, threatened } from "./advisor";
import { decided, groupText, moveText, slipText, threatText } from "./texts";

const NOWHERE: Pointed = { highlights: [], signs: [] };

class Coach extends BaseElement {
  @property({ attribute: false }) session!: GameSession;
  @property({ attribute: false }) game!: GameState;
  @state() message = "";
  /** The own last move lost something. */
  @state() slip: Slip | null = null;
  /** The slips noted in this game, for the summary after it; null if no coach saw it. */
  @state() slips: readonly Slip[] | null = null;
  /** How much of the hint is shown: nothing, the group, the move. */
  @state() hints: 0 | 1 | 2 = 0;
  @state() busy = false;
  private kernel: Kernel | null = null;
  /** The game whose slips are loaded, or being loaded. */
  private slipsOf = "";
  private loadingSlips: Promise<void> = Promise.resolve();
  private advisor: Advisor | null = null;
  /** The position one was last to move in, and its ply. */
  private mine: { readonly board: Board; readonly moves: number } | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    void kernel().then((loaded) => {
      if (!this.isConnected) return;
      this.kernel = loaded;
      this.advisor = new Advisor(loaded, loaded.search({ hashMb: 8 }));
      this.follow();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.advisor?.close();
    this.advisor = null;
    this.point(NOWHERE);
  }

  protected override willUpdate(): void {
    if (this.slipsOf === this.game.id) return;
    const { id } = this.game;
    this.slipsOf = id;
    this.slips = null;
    this.loadingSlips = slips.get(id).then((noted) => {
      if (this.slipsOf === id) this.slips = noted;
    });
  }

  protected override updated(changed: PropertyValues<this>): void {
    const before = changed.get("game") as GameState | undefined;
    if (!changed.has("game") || before?.moves === this.game.moves) return;
    this.point(NOWHERE);
    this.hints = 0;
    this.follow();
  }

  private get isMine(): boolean {
    const { turn, you } = this.game;
    return turn !== null && you.includes(turn);
  }

  /** A move was made or taken back. */
  private follow(): void {
    const { game, mine, advisor } = this;
    if (!advisor || !this.kernel) return;
    const made = mine ? game.moves[mine.moves] : undefined;
    if (mine && made && game.you.includes(made.seat)) {
      this.mine = null;
      void this.weigh(mine.board, made.move);
    }
    if (!this.isMine) return;
    if (mine?.moves === game.moves.length) return;
    if (mine && game.moves.length < mine.moves) this.forgetSlip();
    const board = this.kernel.board(game.position, rulesOf(game.rules));
    this.mine = { board, moves: game.moves.length };
    if (!this.slip) this.message = "";
  }

  /** Judge the move after it was made, so that the player thinks undisturbed. */
  private async weigh(before: Board, move: string): Promise<void> {
    this.forgetSlip();
    const { id } = this.game;
    const slip = await this.advisor?.slipOf(before, move).catch(() => null);
    await this.loadingSlips;
    if (!this.isConnected || this.game.id !== id) return;
    this.note([...(this.slips ?? []), ...(slip ? [slip] : [])]);
    if (!slip) return;
    if (slip.verdict === "inaccuracy" || this.game.status !== "playing") return;
    this.slip = slip;
    this.tell(slipText(slip));
  }

  private note(noted: readonly Slip[]): void {
    this.slips = noted;
    void slips.put(this.game.id, noted);
  }

  private forgetSlip(): void {
    this.slip = null;
    this.message = "";
    this.advisor?.forget();
  }

  private tell(text: string): void {
    this.message = text;
    announce(text);
  }

  private point(pointed: Pointed): void {
    this.dispatchEvent(new CustomEvent("point", { detail: pointed, bubbles: true }));
  }

  private showThreats(): void {
    if (!this.kernel) return;
    const side = sideOf(this.game.mode, this.game.you[0] ?? "black");
    const cells = threatened(this.kernel, this.game, side);
    this.point({
      signs: [],
      highlights: cells.map((cell) => ({ cells: [cell], tone: "danger", line: false, name: "" })),
    });
    this.tell(threatText(cells));
  }

  private async hint(): Promise<void> {
    const { mine, advisor } = this;
    if (!mine || !advisor || this.busy) return;
    this.busy = true;
    const best = await advisor.bestOf(mine.board).catch(() => null);
    this.busy = false;
    if (best === null || this.mine !== mine) return;
    const effect: Effect = mine.board.effect(best.move);
    const highlights: Highlight[] = [{ cells: effect.moved, tone: "good", line: false, name: "" }];
    if (this.hints === 0) {
      this.hints = 1;
      this.point({ highlights, signs: [] });
      this.tell(groupText(effect));
    } else {
      this.hints = 2;
      const sign = { cells: effect.moved, direction: effect.direction, refused: false };
      this.point({ highlights, signs: [sign] });
      this.tell(moveText(effect));
    }
  }

  private tryAgain(): void {
    this.note((this.slips ?? []).filter((one) => one !== this.slip));
    this.forgetSlip();
    this.session.command("ask_takeback", { seat: this.game.you[0] });
  }

  override render(): TemplateResult {
    const over = this.game.status === "over";
    return html`<section class="card coach" aria-label=${t("Coach")}>
      <header>
        <h2>${icon("learn")} ${t("Coach")}</h2>
        <button
          class="quiet round"
          aria-label=${t("Hide coach")}
          title=${t("Hide coach")}
          @click=${() => settings.set({ coach: false })}
        >
          ${icon("close")}
        </button>
      </header>
      ${over ? this.afterwards() : this.during()}
    </section>`;
  }

  private during(): TemplateResult {
    return html`<div class="coach-asks">
        <button class="chip" ?disabled=${!this.isMine} @click=${() => this.showThreats()}>
          ${t("What is threatened?")}
        </button>
        <button class="chip" ?disabled=${!this.isMine || this.busy} @click=${() => void this.hint()}>
          ${this.hints === 0 ? t("Hint") : t("Show the move")}
        </button>
      </div>
      <p class="coach-message" role="status">${this.message}</p>
      ${
        this.slip
          ? html`<button class="try-again" @click=${() => this.tryAgain()}>
              ${icon("undo")} ${t("Take it back and try again")}
            </button>`
          : nothing
      }`;
  }

  private afterwards(): TemplateResult {
    const message = decided(this.game, this.slips);
    return html`<div class="coach-message">${message.map((text) => html`<p>${text}</p>`)}</div>`;
  }
}

customElements.define("sumito-coach", Coach);
