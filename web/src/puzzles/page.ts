// Puzzles: of the day, for training, by kind, as a streak without a mistake, and against the
// clock. Everything works without a network; accounts also have their results and rating at the
// server.

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { t } from "../domain/i18n";
import { modeName } from "../domain/modes";
import { go } from "../domain/navigation";
import type { Mode, PuzzleStanding } from "../domain/protocol";
import { BaseElement } from "../ui/element";
import { type IconName, icon } from "../ui/icon";
import { littleBoard } from "../ui/pictures";
import { loadError, notFound } from "../ui/placeholders";
import "../ui/analysis-layout.css";
import "../ui/play-area.css";
import { choose, climb, note, type Progress, progress, updateProgress } from "./progress";
import { fetchStanding, knownAccount, submitResult } from "./results-sync";
import "./puzzles.css";
import { daily, isOfKind, kindName, type Puzzle, puzzles, today } from "./shipped";
import type { PuzzleBoard } from "./solve";
import "./solve";

const STORM_MS = 180_000;
const STORM_COST_MS = 10_000;
const KINDS = [
  ...["eject", "win", "save", "only", "hold"],
  ...["2v1", "3v1", "3v2", "side-step", "quiet", "pac", "corner", "det"],
  ...["sacrifice", "counter", "retreat"],
];

type Run = "daily" | "train" | "streak" | "storm" | "one";

class PuzzlesPage extends BaseElement {
  static override properties = {
    /** What stands behind /puzzles/ in the address. */
    what: { attribute: false },
    asked: { attribute: false },
    list: { state: true },
    failed: { state: true },
    puzzle: { state: true },
    state: { state: true },
    account: { state: true },
    change: { state: true },
    ended: { state: true },
    count: { state: true },
    endsAt: { state: true },
    mode: { state: true },
  };
  declare what: string;
  declare asked: string;
  declare list: readonly Puzzle[] | null;
  declare failed: string;
  declare puzzle: Puzzle | null;
  declare state: Progress;
  /** How the account fares, where there is one. */
  declare account: PuzzleStanding | null;
  /** How the rating changed by the last puzzle. */
  declare change: number | null;
  /** This puzzle, or this run, is over. */
  declare ended: boolean;
  declare count: number;
  declare endsAt: number;
  declare mode: Mode | "";
  private ticking = 0;
  private next = 0;
  /** How many puzzles have been set. */
  private round = 0;
  /** The puzzles of this run, by id. */
  private readonly seen = new Set<string>();

  constructor() {
    super();
    this.what = "";
    this.asked = "";
    this.list = null;
    this.failed = "";
    this.puzzle = null;
    this.state = progress();
    this.account = null;
    this.change = null;
    this.ended = false;
    this.count = 0;
    this.endsAt = 0;
    this.mode = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
    addEventListener("identity", this.meet);
    addEventListener("online", this.meet);
    void this.meet();
    document.title = `${t("Puzzles")} – Sumito`;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop();
    removeEventListener("identity", this.meet);
    removeEventListener("online", this.meet);
    document.title = "Sumito";
  }

  private readonly meet = async () => {
    this.account = await fetchStanding();
  };

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("what") || changed.has("asked") || changed.has("list")) this.begin();
  }

  private async load(): Promise<void> {
    this.failed = "";
    try {
      this.list = await puzzles();
    } catch (error) {
      this.failed = (error as Error).message;
    }
  }

  private get run(): Run | null {
    const runs = ["daily", "train", "streak", "storm"] as const;
    if (this.what === "") return null;
    return runs.find((one) => one === this.what) ?? "one";
  }

  private get kind(): string {
    return new URLSearchParams(this.asked).get("kind") ?? "";
  }

  /** Those that are asked for. */
  private chosen(): readonly Puzzle[] {
    const mode = new URLSearchParams(this.asked).get("mode") ?? "";
    return (this.list ?? []).filter(
      (puzzle) =>
        (this.kind === "" || isOfKind(puzzle, this.kind)) && (mode === "" || puzzle.mode === mode),
    );
  }

  // Runs.

  private begin(): void {
    this.stop();
    this.seen.clear();
    this.puzzle = null;
    this.ended = false;
    this.change = null;
    this.count = 0;
    this.endsAt = 0;
    this.state = progress();
    if (!this.list || this.run === null) return;
    if (this.run === "storm") {
      this.endsAt = Date.now() + STORM_MS;
      this.ticking = window.setInterval(() => this.tick(), 200);
    }
    this.another();
  }

  private stop(): void {
    clearInterval(this.ticking);
    clearTimeout(this.next);
  }

  private another(): void {
    clearTimeout(this.next);
    this.change = null;
    this.ended = false;
    const list = this.chosen();
    if (this.run === "daily") this.puzzle = daily(this.list ?? [], today());
    else if (this.run === "train")
      this.puzzle = choose(list, { ...progress(), rating: this.strength }, this.puzzle);
    else if (this.run === "one")
      this.puzzle = this.list?.find(({ id }) => id === this.what) ?? null;
    else this.puzzle = climb(list, this.count, this.seen);
    if (this.puzzle) this.seen.add(this.puzzle.id);
    this.round++;
  }

  private solved(firstTry: boolean): void {
    const { puzzle, run } = this;
    if (!puzzle || run === null) return;
    if (run === "streak" || run === "storm") {
      this.count++;
      this.best();
      this.next = window.setTimeout(() => this.another(), run === "storm" ? 350 : 700);
      return;
    }
    if (firstTry) this.rate(puzzle, true);
    if (run === "daily") this.state = updateProgress({ daily: today() });
    this.ended = true;
  }

  private missed(): void {
    const { puzzle, run } = this;
    if (!puzzle) return;
    if (run === "streak") {
      this.ended = true;
    } else if (run === "storm") {
      this.endsAt -= STORM_COST_MS;
      this.next = window.setTimeout(() => this.another(), 700);
    } else this.rate(puzzle, false);
  }

  /** The account's rating, or that of this device. */
  private get strength(): number {
    return this.account?.rating ?? this.state.rating;
  }

  private rate(puzzle: Puzzle, solved: boolean): void {
    const { before, after } = note(puzzle, solved);
    this.state = after;
    const { account } = this;
    const tried = this.querySelector<PuzzleBoard>("sumito-puzzle")?.tried ?? [];
    if (before !== after && knownAccount() !== null) void this.submit(puzzle, tried, account);
    if (!account || before === after) this.change = after.rating - before.rating;
  }

  private async submit(
    puzzle: Puzzle,
    tried: readonly string[],
    before: PuzzleStanding | null,
  ): Promise<void> {
    const { round } = this;
    const after = await submitResult(puzzle.id, tried);
    if (!after) return;
    this.account = after;
    if (before && this.round === round) this.change = after.rating - before.rating;
  }

  private best(): void {
    if (this.run === "streak" && this.count > this.state.streak) {
      this.state = updateProgress({ streak: this.count });
    }
    if (this.run === "storm" && this.count > this.state.storm) {
      this.state = updateProgress({ storm: this.count });
    }
  }

  private tick(): void {
    if (Date.now() >= this.endsAt) {
      this.stop();
      this.ended = true;
    }
    this.requestUpdate();
  }

  // Drawing.

  override render(): TemplateResult {
    if (this.failed) {
      return html`<section class="plain-page"><h1>${t("Puzzles")}</h1>${loadError(this.failed, () => this.load())}</section>`;
    }
    if (this.run === null) return this.home();
    const over = this.ended && (this.run === "streak" || this.run === "storm");
    const { puzzle } = this;
    if (this.list && !puzzle) {
      return notFound(
        t("Puzzles"),
        t("There is no such puzzle."),
        html`<a class="button primary" href="/puzzles">${t("All puzzles")}</a>`,
      );
    }
    return html`<div class="look-page puzzle-page">
      <h1 class="hidden">${t("Puzzles")}</h1>
      <sumito-puzzle
        .puzzle=${puzzle}
        .round=${this.round}
        .quick=${this.run === "storm" || this.run === "streak"}
        @solved=${(event: CustomEvent<boolean>) => this.solved(event.detail)}
        @failed=${() => this.missed()}
      ></sumito-puzzle>
      <section class="panel" aria-label=${t("Puzzles")}>
        <div class="card puzzle-card">${this.heading()} ${over ? this.runOver() : this.below()}</div>
      </section>
    </div>`;
  }

  private heading(): TemplateResult {
    const { run } = this;
    const names: Record<Run, string> = {
      daily: t("Puzzle of the day"),
      train: this.kind ? kindName(this.kind) : t("Puzzles"),
      streak: t("Streak"),
      storm: t("Storm"),
      one: t("Puzzle"),
    };
    const left = Math.max(0, Math.ceil((this.endsAt - Date.now()) / 1000));
    return html`<div class="puzzle-head">
      <a class="button quiet round" href="/puzzles" aria-label=${t("All puzzles")} title=${t("All puzzles")}
        >${icon("previous")}</a
      >
      <h2>${names[run ?? "train"]}</h2>
      ${
        run === "storm"
          ? html`<span class="run-clock ${left <= 15 ? "low" : ""}" role="timer"
              >${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}</span
            >`
          : nothing
      }
      ${run === "storm" || run === "streak" ? html`<b class="run-count">${this.count}</b>` : this.rating()}
    </div>`;
  }

  private rating(): TemplateResult {
    const { change } = this;
    return html`<span class="puzzle-rating" title=${t("Your rating")}
      >${this.strength}${
        change === null || change === 0
          ? nothing
          : html` <b class=${change < 0 ? "down" : "up"}>${change < 0 ? "−" : "+"}${Math.abs(change)}</b>`
      }</span
    >`;
  }

  private below(): TemplateResult {
    if (this.run === "streak" || this.run === "storm") {
      return html`<p class="soft">
        ${
          this.run === "storm"
            ? t("As many as you can in three minutes. A wrong move costs ten seconds.")
            : t("One after the other, harder and harder. The first wrong move ends it.")
        }
      </p>`;
    }
    return html`<div class="row">
      <button
        class=${this.ended ? "primary" : ""}
        @click=${() => (this.run === "train" ? this.another() : go("/puzzles/train"))}
      >
        ${icon("next")} ${this.ended ? t("Next puzzle") : t("Another puzzle")}
      </button>
    </div>`;
  }

  private runOver(): TemplateResult {
    const best = this.run === "storm" ? this.state.storm : this.state.streak;
    return html`<div class="run-over" role="status">
      <p class="big-count">${this.count}</p>
      <p>
        ${
          this.count > 0 && this.count >= best
            ? t("Your best so far!")
            : t("Well tried. Your best: {count}", { count: best })
        }
      </p>
      <div class="row">
        <button class="primary" @click=${() => this.begin()}>${icon("again")} ${t("Once more")}</button>
        <a class="button" href="/puzzles">${t("All puzzles")}</a>
      </div>
    </div>`;
  }

  private home(): TemplateResult {
    const list = this.list ?? [];
    const day = daily(list, today());
    const solved = Object.values(this.state.done).filter((one) => one).length;
    return html`<section class="plain-page puzzles-home">
      <h1>${t("Puzzles")}</h1>
      <div class="puzzle-ways">
        <a class="card daily-card" href="/puzzles/daily">
          ${littleBoard(day?.position ?? "")}
          <span
            ><b>${t("Puzzle of the day")}</b
            ><small>${this.state.daily === today() ? t("Solved today") : t("The same for everybody")}</small></span
          >
        </a>
        ${this.way("/puzzles/train", "puzzle", t("Train"), t("Puzzles that fit your strength"))}
        ${this.way("/puzzles/streak", "flame", t("Streak"), t("Best: {count}", { count: this.state.streak }))}
        ${this.way("/puzzles/storm", "clock", t("Storm"), t("Best: {count}", { count: this.state.storm }))}
      </div>
      <div class="card puzzle-stand">
        <p><b>${this.strength}</b> ${t("Your rating")}</p>
        <p><b>${solved}</b> ${t("Solved of {count}", { count: list.length })}</p>
      </div>
      <h2>${t("By kind")}</h2>
      <div class="tabs">${this.modes(list)}</div>
      <ul class="kinds">
        ${KINDS.map((kind) => this.kindRow(kind, list))}
      </ul>
    </section>`;
  }

  private way(path: string, name: IconName, title: string, text: string): TemplateResult {
    return html`<a class="card way-card" href=${path}
      >${icon(name)}<span><b>${title}</b><small>${text}</small></span></a
    >`;
  }

  private modes(list: readonly Puzzle[]): TemplateResult[] {
    const modes = [...new Set(list.map(({ mode }) => mode))];
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
    return [
      chip("", t("All")),
      ...modes
        .sort()
        .reverse()
        .map((mode) => chip(mode, modeName(mode))),
    ];
  }

  private kindRow(kind: string, list: readonly Puzzle[]): TemplateResult | typeof nothing {
    const count = list.filter(
      (one) => isOfKind(one, kind) && (this.mode === "" || one.mode === this.mode),
    ).length;
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
