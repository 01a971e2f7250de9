// The analysis page: any position or record, with variations, comments and an engine.

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { Effect } from "../board/state";
import { outcomeLine } from "../domain/game-texts";
import { hasServer } from "../domain/hosting";
import { t } from "../domain/i18n";
import { attempt } from "../domain/messages";
import { colourName } from "../domain/modes";
import { address } from "../domain/navigation";
import type { Mode, Outcome } from "../domain/protocol";
import { errorText } from "../record/errors";
import type { Study } from "../record/study";
import { playersOf } from "../record/tags";
import type { Node, Shape } from "../record/tree";
import { settings } from "../storage/preferences";
import { BaseElement } from "../ui/element";
import { evalBar } from "../ui/eval-bar";
import { icon } from "../ui/icon";
import { isTyping } from "../ui/typing";
import type { BoardMessage } from "../ui/variation-board";
import "../ui/variation-board";
import "../ui/analysis-layout.css";
import "../ui/menu.css";
import "../ui/move-list.css";
import "../ui/play-area.css";
import { AnalysisController } from "./analysis-controller";
import { engineCard } from "./engine-card";
import { annotationForm, steps } from "./notes";
import "./open-dialog";
import "./opening-explorer";
import { tools } from "./tools";
import "./tree-view";

class AnalysisPage extends BaseElement {
  @property({ attribute: false }) query!: string;
  @state() flips = 0;
  @state() drawing = false;
  @state() message: BoardMessage = "";
  @state() isOpening = false;
  @state() dropping = false;
  private readonly analysis = new AnalysisController({
    changed: () => this.requestUpdate(),
    moved: () => {
      this.message = "";
    },
    edited: () => {
      if (this.query) history.replaceState(null, "", address("/analysis"));
    },
  });
  private readonly settingsChanged = () => this.requestUpdate();
  private readonly visibilityChanged = () => this.analysis.setVisible(!document.hidden);
  private readonly leaving = () => this.analysis.save();

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.key);
    addEventListener("dragover", this.over);
    addEventListener("drop", this.drop);
    addEventListener("pagehide", this.leaving);
    document.addEventListener("visibilitychange", this.visibilityChanged);
    settings.addEventListener("change", this.settingsChanged);
    document.title = `${t("Analysis")} – Sumito`;
    this.visibilityChanged();
    void this.analysis.open();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.key);
    removeEventListener("dragover", this.over);
    removeEventListener("drop", this.drop);
    removeEventListener("pagehide", this.leaving);
    document.removeEventListener("visibilitychange", this.visibilityChanged);
    settings.removeEventListener("change", this.settingsChanged);
    this.analysis.close();
    document.title = "Sumito";
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("query")) void this.analysis.load(this.query);
  }

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
    void attempt(async () => this.openText(await file.text()));
  };

  private async openText(text: string): Promise<void> {
    if (await this.analysis.openText(text)) this.isOpening = false;
  }

  private openAnalysis(id: string): Promise<void> {
    return attempt(async () => {
      if (await this.analysis.openAnalysis(id)) this.isOpening = false;
    });
  }

  private readonly key = (event: KeyboardEvent) => {
    const { key } = event;
    const { study, engineSettings } = this.analysis;
    if (isTyping(event, "[role=grid]") || !study || event.ctrlKey || event.metaKey || event.altKey)
      return;
    const actions: Record<string, () => void> = {
      ArrowLeft: () => study.back(),
      ArrowRight: () => study.forward(),
      ArrowUp: () => study.beside(-1),
      ArrowDown: () => study.beside(1),
      Home: () => study.toStart(),
      End: () => study.toEnd(),
      f: () => this.flip(),
      e: () => this.analysis.updateEngineSettings({ on: !engineSettings.on }),
      x: () => this.analysis.updateEngineSettings({ threat: !engineSettings.threat }),
    };
    const action = actions[key];
    if (!action) return;
    event.preventDefault();
    action();
  };

  private flip(): void {
    this.flips = (this.flips + 3) % 6;
  }

  override render(): TemplateResult {
    const { study, engineSettings, chances } = this.analysis;
    const mode = (study?.record.mode ?? "two") as Mode;
    return html`<div class="analysis-layout ${this.dropping ? "dropping" : ""}">
      <h1 class="hidden">${t("Analysis")}</h1>
      ${engineSettings.on ? evalBar(mode, chances) : nothing}
      <sumito-variation-board
        .board=${study?.board ?? null}
        .last=${study?.node.effect ?? null}
        .annotations=${this.analysis.annotations()}
        .turns=${this.flips}
        .drawing=${this.drawing}
        @play=${(event: CustomEvent<Effect>) => study?.play(event.detail.move)}
        @draw=${(event: CustomEvent<Shape>) => study?.draw(event.detail)}
        @say=${(event: CustomEvent<BoardMessage>) => {
          this.message = event.detail;
        }}
      ></sumito-variation-board>
      <p class="board-message ${this.message ? "reason" : ""}" aria-live="polite">${this.message || this.status()}</p>
      <section class="panel" aria-label=${t("Analysis")}>
        ${study ? this.panel(study, mode) : nothing}
      </section>
      <sumito-open-dialog
        .open=${this.isOpening}
        .shown=${study?.analysis ?? null}
        @close=${() => {
          this.isOpening = false;
        }}
        @text=${(event: CustomEvent<string>) => this.openText(event.detail)}
        @analysis=${(event: CustomEvent<string>) => this.openAnalysis(event.detail)}
      ></sumito-open-dialog>
    </div>`;
  }

  private status(): string {
    const { study, failed } = this.analysis;
    if (failed) return failed;
    if (!study) return t("Loading…");
    const { board } = study;
    const outcome = board.outcome as Outcome | null;
    if (outcome) return outcomeLine(board.mode as Mode, outcome);
    return t("{name} to move.", { name: colourName(board.turn) });
  }

  private panel(study: Study, mode: Mode): TemplateResult {
    return html`
      ${this.head(study)} ${this.engineCard(study, mode)}
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
          .version=${this.analysis.version}
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
    return html`<div class="analysis-head">
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
            this.isOpening = true;
          }}
        >
          ${icon("open")}
        </button>
        <button class="quiet round" popovertarget="analysis-menu" aria-label=${t("More")} title=${t("More")}>
          ${icon("more")}
        </button>
        <div id="analysis-menu" class="menu" popover>${this.tools(study)}</div>
      </div>
      ${errors.length > 0 ? html`<p class="faults" role="alert">${errors[0]}</p>` : nothing}`;
  }

  private tools(study: Study): TemplateResult {
    return tools(study, this.flips, {
      flip: () => this.flip(),
      openNew: () => this.analysis.openNew(),
      open: () => {
        this.isOpening = true;
      },
      done: () => this.querySelector<HTMLElement>("#analysis-menu")?.hidePopover(),
    });
  }

  private engineCard(study: Study, mode: Mode): TemplateResult {
    const { analysis } = this;
    return engineCard(study, mode, analysis.engine, {
      settings: analysis.engineSettings,
      isServerOffered: analysis.isServerOffered,
      update: (change) => analysis.updateEngineSettings(change),
    });
  }

  /** The opening explorer, which asks the server only while it is open. */
  private openings(study: Study): TemplateResult {
    const { openings } = this.analysis.engineSettings;
    return html`<details
      class="card openings-card"
      ?open=${openings}
      @toggle=${(event: Event) =>
        this.analysis.showOpenings((event.target as HTMLDetailsElement).open)}
    >
      <summary>${t("Openings")}</summary>
      ${
        openings
          ? html`<sumito-openings
              .position=${study.board.position}
              @play=${(event: CustomEvent<string>) => study.play(event.detail)}
            ></sumito-openings>`
          : nothing
      }
    </details>`;
  }
}

customElements.define("sumito-analysis", AnalysisPage);
