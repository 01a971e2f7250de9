// What is shown where something should be and isn't: why, and what to do instead.

import { html, nothing, svg, type TemplateResult } from "lit";
import { t } from "../words";
import { icon } from "./icon";

/** The server doesn't give it: another try may help. */
export function absent(why: string, again: () => void): TemplateResult | typeof nothing {
  if (!why) return nothing;
  return html`<div class="absent card" role="alert">
    <p>${why}</p>
    <button class="primary" @click=${again}>${icon("again")} ${t("Try again")}</button>
  </div>`;
}

/** A list with nothing in it yet, and the way to change that. */
export function empty(text: string, action: TemplateResult | typeof nothing): TemplateResult {
  return html`<div class="empty">
    <svg viewBox="-60 -20 120 40" width="120" height="40" aria-hidden="true">
      ${[-40, 0, 40].map((x) => svg`<circle cx=${x} r="15" />`)}
    </svg>
    <p>${text}</p>
    ${action}
  </div>`;
}

/** An address that leads nowhere. */
export function nowhere(title: string, text: string): TemplateResult {
  return html`<section class="plain-page">
    <h1>${title}</h1>
    ${empty(text, html`<a class="button primary" href="/">${t("Back to the board")}</a>`)}
  </section>`;
}
