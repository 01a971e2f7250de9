// One step of a lesson: a board, a task, and an answer to each attempt.

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { Effect, Highlight } from "../board/state";
import { t } from "../domain/i18n";
import { announce, attempt } from "../domain/messages";
import { go } from "../domain/navigation";
import { reasonText } from "../domain/reasons";
import { settings } from "../storage/preferences";
import { icon } from "../ui/icon";
import { notFound } from "../ui/placeholders";
import { sounds } from "../ui/sounds";
import { stepName } from "./course";
import { type Answer, judgeChoice, judgeMark, judgeMove } from "./judge";
import "./lesson.css";
import type { LessonBoard, Refused } from "./lesson-board";
import "./lesson-board";
import { markCourseOffered, progress } from "../storage/learning-progress";
import { LessonPageBase } from "./lesson-page-base";
import { syncProgress } from "./progress-sync";
import { plain, richText } from "./rich-text";
import { FIRST_GAME, type GameStep, LESSONS, type Lesson, type Step, say } from "./teaching";

/** How long a move that wasn't the task is left standing before it goes back. */
const LOOK = 900;

class LessonPage extends LessonPageBase {
  @property({ attribute: false }) lesson = "";
  @property({ attribute: false }) step = "";
  @state() answer!: string;
  /** The step is done; it may have been done before. */
  @state() done!: boolean;
  @state() pointed!: readonly Highlight[];
  private returning = 0;

  constructor() {
    super();
    this.forget();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    markCourseOffered();
    syncProgress();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.returning);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("lesson") || changed.has("step")) this.forget();
  }

  private forget(): void {
    clearTimeout(this.returning);
    this.answer = "";
    this.done = false;
    this.pointed = [];
  }

  private get taught(): Lesson | undefined {
    return LESSONS.find(({ id }) => id === this.lesson);
  }

  /** The step of the address; of a lesson alone, its first that isn't done. */
  private get current(): Step | undefined {
    const steps = this.taught?.steps ?? [];
    if (this.step) return steps.find(({ id }) => id === this.step);
    return steps.find(({ id }) => !progress.has(stepName(this.lesson, id))) ?? steps[0];
  }

  private get base(): string {
    return `lesson.${this.lesson}.${this.current?.id}`;
  }

  private get board(): LessonBoard | null {
    return this.querySelector("sumito-lesson-board");
  }

  // What the learner does.

  private played({ move }: Effect): void {
    this.judged(move, true);
  }

  private refused({ move, reason }: Refused): void {
    const { current } = this;
    const wanted = current?.kind === "attempt" ? current.attempt[0] : undefined;
    if (move === null) {
      // Over the rim there is no move to name, but the reason may be the one to be found.
      const code = wanted && this.board?.rules?.why(wanted)?.code;
      if (code === reason.code) this.tell({ key: `${this.base}.done`, done: true });
      else this.say(reasonText(reason).text);
      return;
    }
    this.judged(move, false, () => reasonText(reason).text);
  }

  private judged(move: string, legal: boolean, why: () => string = () => ""): void {
    const { current, board } = this;
    if ((current?.kind !== "play" && current?.kind !== "attempt") || !board?.rules) return;
    const answer = judgeMove(current, this.base, move, legal, board.rules);
    if (answer.key === null) this.say(why());
    else this.tell(answer);
    if (legal && !answer.done) this.goBack();
  }

  /** What was tried goes back to where it stood, after a look at it. */
  private goBack(): void {
    clearTimeout(this.returning);
    this.returning = window.setTimeout(() => this.board?.reset(), LOOK);
  }

  private marked(cell: string): void {
    const { current } = this;
    if (current?.kind !== "mark") return;
    const answer = judgeMark(current, this.base, cell);
    const tone = answer.done ? "good" : "danger";
    this.pointed = [{ cells: [cell], tone, line: false, name: "" }];
    this.tell(answer);
  }

  private tell({ key, done }: Answer): void {
    this.say(say(key ?? ""));
    if (!done) {
      if (this.current?.kind !== "play") sounds.refuse();
      return;
    }
    this.done = true;
    progress.add(stepName(this.lesson, this.current?.id ?? ""));
  }

  private say(text: string): void {
    this.answer = text;
    if (text) announce(plain(text));
  }

  private again(): void {
    this.forget();
    this.board?.reset();
  }

  private next(): string {
    const { taught, current } = this;
    const steps = taught?.steps ?? [];
    const following = current ? steps[steps.indexOf(current) + 1] : undefined;
    if (taught && following) return `/learn/${taught.id}/${following.id}`;
    const lesson = taught ? LESSONS[LESSONS.indexOf(taught) + 1] : undefined;
    return lesson ? `/learn/${lesson.id}/${lesson.steps[0]?.id}` : "/learn";
  }

  private goOn(): void {
    const { current } = this;
    if (current?.kind === "show") progress.add(stepName(this.lesson, current.id));
    go(this.next());
  }

  private startGame(step: GameStep): void {
    void attempt(async () => {
      const { createLocalGame } = await import("../storage/new-game");
      const id = await createLocalGame({
        mode: step.mode,
        layout: step.layout,
        seats: { black: { kind: "me" }, white: { kind: "computer", level: step.level } },
      });
      progress.add(stepName(this.lesson, step.id));
      settings.set({ coach: true });
      go(`/g/${id}`);
    });
  }

  // Drawing.

  protected override heading(): string {
    return this.taught ? say(`lesson.${this.taught.id}.title`) : say("course.title");
  }

  protected override page(): TemplateResult {
    const { taught, current } = this;
    if (!taught || !current) {
      return notFound(
        t("There is no such lesson"),
        t("This address leads nowhere. All lessons are in the course."),
        html`<a class="button primary" href="/learn">${say("course.title")}</a>`,
      );
    }
    return html`<article class="lesson ${current.kind} ${this.done ? "finished" : ""}">
      <header>
        <a class="button quiet round" href="/learn" aria-label=${say("course.title")}
          >${icon("previous")}</a
        >
        <h1>${this.heading()}</h1>
        ${this.beads(taught, current)}
      </header>
      <p class="task" id="task">${richText(say(`${this.base}.task`))}</p>
      ${this.stage(current)}
      <div class="words">
        ${current.kind === "choose" ? this.options(current.options) : nothing}
        <p class="answer ${this.done ? "good" : this.answer ? "heard" : ""}" role="status">
          ${this.done ? icon("check") : nothing}<span>${this.answer ? richText(this.answer) : nothing}</span>
        </p>
        ${this.ways(current)}
      </div>
    </article>`;
  }

  private beads(lesson: Lesson, current: Step): TemplateResult {
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

  private stage(current: Step): TemplateResult {
    const position = current.kind === "game" ? FIRST_GAME : current.position;
    const tasks = {
      play: "play",
      attempt: "play",
      mark: "point",
      choose: "look",
      show: "look",
      game: "look",
    };
    const open = current.kind === "mark" && this.done ? "look" : tasks[current.kind];
    return html`<div class="lesson-board">
      <sumito-lesson-board
        .position=${position}
        .task=${open}
        .highlights=${this.pointed}
        @played=${(event: CustomEvent<Effect>) => this.played(event.detail)}
        @refused=${(event: CustomEvent<Refused>) => this.refused(event.detail)}
        @pointed=${(event: CustomEvent<string>) => this.marked(event.detail)}
        @said=${(event: CustomEvent<string>) => {
          if (!this.done) this.answer = event.detail;
        }}
      ></sumito-lesson-board>
    </div>`;
  }

  private options(count: number): TemplateResult {
    return html`<div class="options" role="group" aria-labelledby="task">
      ${Array.from({ length: count }, (_, n) => {
        const { current } = this;
        const right = this.done && current?.kind === "choose" && current.right === n;
        return html`<button
          class=${right ? "right" : ""}
          @click=${() =>
            current?.kind === "choose" && this.tell(judgeChoice(current, this.base, n))}
        >
          ${say(`${this.base}.option.${n}`)}
        </button>`;
      })}
    </div>`;
  }

  private ways(current: Step): TemplateResult {
    if (current.kind === "game") {
      return html`<div class="ways">
        <a class="button quiet" href="/learn">${t("Later")}</a>
        <button class="primary big" @click=${() => this.startGame(current)}>
          ${icon("play")} ${say(`${this.base}.button`)}
        </button>
      </div>`;
    }
    const ready = this.done || current.kind === "show";
    return html`<div class="ways">
      ${
        current.kind === "show"
          ? nothing
          : html`<button class="quiet" ?disabled=${!this.answer} @click=${() => this.again()}>
              ${icon("again")} ${say("course.again")}
            </button>`
      }
      <button class=${ready ? "primary big" : "quiet"} @click=${() => this.goOn()}>
        ${ready ? say("course.next") : say("course.skip")} ${icon("next")}
      </button>
    </div>`;
  }
}

customElements.define("sumito-lesson", LessonPage);
