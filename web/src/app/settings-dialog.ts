// The settings dialog.

import { html, nothing, type TemplateResult } from "lit";
import { userSession } from "../client/session";
import { LANGUAGES, type Language, language, t } from "../domain/i18n";
import {
  BOARDS,
  type BoardTheme,
  MARBLE_SETS,
  type MarbleSet,
  type Settings,
  settings,
} from "../storage/preferences";
import { DialogElement } from "../ui/dialog";
import { radioGroup, switchField } from "../ui/form-controls";
import { sample } from "../ui/pictures";
import { sounds } from "../ui/sounds";

/** Only touch devices vibrate. */
function canVibrate(): boolean {
  return "vibrate" in navigator && matchMedia("(pointer: coarse)").matches;
}

class SettingsDialog extends DialogElement {
  private set(change: Partial<Settings>): void {
    settings.set(change);
    this.requestUpdate();
  }

  override render(): TemplateResult {
    const now = settings.now;
    const content = html`<label class="field"
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
        ${this.appearance()}
        ${this.choice("pace", t("The computer's moves"), [
          ["natural", t("With a short pause")],
          ["none", t("Immediately")],
        ])}
        ${this.choice("notation", t("Notation of moves"), [
          ["aba-pro", "Aba-Pro"],
          ["nacre", "Nacre"],
        ])}
        ${this.toggle("sound", now.sound, t("Sounds"))}
        ${now.sound ? this.volume() : nothing}
        ${canVibrate() ? this.toggle("haptics", now.haptics, t("Vibration")) : nothing}
        ${"Notification" in window ? this.notifications() : nothing}
        ${this.toggle("coordinates", now.coordinates, t("Coordinates on the rim"))}
        ${this.toggle("letters", now.letters, t("Letters on the marbles"))}
        ${this.toggle("allFormations", now.allFormations, t("Name groups, lances within them and 1–1 pacs, too"))}
        ${this.toggle("confirm", now.confirm, t("Ask before each move is played"))}
        <details class="keys">
          <summary>${t("Playing with the keyboard")}</summary>
          <p>${t("Arrow keys move over the board. Enter selects a marble; Enter on a second one selects the row. W, E, A, D, Z and X, which lie around S, move it in their direction. Escape deselects.")}</p>
        </details>`;
    return this.sheet(t("Settings"), content, (event) => {
      event.preventDefault();
      this.dialog?.close();
    });
  }

  private speak(code: string): void {
    this.set({ language: code as Language });
    // The server's messages follow; if it can't be reached the page speaks the language anyway.
    userSession.update({ language: code }).catch(() => undefined);
  }

  /** Boards and marbles, to be seen before they are chosen. */
  private appearance(): TemplateResult {
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
    const picture = (value: Settings[K]) =>
      key === "board"
        ? sample({ board: value as BoardTheme })
        : sample({ marbles: value as MarbleSet });
    return radioGroup(
      key,
      label,
      options.map((value) => ({ value, label: html`${picture(value)}${names[value]}` })),
      settings.now[key],
      (value) => this.set({ [key]: value }),
      "samples",
    );
  }

  private notifications(): TemplateResult {
    return switchField(t("Tell me when it is my turn"), settings.now.notify, {
      change: async (on, box) => {
        const allowed = on && (await Notification.requestPermission()) === "granted";
        box.checked = allowed;
        this.set({ notify: allowed });
      },
    });
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
    return radioGroup(
      key,
      label,
      options.map(([value, name]) => ({ value, label: name })),
      settings.now[key],
      (value) => this.set({ [key]: value }),
    );
  }

  private toggle(key: keyof Settings, on: boolean, label: string): TemplateResult {
    return switchField(label, on, { change: (value) => this.set({ [key]: value }) });
  }
}

customElements.define("sumito-settings", SettingsDialog);
