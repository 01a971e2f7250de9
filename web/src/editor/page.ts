// The position editor: marbles, layout, side to move and ejected marbles; from there to the
// analysis board or into a game.

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { SumitoBoard } from "../board/element";
import { type Colour, EMPTY_VIEW, type Miss, readMarbles } from "../board/state";
import { hasServer } from "../domain/hosting";
import { layoutName } from "../domain/layouts";
import { START } from "../record/study";
import "../ui/analysis-layout.css";
import { attempt, toast } from "../domain/messages";
import {
  colourName,
  coloursOf,
  edgeOf,
  LEVEL_IDS,
  levelName,
  MODES,
  modeName,
  sideName,
  sidesOf,
} from "../domain/modes";
import { rememberCreated } from "../storage/created-games";
import { describeCell } from "../ui/board-hints";
import { BaseElement } from "../ui/element";
import { radioGroup } from "../ui/form-controls";
import { icon } from "../ui/icon";
import { littleMarble } from "../ui/pictures";
import "../ui/play-area.css";
import { number, t } from "../domain/i18n";
import { go } from "../domain/navigation";
import type { Mode, NewGame, Seating } from "../domain/protocol";
import { errorText } from "../record/errors";
import {
  boardFor,
  inAddress,
  positionFrom,
  type Setup,
  setupOf,
  setupText,
} from "../record/position";
import type { Referee } from "../record/record";
import { referee } from "../record/referee";
import { settings } from "../storage/preferences";
import "./editor.css";

type Brush = Colour | "empty";

class EditorPage extends BaseElement {
  @property({ attribute: false }) query = "";
  @state() setup: Setup = setupOf(START);
  @state() brush: Brush = "black";
  @state() judge: Referee | null = null;
  @state() level = "friendly";
  @state() busy = false;

  override connectedCallback(): void {
    super.connectedCallback();
    document.title = `${t("Set up a position")} – Sumito`;
    void attempt(async () => {
      this.judge = await referee();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.title = "Sumito";
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("query")) return;
    const position = new URLSearchParams(this.query).get("position");
    try {
      if (position) this.setup = setupOf(positionFrom(position));
    } catch (error) {
      toast(errorText(error));
    }
  }

  protected override updated(): void {
    const board = this.querySelector<SumitoBoard>("sumito-board");
    if (!board) return;
    board.describe = describeCell;
    const { marbles, mode, turn } = this.setup;
    const { coordinates, letters } = settings.now;
    board.view = { ...EMPTY_VIEW, marbles, lamp: edgeOf(mode, turn), coordinates, letters };
  }

  private change(change: Partial<Setup>): void {
    this.setup = { ...this.setup, ...change };
  }

  /** Set a marble, or take the same one away. */
  private touch(cell: string): void {
    const marbles = new Map(this.setup.marbles);
    if (this.brush === "empty" || marbles.get(cell) === this.brush) marbles.delete(cell);
    else marbles.set(cell, this.brush);
    this.change({ marbles });
  }

  private chooseMode(mode: Mode): void {
    const layout = this.judge?.layouts(mode)[0];
    if (layout) this.setup = setupOf(layout.position);
    this.brush = "black";
  }

  private chooseLayout(id: string): void {
    const { mode } = this.setup;
    const layout = this.judge?.layouts(mode).find((one) => one.id === id);
    if (layout)
      this.change({ marbles: readMarbles(layout.position), captured: sidesOf(mode).map(() => 0) });
  }

  /** What is wrong, in words; empty if a game could go on from here. */
  private problem(): string {
    const { judge, setup } = this;
    if (!judge) return "";
    const missing = sidesOf(setup.mode).find((side) =>
      side.every((colour) => ![...setup.marbles.values()].includes(colour)),
    );
    if (missing?.[0])
      return t("{colour} has no marbles.", { colour: sideName(setup.mode, missing[0]) });
    try {
      const board = boardFor(judge.kernel, setupText(setup));
      return board.outcome ? t("Here the game would be over.") : "";
    } catch (error) {
      return errorText(error);
    }
  }

  // On from here.

  private analyse(): void {
    go(`/analysis?position=${inAddress(setupText(this.setup))}`);
  }

  private terms(seats: Partial<Record<Colour, Seating>>): NewGame {
    return { mode: this.setup.mode, seats, start: setupText(this.setup) };
  }

  private seats(other: Seating, own: Colour): Partial<Record<Colour, Seating>> {
    const side = sidesOf(this.setup.mode).find((one) => one.includes(own)) ?? [own];
    return Object.fromEntries(
      coloursOf(this.setup.mode).map((colour) => [
        colour,
        colour === own
          ? { kind: "me" }
          : side.includes(colour) && other.kind !== "computer"
            ? { kind: "open" }
            : other,
      ]),
    );
  }

  private play(kind: "computer" | "here" | "invite"): void {
    if (this.busy) return;
    this.busy = true;
    void attempt(async () => {
      const { turn } = this.setup;
      if (kind === "invite") {
        const { api } = await import("../client/api");
        const { game } = await api.createGame(this.terms(this.seats({ kind: "open" }, turn)));
        rememberCreated(game.id);
        go(`/g/${game.id}`);
        return;
      }
      const { createLocalGame } = await import("../storage/new-game");
      const other: Seating = kind === "computer" ? { kind, level: this.level } : { kind };
      go(`/g/${await createLocalGame(this.terms(this.seats(other, turn)))}`);
    }).finally(() => {
      this.busy = false;
    });
  }

  // Drawing.

  override render(): TemplateResult {
    const problem = this.problem();
    return html`<div class="analysis-layout editor-page">
      <h1 class="hidden">${t("Set up a position")}</h1>
      <div class="board-place">
        <sumito-board
          label=${t("Board")}
          @miss=${(event: CustomEvent<Miss>) => this.touch(event.detail.cell)}
        ></sumito-board>
      </div>
      ${this.brushes()}
      <section class="panel" aria-label=${t("Set up a position")}>
        <div class="card editor-card">${this.form()}</div>
        <div class="card editor-card">
          <p class="standing ${problem ? "bad" : ""}" role="status">
            ${problem || t("A game can go on from here.")}
          </p>
          ${this.ways(problem !== "" || !this.judge || this.busy)}
        </div>
      </section>
    </div>`;
  }

  private brushes(): TemplateResult {
    const { mode, marbles } = this.setup;
    const options = [...coloursOf(mode), "empty" as const].map((value: Brush) => {
      if (value === "empty") return { value, label: icon("trash"), name: t("Take away") };
      const count = [...marbles.values()].filter((one) => one === value).length;
      const name = t("{colour}: {count}", { colour: colourName(value), count });
      return { value, label: html`${littleMarble(value)} ${number(count)}`, name };
    });
    const choose = (brush: Brush) => {
      this.brush = brush;
    };
    return radioGroup("brush", t("Set"), options, this.brush, choose, "brushes");
  }

  private form(): TemplateResult {
    const { mode, turn, captured } = this.setup;
    const layouts = this.judge?.layouts(mode) ?? [];
    return html`<div class="counts">
      <label class="field"
        ><span>${t("Players")}</span
        ><select @change=${(event: Event) => this.chooseMode((event.target as HTMLSelectElement).value as Mode)}>
          ${MODES.map((one) => html`<option value=${one} ?selected=${one === mode}>${modeName(one)}</option>`)}
        </select></label
      >
      <label class="field"
        ><span>${t("Begin with a layout")}</span
        ><select @change=${(event: Event) => this.chooseLayout((event.target as HTMLSelectElement).value)}>
          <option value="">–</option>
          ${layouts.map((one) => html`<option value=${one.id}>${layoutName(one)}</option>`)}
        </select></label
      >
      </div>
      ${radioGroup(
        "turn",
        t("To move"),
        coloursOf(mode).map((value) => ({
          value,
          label: html`${littleMarble(value)} ${colourName(value)}`,
        })),
        turn,
        (colour) => this.change({ turn: colour }),
      )}
      <div class="counts">
        ${sidesOf(mode).map(
          (side, index) =>
            html`<label class="field"
              ><span>${t("Ejected by {side}", { side: sideName(mode, side[0] ?? "black") })}</span
              ><input
                type="number"
                min="0"
                max="14"
                .value=${String(captured[index] ?? 0)}
                @change=${(event: Event) => this.count(index, (event.target as HTMLInputElement).value)}
            /></label>`,
        )}
      </div>
      <button class="quiet" @click=${() => this.change({ marbles: new Map() })}>
        ${icon("trash")} ${t("Clear the board")}
      </button>`;
  }

  private count(side: number, text: string): void {
    const value = Math.max(0, Math.min(14, Math.round(Number(text)) || 0));
    this.change({
      captured: this.setup.captured.map((one, index) => (index === side ? value : one)),
    });
  }

  private ways(off: boolean): TemplateResult {
    return html`<div class="editor-ways">
      <button class="primary" ?disabled=${off} @click=${() => this.analyse()}>
        ${icon("engine")} ${t("Analyse")}
      </button>
      <button ?disabled=${off} @click=${() => this.play("computer")}>
        ${icon("computer")} ${t("Play the computer")}
      </button>
      <label
        ><span class="hidden">${t("Level")}</span
        ><select
          @change=${(event: Event) => {
            this.level = (event.target as HTMLSelectElement).value;
          }}
        >
          ${LEVEL_IDS.map((id) => html`<option value=${id} ?selected=${id === this.level}>${levelName(id)}</option>`)}
        </select></label
      >
      <button ?disabled=${off} @click=${() => this.play("here")}>
        ${icon("here")} ${t("Play here together")}
      </button>
      ${
        hasServer
          ? html`<button ?disabled=${off} @click=${() => this.play("invite")}>
              ${icon("invite")} ${t("Invite a friend")}
            </button>`
          : nothing
      }
    </div>`;
  }
}

customElements.define("sumito-editor", EditorPage);
