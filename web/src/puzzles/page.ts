// The puzzle page: puzzles of the day, for training, by kind, as a streak without a mistake, and
// against the clock. Everything works without a network; accounts also have their results and
// rating at the server.

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { userSession } from "../client/session";
import { signed } from "../domain/evaluation";
import { number, t } from "../domain/i18n";
import { modeName } from "../domain/modes";
import { go } from "../domain/navigation";
import type { Mode } from "../domain/protocol";
import { BaseElement } from "../ui/element";
import { type IconName, icon } from "../ui/icon";
import { littleBoard } from "../ui/pictures";
import { loadError, notFound } from "../ui/placeholders";
import "../ui/analysis-layout.css";
import "../ui/play-area.css";
import { PuzzlesController, type Run } from "./puzzles-controller";
import "./puzzles.css";
import { daily, kindName, today } from "./shipped";
import type { PuzzleBoard } from "./solve";
import "./solve";

const KINDS = [
  ...["eject", "win", "save", "only", "hold"],
  ...["2v1", "3v1", "3v2", "side-step", "quiet", "pac", "corner", "det"],
  ...["sacrifice", "counter", "retreat"],
];

class PuzzlesPage extends BaseElement {
  /** The part of the address behind /puzzles/, and its query. */
  @property({ attribute: false }) path = "";
  @property({ attribute: false }) query = "";
  /** The mode whose kinds are listed; empty for all. */
  @state() mode: Mode | "" = "";
  private readonly puzzles = new PuzzlesController(() => this.requestUpdate());

  override connectedCallback(): void {
    super.connectedCallback();
    void this.puzzles.load();
    userSession.addEventListener("change", this.puzzles.loadStanding);
    addEventListener("online", this.puzzles.loadStanding);
    void this.puzzles.loadStanding();
    document.title = `${t("Puzzles")} – Sumito`;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.puzzles.stop();
    userSession.removeEventListener("change", this.puzzles.loadStanding);
    removeEventListener("online", this.puzzles.loadStanding);
    document.title = "Sumito";
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("path") || changed.has("query")) this.puzzles.open(this.path, this.query);
  }

  /** The reader's moves at the current puzzle. */
  private get triedMoves(): readonly string[] {
    return this.querySelector<PuzzleBoard>("sumito-puzzle")?.tried ?? [];
  }

  override render(): TemplateResult {
    const { failed, run, list, puzzle, round, isQuick, isOver } = this.puzzles;
    if (failed) {
      return html`<section class="plain-page"><h1>${t("Puzzles")}</h1>${loadError(failed, () => this.puzzles.load())}</section>`;
    }
    if (run === null) return this.home();
    if (list && !puzzle) {
      return notFound(
        t("Puzzles"),
        t("There is no such puzzle."),
        html`<a class="button primary" href="/puzzles">${t("All puzzles")}</a>`,
      );
    }
    return html`<div class="analysis-layout puzzle-page">
      <h1 class="hidden">${t("Puzzles")}</h1>
      <sumito-puzzle
        .puzzle=${puzzle}
        .round=${round}
        .quick=${isQuick}
        @solved=${(event: CustomEvent<boolean>) => this.puzzles.recordSolved(event.detail, this.triedMoves)}
        @failed=${() => this.puzzles.recordMiss(this.triedMoves)}
      ></sumito-puzzle>
      <section class="panel" aria-label=${t("Puzzles")}>
        <div class="card puzzle-card">${this.heading()} ${isQuick && isOver ? this.runOver() : this.below()}</div>
      </section>
    </div>`;
  }

  private heading(): TemplateResult {
    const { run, kind, count, isQuick, secondsLeft } = this.puzzles;
    const names: Record<Run, string> = {
      daily: t("Puzzle of the day"),
      train: kind ? kindName(kind) : t("Puzzles"),
      streak: t("Streak"),
      storm: t("Storm"),
      one: t("Puzzle"),
    };
    return html`<div class="puzzle-head">
      <a class="button quiet round" href="/puzzles" aria-label=${t("All puzzles")} title=${t("All puzzles")}
        >${icon("previous")}</a
      >
      <h2>${names[run ?? "train"]}</h2>
      ${
        run === "storm"
          ? html`<span class="run-clock ${secondsLeft <= 15 ? "low" : ""}" role="timer"
              >${Math.floor(secondsLeft / 60)}:${String(secondsLeft % 60).padStart(2, "0")}</span
            >`
          : nothing
      }
      ${isQuick ? html`<b class="run-count">${count}</b>` : this.rating()}
    </div>`;
  }

  private rating(): TemplateResult {
    const { rating, ratingChange } = this.puzzles;
    return html`<span class="puzzle-rating" title=${t("Your rating")}
      >${rating}${
        ratingChange === null || ratingChange === 0
          ? nothing
          : html` <b class=${ratingChange < 0 ? "down" : "up"}>${signed(ratingChange, 0)}</b>`
      }</span
    >`;
  }

  private below(): TemplateResult {
    const { run, isQuick, isOver } = this.puzzles;
    if (isQuick) {
      return html`<p class="soft">
        ${
          run === "storm"
            ? t("As many as you can in three minutes. A wrong move costs ten seconds.")
            : t("One after the other, harder and harder. The first wrong move ends it.")
        }
      </p>`;
    }
    return html`<div class="row">
      <button
        class=${isOver ? "primary" : ""}
        @click=${() => (run === "train" ? this.puzzles.next() : go("/puzzles/train"))}
      >
        ${icon("next")} ${isOver ? t("Next puzzle") : t("Another puzzle")}
      </button>
    </div>`;
  }

  private runOver(): TemplateResult {
    const { best, count } = this.puzzles;
    return html`<div class="run-over" role="status">
      <p class="big-count">${number(count)}</p>
      <p>
        ${
          count > 0 && count >= best
            ? t("Your best so far!")
            : t("Well tried. Your best: {count}", { count: best })
        }
      </p>
      <div class="row">
        <button class="primary" @click=${() => this.puzzles.restart()}>${icon("again")} ${t("Once more")}</button>
        <a class="button" href="/puzzles">${t("All puzzles")}</a>
      </div>
    </div>`;
  }

  private home(): TemplateResult {
    const { progress, rating, solvedCount } = this.puzzles;
    const list = this.puzzles.list ?? [];
    const day = daily(list, today());
    return html`<section class="plain-page puzzles-home">
      <h1>${t("Puzzles")}</h1>
      <div class="puzzle-ways">
        <a class="card daily-card" href="/puzzles/daily">
          ${littleBoard(day?.position ?? "")}
          <span
            ><b>${t("Puzzle of the day")}</b
            ><small>${progress.daily === today() ? t("Solved today") : t("The same for everybody")}</small></span
          >
        </a>
        ${this.way("/puzzles/train", "puzzle", t("Train"), t("Puzzles that fit your strength"))}
        ${this.way("/puzzles/streak", "flame", t("Streak"), t("Best: {count}", { count: progress.streak }))}
        ${this.way("/puzzles/storm", "clock", t("Storm"), t("Best: {count}", { count: progress.storm }))}
      </div>
      <div class="card puzzle-stand">
        <p><b>${rating}</b> ${t("Your rating")}</p>
        <p><b>${number(solvedCount)}</b> ${t("Solved of {count}", { count: list.length })}</p>
      </div>
      <h2>${t("By kind")}</h2>
      <div class="tabs">${this.modes()}</div>
      <ul class="kinds">
        ${KINDS.map((kind) => this.kindRow(kind))}
      </ul>
    </section>`;
  }

  private way(path: string, name: IconName, title: string, text: string): TemplateResult {
    return html`<a class="card way-card" href=${path}
      >${icon(name)}<span><b>${title}</b><small>${text}</small></span></a
    >`;
  }

  private modes(): TemplateResult[] {
    const chip = (mode: Mode | "", text: string) =>
      html`<button
        class="chip"
        aria-pressed=${this.mode === mode}
        @click=${() => {
          this.mode = mode;
        }}
      >
        ${text}
      </button>`;
    return [chip("", t("All")), ...this.puzzles.modes.map((mode) => chip(mode, modeName(mode)))];
  }

  private kindRow(kind: string): TemplateResult | typeof nothing {
    const count = this.puzzles.ofKind(kind, this.mode).length;
    if (count === 0) return nothing;
    const mode = this.mode ? `&mode=${this.mode}` : "";
    return html`<li>
      <a class="button" href="/puzzles/train?kind=${kind}${mode}"
        >${kindName(kind)} <small>${count}</small></a
      >
    </li>`;
  }
}

customElements.define("sumito-puzzles", PuzzlesPage);
