// The search form of the library: by player, mode, layout, result, days, length or position.

import { html, type TemplateResult } from "lit";
import { t } from "../domain/i18n";
import { grouped, layoutName } from "../domain/layouts";
import { toast } from "../domain/messages";
import { colourName, MODES, modeName } from "../domain/modes";
import type { Layout } from "../domain/protocol";
import { errorText } from "../record/errors";
import { positionFrom } from "../record/position";
import { icon } from "../ui/icon";

/** The form; `search` takes the query of an address. */
export function gameSearch(
  layouts: readonly Layout[],
  search: (wanted: string) => void,
): TemplateResult {
  return html`<form class="card game-search" @submit=${(event: SubmitEvent) => submit(event, search)}>
    <label class="field"><span>${t("Player")}</span><input name="player" maxlength="60" /></label>
    <label class="field"
      ><span>${t("Mode")}</span
      ><select name="mode">
        <option value="">${t("All")}</option>
        ${MODES.map((mode) => html`<option value=${mode}>${modeName(mode)}</option>`)}
      </select></label
    >
    <label class="field"
      ><span>${t("Layout")}</span
      ><select name="layout">
        <option value="">${t("All")}</option>
        ${grouped(layouts, "").map(
          (group) =>
            html`<optgroup label=${group.title}>
              ${group.layouts.map((one) => html`<option value=${one.id}>${layoutName(one)}</option>`)}
            </optgroup>`,
        )}
        <option value="custom">${t("Set up by hand")}</option>
      </select></label
    >
    <label class="field"
      ><span>${t("Winner")}</span
      ><select name="result">
        <option value="">${t("All")}</option>
        ${(["black", "white", "red"] as const).map((one) => html`<option value=${one}>${colourName(one)}</option>`)}
        <option value="draw">${t("Draw")}</option>
      </select></label
    >
    <label class="field"><span>${t("From")}</span><input name="since" type="date" /></label>
    <label class="field"><span>${t("To")}</span><input name="until" type="date" /></label>
    <label class="field"
      ><span>${t("Moves at least")}</span><input name="shortest" type="number" min="0" max="9999"
    /></label>
    <label class="field"
      ><span>${t("Moves at most")}</span><input name="longest" type="number" min="0" max="9999"
    /></label>
    <label class="field wide-field"
      ><span>${t("Games that reached this position")}</span
      ><input name="position" spellcheck="false" autocomplete="off"
    /></label>
    <button class="primary">${icon("eye")} ${t("Search")}</button>
  </form>`;
}

function submit(event: SubmitEvent, search: (wanted: string) => void): void {
  event.preventDefault();
  const wanted = new URLSearchParams();
  try {
    for (const [name, value] of new FormData(event.target as HTMLFormElement)) {
      const text = String(value).trim();
      if (text) wanted.set(name, name === "position" ? positionFrom(text) : text);
    }
    search(wanted.toString());
  } catch (error) {
    toast(errorText(error));
  }
}
