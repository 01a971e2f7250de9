// The dialog for a new game: as few questions as its purpose needs, the rest behind "More".

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { api } from "../../client/api";
import { t } from "../../domain/i18n";
import { attempt } from "../../domain/messages";
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
import type { Colour, Layout, Mode, NewGame, Preset } from "../../domain/protocol";
import { rememberCreated } from "../../storage/created-games";
import { lastChoices, rememberChoices } from "../../storage/new-game-choices";
import { settings } from "../../storage/preferences";
import { DialogElement } from "../../ui/dialog";
import { radioGroup, switchField } from "../../ui/form-controls";
import { icon } from "../../ui/icon";
import { littleMarble } from "../../ui/pictures";
import "./dialog.css";
import { clockField, customClock } from "./clock-field";
import { layoutButton, layoutPicker } from "./layout-picker";
import { drawLots, nameFields } from "./player-names";
import {
  type ClockChoice,
  DEFAULT_GOAL,
  type PlayerNames,
  type Purpose,
  shuffleNames,
  toNewGame,
} from "./terms";

class NewGameDialog extends DialogElement {
  /** Null while the dialog is closed. */
  @property({ attribute: false }) purpose: Purpose | null = null;
  @state() mode: Mode;
  @state() layouts: readonly Layout[] = [];
  @state() layout: string;
  @state() isPicking = false;
  @state() level: number;
  @state() colour: Colour | "lots";
  @state() clock: ClockChoice;
  @state() rated = false;
  @state() busy = false;
  /** What is typed to find a layout. */
  @state() query = "";
  /** Why the game couldn't be made. */
  @state() problem = "";
  /** Who sits at this screen, by colour. */
  @state() names: PlayerNames = {};
  @state() isDrawingLots = false;

  constructor() {
    super();
    const last = lastChoices();
    this.mode = MODES.find((mode) => mode === last.mode) ?? "two";
    this.layout = last.layout ?? "standard";
    this.level = last.level ?? LEVEL_IDS.indexOf("friendly");
    this.colour = (last.colour as Colour | undefined) ?? "black";
    this.clock = (last.clock as ClockChoice | undefined) ?? "none";
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("purpose")) return;
    this.open = this.purpose !== null;
    if (!this.open) this.isPicking = false;
    else if (this.layouts.length === 0) void this.loadLayouts();
  }

  private loadLayouts(): Promise<void> {
    return attempt(async () => {
      const mode = this.mode;
      const layouts = await (await import("../../kernel/loader")).layouts(mode);
      if (mode !== this.mode) return;
      this.layouts = layouts;
      if (!layouts.some(({ id }) => id === this.layout)) this.layout = layouts[0]?.id ?? "";
    });
  }

  private setMode(mode: Mode): void {
    this.mode = mode;
    this.layout = mode === "two" ? "standard" : "";
    if (this.colour !== "lots" && !coloursOf(mode).includes(this.colour)) this.colour = "black";
    void this.loadLayouts();
  }

  private get invites(): boolean {
    return this.purpose === "friends" || this.purpose === "open";
  }

  // The game.

  private readonly submit = (event: SubmitEvent) => {
    event.preventDefault();
    const { mode, layout, level, colour, clock } = this;
    const purpose = this.purpose ?? "computer";
    rememberChoices({ mode, layout, level, colour, clock, purpose });
    const terms = this.terms(new FormData(event.target as HTMLFormElement));
    this.busy = true;
    this.problem = "";
    (this.invites ? this.invite(terms) : this.playHere(terms))
      .then((id) => {
        this.dialog?.close();
        go(`/g/${id}`);
      })
      .catch((error: Error) => {
        this.problem = error.message;
      })
      .finally(() => {
        this.busy = false;
      });
  };

  private terms(form: FormData): NewGame {
    const { mode, layout, level, colour, clock, names } = this;
    return toNewGame({
      ...{ mode, layout, level, colour, clock, names },
      purpose: this.purpose ?? "computer",
      custom: customClock(form),
      rules: (form.get("rules") ?? "rulebook") as Preset,
      goal: Number(form.get("win_at") ?? DEFAULT_GOAL),
      rated: form.get("rated") === "on",
      listed: form.get("listed") === "on",
      friendly: form.get("friendly") === "on",
    });
  }

  private async invite(terms: NewGame): Promise<string> {
    const { game } = await api.createGame(terms);
    rememberCreated(game.id);
    return game.id;
  }

  /** Nobody else takes part, so the game needs no server. */
  private async playHere(terms: NewGame): Promise<string> {
    const names = this.purpose === "here" ? this.names : {};
    return (await import("../../storage/new-game")).createLocalGame(terms, names);
  }

  private async drawLots(): Promise<void> {
    const colours = coloursOf(this.mode);
    // Nobody begins while the names still jump from colour to colour.
    this.isDrawingLots = true;
    await drawLots(() => {
      this.names = shuffleNames(this.names, colours);
    });
    this.isDrawingLots = false;
  }

  // Drawing.

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
      this.layouts,
      this.layout,
      this.query,
      (query) => {
        this.query = query;
      },
      (layout) => {
        this.layout = layout;
        this.isPicking = false;
      },
    );
  }

  private questions(): TemplateResult {
    return html`
      <div class="halves">
        <div>
          ${this.purpose === "computer" ? this.levelField() : nothing} ${this.modeField()}
          ${this.purpose === "here" ? this.nameFields() : this.colourField()}
        </div>
        <div>
          ${layoutButton(this.layouts, this.layout, () => {
            this.isPicking = true;
          })}
          ${clockField(this.clock, (clock) => {
            this.clock = clock;
          })}
          ${this.more()}
        </div>
      </div>
      <footer>
        ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
        <button class="primary big wide" ?disabled=${this.busy || this.isDrawingLots || !this.layout}>
          ${this.invites ? t("Make the invitation") : t("Start the game")}
        </button>
      </footer>
    `;
  }

  private levelField(): TemplateResult {
    const name = levelName(LEVEL_IDS[this.level] ?? "friendly");
    return html`<label class="field level"
      ><span>${t("Level")}</span><output>${name}</output>
      <input
        type="range"
        min="0"
        max=${LEVEL_IDS.length - 1}
        .value=${String(this.level)}
        aria-valuetext=${name}
        @input=${(event: Event) => {
          this.level = Number((event.target as HTMLInputElement).value);
        }}
      /><small class="ends"><span>${t("easy")}</span><span>${t("hard")}</span></small></label
    >`;
  }

  private modeField(): TemplateResult {
    const options = MODES.map((value) => ({ value, label: modeName(value) }));
    return html`${radioGroup("mode", t("Who plays"), options, this.mode, (mode) => this.setMode(mode), "modes")}
      <p class="note">${modeNote(this.mode)}</p>`;
  }

  private nameFields(): TemplateResult {
    return nameFields(
      this.mode,
      this.names,
      this.isDrawingLots,
      (names) => {
        this.names = names;
      },
      () => void this.drawLots(),
    );
  }

  private colourField(): TemplateResult {
    const options = coloursOf(this.mode).map((value) => ({
      value: value as Colour | "lots",
      label: html`${littleMarble(value)} ${colourName(value)}`,
    }));
    options.push({ value: "lots", label: html`${icon("dice")} ${t("Draw lots")}` });
    return radioGroup("colour", t("Your colour"), options, this.colour, (colour) => {
      this.colour = colour;
    });
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
      ${this.invites ? this.inviteSwitches() : nothing}
    </details>`;
  }

  private inviteSwitches(): TemplateResult {
    const timed = this.clock !== "none";
    return html`${switchField(t("Show in the lobby, for anyone to join"), this.purpose === "open", { name: "listed" })}
    ${switchField(t("Friendly: moves may be taken back"), false, { name: "friendly" })}
    ${switchField(t("Rated (with a clock; all players need an account)"), this.rated && timed, {
      name: "rated",
      disabled: !timed,
      change: (rated) => {
        this.rated = rated;
      },
    })}`;
  }

  private coachSwitch(): TemplateResult {
    return switchField(t("With a coach: hints, and a word after a slip"), settings.now.coach, {
      change: (coach) => settings.set({ coach }),
    });
  }
}

customElements.define("sumito-new-game", NewGameDialog);
