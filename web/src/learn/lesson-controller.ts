// The state of a step of a lesson: the learner's answer, and what is said about it. Knows no DOM.

import type { Board } from "../../kernel/src/board";
import type { Effect, Highlight } from "../board/state";
import { announce } from "../domain/messages";
import { reasonText } from "../domain/reasons";
import { progress } from "../storage/learning-progress";
import { settings } from "../storage/preferences";
import { stepName } from "./course-progress";
import { type Answer, judgeChoice, judgeMark, judgeMove } from "./judge";
import type { Refused } from "./lesson-board";
import {
  type GameStep,
  LESSONS,
  type Lesson,
  plainText,
  type Step,
  teachingText,
} from "./teaching";

/** How long a legal move that wasn't the task is left standing. */
const RESET_DELAY_MS = 900;

/** The board on which a step is tried. */
export interface StepBoard {
  /** Null until the rules are loaded. */
  readonly rules: Board | null;
  reset(): void;
}

interface Callbacks {
  readonly changed: () => void;
  readonly board: () => StepBoard | null;
  /** The answer was wrong, and the board gives no feedback of its own. */
  readonly wrong: () => void;
}

export class LessonController {
  /** What is said about the last answer. */
  answer = "";
  /** Whether the step was done since it is shown. */
  done = false;
  highlights: readonly Highlight[] = [];
  private lessonId = "";
  private stepId = "";
  private resetTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly on: Callbacks) {}

  /** Show a step of a lesson; with no step, the first that isn't done. */
  open(lesson: string, step: string): void {
    this.lessonId = lesson;
    this.stepId = step;
    this.clear();
  }

  close(): void {
    clearTimeout(this.resetTimer);
  }

  /** Undefined if there is no such lesson. */
  get lesson(): Lesson | undefined {
    return LESSONS.find(({ id }) => id === this.lessonId);
  }

  /** Undefined if the lesson has no such step. */
  get step(): Step | undefined {
    const steps = this.lesson?.steps ?? [];
    if (this.stepId) return steps.find(({ id }) => id === this.stepId);
    return steps.find(({ id }) => !progress.has(stepName(this.lessonId, id))) ?? steps[0];
  }

  /** The prefix of the step's texts. */
  get key(): string {
    return `lesson.${this.lessonId}.${this.step?.id}`;
  }

  /** Whether the learner may go on without having skipped anything. */
  get isReady(): boolean {
    return this.done || this.step?.kind === "show";
  }

  // Answers.

  /** A legal move was made. */
  judgeLegalMove({ move }: Effect): void {
    this.judge(move, true);
  }

  /** The rules refused a try. */
  judgeRefusal({ move, reason }: Refused): void {
    if (move !== null) {
      this.judge(move, false, () => reasonText(reason).text);
      return;
    }
    // Over the rim there is no move to name, but the reason may be the one to be found.
    const { step } = this;
    const wanted = step?.kind === "attempt" ? step.attempt[0] : undefined;
    const code = wanted && this.on.board()?.rules?.why(wanted)?.code;
    if (code === reason.code) this.accept({ key: `${this.key}.done`, done: true });
    else this.say(reasonText(reason).text);
  }

  private judge(move: string, isLegal: boolean, why: () => string = () => ""): void {
    const { step } = this;
    const board = this.on.board();
    if ((step?.kind !== "play" && step?.kind !== "attempt") || !board?.rules) return;
    const answer = judgeMove(step, this.key, move, isLegal, board.rules);
    if (answer.key === null) this.say(why());
    else this.accept(answer);
    if (isLegal && !answer.done) this.resetLater();
  }

  private resetLater(): void {
    clearTimeout(this.resetTimer);
    this.resetTimer = setTimeout(() => this.on.board()?.reset(), RESET_DELAY_MS);
  }

  /** A cell was pointed at. */
  judgeCell(cell: string): void {
    const { step } = this;
    if (step?.kind !== "mark") return;
    const answer = judgeMark(step, this.key, cell);
    const tone = answer.done ? "good" : "danger";
    this.highlights = [{ cells: [cell], tone, line: false, name: "" }];
    this.accept(answer);
  }

  /** An option was chosen, by its index. */
  judgeOption(option: number): void {
    const { step } = this;
    if (step?.kind === "choose") this.accept(judgeChoice(step, this.key, option));
  }

  /** Say something about the board, until the step is done. */
  hint(text: string): void {
    if (this.done) return;
    this.answer = text;
    this.on.changed();
  }

  private accept({ key, done }: Answer): void {
    this.say(teachingText(key ?? ""));
    if (done) this.complete();
    else if (this.step?.kind !== "play") this.on.wrong();
  }

  private complete(): void {
    this.done = true;
    progress.add(stepName(this.lessonId, this.step?.id ?? ""));
    this.on.changed();
  }

  private say(text: string): void {
    this.answer = text;
    if (text) announce(plainText(text));
    this.on.changed();
  }

  // Going on.

  /** Try the step once more. */
  restart(): void {
    this.clear();
    this.on.board()?.reset();
  }

  private clear(): void {
    clearTimeout(this.resetTimer);
    this.answer = "";
    this.done = false;
    this.highlights = [];
    this.on.changed();
  }

  /** The address of the next step, of the next lesson's first, or of the course. */
  get next(): string {
    const { lesson, step } = this;
    const steps = lesson?.steps ?? [];
    const following = step ? steps[steps.indexOf(step) + 1] : undefined;
    if (lesson && following) return `/learn/${lesson.id}/${following.id}`;
    const another = lesson ? LESSONS[LESSONS.indexOf(lesson) + 1] : undefined;
    return another ? `/learn/${another.id}/${another.steps[0]?.id}` : "/learn";
  }

  /** Leave the step; one that only shows a position is done by that. */
  leave(): void {
    const { step } = this;
    if (step?.kind === "show") progress.add(stepName(this.lessonId, step.id));
  }

  /** Start the learner's first game, with the coach; return its id. */
  async startGame(step: GameStep): Promise<string> {
    const { createLocalGame } = await import("../storage/new-game");
    const id = await createLocalGame({
      mode: step.mode,
      layout: step.layout,
      seats: { black: { kind: "me" }, white: { kind: "computer", level: step.level } },
    });
    progress.add(stepName(this.lessonId, step.id));
    settings.set({ coach: true });
    return id;
  }
}
