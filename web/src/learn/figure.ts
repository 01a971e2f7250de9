// <sumito-figure>: a figure of the rulebook. Its moves are drawn as arrows and can be
// made, by hand or with the buttons below; an illegal one is explained.

import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { Effect, Highlight } from "../board/state";
import { t } from "../domain/i18n";
import { announce } from "../domain/messages";
import { reasonText } from "../domain/reasons";
import { BaseElement } from "../ui/element";
import { moveName } from "../ui/formations";
import { icon } from "../ui/icon";
import "./figure.css";
import { annotationsOf, signsOf } from "./figure-signs";
import type { LessonBoard, Refused } from "./lesson-board";
import "./lesson-board";
import { FIGURES, type Figure, teachingText } from "./teaching";

export class FigureElement extends BaseElement {
  @property({ attribute: false }) name = "";
  /** Cells to be lit up. */
  @property({ attribute: false }) cells: readonly string[] = [];
  @property({ attribute: false }) captioned = true;
  /** The last message on each board, by its index. */
  @state() messages: Readonly<Record<number, string>> = {};
  @state() moved: readonly number[] = [];

  private tell(at: number, text: string): void {
    this.messages = { ...this.messages, [at]: text };
    if (text) announce(text);
  }

  private showMove(at: number, effect: Effect): void {
    this.moved = [...this.moved, at];
    this.tell(at, moveName(effect));
  }

  private reset(at: number): void {
    this.boardAt(at)?.reset();
    this.moved = this.moved.filter((one) => one !== at);
    this.tell(at, "");
  }

  private boardAt(at: number): LessonBoard | undefined {
    return this.querySelectorAll("sumito-lesson-board")[at];
  }

  override render(): TemplateResult {
    const boards = FIGURES[this.name] ?? [];
    return html`<figure class="boards-${boards.length}">
      <div class="figure-boards">${boards.map((figure, at) => this.board(figure, at))}</div>
      ${this.captioned ? html`<figcaption>${teachingText(`figure.${this.name}`)}</figcaption>` : nothing}
    </figure>`;
  }

  private board(figure: Figure, at: number): TemplateResult {
    const { position, show = [], refuse = [] } = figure;
    const highlights: Highlight[] =
      this.cells.length > 0 ? [{ cells: this.cells, tone: "firm", line: false, name: "" }] : [];
    return html`<div class="figure-board">
      <sumito-lesson-board
        .position=${position}
        .signs=${signsOf(figure)}
        .highlights=${highlights}
        .annotations=${annotationsOf(figure)}
        .label=${teachingText(`figure.${this.name}`)}
        @move=${(event: CustomEvent<Effect>) => this.showMove(at, event.detail)}
        @refusal=${({ detail }: CustomEvent<Refused>) =>
          this.tell(at, reasonText(detail.reason).text.replaceAll("*", ""))}
        @hint=${(event: CustomEvent<string>) => {
          this.messages = { ...this.messages, [at]: event.detail };
        }}
      ></sumito-lesson-board>
      <div class="tries" role="group" aria-label=${t("Try it")}>
        ${show.map((move) => this.chip(move, at, ""))}
        ${refuse.map((move) => this.chip(move, at, "refused"))}
        ${
          this.moved.includes(at)
            ? html`<button class="quiet round" aria-label=${t("Put it back")} title=${t("Put it back")} @click=${() => this.reset(at)}>
                ${icon("replay")}
              </button>`
            : nothing
        }
      </div>
      <p class="figure-message" role="status">${this.messages[at] ?? ""}</p>
    </div>`;
  }

  private chip(move: string, at: number, kind: string): TemplateResult {
    return html`<button class="chip ${kind}" @click=${() => void this.boardAt(at)?.attempt(move)}>
      ${kind ? icon("close") : icon("play")} ${move}
    </button>`;
  }
}

customElements.define("sumito-figure", FigureElement);
