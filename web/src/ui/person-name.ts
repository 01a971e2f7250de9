// Names of people; guests' in italics, since a guest may choose any free name.

import { html, type TemplateResult } from "lit";
import { t } from "../domain/i18n";

/** A person's name; a guest's is in italics and marked as a guest's. */
export function personName(name: string, isGuest: boolean): string | TemplateResult {
  if (!isGuest) return name;
  return html`<i class="guest" title=${t("Guest")}>${name}<span class="hidden"> (${t("Guest")})</span></i>`;
}
