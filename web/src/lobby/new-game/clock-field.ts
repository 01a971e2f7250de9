// The clock of a new game: one of a few, or a custom one.

import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../domain/i18n";
import { radioGroup } from "../../ui/form-controls";
import type { ClockChoice, CustomClock } from "./terms";

export function clockField(
  chosen: ClockChoice,
  choose: (clock: ClockChoice) => void,
): TemplateResult {
  const minutes = (count: number) => t("{minutes} min", { minutes: count });
  return html`${radioGroup<ClockChoice>(
    "clock",
    t("Clock"),
    [
      { value: "none", label: t("No clock") },
      { value: "10", label: minutes(10) },
      { value: "15", label: minutes(15) },
      { value: "custom", label: t("Other") },
    ],
    chosen,
    choose,
  )}
  ${
    chosen === "custom"
      ? html`<div class="custom-clock">
          ${numberField("minutes", t("Minutes"), 5, 0.1, 180)}
          ${numberField("seconds", t("Seconds a move"), 5, 0, 60)}
          <label class="field"
            ><span>${t("Kind of extra time")}</span
            ><select name="extra">
              <option value="fischer">${t("Increment")}</option>
              <option value="delay">${t("Delay")}</option>
            </select></label
          >
        </div>`
      : nothing
  }`;
}

/** What the fields of a custom clock say. */
export function customClock(form: FormData): CustomClock {
  return {
    minutes: Number(form.get("minutes")),
    seconds: Number(form.get("seconds")),
    extra: form.get("extra") === "delay" ? "delay" : "fischer",
  };
}

function numberField(
  name: string,
  label: string,
  value: number,
  min: number,
  max: number,
): TemplateResult {
  return html`<label class="field"
    ><span>${label}</span
    ><input type="number" name=${name} value=${value} min=${min} max=${max} step="any" required
  /></label>`;
}
