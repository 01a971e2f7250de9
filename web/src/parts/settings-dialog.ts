// What a person can choose for themselves.

import { html, type PropertyValues, type TemplateResult } from "lit";
import { api } from "../api";
import { type Settings, settings } from "../settings";
import { LANGUAGES, type Language, language, t } from "../words";
import { icon } from "./icon";
import { Part } from "./part";

class SettingsDialog extends Part {
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
        ${this.choice("notation", t("Notation of moves"), [
          ["aba-pro", "Aba-Pro"],
          ["nacre", "Nacre"],
        ])}
        ${this.toggle("sound", now.sound, t("Sounds"))}
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
    api.changeMe({ language: code }).catch(() => undefined);
  }

  private choice(
    key: "theme" | "notation",
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
