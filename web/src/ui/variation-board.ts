// A board that shows a position, takes any legal move of the side to move, explains illegal ones,
// and lets people draw on it. The page around it decides what to do with a move.

import { html, type PropertyValues, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { Board } from "../../kernel/src/board";
import { type Cell, cellAt } from "../board/geometry";
import type { Annotation } from "../board/state";
import {
  type Attempt,
  type Effect,
  type Marbles,
  type Miss,
  readMarbles,
  type View,
} from "../board/state";
import { t } from "../domain/i18n";
import { edgeOf } from "../domain/modes";
import { missText, reasonText, type Term, whyIllegal } from "../domain/reasons";
import type { Shape } from "../record/tree";
import { settings } from "../storage/preferences";
import { formationsOn } from "./formations";
import { glossary, withTerm } from "./reason-text";
import { sounds } from "./sounds";
import { movableColours, TryBoard } from "./try-board";

/** The message about a try: a text, or a text with links to its terms and to the rule. */
export type BoardMessage = string | TemplateResult;

export class VariationBoard extends TryBoard {
  @property({ attribute: false }) board: Board | null = null;
  /** The move that led here. */
  @property({ attribute: false }) last: Effect | null = null;
  @property({ attribute: false }) annotations: readonly Annotation[] = [];
  @property({ attribute: false }) turns = 0;
  /** Nothing can be moved. */
  @property({ attribute: false }) locked = false;
  /** Touches draw instead of moving. */
  @property({ attribute: false }) drawing = false;
  private marbles: Marbles = new Map();
  private legal: readonly Effect[] = [];
  private drawn: { from: Cell; id: number } | null = null;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("board")) return;
    this.marbles = this.board ? readMarbles(this.board.position) : new Map();
    this.legal = this.board && this.board.outcome === null ? this.board.legalMoves() : [];
  }

  protected override lastMove(): Effect | null {
    return this.last;
  }

  protected override view(): View {
    const { board } = this;
    const open = board !== null && !this.locked && !this.drawing && this.legal.length > 0;
    return {
      ...this.baseView(),
      marbles: this.marbles,
      legal: open ? this.legal : [],
      hand: open ? movableColours(board) : [],
      annotations: this.annotations,
      highlights: settings.now.formations && board ? formationsOn(board) : [],
      lamp: board && board.outcome === null ? edgeOf(board.mode, board.turn) : null,
      turns: this.turns,
    };
  }

  override render(): TemplateResult {
    return html`<div
      class="board-place ${this.drawing ? "drawing" : ""}"
      @pointerdown=${(event: PointerEvent) => this.down(event)}
      @pointerup=${(event: PointerEvent) => this.up(event)}
      @pointercancel=${() => {
        this.drawn = null;
      }}
      @contextmenu=${(event: Event) => event.preventDefault()}
    >
      <sumito-board
        label=${t("Board")}
        aria-busy=${this.board === null}
        @choose=${(event: CustomEvent<Effect>) => this.tell("play", event.detail)}
        @attempt=${(event: CustomEvent<Attempt>) => this.explain(event.detail)}
        @miss=${(event: CustomEvent<Miss>) => this.answerMiss(event.detail)}
        @hand=${() => this.say("")}
        @motionstart=${this.moving}
      ></sumito-board>
    </div>`;
  }

  private tell(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }

  private say(message: BoardMessage): void {
    this.tell("say", message);
  }

  private explain(attempt: Attempt): void {
    const { board } = this;
    if (!board) return;
    sounds.refuse();
    const open = (term: Term) => this.say(html`${glossary(term)}`);
    this.say(withTerm(reasonText(whyIllegal(board, attempt)), open));
  }

  private answerMiss(miss: Miss): void {
    const hand = this.element?.view.hand ?? [];
    if (hand.length === 0) return;
    sounds.refuse();
    this.say(missText(miss, this.marbles.get(miss.cell) ?? null, hand));
  }

  // Drawing: with the other mouse button, or with a finger while the page says so.

  private cell(event: PointerEvent): Cell | null {
    const matrix = this.querySelector<SVGSVGElement>("[role=grid]")?.getScreenCTM();
    if (!matrix) return null;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return cellAt(at, this.turns);
  }

  private down(event: PointerEvent): void {
    this.element?.finish();
    const from = this.cell(event);
    const draws = event.button === 2 || (this.drawing && event.button === 0);
    if (draws && from) this.drawn = { from, id: event.pointerId };
  }

  private up(event: PointerEvent): void {
    const { drawn } = this;
    this.drawn = null;
    const to = this.cell(event);
    if (!drawn || drawn.id !== event.pointerId || !to) return;
    this.tell("draw", { from: drawn.from, to: to === drawn.from ? null : to } satisfies Shape);
  }
}

customElements.define("sumito-variation-board", VariationBoard);
