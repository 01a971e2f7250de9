// The dialog for a new game: as few questions as its purpose needs, the rest behind "More".

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { api } from "../../client/api";
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
import type {
  Colour,
  Control,
  Layout,
  Mode,
  Preset,
  Seating,
  NewGame as Wanted,
} from "../../domain/protocol";
import { settings } from "../../storage/preferences";
import "./dialog.css";
import { isStill } from "../../board/animate";
import { grouped, layoutName } from "../../domain/layouts";
import { attempt } from "../../domain/messages";
import { rememberCreated } from "../../storage/created-games";
import { lastChoices, rememberChoices } from "../../storage/new-game-choices";
import { BaseElement } from "../../ui/element";
import { icon } from "../../ui/icon";
import { littleBoard, littleMarble } from "../../ui/pictures";

/** "open" is an invitation to everyone in the lobby. */
export type Purpose = "computer" | "here" | "friends" | "open";
type ClockChoice = "none" | "10" | "15" | "custom";

class NewGame extends BaseElement {
  static override properties = {
    purpose: { attribute: false },
    mode: { state: true },
    layouts: { state: true },
    layout: { state: true },
    picking: { state: true },
    level: { state: true },
    colour: { state: true },
    clock: { state: true },
    rated: { state: true },
    busy: { state: true },
    sought: { state: true },
    problem: { state: true },
    names: { state: true },
    drawing: { state: true },
  };
  declare purpose: Purpose | null;
  declare mode: Mode;
  declare layouts: readonly Layout[];
  declare layout: string;
  declare picking: boolean;
  declare level: number;
  declare colour: Colour | "lots";
  declare clock: ClockChoice;
  declare rated: boolean;
  declare busy: boolean;
  /** What is typed to find a layout. */
  declare sought: string;
  /** Why the game couldn't be made. */
  declare problem: string;
  /** Who sits at this screen, by colour. */
  declare names: Partial<Record<Colour, string>>;
  /** Lots are being drawn. */
  declare drawing: boolean;

  constructor() {
    super();
    const last = lastChoices();
    this.purpose = null;
    this.mode = MODES.find((mode) => mode === last.mode) ?? "two";
    this.layouts = [];
    this.layout = last.layout ?? "standard";
    this.picking = false;
    this.level = last.level ?? LEVEL_IDS.indexOf("friendly");
    this.colour = (last.colour as Colour | undefined) ?? "black";
    this.clock = (last.clock as ClockChoice | undefined) ?? "none";
    this.rated = false;
    this.busy = false;
    this.sought = "";
    this.problem = "";
    this.names = {};
    this.drawing = false;
  }

  protected override updated(changed: PropertyValues<this>): void {
    const dialog = this.querySelector("dialog");
    if (!changed.has("purpose") || !dialog) return;
    if (this.purpose && !dialog.open) {
      dialog.showModal();
      if (this.layouts.length === 0) void this.loadLayouts();
    } else if (!this.purpose) {
      this.picking = false;
      dialog.close();
    }
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

  override render(): TemplateResult {
    const titles = {
      computer: t("Play the computer"),
      here: t("Play here together"),
      friends: t("Invite friends"),
      open: t("Make an open game"),
    };
    return html`<dialog
      class="sheet"
      aria-labelledby="new-game-title"
      @close=${() => this.dispatchEvent(new Event("close"))}
    >
      <form @submit=${this.start}>
        <header>
          ${
            this.picking
              ? html`<button
                  type="button"
                  class="quiet round"
                  aria-label=${t("Back")}
                  @click=${() => {
                    this.picking = false;
                  }}
                >
                  ${icon("previous")}
                </button>`
              : nothing
          }
          <h2 id="new-game-title">
            ${this.picking ? t("Starting position") : this.purpose ? titles[this.purpose] : nothing}
          </h2>
          <button
            type="button"
            class="quiet round"
            aria-label=${t("Close")}
            @click=${() => this.querySelector("dialog")?.close()}
          >
            ${icon("close")}
          </button>
        </header>
        <div ?hidden=${this.picking}>${this.questions()}</div>
        ${this.picking ? this.layoutPicker() : nothing}
      </form>
    </dialog>`;
  }

  private questions(): TemplateResult {
    return html`
      <div class="halves">
        <div>
          ${this.purpose === "computer" ? this.levelQuestion() : nothing} ${this.modeQuestion()}
          ${this.purpose === "here" ? this.nameQuestion() : this.colourQuestion()}
        </div>
        <div>${this.layoutQuestion()} ${this.clockQuestion()} ${this.more()}</div>
      </div>
      <footer>
        ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
        <button class="primary big wide" ?disabled=${this.busy || this.drawing || !this.layout}>
          ${this.invites() ? t("Make the invitation") : t("Start the game")}
        </button>
      </footer>
    `;
  }

  private invites(): boolean {
    return this.purpose === "friends" || this.purpose === "open";
  }

  private levelQuestion(): TemplateResult {
    return html`<label class="field level"
      ><span>${t("Level")}</span><output>${levelName(LEVEL_IDS[this.level] ?? "friendly")}</output>
      <input
        type="range"
        min="0"
        max=${LEVEL_IDS.length - 1}
        .value=${String(this.level)}
        aria-valuetext=${levelName(LEVEL_IDS[this.level] ?? "friendly")}
        @input=${(event: Event) => {
          this.level = Number((event.target as HTMLInputElement).value);
        }}
      /><small class="ends"><span>${t("easy")}</span><span>${t("hard")}</span></small></label
    >`;
  }

  private modeQuestion(): TemplateResult {
    return html`<fieldset class="field segmented modes">
        <legend>${t("Who plays")}</legend>
        ${MODES.map(
          (mode) =>
            html`<label
              ><input
                type="radio"
                name="mode"
                value=${mode}
                .checked=${this.mode === mode}
                @change=${() => this.setMode(mode)}
              /><span>${modeName(mode)}</span></label
            >`,
        )}
      </fieldset>
      <p class="note">${modeNote(this.mode)}</p>`;
  }

  /** At one screen everybody may have a name; lots say who gets which colour. */
  private nameQuestion(): TemplateResult {
    return html`<fieldset class="field names">
      <legend>${t("Names")}</legend>
      ${coloursOf(this.mode).map(
        (colour) =>
          html`<label
            >${littleMarble(colour)}<input
              maxlength="30"
              autocomplete="off"
              aria-label=${colourName(colour)}
              placeholder=${colourName(colour)}
              .value=${this.names[colour] ?? ""}
              @input=${(event: Event) => {
                const name = (event.target as HTMLInputElement).value;
                this.names = { ...this.names, [colour]: name };
              }}
          /></label>`,
      )}
      <button
        type="button"
        class="quiet"
        ?disabled=${this.drawing}
        @click=${() => this.drawLots()}
      >
        ${icon("dice")} ${t("Draw lots for the colours")}
      </button>
    </fieldset>`;
  }

  /** Names jump from colour to colour for a moment before they stay. */
  private drawLots(): void {
    const colours = coloursOf(this.mode);
    const shuffle = () => {
      const names = colours.map((colour) => this.names[colour] ?? "");
      for (let k = names.length - 1; k > 0; k--) {
        const other = Math.floor(Math.random() * (k + 1));
        [names[k], names[other]] = [names[other] ?? "", names[k] ?? ""];
      }
      this.names = Object.fromEntries(colours.map((colour, k) => [colour, names[k] ?? ""]));
    };
    const times = isStill() ? 1 : 9;
    const after = (k: number) => 70 * k + 6 * k * k;
    for (let k = 0; k < times; k++) setTimeout(shuffle, after(k));
    // Nobody begins with a lot that still jumps.
    this.drawing = true;
    setTimeout(
      () => {
        this.drawing = false;
      },
      after(times - 1),
    );
  }

  private colourQuestion(): TemplateResult {
    const options: (Colour | "lots")[] = [...coloursOf(this.mode), "lots"];
    return html`<fieldset class="field segmented">
      <legend>${t("Your colour")}</legend>
      ${options.map(
        (option) =>
          html`<label
            ><input
              type="radio"
              name="colour"
              value=${option}
              .checked=${this.colour === option}
              @change=${() => {
                this.colour = option;
              }}
            /><span
              >${option === "lots" ? icon("dice") : littleMarble(option)}
              ${option === "lots" ? t("Draw lots") : colourName(option)}</span
            ></label
          >`,
      )}
    </fieldset>`;
  }

  private layoutQuestion(): TemplateResult | typeof nothing {
    const chosen = this.layouts.find(({ id }) => id === this.layout);
    if (!chosen) return html`<div class="field layout-now waiting"></div>`;
    return html`<div class="field">
      <span class="label">${t("Starting position")}</span>
      <button
        type="button"
        class="layout-now"
        ?disabled=${this.layouts.length < 2}
        @click=${() => {
          this.picking = true;
        }}
      >
        ${littleBoard(chosen.position)}<span>${layoutName(chosen)}</span>
        ${this.layouts.length < 2 ? nothing : html`<em>${t("Change")}</em>`}
      </button>
    </div>`;
  }

  private layoutPicker(): TemplateResult {
    const groups = grouped(this.layouts, this.sought);
    return html`<label class="field"
        ><span class="hidden">${t("Search")}</span
        ><input
          type="search"
          placeholder=${t("Search")}
          .value=${this.sought}
          @input=${(event: Event) => {
            this.sought = (event.target as HTMLInputElement).value;
          }}
      /></label>
      ${groups.length === 0 ? html`<p class="empty">${t("No such layout.")}</p>` : nothing}
      ${groups.map(
        ({ title, layouts }) => html`<h3>${title}</h3>
          <div class="layout-grid" role="group" aria-label=${title}>
            ${layouts.map(
              (layout) => html`<button
                type="button"
                aria-pressed=${layout.id === this.layout}
                @click=${() => {
                  this.layout = layout.id;
                  this.picking = false;
                }}
              >
                ${littleBoard(layout.position)}<span>${layoutName(layout)}</span>
              </button>`,
            )}
          </div>`,
      )}`;
  }

  private clockQuestion(): TemplateResult {
    const options: [ClockChoice, string][] = [
      ["none", t("No clock")],
      ["10", t("{minutes} min", { minutes: 10 })],
      ["15", t("{minutes} min", { minutes: 15 })],
      ["custom", t("Other")],
    ];
    return html`<fieldset class="field segmented">
        <legend>${t("Clock")}</legend>
        ${options.map(
          ([value, name]) =>
            html`<label
              ><input
                type="radio"
                name="clock"
                value=${value}
                .checked=${this.clock === value}
                @change=${() => {
                  this.clock = value;
                }}
              /><span>${name}</span></label
            >`,
        )}
      </fieldset>
      ${
        this.clock === "custom"
          ? html`<div class="custom-clock">
              ${this.number("minutes", t("Minutes"), 5, 0.1, 180)}
              ${this.number("seconds", t("Seconds a move"), 5, 0, 60)}
              <label class="field"
                ><span>${t("They are")}</span
                ><select name="extra">
                  <option value="fischer">${t("added (increment)")}</option>
                  <option value="delay">${t("free (delay)")}</option>
                </select></label
              >
            </div>`
          : nothing
      }`;
  }

  private number(name: string, label: string, value: number, min: number, max: number) {
    return html`<label class="field"
      ><span>${label}</span
      ><input type="number" name=${name} value=${value} min=${min} max=${max} step="any" required
    /></label>`;
  }

  private more(): TemplateResult {
    return html`${this.purpose === "computer" ? this.coachQuestion() : nothing}<details class="more">
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
      ${
        this.invites()
          ? html`<label class="switch"
                ><span>${t("Show in the lobby, for anyone to join")}</span
                ><input type="checkbox" role="switch" name="listed" .checked=${this.purpose === "open"}
              /></label>
              <label class="switch"
                ><span>${t("Friendly: moves may be taken back")}</span
                ><input type="checkbox" role="switch" name="friendly"
              /></label>
              <label class="switch"
                ><span>${t("Rated (with a clock; all players need an account)")}</span
                ><input
                  type="checkbox"
                  role="switch"
                  name="rated"
                  ?disabled=${this.clock === "none"}
                  .checked=${this.rated && this.clock !== "none"}
                  @change=${(event: Event) => {
                    this.rated = (event.target as HTMLInputElement).checked;
                  }}
              /></label>`
          : nothing
      }
    </details>`;
  }

  private coachQuestion(): TemplateResult {
    return html`<label class="switch"
      ><span>${t("With a coach: hints, and a word after a slip")}</span
      ><input
        type="checkbox"
        role="switch"
        .checked=${settings.now.coach}
        @change=${(event: Event) =>
          settings.set({ coach: (event.target as HTMLInputElement).checked })}
    /></label>`;
  }

  private start(event: SubmitEvent): void {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    this.busy = true;
    this.problem = "";
    const { mode, layout, level, colour, clock, purpose } = this;
    rememberChoices({ mode, layout, level, colour, clock, purpose: purpose ?? "computer" });
    const wanted = this.wanted(form);
    (this.invites() ? this.invite(wanted) : this.playHere(wanted))
      .then((id) => {
        this.querySelector("dialog")?.close();
        go(`/g/${id}`);
      })
      .catch((error: Error) => {
        this.problem = error.message;
      })
      .finally(() => {
        this.busy = false;
      });
  }

  private async invite(wanted: Wanted): Promise<string> {
    const { game } = await api.createGame(wanted);
    rememberCreated(game.id);
    return game.id;
  }

  /** Nobody else takes part, so the game needs no server. */
  private async playHere(wanted: Wanted): Promise<string> {
    const names = this.purpose === "here" ? this.names : {};
    return (await import("../../storage/new-game")).createLocalGame(wanted, names);
  }

  private wanted(form: FormData): Wanted {
    const goal = Number(form.get("win_at") ?? 6);
    return {
      mode: this.mode,
      layout: this.layout,
      rules: (form.get("rules") ?? "rulebook") as Preset,
      control: this.control(form),
      seats: this.seats(),
      rated: form.get("rated") === "on",
      listed: form.get("listed") === "on",
      takebacks: form.get("friendly") === "on" || null,
      win_at: goal === 6 ? null : goal,
      draw_lots: this.purpose !== "here" && this.colour === "lots",
    };
  }

  private seats(): Partial<Record<Colour, Seating>> {
    const colours = coloursOf(this.mode);
    const mine = this.colour === "lots" ? colours[0] : this.colour;
    const level = LEVEL_IDS[this.level] ?? "friendly";
    const other: Record<Purpose, Seating> = {
      computer: { kind: "computer", level },
      here: { kind: "here" },
      friends: { kind: "open" },
      open: { kind: "open" },
    };
    const first = this.purpose === "here" ? colours[0] : mine;
    return Object.fromEntries(
      colours.map((colour) => [
        colour,
        colour === first ? { kind: "me" } : this.named(other[this.purpose ?? "computer"], colour),
      ]),
    );
  }

  private named(seat: Seating, colour: Colour): Seating {
    const name = this.names[colour]?.trim();
    return seat.kind === "here" && name ? { ...seat, name } : seat;
  }

  private control(form: FormData): Control {
    if (this.clock === "none") return { kind: "none" };
    if (this.clock !== "custom") return { kind: "sudden_death", ms: Number(this.clock) * 60_000 };
    const ms = Math.round(Number(form.get("minutes")) * 60_000);
    const extra = Math.round(Number(form.get("seconds")) * 1000);
    if (extra === 0) return { kind: "sudden_death", ms };
    return form.get("extra") === "delay"
      ? { kind: "delay", ms, delay_ms: extra }
      : { kind: "fischer", ms, increment_ms: extra };
  }
}

customElements.define("sumito-new-game", NewGame);
