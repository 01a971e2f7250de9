// The course at a glance: its lessons, a picture of each, and the learner's progress.

import { html, nothing, type TemplateResult } from "lit";
import { t } from "../domain/i18n";
import { icon } from "../ui/icon";
import { littleBoard } from "../ui/pictures";
import "./beads.css";
import "./course.css";
import { markCourseOffered, progress } from "../storage/learning-progress";
import { doneSteps, nextStep, stepName } from "./course-progress";
import { LessonPageBase } from "./lesson-page-base";
import { syncProgress } from "./progress-sync";
import { LESSONS, type Lesson, PARTS, pictureOf, teachingText } from "./teaching";

class Course extends LessonPageBase {
  private readonly changed = () => this.requestUpdate();

  override connectedCallback(): void {
    super.connectedCallback();
    progress.addEventListener("change", this.changed);
    markCourseOffered();
    syncProgress();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    progress.removeEventListener("change", this.changed);
  }

  protected override heading(): string {
    return teachingText("course.title");
  }

  protected override page(): TemplateResult {
    const steps = LESSONS.reduce((sum, { steps }) => sum + steps.length, 0);
    const done = LESSONS.reduce((sum, lesson) => sum + doneSteps(lesson), 0);
    return html`<section class="plain-page course">
      <h1>${teachingText("course.title")}</h1>
      <div class="course-lead">
        <p>${done === steps ? teachingText("course.complete") : teachingText("course.lead")}</p>
        ${this.onward(done, steps)}
        <p class="course-links">
          <a href="/rules">${teachingText("rules.title")}</a><a href="/words">${teachingText("words.title")}</a>
        </p>
      </div>
      ${PARTS.map(
        (part) => html`<h2>${teachingText(`course.part.${part.id}`)}</h2>
          <ol class="lessons">
            ${part.lessons.map((lesson) => this.lesson(lesson))}
          </ol>`,
      )}
    </section>`;
  }

  private onward(done: number, steps: number): TemplateResult {
    const next = nextStep();
    return html`<div class="course-on">
      ${
        next
          ? html`<a class="button primary big" href=${next}
              >${icon("play")} ${done === 0 ? t("Begin") : t("Go on")}</a
            >`
          : html`<a class="button primary big" href="/?new">${icon("play")} ${t("New game")}</a>`
      }
      <progress max=${steps} value=${done} aria-label=${t("{done} of {all} done", { done, all: steps })}></progress>
      <small>${t("{done} of {all} done", { done, all: steps })}</small>
    </div>`;
  }

  private lesson(lesson: Lesson): TemplateResult {
    const { id, steps } = lesson;
    const done = doneSteps(lesson);
    const whole = done === steps.length;
    return html`<li>
      <a class="lesson-card ${whole ? "whole" : ""}" href="/learn/${id}">
        ${littleBoard(pictureOf(lesson))}
        <span class="lesson-name">${teachingText(`lesson.${id}.title`)}</span>
        <span class="beads" role="img" aria-label=${t("{done} of {all} done", { done, all: steps.length })}
          >${steps.map(
            (step) => html`<i class=${progress.has(stepName(id, step.id)) ? "done" : ""}></i>`,
          )}</span
        >
        ${whole ? html`<span class="tick">${icon("check")}</span>` : nothing}
      </a>
    </li>`;
  }
}

customElements.define("sumito-course", Course);
