// The names of the people at one screen, and drawing lots for their colours.

import { html, type TemplateResult } from "lit";
import { isStill } from "../../board/animate";
import { t } from "../../domain/i18n";
import { colourName, coloursOf } from "../../domain/modes";
import type { Colour, Mode } from "../../domain/protocol";
import { icon } from "../../ui/icon";
import { littleMarble } from "../../ui/pictures";
import type { PlayerNames } from "./terms";

export function nameFields(
  mode: Mode,
  names: PlayerNames,
  isDrawing: boolean,
  change: (names: PlayerNames) => void,
  draw: () => void,
): TemplateResult {
  const field = (colour: Colour) =>
    html`<label
      >${littleMarble(colour)}<input
        maxlength="30"
        autocomplete="off"
        aria-label=${colourName(colour)}
        placeholder=${colourName(colour)}
        .value=${names[colour] ?? ""}
        @input=${(event: Event) =>
          change({ ...names, [colour]: (event.target as HTMLInputElement).value })}
    /></label>`;
  return html`<fieldset class="field names">
    <legend>${t("Names")}</legend>
    ${coloursOf(mode).map(field)}
    <button type="button" class="quiet" ?disabled=${isDrawing} @click=${draw}>
      ${icon("dice")} ${t("Draw lots for the colours")}
    </button>
  </fieldset>`;
}

/** Shuffle the names a few times, slower and slower; resolves when they stay. */
export function drawLots(shuffle: () => void): Promise<void> {
  const times = isStill() ? 1 : 9;
  const after = (k: number) => 70 * k + 6 * k * k;
  for (let k = 0; k < times; k++) setTimeout(shuffle, after(k));
  return new Promise((resolve) => setTimeout(resolve, after(times - 1)));
}
