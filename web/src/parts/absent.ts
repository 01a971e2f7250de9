// What is shown where something should be that the server doesn't give: why, and another try.

import { html, nothing, type TemplateResult } from "lit";
import { t } from "../words";
import { icon } from "./icon";

export function absent(why: string, again: () => void): TemplateResult | typeof nothing {
  if (!why) return nothing;
  return html`<div class="absent card" role="alert">
    <p>${why}</p>
    <button class="primary" @click=${again}>${icon("again")} ${t("Try again")}</button>
  </div>`;
}
