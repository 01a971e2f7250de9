// The page of a review: the course of the game, its turning points, what was better there and why;
// each turning point can be tried again.

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { Effect } from "../board/state";
import { percent } from "../domain/evaluation";
import { t } from "../domain/i18n";
import { announce } from "../domain/messages";
import { faultText, verdictText } from "../domain/mistakes";
import { colourName } from "../domain/modes";
import { go } from "../domain/navigation";
import type { GameRecord } from "../record/record";
import { title } from "../record/tags";
import { BaseElement } from "../ui/element";
import { evalBar } from "../ui/eval-bar";
import { icon } from "../ui/icon";
import { littleMarble } from "../ui/pictures";
import { sounds } from "../ui/sounds";
import { stepBar, stepsOf } from "../ui/step-buttons";
import { isTyping } from "../ui/typing";
import type { BoardMessage } from "../ui/variation-board";
import "../ui/variation-board";
import "../ui/analysis-layout.css";
import "../ui/move-list.css";
import "../ui/play-area.css";
import { curve } from "./curve";
import type { JudgedMove } from "./review";
import { ReviewController, type TryResult } from "./review-controller";
import "./review.css";

class ReviewPage extends BaseElement {
  /** A game's id, or empty for what lies on the analysis board. */
  @property({ attribute: false }) gameId = "";
  @state() message: BoardMessage = "";
  @state() flips = 0;
  private readonly review = new ReviewController(() => this.requestUpdate());

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.key);
    document.title = `${t("Review")} – Sumito`;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.key);
    this.review.close();
    document.title = "Sumito";
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("gameId")) void this.review.load(this.gameId);
  }

  private readonly key = (event: KeyboardEvent) => {
    const { key } = event;
    if (isTyping(event, "[role=grid]")) return;
    if (key === "ArrowLeft") this.show(this.review.at - 1);
    else if (key === "ArrowRight") this.show(this.review.at + 1);
  };

  private show(ply: number): void {
    this.message = "";
    this.review.show(ply);
  }

  private reveal(point: JudgedMove, event: Event): void {
    const { open } = event.target as HTMLDetailsElement;
    if (open) this.message = "";
    this.review.reveal(point, open);
  }

  private try(point: JudgedMove): void {
    this.review.try(point);
    this.message = t("{name} to move. What is better than {move}?", {
      name: colourName(point.seat),
      move: point.node.move,
    });
    scrollTo({ top: 0 });
  }

  private async answer(effect: Effect): Promise<void> {
    const result = await this.review.answer(effect);
    if (result === null) return;
    if (result === "better") sounds.won();
    else sounds.refuse();
    const message = tryText(result, effect.move);
    this.message = message;
    announce(message);
  }

  private analyse(): void {
    this.review.putOnAnalysisBoard();
    go("/analysis");
  }

  override render(): TemplateResult {
    const { record, failed, node, board, tried, trying, positions, at } = this.review;
    if (failed) {
      return html`<section class="plain-page">
        <h1>${t("Review")}</h1>
        <p class="empty">${failed}</p>
        <p><a class="button" href="/games">${t("Games")}</a></p>
      </section>`;
    }
    return html`<div class="analysis-layout review-page">
      <h1 class="hidden">${t("Review")}</h1>
      ${evalBar(record?.mode ?? "two", positions[at]?.chances ?? null)}
      <sumito-variation-board
        .board=${board}
        .last=${tried ?? node?.effect ?? null}
        .annotations=${this.review.annotations()}
        .turns=${this.flips}
        .locked=${trying === null || tried !== null}
        @play=${(event: CustomEvent<Effect>) => this.answer(event.detail)}
        @say=${(event: CustomEvent<BoardMessage>) => {
          if (event.detail) this.message = event.detail;
        }}
      ></sumito-variation-board>
      <p class="board-message" aria-live="polite">${this.message || this.caption()}</p>
      <section class="panel" aria-label=${t("Review")}>${record ? this.panel(record) : nothing}</section>
    </div>`;
  }

  private caption(): string {
    const { at, shownMove } = this.review;
    if (!shownMove) return at === 0 ? t("The start of the game.") : "\u00a0";
    const { node, verdict } = shownMove;
    return `${node.label.replace("...", "…")} ${node.move}: ${verdictText(verdict)}`;
  }

  private panel(record: GameRecord): TemplateResult {
    const { turningPoints, progress, positions, plies, at, running } = this.review;
    const show = (ply: number) => this.show(ply);
    return html`
      <div class="card review-card">
        ${curve(record.mode, positions, plies, turningPoints, at, show)}
        ${running || progress < 1 ? this.progress() : nothing} ${this.steps()}
        ${this.players(record)}
      </div>
      <h2 class="points-title">${t("Turning points")}</h2>
      ${
        turningPoints.length === 0
          ? html`<p class="soft">${progress < 1 ? t("Looking…") : t("No mistakes: well played!")}</p>`
          : html`<ol class="points">
              ${turningPoints.map((one) => this.point(one))}
            </ol>`
      }
      <button @click=${() => this.analyse()}>${icon("engine")} ${t("Open on the analysis board")}</button>
    `;
  }

  private progress(): TemplateResult {
    const { progress, running, tried } = this.review;
    return html`<div class="review-progress">
      <progress max="1" value=${progress} aria-label=${t("Review")}></progress>
      <span>${percent(progress)}</span>
      ${
        running
          ? html`<button class="quiet" @click=${() => this.review.stop()}>${t("Stop")}</button>`
          : html`<button class="quiet" ?disabled=${tried !== null} @click=${() => this.review.run()}>
              ${t("Go on")}
            </button>`
      }
    </div>`;
  }

  private steps(): TemplateResult {
    const { at, plies } = this.review;
    const steps = stepsOf(at, plies, (ply) => this.show(ply));
    const flip = html`<button
      class="quiet"
      aria-label=${t("Turn the board")}
      title=${t("Turn the board")}
      @click=${() => {
        this.flips = (this.flips + 3) % 6;
      }}
    >
      ${icon("flip")}
    </button>`;
    return stepBar(steps, flip);
  }

  private players(record: GameRecord): TemplateResult | typeof nothing {
    const summaries = this.review.summaries();
    if (summaries.length === 0) return nothing;
    return html`<table class="accuracy">
      <thead>
        <tr>
          <th>${t("Player")}</th>
          <th>${t("Accuracy")}</th>
          <th title=${t("Inaccuracies")}>?!</th>
          <th title=${t("Mistakes")}>?</th>
          <th title=${t("Blunders")}>??</th>
        </tr>
      </thead>
      <tbody>
        ${summaries.map(
          ({ seat, accuracy, counts }) =>
            html`<tr>
              <td>${littleMarble(seat)} ${record.tags[title(seat)] ?? colourName(seat)}</td>
              <td><b>${percent(accuracy)}</b></td>
              <td>${counts.inaccuracy}</td>
              <td>${counts.mistake}</td>
              <td>${counts.blunder}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
  }

  private point(one: JudgedMove): TemplateResult {
    const { node, verdict, before, after, better, faults, seat } = one;
    return html`<li class="card point ${verdict} ${this.review.at === one.ply - 1 ? "here" : ""}">
      <button class="quiet point-move" @click=${() => this.show(one.ply - 1)}>
        ${littleMarble(seat)} <b>${node.label.replace("...", "…")} ${node.move}</b>
        <span class="verdict">${verdictText(verdict)}</span>
        <span class="drop">${percent(before)} → ${percent(after)}</span>
      </button>
      ${faults.slice(0, 2).map((fault) => html`<p>${faultText(fault)}</p>`)}
      <details @toggle=${(event: Event) => this.reveal(one, event)}>
        <summary>${t("What was better?")}</summary>
        <p>
          <b>${better[0] ?? ""}</b> ${better.slice(1, 5).join(" ")}
        </p>
      </details>
      <button class="quiet" @click=${() => this.try(one)}>
        ${icon("bulb")} ${t("Try to find it yourself")}
      </button>
    </li>`;
  }
}

function tryText(result: TryResult, move: string): string {
  switch (result) {
    case "better":
      return t("Yes! {move} is better.", { move });
    case "same":
      return t("That was the move of the game. Try another.");
    case "worse":
      return t("Not quite. Try again.");
  }
}

customElements.define("sumito-review", ReviewPage);
