// The dialog for a new game: as few questions as its purpose needs, the rest behind "More".

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { t } from "../../domain/i18n";
import {
  colourName,
  coloursOf,
  LEVEL_IDS,
  levelName,
  MODES,
  modeName,
  modeNote,
} from "../../domain/modes";
import { go } from "../../domain/navigation";
import type { Colour, Preset } from "../../domain/protocol";
import { settings } from "../../storage/preferences";
import { DialogElement } from "../../ui/dialog";
import { radioGroup, switchField } from "../../ui/form-controls";
import { icon } from "../../ui/icon";
import { littleMarble } from "../../ui/pictures";
import { clockField, customClock } from "./clock-field";
import { type FormChoices, NewGameController } from "./controller";
import "./dialog.css";
import { layoutButton, layoutPicker } from "./layout-picker";
import { openQuestions, ruleOptionsOf } from "./open-questions";
import { drawLots, nameFields } from "./player-names";
import { DEFAULT_GOAL, type Purpose } from "./terms";

class NewGameDialog extends DialogElement {
  /** Null while the dialog is closed. */
  @property({ attribute: false }) purpose: Purpose | null = null;
  /** Whether a layout is being chosen, and what is typed to find it. */
  @state() isPicking = false;
  @state() query = "";
  private readonly game = new NewGameController(() => this.requestUpdate());

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("purpose")) return;
    this.open = this.purpose !== null;
    if (this.purpose === null) this.isPicking = false;
    else this.game.open(this.purpose);
  }

  private readonly submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const id = await this.game.create(choicesOf(new FormData(event.target as HTMLFormElement)));
    if (id === null) return;
    this.dialog?.close();
    go(`/g/${id}`);
  };

  override render(): TemplateResult {
    const content = html`<div ?hidden=${this.isPicking}>${this.questions()}</div>
      ${this.isPicking ? this.picker() : nothing}`;
    return this.sheet(this.heading(), content, this.submit, this.isPicking ? this.back() : nothing);
  }

  private heading(): string {
    if (this.isPicking) return t("Starting position");
    switch (this.purpose) {
      case "computer":
        return t("Play the computer");
      case "here":
        return t("Play here together");
      case "friends":
        return t("Invite friends");
      case "open":
        return t("Make an open game");
      case null:
        return "";
    }
  }

  private back(): TemplateResult {
    return html`<button
      type="button"
      class="quiet round"
      aria-label=${t("Back")}
      @click=${() => {
        this.isPicking = false;
      }}
    >
      ${icon("previous")}
    </button>`;
  }

  private picker(): TemplateResult {
    return layoutPicker(
      this.game.layouts,
      this.game.layout,
      this.query,
      (query) => {
        this.query = query;
      },
      (layout) => {
        this.game.set({ layout });
        this.isPicking = false;
      },
    );
  }

  private questions(): TemplateResult {
    const { layouts, layout, clock, problem, isReady, invites } = this.game;
    return html`
      <div class="halves">
        <div>
          ${this.purpose === "computer" ? this.levelField() : nothing} ${this.modeField()}
          ${this.purpose === "here" ? this.nameFields() : this.colourField()}
        </div>
        <div>
          ${layoutButton(layouts, layout, () => {
            this.isPicking = true;
          })}
          ${clockField(clock, (clock) => this.game.set({ clock }))}
          ${this.more()}
        </div>
      </div>
      <footer>
        ${problem ? html`<p class="problem" role="alert">${problem}</p>` : nothing}
        <button class="primary big wide" ?disabled=${!isReady}>
          ${invites ? t("Create invitation link") : t("Start the game")}
        </button>
      </footer>
    `;
  }

  private levelField(): TemplateResult {
    const { level } = this.game;
    const name = levelName(LEVEL_IDS[level] ?? "friendly");
    return html`<label class="field level"
      ><span>${t("Level")}</span><output>${name}</output>
      <input
        type="range"
        min="0"
        max=${LEVEL_IDS.length - 1}
        .value=${String(level)}
        aria-valuetext=${name}
        @input=${(event: Event) =>
          this.game.set({ level: Number((event.target as HTMLInputElement).value) })}
      /><small class="ends"><span>${t("easy")}</span><span>${t("hard")}</span></small></label
    >`;
  }

  private modeField(): TemplateResult {
    const options = MODES.map((value) => ({ value, label: modeName(value) }));
    const { mode } = this.game;
    return html`${radioGroup("mode", t("Who plays"), options, mode, (mode) => void this.game.setMode(mode), "modes")}
      <p class="note">${modeNote(mode)}</p>`;
  }

  private nameFields(): TemplateResult {
    const { mode, names, isDrawingLots } = this.game;
    return nameFields(
      mode,
      names,
      isDrawingLots,
      (names) => this.game.set({ names }),
      () => void this.game.drawLots(drawLots),
    );
  }

  private colourField(): TemplateResult {
    const { mode, colour } = this.game;
    const options = coloursOf(mode).map((value) => ({
      value: value as Colour | "lots",
      label: html`${littleMarble(value)} ${colourName(value)}`,
    }));
    options.push({ value: "lots", label: html`${icon("dice")} ${t("Draw lots")}` });
    return radioGroup("colour", t("Your colour"), options, colour, (colour) =>
      this.game.set({ colour }),
    );
  }

  private more(): TemplateResult {
    return html`${this.purpose === "computer" ? this.coachSwitch() : nothing}<details class="more">
      <summary>${t("More")}</summary>
      <label class="field"
        ><span>${t("Rules")}</span
        ><select name="rules">
          <option value="rulebook">${t("Rulebook: no draws")}</option>
          <option value="tournament">${t("Tournament: a position that comes three times is a draw")}</option>
        </select></label
      >
      <label class="field"
        ><span>${t("Marbles to eject")}</span
        ><select name="win_at">
          ${[6, 5, 4, 3, 2, 1].map((goal) => html`<option value=${goal}>${goal}</option>`)}
        </select></label
      >
      ${openQuestions(this.game.mode, this.game.invites)}
      ${this.game.invites ? this.inviteSwitches() : nothing}
    </details>`;
  }

  private inviteSwitches(): TemplateResult {
    const { rated, canBeRated } = this.game;
    return html`${switchField(t("Show in the lobby, for anyone to join"), this.purpose === "open", { name: "listed" })}
    ${switchField(t("Friendly: moves may be taken back"), false, { name: "friendly" })}
    ${switchField(t("Rated (with a clock; all players need an account)"), rated && canBeRated, {
      name: "rated",
      disabled: !canBeRated,
      change: (rated) => this.game.set({ rated }),
    })}`;
  }

  private coachSwitch(): TemplateResult {
    return switchField(t("With a coach: hints, and a word after a slip"), settings.now.coach, {
      change: (coach) => settings.set({ coach }),
    });
  }
}

/** What the form's own fields say. */
function choicesOf(form: FormData): FormChoices {
  return {
    custom: customClock(form),
    rules: (form.get("rules") ?? "rulebook") as Preset,
    options: ruleOptionsOf(form),
    goal: Number(form.get("win_at") ?? DEFAULT_GOAL),
    rated: form.get("rated") === "on",
    listed: form.get("listed") === "on",
    friendly: form.get("friendly") === "on",
  };
}

customElements.define("sumito-new-game", NewGameDialog);
