// The analysis board: any position or record, with variations, comments and an engine.

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Annotation, Effect } from "../board/state";
import { outcomeLine } from "../domain/game-texts";
import { hasServer } from "../domain/hosting";
import { t, tn } from "../domain/i18n";
import { attempt, toast } from "../domain/messages";
import { colourName, sideOf, sidesOf } from "../domain/modes";
import { address } from "../domain/navigation";
import type { Mode, Outcome } from "../domain/protocol";
import { errorText } from "../record/errors";
import type { Referee } from "../record/record";
import { referee } from "../record/referee";
import { playersOf } from "../record/tags";
import type { Node, Shape } from "../record/tree";
import { settings } from "../storage/preferences";
import { BaseElement } from "../ui/element";
import { icon } from "../ui/icon";
import "../ui/menu.css";
import "../ui/move-list.css";
import "../ui/play-area.css";
import { recordFromLink } from "../record/links";
import { recordFromQuery, studyFromText } from "../record/sources";
import { evalBar } from "../ui/eval-bar";
import type { BoardMessage } from "../ui/variation-board";
import { engineCard } from "./engine-card";
import { EngineSession } from "./engine-session";
import { isServerEngineOffered } from "./server-engine";
import "../ui/variation-board";
import "../ui/analysis-layout.css";
import { annotationForm, steps } from "./notes";
import "./open-dialog";
import "./opening-explorer";
import { START, Study } from "../record/study";
import { tools } from "./tools";
import "./tree-view";
import { type EngineSettings, loadEngineSettings, saveEngineSettings } from "./engine-settings";

class AnalysisPage extends BaseElement {
  static override properties = {
    asked: { attribute: false },
    study: { state: true },
    version: { state: true },
    flips: { state: true },
    engineSettings: { state: true },
    drawing: { state: true },
    said: { state: true },
    dialog: { state: true },
    dropping: { state: true },
    offered: { state: true },
    failed: { state: true },
  };
  declare asked: string;
  declare study: Study | null;
  declare version: number;
  declare flips: number;
  declare engineSettings: EngineSettings;
  declare drawing: boolean;
  declare said: BoardMessage;
  declare dialog: "open" | null;
  declare dropping: boolean;
  /** The server lends its engine. */
  declare offered: boolean;
  /** Why there is no board. */
  declare failed: string;
  private readonly engine = new EngineSession();
  private readonly onEngineChange = () => this.requestUpdate();
  private readonly changed = () => this.shown();
  private readonly edited = () => this.ownWork();

  constructor() {
    super();
    this.study = null;
    this.version = 0;
    this.flips = 0;
    this.engineSettings = loadEngineSettings();
    this.drawing = false;
    this.said = "";
    this.dialog = null;
    this.dropping = false;
    this.offered = false;
    this.failed = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.engine.addEventListener("change", this.onEngineChange);
    addEventListener("keydown", this.key);
    addEventListener("dragover", this.over);
    addEventListener("drop", this.drop);
    addEventListener("pagehide", this.leaving);
    document.addEventListener("visibilitychange", this.seen);
    settings.addEventListener("change", this.onEngineChange);
    document.title = `${t("Analysis")} – Sumito`;
    void this.offer();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.engine.removeEventListener("change", this.onEngineChange);
    this.engine.close();
    removeEventListener("keydown", this.key);
    removeEventListener("dragover", this.over);
    removeEventListener("drop", this.drop);
    removeEventListener("pagehide", this.leaving);
    document.removeEventListener("visibilitychange", this.seen);
    settings.removeEventListener("change", this.onEngineChange);
    this.study?.keep();
    document.title = "Sumito";
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("asked")) void this.load(this.asked);
  }

  // What is shown.

  private async load(query: string): Promise<void> {
    this.failed = "";
    try {
      const judge = await referee();
      const opened = await Study.lastOpened(judge);
      const given = await this.given(query, judge);
      if (this.asked !== query || !this.isConnected) return;
      this.take(given ?? opened ?? Study.from(judge, START));
    } catch (error) {
      if (this.asked === query) this.failed = errorText(error);
    }
  }

  /** What the address asks for; null if it asks for nothing, or for something that can't be read. */
  private async given(query: string, judge: Referee): Promise<Study | null> {
    try {
      const given = (await recordFromQuery(query, judge)) ?? (await recordFromLink(query, judge));
      if (!given) return null;
      const study = new Study(judge, [given.record]);
      study.go(given.node);
      return study;
    } catch (error) {
      toast(errorText(error));
      return null;
    }
  }

  private take(study: Study): void {
    this.study?.keep();
    this.study?.removeEventListener("change", this.changed);
    this.study?.removeEventListener("edit", this.edited);
    this.study = study;
    study.addEventListener("change", this.changed);
    study.addEventListener("edit", this.edited);
    this.shown();
  }

  private shown(): void {
    this.version++;
    this.said = "";
    this.restartSearch();
  }

  private restartSearch(): void {
    const { on, lines, threat } = this.engineSettings;
    const awake = on && !document.hidden;
    const useServer = this.offered && this.engineSettings.useServer;
    this.engine.analyse(awake ? (this.study?.board ?? null) : null, { lines, threat, useServer });
  }

  private async offer(): Promise<void> {
    this.offered = await isServerEngineOffered();
    if (this.offered && this.engineSettings.useServer && this.isConnected) this.restartSearch();
  }

  private readonly seen = () => this.restartSearch();
  private readonly leaving = () => this.study?.keep();

  /** From now on the address doesn't tell what is shown, and a reload brings back what was kept. */
  private ownWork(): void {
    if (this.asked) history.replaceState(null, "", address("/analysis"));
  }

  private updateEngineSettings(change: Partial<EngineSettings>): void {
    this.engineSettings = { ...this.engineSettings, ...change };
    saveEngineSettings(this.engineSettings);
    this.restartSearch();
  }

  // What comes from outside.

  private readonly over = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    this.dropping = true;
  };

  private readonly drop = (event: DragEvent) => {
    this.dropping = false;
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    void attempt(async () => this.open(await file.text()));
  };

  /** Show a text: records, a position of any form, or a link of ours. */
  private async open(text: string): Promise<void> {
    const judge = await referee();
    try {
      this.take(await studyFromText(text, judge));
      this.ownWork();
      this.study?.putOnBoard();
      this.dialog = null;
      const errors = this.study?.records.flatMap((record) => record.errors) ?? [];
      if (errors.length > 0)
        toast(
          tn(
            "{count} game has errors; the first: {fault}",
            "{count} games have errors; the first: {fault}",
            new Set(errors.map(({ place }) => place.game)).size,
            { fault: errorText(errors[0]) },
          ),
        );
    } catch (error) {
      toast(errorText(error));
    }
  }

  /** Show one of the reader's own analyses. */
  private async openOwn(id: string): Promise<void> {
    if (id === this.study?.analysis) {
      this.dialog = null;
      return;
    }
    const study = await Study.open(await referee(), id);
    if (study === null) {
      toast(t("This analysis can't be opened."));
      return;
    }
    this.take(study);
    this.ownWork();
    this.dialog = null;
  }

  private readonly key = (event: KeyboardEvent) => {
    const { target, key } = event;
    const busy =
      target instanceof Element && target.closest("input, textarea, select, dialog, [role=grid]");
    const { study } = this;
    if (busy || !study || event.ctrlKey || event.metaKey || event.altKey) return;
    const acts: Record<string, () => void> = {
      ArrowLeft: () => study.back(),
      ArrowRight: () => study.forward(),
      ArrowUp: () => study.beside(-1),
      ArrowDown: () => study.beside(1),
      Home: () => study.toStart(),
      End: () => study.toEnd(),
      f: () => this.flip(),
      e: () => this.updateEngineSettings({ on: !this.engineSettings.on }),
      x: () => this.updateEngineSettings({ threat: !this.engineSettings.threat }),
    };
    const act = acts[key];
    if (!act) return;
    event.preventDefault();
    act();
  };

  private flip(): void {
    this.flips = (this.flips + 3) % 6;
  }

  // Drawing.

  override render(): TemplateResult {
    const { study } = this;
    const mode = (study?.record.mode ?? "two") as Mode;
    const result = this.engine.result;
    const over = study?.board.outcome as Outcome | null | undefined;
    const chances = result && !result.isThreat ? result.chances : over ? certain(mode, over) : null;
    return html`<div class="look-page ${this.dropping ? "dropping" : ""}">
      <h1 class="hidden">${t("Analysis")}</h1>
      ${this.engineSettings.on ? evalBar(mode, chances) : nothing}
      <sumito-variation-board
        .board=${study?.board ?? null}
        .last=${study?.node.effect ?? null}
        .annotations=${this.annotations()}
        .turns=${this.flips}
        .drawing=${this.drawing}
        @play=${(event: CustomEvent<Effect>) => study?.play(event.detail.move)}
        @draw=${(event: CustomEvent<Shape>) => study?.draw(event.detail)}
        @say=${(event: CustomEvent<BoardMessage>) => {
          this.said = event.detail;
        }}
      ></sumito-variation-board>
      <p class="look-hint ${this.said ? "reason" : ""}" aria-live="polite">${this.said || this.status()}</p>
      <section class="panel" aria-label=${t("Analysis")}>
        ${study ? this.panel(study, mode) : nothing}
      </section>
      <sumito-open-dialog
        .open=${this.dialog === "open"}
        .shown=${study?.analysis ?? null}
        @close=${() => {
          this.dialog = null;
        }}
        @text=${(event: CustomEvent<string>) => this.open(event.detail)}
        @analysis=${(event: CustomEvent<string>) => attempt(() => this.openOwn(event.detail))}
      ></sumito-open-dialog>
    </div>`;
  }

  private status(): string {
    const { study } = this;
    if (this.failed) return this.failed;
    if (!study) return t("The board is on its way…");
    const { board } = study;
    const outcome = board.outcome as Outcome | null;
    if (outcome) return outcomeLine(board.mode as Mode, outcome);
    return t("{name} to move.", { name: colourName(board.turn) });
  }

  private annotations(): Annotation[] {
    const { study } = this;
    if (!study) return [];
    const drawn = study.node.shapes.map(
      ({ from, to }): Annotation =>
        to === null ? { kind: "ring", from } : { kind: "arrow", from, to },
    );
    const { result } = this.engine;
    if (!result || !this.engineSettings.arrows) return drawn;
    const kind = (rank: number) => (result.isThreat ? "threat" : rank === 0 ? "best" : "good");
    const moves = result.lines.slice(0, result.isThreat ? 1 : 3);
    return [
      ...this.effects(moves.map(({ move }) => move)).map(
        (effect, rank): Annotation => ({ kind: kind(rank), effect }),
      ),
      ...drawn,
    ];
  }

  /** What the engine's moves do; a threat's are those of a board with another player to move. */
  private effects(moves: readonly string[]): Effect[] {
    const { study, engine } = this;
    if (!study || !engine.result) return [];
    const board = engine.result.isThreat ? engine.analysedBoard : study.board;
    return moves.flatMap((move) => {
      try {
        return board ? [board.effect(move)] : [];
      } catch {
        return []; // told of the position before
      }
    });
  }

  private panel(study: Study, mode: Mode): TemplateResult {
    return html`
      ${this.head(study)} ${this.engineCardOf(study, mode)}
      ${hasServer ? this.openings(study) : nothing}
      <div class="card tree-card">
        ${steps(study, this.drawing, () => {
          this.drawing = !this.drawing;
        })}
        <sumito-tree
          class="tree"
          tabindex="0"
          role="region"
          aria-label=${t("Moves")}
          .root=${study.record.root}
          .node=${study.node}
          .version=${this.version}
          @show=${(event: CustomEvent<Node>) => study.go(event.detail)}
        ></sumito-tree>
        ${annotationForm(study)}
      </div>
    `;
  }

  private head(study: Study): TemplateResult {
    const { records, record } = study;
    const errors = record.errors.map(errorText);
    const named = record.tags.Black !== "?" || record.tags.White !== "?";
    return html`<div class="look-head">
        ${
          records.length > 1
            ? html`<select
                aria-label=${t("Game")}
                @change=${(event: Event) => study.choose(Number((event.target as HTMLSelectElement).value))}
              >
                ${records.map(
                  ({ tags }, index) =>
                    html`<option value=${index} ?selected=${index === study.game}>
                      ${index + 1}. ${playersOf(tags)} ${tags.Result ?? ""}
                    </option>`,
                )}
              </select>`
            : html`<span class="names">${named ? `${playersOf(record.tags)}  ${record.tags.Result === "*" ? "" : (record.tags.Result ?? "")}` : ""}</span>`
        }
        <button
          class="quiet round"
          aria-label=${t("Open a record or a position")}
          title=${t("Open a record or a position")}
          @click=${() => {
            this.dialog = "open";
          }}
        >
          ${icon("open")}
        </button>
        <button class="quiet round" popovertarget="look-menu" aria-label=${t("More")} title=${t("More")}>
          ${icon("more")}
        </button>
        <div id="look-menu" class="menu" popover>${this.tools(study)}</div>
      </div>
      ${errors.length > 0 ? html`<p class="faults" role="alert">${errors[0]}</p>` : nothing}`;
  }

  private tools(study: Study): TemplateResult {
    return tools(study, this.flips, {
      flip: () => this.flip(),
      fresh: () => this.fresh(study),
      open: () => {
        this.dialog = "open";
      },
      done: () => this.querySelector<HTMLElement>("#look-menu")?.hidePopover(),
    });
  }

  private fresh(study: Study): void {
    this.take(Study.from(study.referee, START));
    this.ownWork();
    this.study?.putOnBoard();
  }

  private engineCardOf(study: Study, mode: Mode): TemplateResult {
    return engineCard(study, mode, this.engine, {
      now: this.engineSettings,
      offered: this.offered,
      change: (engineSettings) => this.updateEngineSettings(engineSettings),
    });
  }

  /** What others have played here; asked for only while it is open. */
  private openings(study: Study): TemplateResult {
    return html`<details
      class="card openings-card"
      ?open=${this.engineSettings.openings}
      @toggle=${(event: Event) => this.toggleOpenings((event.target as HTMLDetailsElement).open)}
    >
      <summary>${t("Openings")}</summary>
      ${
        this.engineSettings.openings
          ? html`<sumito-openings
              .position=${study.board.position}
              @play=${(event: CustomEvent<string>) => study.play(event.detail)}
            ></sumito-openings>`
          : nothing
      }
    </details>`;
  }

  private toggleOpenings(openings: boolean): void {
    if (openings === this.engineSettings.openings) return;
    this.engineSettings = { ...this.engineSettings, openings };
    saveEngineSettings(this.engineSettings);
  }
}

/** The bar of a game that is over. */
function certain(mode: Mode, { winner }: Outcome): number[] | null {
  if (winner === null) return null;
  const won = sideOf(mode, winner);
  return sidesOf(mode).map((_, side) => (side === won ? 1 : 0));
}

customElements.define("sumito-analysis", AnalysisPage);
