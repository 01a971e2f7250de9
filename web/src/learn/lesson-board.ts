// <sumito-lesson-board>: one position to try moves on. The kernel in the page checks them; the
// outcome is dispatched as `move`, `refusal`, `point` or `hint`.

import { html, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { Board } from "../../kernel/src/board";
import {
  type Annotation,
  type Attempt,
  attemptOf,
  type Colour,
  type Effect,
  type Highlight,
  type Marbles,
  type Miss,
  readMarbles,
  type Sign,
  type View,
} from "../board/state";
import { t } from "../domain/i18n";
import { toast } from "../domain/messages";
import { missText, type Reason, whyIllegal } from "../domain/reasons";
import { selectionHint } from "../ui/board-hints";
import { sounds } from "../ui/sounds";
import { movableColours, TryBoard } from "../ui/try-board";

/** A try that the rules refuse; the move has no name if it would leave the board. */
export interface Refused {
  readonly move: string | null;
  readonly reason: Reason;
}

export class LessonBoard extends TryBoard {
  @property({ attribute: false }) position = "";
  /** With "look", nothing can be moved. */
  @property({ attribute: false }) task: "play" | "point" | "look" = "play";
  @property({ attribute: false }) label = "";
  @property({ attribute: false }) signs: readonly Sign[] = [];
  @property({ attribute: false }) highlights: readonly Highlight[] = [];
  @property({ attribute: false }) annotations: readonly Annotation[] = [];
  /** The move that was made here, and the marbles after it. */
  @state() made: { readonly effect: Effect; readonly marbles: Marbles } | null = null;
  @state() ready = false;
  /** The position as the rules see it; null until they are loaded. */
  rules: Board | null = null;
  private loading: Promise<void> = Promise.resolve();

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("position")) return;
    this.made = null;
    this.rules = null;
    this.ready = false;
    this.loading = this.learnRules(this.position).catch((error: Error) => toast(error.message));
  }

  private async learnRules(position: string): Promise<void> {
    const { kernel } = await import("../kernel/loader");
    const loaded = await kernel();
    if (position !== this.position) return;
    this.rules = loaded.board(position);
    this.ready = true;
  }

  /** Everything back to where it stood. */
  reset(): void {
    this.made = null;
  }

  /** Make a move, or report why it is illegal, as if it had been tried on the board. */
  async attempt(move: string): Promise<void> {
    await this.loading;
    if (this.made) {
      this.reset();
      await this.updateComplete;
      await this.element?.settled;
    }
    const legal = this.rules?.legalMoves().find((effect) => effect.move === move);
    if (legal) this.play(legal);
    else this.refuse(move, attemptOf(move));
  }

  protected override lastMove(): Effect | null {
    return this.made?.effect ?? null;
  }

  protected override view(): View {
    const open = this.ready && this.made === null;
    const playing = open && this.task === "play";
    return {
      ...this.baseView(),
      marbles: this.made?.marbles ?? readMarbles(this.position),
      legal: playing ? (this.rules?.legalMoves() ?? []) : [],
      hand: playing ? this.hand() : [],
      pointing: open && this.task === "point",
      signs: this.made ? [] : this.signs,
      highlights: this.made ? [] : this.highlights,
      annotations: this.made ? [] : this.annotations,
    };
  }

  private hand(): readonly Colour[] {
    return this.rules ? movableColours(this.rules) : [];
  }

  private play(effect: Effect): void {
    const { rules } = this;
    if (!rules) return;
    const after = rules.copy();
    after.push(effect.move);
    this.made = { effect, marbles: readMarbles(after.position) };
    this.report("move", effect);
  }

  private refuseAttempt(attempt: Attempt): void {
    this.refuse(this.rules?.moveOf(attempt.cells, attempt.direction) ?? null, attempt);
  }

  private refuse(move: string | null, attempt: Attempt | null): void {
    const { rules } = this;
    sounds.refuse();
    const reason =
      rules && attempt ? whyIllegal(rules, attempt) : { code: "no-row", values: {}, message: "" };
    this.report("refusal", { move, reason });
  }

  private answerMiss(miss: Miss): void {
    const marble = readMarbles(this.position).get(miss.cell) ?? null;
    this.report("hint", missText(miss, marble, this.hand()));
  }

  private hint({ cells, ways }: { cells: readonly string[]; ways: number }): void {
    const { element } = this;
    if (element) this.report("hint", selectionHint(cells, ways, element.view));
  }

  private report(name: "move" | "refusal" | "point" | "hint", detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  override render(): TemplateResult {
    return html`<sumito-board
      label=${this.label || t("Board")}
      aria-busy=${!this.ready}
      @choose=${(event: CustomEvent<Effect>) => this.play(event.detail)}
      @attempt=${(event: CustomEvent<Attempt>) => this.refuseAttempt(event.detail)}
      @miss=${(event: CustomEvent<Miss>) => this.answerMiss(event.detail)}
      @point=${(event: CustomEvent<string>) => this.report("point", event.detail)}
      @hand=${(event: CustomEvent<{ cells: readonly string[]; ways: number }>) =>
        this.hint(event.detail)}
      @motionstart=${this.moving}
    ></sumito-board>`;
  }
}

customElements.define("sumito-lesson-board", LessonBoard);

declare global {
  interface HTMLElementTagNameMap {
    "sumito-lesson-board": LessonBoard;
  }
}
