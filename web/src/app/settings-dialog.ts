// The settings dialog.

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { api } from "../client/api";
import { LANGUAGES, type Language, language, t } from "../domain/i18n";
import {
  BOARDS,
  type BoardTheme,
  MARBLE_SETS,
  type MarbleSet,
  type Settings,
  settings,
} from "../storage/preferences";
import { BaseElement } from "../ui/element";
import { icon } from "../ui/icon";
import { sample } from "../ui/pictures";
import { sounds } from "../ui/sounds";

/** Only what lies in a hand is felt there. */
function canTremble(): boolean {
  return "vibrate" in navigator && matchMedia("(pointer: coarse)").matches;
}

class SettingsDialog extends BaseElement {
  static override properties = { open: { type: Boolean } };
  declare open: boolean;

  constructor() {
    super();
    this.open = false;
  }

  protected override updated(changed: PropertyValues<this>): void {
    const dialog = this.querySelector("dialog");
    if (changed.has("open") && dialog && dialog.open !== this.open) {
      if (this.open) dialog.showModal();
      else dialog.close();
    }
  }

  private set(change: Partial<Settings>): void {
    settings.set(change);
    this.requestUpdate();
  }

  override render(): TemplateResult {
    const now = settings.now;
    return html`<dialog
      class="sheet"
      aria-labelledby="settings-title"
      @close=${() => this.dispatchEvent(new Event("close"))}
    >
      <form method="dialog">
        <header>
          <h2 id="settings-title">${t("Settings")}</h2>
          <button class="quiet round" aria-label=${t("Close")}>${icon("close")}</button>
        </header>
        <label class="field"
          ><span>${t("Language")}</span>
          <select
            .value=${language()}
            @change=${(event: Event) => this.speak((event.target as HTMLSelectElement).value)}
          >
            ${Object.entries(LANGUAGES).map(
              ([code, name]) =>
                html`<option value=${code} ?selected=${code === language()}>${name}</option>`,
            )}
          </select></label
        >
        ${this.choice("theme", t("Appearance"), [
          ["system", t("As the system")],
          ["light", t("Light")],
          ["dark", t("Dark")],
        ])}
        ${this.looks()}
        ${this.choice("pace", t("The computer's moves"), [
          ["natural", t("After a breath")],
          ["none", t("At once")],
        ])}
        ${this.choice("notation", t("Notation of moves"), [
          ["aba-pro", "Aba-Pro"],
          ["nacre", "Nacre"],
        ])}
        ${this.toggle("sound", now.sound, t("Sounds"))}
        ${now.sound ? this.volume() : nothing}
        ${canTremble() ? this.toggle("haptics", now.haptics, t("Vibration")) : nothing}
        ${"Notification" in window ? this.notifications() : nothing}
        ${this.toggle("coordinates", now.coordinates, t("Coordinates on the rim"))}
        ${this.toggle("letters", now.letters, t("Letters on the marbles"))}
        ${this.toggle("confirm", now.confirm, t("Ask before each move is played"))}
        <details class="keys">
          <summary>${t("Playing with the keyboard")}</summary>
          <p>${t("Arrow keys walk over the board. Enter takes up a marble; Enter on a second one takes the row. W, E, A, D, Z and X send it on its way, as they lie around S. Escape lets go.")}</p>
        </details>
      </form>
    </dialog>`;
  }

  private speak(code: string): void {
    this.set({ language: code as Language });
    // The server's messages follow; if it can't be reached the page speaks the language anyway.
    api.updateMe({ language: code }).catch(() => undefined);
  }

  /** Boards and marbles, to be seen before they are chosen. */
  private looks(): TemplateResult {
    const boards = { beech: t("Beech"), walnut: t("Walnut"), slate: t("Slate") };
    const marbles = { polished: t("Polished"), glass: t("Glass"), stone: t("Stone") };
    return html`${this.samples("board", t("Board"), BOARDS, boards)}
    ${this.samples("marbles", t("Marbles"), MARBLE_SETS, marbles)}`;
  }

  private samples<K extends "board" | "marbles">(
    key: K,
    label: string,
    options: readonly Settings[K][],
    names: Record<string, string>,
  ): TemplateResult {
    return html`<fieldset class="field segmented samples">
      <legend>${label}</legend>
      ${options.map(
        (value) =>
          html`<label
            ><input
              type="radio"
              name=${key}
              .checked=${settings.now[key] === value}
              @change=${() => this.set({ [key]: value })}
            /><span
              >${key === "board" ? sample({ board: value as BoardTheme }) : sample({ marbles: value as MarbleSet })}${names[value]}</span
            ></label
          >`,
      )}
    </fieldset>`;
  }

  private notifications(): TemplateResult {
    return html`<label class="switch"
      ><span>${t("Tell me when it is my turn")}</span
      ><input
        type="checkbox"
        role="switch"
        .checked=${settings.now.notify}
        @change=${async (event: Event) => {
          const box = event.target as HTMLInputElement;
          const allowed = box.checked && (await Notification.requestPermission()) === "granted";
          box.checked = allowed;
          this.set({ notify: allowed });
        }}
    /></label>`;
  }

  private volume(): TemplateResult {
    return html`<label class="field"
      ><span>${t("Volume")}</span
      ><input
        type="range"
        min="0"
        max="1"
        step="0.05"
        .value=${String(settings.now.volume)}
        @change=${(event: Event) => {
          this.set({ volume: Number((event.target as HTMLInputElement).value) });
          sounds.push();
        }}
    /></label>`;
  }

  private choice(
    key: "theme" | "notation" | "pace",
    label: string,
    options: [string, string][],
  ): TemplateResult {
    return html`<fieldset class="field segmented">
      <legend>${label}</legend>
      ${options.map(
        ([value, name]) =>
          html`<label
            ><input
              type="radio"
              name=${key}
              .checked=${settings.now[key] === value}
              @change=${() => this.set({ [key]: value })}
            /><span>${name}</span></label
          >`,
      )}
    </fieldset>`;
  }

  private toggle(key: keyof Settings, on: boolean, label: string): TemplateResult {
    return html`<label class="switch"
      ><span>${label}</span
      ><input
        type="checkbox"
        role="switch"
        .checked=${on}
        @change=${(event: Event) => this.set({ [key]: (event.target as HTMLInputElement).checked })}
    /></label>`;
  }
}

customElements.define("sumito-settings", SettingsDialog);
