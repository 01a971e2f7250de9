// The review of a game: its course, its turning points, what was better there and why; each
// turning point can be tried again.

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Search } from "../../kernel/src/search";
import type { Annotation, Effect } from "../board/state";
import { engineError } from "../domain/errors";
import { percent } from "../domain/evaluation";
import { kernel } from "../kernel/loader";
import { gameRecord } from "../record/sources";
import { evalBar } from "../ui/eval-bar";
import type { BoardMessage } from "../ui/variation-board";
import "../ui/variation-board";
import "../ui/analysis-layout.css";
import { announce, toast } from "../domain/messages";
import { colourName } from "../domain/modes";
import { Study } from "../record/study";
import { BaseElement } from "../ui/element";
import { type IconName, icon } from "../ui/icon";
import "../ui/move-list.css";
import { littleMarble } from "../ui/pictures";
import "../ui/play-area.css";
import { t } from "../domain/i18n";
import { faultText, verdictText } from "../domain/mistakes";
import { go } from "../domain/navigation";
import type { Colour } from "../domain/protocol";
import { errorText } from "../record/errors";
import type { GameRecord, Referee } from "../record/record";
import { referee } from "../record/referee";
import { title } from "../record/tags";
import { sounds } from "../ui/sounds";
import { curve } from "./curve";
import {
  accuracies,
  type JudgedMove,
  judge,
  type PositionReview,
  runReview,
  turningPoints,
} from "./review";
import { cachedReview, cacheReview, keyOf } from "./review-cache";
import "./review.css";

const NAGS = { good: 0, inaccuracy: 6, mistake: 2, blunder: 4 } as const;
/** A try that loses no more than this is as good. */
const AS_GOOD = 0.04;

class ReviewPage extends BaseElement {
  static override properties = {
    gameId: { attribute: false },
    record: { state: true },
    positions: { state: true },
    running: { state: true },
    failed: { state: true },
    at: { state: true },
    trying: { state: true },
    tried: { state: true },
    said: { state: true },
    flips: { state: true },
    revealed: { state: true },
  };
  /** A game's id, or empty for what lies on the analysis board. */
  declare gameId: string;
  declare record: GameRecord | null;
  declare positions: readonly PositionReview[];
  declare running: boolean;
  declare failed: string;
  /** How many moves are shown. */
  declare at: number;
  /** The turning point that somebody tries to find the better move of. */
  declare trying: JudgedMove | null;
  declare tried: Effect | null;
  declare said: BoardMessage;
  declare flips: number;
  /** The ply whose better move may be seen. */
  declare revealed: number | null;
  private judge: Referee | null = null;
  private search: Search | null = null;
  private judged: readonly JudgedMove[] = [];
  /** The run that is on. An earlier one that ends late finds another here and changes nothing. */
  private current: AbortController | null = null;
  /** Tries whose moves are being searched; the run goes on after the last of them. */
  private probes = 0;
  private resume = false;

  constructor() {
    super();
    this.gameId = "";
    this.record = null;
    this.positions = [];
    this.running = false;
    this.failed = "";
    this.at = 0;
    this.trying = null;
    this.tried = null;
    this.said = "";
    this.flips = 0;
    this.revealed = null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.key);
    document.title = `${t("Review")} – Sumito`;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.key);
    this.halt();
    this.search?.close();
    this.search = null;
    document.title = "Sumito";
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("gameId")) void this.load(this.gameId);
    if ((changed.has("positions") || changed.has("record")) && this.record && this.judge) {
      this.judged = judge(this.judge.kernel, this.record, this.positions);
    }
  }

  private async load(id: string): Promise<void> {
    this.halt();
    this.search?.stop();
    this.record = null;
    this.positions = [];
    this.failed = "";
    try {
      const judging = await referee();
      const opened = await Study.lastOpened(judging);
      const record = id ? await gameRecord(id, judging) : (opened?.record ?? null);
      if (id !== this.gameId || !this.isConnected) return;
      if (!record || record.root.next === null) {
        this.failed = t("There are no moves to review.");
        return;
      }
      const positions = await cachedReview(keyOf(record));
      if (id !== this.gameId || !this.isConnected) return;
      this.judge = judging;
      this.record = record;
      this.at = 0;
      this.positions = positions;
      void this.run();
    } catch (error) {
      if (id === this.gameId) this.failed = errorText(error);
    }
  }

  private get plies(): number {
    return this.record?.root.line().length ?? 0;
  }

  /** Look at what isn't known yet. */
  private async run(): Promise<void> {
    const { record } = this;
    if (this.current || !record || this.positions.length > this.plies) return;
    const run = new AbortController();
    this.current = run;
    this.running = true;
    const known = this.positions;
    let found = known;
    try {
      const loaded = await kernel();
      if (run.signal.aborted) return;
      this.search ??= loaded.search();
      await runReview(loaded, this.search, record, known, run.signal, (positions) => {
        found = [...positions];
        this.positions = found;
        if (found.length % 10 === 0) void cacheReview(keyOf(record), found);
      });
      if (!run.signal.aborted) announce(t("The review is ready."));
    } catch (error) {
      if (!run.signal.aborted) this.failed = engineError(error).message;
    } finally {
      if (this.current === run) this.halt();
      if (found.length > known.length) await cacheReview(keyOf(record), found);
    }
  }

  /** End the run that is on, if one is; what it is looking at is looked at again later. */
  private halt(): void {
    this.current?.abort();
    this.current = null;
    this.running = false;
  }

  // Walking.

  private readonly key = (event: KeyboardEvent) => {
    const { target, key } = event;
    if (
      target instanceof Element &&
      target.closest("input, textarea, select, dialog, [role=grid]")
    ) {
      return;
    }
    if (key === "ArrowLeft") this.show(this.at - 1);
    else if (key === "ArrowRight") this.show(this.at + 1);
  };

  private show(ply: number): void {
    this.trying = null;
    this.tried = null;
    this.said = "";
    this.at = Math.max(0, Math.min(this.plies, ply));
  }

  private node(ply: number) {
    const { record } = this;
    return record ? ([record.root, ...record.root.line()][ply] ?? record.root) : null;
  }

  private reveal(one: JudgedMove, event: Event): void {
    const { open } = event.target as HTMLDetailsElement;
    if (open) this.show(one.ply - 1);
    this.revealed = open ? one.ply : null;
  }

  // Trying.

  private try(point: JudgedMove): void {
    this.at = point.ply - 1;
    this.trying = point;
    this.tried = null;
    this.said = t("{name} to move. What is better than {move}?", {
      name: colourName(point.seat),
      move: point.node.move,
    });
    scrollTo({ top: 0 });
  }

  private async answer(effect: Effect): Promise<void> {
    const point = this.trying;
    const { record, judge: judging } = this;
    if (!point || !record || !judging || this.tried) return;
    this.tried = effect;
    const right = await this.isAsGood(point, effect.move).catch((error) => {
      if (this.isConnected) toast(engineError(error).message);
      return null;
    });
    if (this.trying !== point || this.tried !== effect) return;
    if (right === null) {
      this.tried = null;
      return;
    }
    if (right) {
      sounds.won();
      this.said = t("Yes! {move} is better.", { move: effect.move });
      this.trying = null;
    } else {
      sounds.refuse();
      this.said =
        effect.move === point.node.move
          ? t("That was the move of the game. Try another.")
          : t("Not quite. Try again.");
      this.tried = null;
    }
    announce(this.said);
  }

  private async isAsGood(point: JudgedMove, move: string): Promise<boolean> {
    const { record, judge: judging } = this;
    if (point.better[0] === move) return true;
    if (!record || !judging || move === point.node.move) return false;
    const board = record.board(judging.kernel, point.node.parent ?? record.root);
    this.search ??= judging.kernel.search();
    this.resume ||= this.running;
    this.halt();
    this.probes++;
    try {
      const limits = { nodes: 100_000, analysis: true, moves: [move] };
      const [line] = await this.search.start(board, limits);
      return line ? point.before - judging.kernel.chance(line, record.mode) <= AS_GOOD : false;
    } finally {
      this.probes--;
      if (this.probes === 0 && this.resume && this.isConnected) {
        this.resume = false;
        void this.run();
      }
    }
  }

  /** To the analysis board, with marks and better lines. */
  private analyse(): void {
    const { record, judge: judging } = this;
    if (!record || !judging) return;
    for (const { node, verdict, better, faults } of this.judged) {
      const nag = NAGS[verdict];
      if (nag === 0) continue;
      if (!node.nags.includes(nag)) node.nags = [nag, ...node.nags];
      const words = faults.map(faultText).join(" ");
      if (words && !node.comment.includes(words)) node.comment = `${node.comment} ${words}`.trim();
      const board = record.board(judging.kernel, node.parent ?? record.root);
      let at = node.parent ?? record.root;
      for (const move of better.slice(0, 5)) {
        at = at.add(move, board);
        board.push(move);
      }
    }
    const study = new Study(judging, [record]);
    study.go(this.node(this.at));
    study.putOnBoard();
    go("/analysis");
  }

  // Drawing.

  override render(): TemplateResult {
    const { record, judge: judging } = this;
    if (this.failed) {
      return html`<section class="plain-page">
        <h1>${t("Review")}</h1>
        <p class="empty">${this.failed}</p>
        <p><a class="button" href="/games">${t("Games")}</a></p>
      </section>`;
    }
    const node = this.node(this.at);
    const board = record && judging && node ? this.boardAt() : null;
    const position = this.positions[this.at];
    return html`<div class="look-page review-page">
      <h1 class="hidden">${t("Review")}</h1>
      ${evalBar(record?.mode ?? "two", position?.chances ?? null)}
      <sumito-variation-board
        .board=${board}
        .last=${this.tried ?? node?.effect ?? null}
        .annotations=${this.annotations()}
        .turns=${this.flips}
        .locked=${this.trying === null || this.tried !== null}
        @play=${(event: CustomEvent<Effect>) => this.answer(event.detail)}
        @say=${(event: CustomEvent<BoardMessage>) => {
          if (event.detail) this.said = event.detail;
        }}
      ></sumito-variation-board>
      <p class="look-hint" aria-live="polite">${this.said || this.caption()}</p>
      <section class="panel" aria-label=${t("Review")}>${record ? this.panel(record) : nothing}</section>
    </div>`;
  }

  private shownBoard: { key: string; board: ReturnType<GameRecord["board"]> } | null = null;

  /** One board for each position, so that a redraw isn't a change. */
  private boardAt() {
    const { record, judge: judging } = this;
    const node = this.node(this.at);
    if (!record || !judging || !node) return null;
    const key = `${this.at} ${this.tried?.move ?? ""}`;
    if (this.shownBoard?.key !== key) {
      const board = record.board(judging.kernel, node);
      if (this.tried) board.push(this.tried.move);
      this.shownBoard = { key, board };
    }
    return this.shownBoard.board;
  }

  private caption(): string {
    const one = this.judged.find(({ ply }) => ply === this.at);
    if (!one) return this.at === 0 ? t("The start of the game.") : "\u00a0";
    return `${one.node.label.replace("...", "…")} ${one.node.move}: ${verdictText(one.verdict)}`;
  }

  private annotations(): Annotation[] {
    const one = this.judged.find(({ ply }) => ply === this.at + 1);
    const { record, judge: judging } = this;
    if (!one || !record || !judging || this.trying || this.tried || one.verdict === "good")
      return [];
    const board = record.board(judging.kernel, one.node.parent ?? record.root);
    const better = this.revealed === one.ply ? one.better[0] : undefined;
    return [
      ...(better ? [{ kind: "best", effect: board.effect(better) } as Annotation] : []),
      ...(one.node.effect ? [{ kind: "played", effect: one.node.effect } as Annotation] : []),
    ];
  }

  private panel(record: GameRecord): TemplateResult {
    const points = turningPoints(this.judged);
    const part = Math.min(1, this.positions.length / (this.plies + 1));
    return html`
      <div class="card review-card">
        ${curve(record.mode, this.positions, this.plies, points, this.at, (ply) => this.show(ply))}
        ${this.running || part < 1 ? this.progress(part) : nothing} ${this.steps()}
        ${this.players(record)}
      </div>
      <h2 class="points-title">${t("Turning points")}</h2>
      ${
        points.length === 0
          ? html`<p class="soft">${part < 1 ? t("Looking…") : t("No mistakes: well played!")}</p>`
          : html`<ol class="points">
              ${points.map((one) => this.point(one))}
            </ol>`
      }
      <button @click=${() => this.analyse()}>${icon("engine")} ${t("Open on the analysis board")}</button>
    `;
  }

  private progress(part: number): TemplateResult {
    return html`<div class="review-progress">
      <progress max="1" value=${part} aria-label=${t("Review")}></progress>
      <span>${percent(part)}</span>
      ${
        this.running
          ? html`<button
              class="quiet"
              @click=${() => {
                this.halt();
                this.search?.stop();
              }}
            >
              ${t("Stop")}
            </button>`
          : html`<button class="quiet" ?disabled=${this.tried !== null} @click=${() => this.run()}>
              ${t("Go on")}
            </button>`
      }
    </div>`;
  }

  private steps(): TemplateResult {
    const button = (name: IconName, label: string, to: number, off: boolean) =>
      html`<button class="quiet" aria-label=${label} title=${label} ?disabled=${off} @click=${() => this.show(to)}>
        ${icon(name)}
      </button>`;
    return html`<div class="steps" role="toolbar" aria-label=${t("Go through the game")}>
      ${button("first", t("Start"), 0, this.at === 0)}
      ${button("previous", t("Back"), this.at - 1, this.at === 0)}
      ${button("next", t("Forward"), this.at + 1, this.at === this.plies)}
      ${button("last", t("End"), this.plies, this.at === this.plies)}
      <button
        class="quiet"
        aria-label=${t("Turn the board")}
        title=${t("Turn the board")}
        @click=${() => {
          this.flips = (this.flips + 3) % 6;
        }}
      >
        ${icon("flip")}
      </button>
    </div>`;
  }

  private players(record: GameRecord): TemplateResult | typeof nothing {
    if (!this.judge || this.judged.length === 0) return nothing;
    const found = accuracies(this.judge.kernel, this.judged);
    const count = (seat: Colour, verdict: string) =>
      this.judged.filter((one) => one.seat === seat && one.verdict === verdict).length;
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
        ${[...found].map(
          ([seat, accuracy]) =>
            html`<tr>
              <td>${littleMarble(seat)} ${record.tags[title(seat)] ?? colourName(seat)}</td>
              <td><b>${percent(accuracy)}</b></td>
              <td>${count(seat, "inaccuracy")}</td>
              <td>${count(seat, "mistake")}</td>
              <td>${count(seat, "blunder")}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
  }

  private point(one: JudgedMove): TemplateResult {
    const { node, verdict, before, after, better, faults, seat } = one;
    return html`<li class="card point ${verdict} ${this.at === one.ply - 1 ? "here" : ""}">
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

customElements.define("sumito-review", ReviewPage);
