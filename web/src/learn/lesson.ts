// A step of a lesson: a board, a task, and an answer to each attempt.

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { Effect } from "../board/state";
import { t } from "../domain/i18n";
import { attempt } from "../domain/messages";
import { go } from "../domain/navigation";
import { markCourseOffered, progress } from "../storage/learning-progress";
import { icon } from "../ui/icon";
import { notFound } from "../ui/placeholders";
import { sounds } from "../ui/sounds";
import { stepName } from "./course-progress";
import "./beads.css";
import "./lesson.css";
import type { Refused } from "./lesson-board";
import "./lesson-board";
import { LessonController } from "./lesson-controller";
import { LessonPageBase } from "./lesson-page-base";
import { syncProgress } from "./progress-sync";
import { richText } from "./rich-text";
import { FIRST_GAME, type GameStep, type Lesson, type Step, teachingText } from "./teaching";

/** What can be done on the board of each kind of step. */
const TASKS = {
  play: "play",
  attempt: "play",
  mark: "point",
  choose: "look",
  show: "look",
  game: "look",
} as const;

class LessonPage extends LessonPageBase {
  @property({ attribute: false }) lesson = "";
  @property({ attribute: false }) step = "";
  private readonly current = new LessonController({
    changed: () => this.requestUpdate(),
    board: () => this.querySelector("sumito-lesson-board"),
    wrong: () => sounds.refuse(),
  });

  override connectedCallback(): void {
    super.connectedCallback();
    markCourseOffered();
    syncProgress();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.current.close();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("lesson") || changed.has("step")) this.current.open(this.lesson, this.step);
  }

  private next(): void {
    this.current.leave();
    go(this.current.next);
  }

  private startGame(step: GameStep): void {
    void attempt(async () => go(`/g/${await this.current.startGame(step)}`));
  }

  protected override heading(): string {
    const { lesson } = this.current;
    return lesson ? teachingText(`lesson.${lesson.id}.title`) : teachingText("course.title");
  }

  protected override page(): TemplateResult {
    const { lesson, step, key, answer, done } = this.current;
    if (!lesson || !step) {
      return notFound(
        t("There is no such lesson"),
        t("This address leads nowhere. All lessons are in the course."),
        html`<a class="button primary" href="/learn">${teachingText("course.title")}</a>`,
      );
    }
    return html`<article class="lesson ${step.kind} ${done ? "finished" : ""}">
      <header>
        <a class="button quiet round" href="/learn" aria-label=${teachingText("course.title")}
          >${icon("previous")}</a
        >
        <h1>${this.heading()}</h1>
        ${this.steps(lesson, step)}
      </header>
      <p class="task" id="task">${richText(teachingText(`${key}.task`))}</p>
      ${this.board(step)}
      <div class="words">
        ${step.kind === "choose" ? this.options(step.options, step.right) : nothing}
        <p class="answer ${done ? "good" : answer ? "wrong" : ""}" role="status">
          ${done ? icon("check") : nothing}<span>${answer ? richText(answer) : nothing}</span>
        </p>
        ${this.buttons(step)}
      </div>
    </article>`;
  }

  private steps(lesson: Lesson, current: Step): TemplateResult {
    return html`<nav class="beads" aria-label=${t("Steps")}>
      ${lesson.steps.map(
        (step, n) =>
          html`<a
            href="/learn/${lesson.id}/${step.id}"
            aria-label=${t("Step {number}", { number: n + 1 })}
            aria-current=${step === current ? "step" : nothing}
            ><i class=${progress.has(stepName(lesson.id, step.id)) ? "done" : ""}></i
          ></a>`,
      )}
    </nav>`;
  }

  private board(step: Step): TemplateResult {
    const { done, highlights } = this.current;
    const position = step.kind === "game" ? FIRST_GAME : step.position;
    const task = step.kind === "mark" && done ? "look" : TASKS[step.kind];
    return html`<div class="lesson-board">
      <sumito-lesson-board
        .position=${position}
        .task=${task}
        .highlights=${highlights}
        @move=${(event: CustomEvent<Effect>) => this.current.judgeLegalMove(event.detail)}
        @refusal=${(event: CustomEvent<Refused>) => this.current.judgeRefusal(event.detail)}
        @point=${(event: CustomEvent<string>) => this.current.judgeCell(event.detail)}
        @hint=${(event: CustomEvent<string>) => this.current.hint(event.detail)}
      ></sumito-lesson-board>
    </div>`;
  }

  private options(count: number, right: number): TemplateResult {
    const { done, key } = this.current;
    return html`<div class="options" role="group" aria-labelledby="task">
      ${Array.from({ length: count }, (_, n) => {
        return html`<button
          class=${done && n === right ? "right" : ""}
          @click=${() => this.current.judgeOption(n)}
        >
          ${teachingText(`${key}.option.${n}`)}
        </button>`;
      })}
    </div>`;
  }

  private buttons(step: Step): TemplateResult {
    const { key, isReady, answer } = this.current;
    if (step.kind === "game") {
      return html`<div class="step-buttons">
        <a class="button quiet" href="/learn">${t("Later")}</a>
        <button class="primary big" @click=${() => this.startGame(step)}>
          ${icon("play")} ${teachingText(`${key}.button`)}
        </button>
      </div>`;
    }
    return html`<div class="step-buttons">
      ${
        step.kind === "show"
          ? nothing
          : html`<button class="quiet" ?disabled=${!answer} @click=${() => this.current.restart()}>
              ${icon("again")} ${teachingText("course.again")}
            </button>`
      }
      <button class=${isReady ? "primary big" : "quiet"} @click=${() => this.next()}>
        ${isReady ? teachingText("course.next") : teachingText("course.skip")} ${icon("next")}
      </button>
    </div>`;
  }
}

customElements.define("sumito-lesson", LessonPage);
