// <sumito-puzzle>: one puzzle on a board. Wrong moves go back with a kind word; replies are played
// automatically; the solution can be shown step by step. Dispatches `solved`, with whether it was
// at the first try, and `failed` once.

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { Board } from "../../kernel/src/board";
import type { Annotation, Effect } from "../board/state";
import { engineError } from "../domain/errors";
import { kernel } from "../kernel/loader";
import type { BoardMessage } from "../ui/variation-board";
import "../ui/variation-board";
import { t } from "../domain/i18n";
import { announce } from "../domain/messages";
import { colourName, sideOf, turnsFor } from "../domain/modes";
import { inAddress } from "../record/position";
import { BaseElement } from "../ui/element";
import { icon } from "../ui/icon";
import { sounds } from "../ui/sounds";
import { goalName, kindName, type Puzzle } from "./shipped";

const REPLY_AFTER = 450;
const BACK_AFTER = 750;
const STEP_EVERY = 1100;

type Stage = "think" | "busy" | "wrong" | "solved" | "shown";

export class PuzzleBoard extends BaseElement {
  @property({ attribute: false }) puzzle: Puzzle | null = null;
  /** Grows with every puzzle that is set: the same one may be set again. */
  @property({ attribute: false }) round = 0;
  /** Against the clock: no second try, no help. */
  @property({ attribute: false }) quick = false;
  @state() stage: Stage = "busy";
  @state() board: Board | null = null;
  @state() last: Effect | null = null;
  @state() hint = false;
  @state() message: BoardMessage = "";
  /** How many moves of the line are played. */
  private at = 0;
  private firstTry = true;
  /** The solver's moves up to the end, or to the first that was wrong. */
  tried: readonly string[] = [];
  private timer = 0;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("puzzle") || changed.has("round")) void this.begin();
  }

  private async begin(): Promise<void> {
    const { puzzle, round } = this;
    clearTimeout(this.timer);
    this.stage = "busy";
    this.firstTry = true;
    this.tried = [];
    this.hint = false;
    this.message = "";
    this.at = 0;
    this.last = null;
    try {
      const loaded = await kernel();
      if (!puzzle || puzzle !== this.puzzle || round !== this.round) return;
      this.board = loaded.board(puzzle.position);
      this.stage = "think";
      announce(`${this.whose()} ${goalName(puzzle)}`);
    } catch (error) {
      if (round === this.round) this.message = engineError(error).message;
    }
  }

  private later(act: () => void, ms: number): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(act, ms);
  }

  /** Play on a board of its own, so that the board on the screen sees a change. */
  private push(move: string): void {
    const next = this.board?.copy();
    if (!next) return;
    this.last = next.push(move);
    this.board = next;
  }

  private pop(): void {
    const back = this.board?.copy();
    if (!back) return;
    back.pop();
    const before = back.moves.length > 0 ? this.puzzle?.line[this.at - 1] : undefined;
    this.last = null;
    if (before && back.moves.at(-1) === before) {
      const earlier = back.copy();
      earlier.pop();
      this.last = earlier.effect(before);
    }
    this.board = back;
  }

  private isMine(board: Board): boolean {
    const mode = this.puzzle?.mode ?? "two";
    const first = this.puzzle?.position.split(" ")[1] ?? "b";
    const solver = ({ b: "black", w: "white", r: "red", u: "blue" } as const)[first] ?? "black";
    return sideOf(mode, board.turn) === sideOf(mode, solver);
  }

  private play(effect: Effect): void {
    const { puzzle, board } = this;
    if (!puzzle || !board || this.stage !== "think") return;
    const right = puzzle.line[this.at];
    this.hint = false;
    const mover = board.turn;
    if (this.firstTry) this.tried = [...this.tried, effect.move];
    this.push(effect.move);
    if (effect.move === right || this.isAsGood(effect, mover)) {
      this.at++;
      if (effect.move !== right) this.at = puzzle.line.length;
      this.goOn();
    } else this.wrong();
  }

  /** At the end another move may reach the same: a win is a win. */
  private isAsGood(effect: Effect, mover: string): boolean {
    const { puzzle, board } = this;
    if (!puzzle || !board || this.at !== puzzle.line.length - 1) return false;
    if (puzzle.goal === "eject") return effect.ejected !== null;
    if (puzzle.goal !== "win") return false;
    const winner = board.outcome?.winner;
    return winner ? sideOf(puzzle.mode, winner) === sideOf(puzzle.mode, mover as "black") : false;
  }

  private goOn(): void {
    const { puzzle, board } = this;
    if (!puzzle || !board) return;
    const next = puzzle.line[this.at];
    if (next === undefined) {
      this.end();
      return;
    }
    if (this.isMine(board)) {
      this.stage = "think";
      this.message = t("Good. And now?");
      return;
    }
    this.stage = "busy";
    this.message = t("Good. And now?");
    this.later(() => {
      this.push(next);
      this.at++;
      this.goOn();
    }, REPLY_AFTER);
  }

  private end(): void {
    this.stage = "solved";
    this.message = this.firstTry ? t("Solved!") : t("That's it.");
    sounds.won();
    announce(this.message);
    this.dispatchEvent(new CustomEvent("solved", { detail: this.firstTry }));
  }

  private wrong(): void {
    sounds.refuse();
    this.stage = "wrong";
    this.message = t("Not the best move. Try again.");
    announce(this.message);
    this.fail();
    if (this.quick) return;
    this.later(() => {
      this.pop();
      this.stage = "think";
    }, BACK_AFTER);
  }

  private fail(): void {
    if (!this.firstTry) return;
    this.firstTry = false;
    this.dispatchEvent(new Event("failed"));
  }

  /** Show the rest, move by move. */
  private show(): void {
    this.fail();
    this.hint = false;
    this.stage = "shown";
    this.message = "";
    this.step();
  }

  private step(): void {
    const move = this.puzzle?.line[this.at];
    if (move === undefined) return;
    this.push(move);
    this.at++;
    if (this.at < (this.puzzle?.line.length ?? 0)) this.later(() => this.step(), STEP_EVERY);
  }

  private whose(): string {
    const { board } = this;
    return board ? t("{name} to move.", { name: colourName(board.turn) }) : "";
  }

  override render(): TemplateResult | typeof nothing {
    const { puzzle } = this;
    if (!puzzle) return nothing;
    return html`<sumito-variation-board
        .board=${this.board}
        .last=${this.last}
        .annotations=${this.annotations()}
        .turns=${this.turns(puzzle)}
        .locked=${this.stage !== "think"}
        @play=${(event: CustomEvent<Effect>) => this.play(event.detail)}
        @say=${(event: CustomEvent<BoardMessage>) => {
          if (event.detail) this.message = event.detail;
        }}
      ></sumito-variation-board>
      <div class="puzzle-talk ${this.stage}" aria-live="polite">
        <p class="goal">${this.at === 0 || this.stage === "think" ? this.whose() : ""} <b>${goalName(puzzle)}</b></p>
        <p class="answer">${this.message || this.shownText()}</p>
        ${this.quick ? nothing : this.help(puzzle)}
      </div>`;
  }

  private shownText(): string {
    if (this.stage !== "shown" || !this.puzzle) return "\u00a0";
    return t("The solution: {moves}", { moves: this.puzzle.line.join(" ") });
  }

  private help(puzzle: Puzzle): TemplateResult {
    const done = this.stage === "solved" || this.stage === "shown";
    return html`<div class="puzzle-help">
      ${
        done
          ? html`<a class="button" href="/analysis?position=${inAddress(puzzle.position)}&moves=${puzzle.line.join(".")}"
                >${icon("engine")} ${t("Analyse")}</a
              ><span class="about"
                >${t("Rating {rating}", { rating: puzzle.rating })}${puzzle.themes.length > 0 ? ` · ${puzzle.themes.map(kindName).join(", ")}` : ""}</span
              >`
          : html`<button
                class="quiet"
                ?disabled=${this.stage !== "think"}
                @click=${() => {
                  this.hint = true;
                  this.fail();
                }}
              >
                ${icon("bulb")} ${t("Hint")}
              </button>
              <button class="quiet" ?disabled=${this.stage !== "think"} @click=${() => this.show()}>
                ${icon("eye")} ${t("Show the solution")}
              </button>`
      }
    </div>`;
  }

  private annotations(): Annotation[] {
    const move = this.puzzle?.line[this.at];
    if (!this.hint || !move || !this.board || this.stage !== "think") return [];
    return this.board.effect(move).moved.map((from): Annotation => ({ kind: "ring", from }));
  }

  /** The solver sits at the bottom. */
  private turns(puzzle: Puzzle): number {
    const letter = puzzle.position.split(" ")[1];
    const solver = ({ b: "black", w: "white", r: "red", u: "blue" } as const)[letter ?? "b"];
    return turnsFor(puzzle.mode, solver ?? "black");
  }
}

customElements.define("sumito-puzzle", PuzzleBoard);
