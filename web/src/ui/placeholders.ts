// Placeholders for what is missing: an error with another try, an empty list, an unknown address.

import { html, nothing, svg, type TemplateResult } from "lit";
import { t } from "../domain/i18n";
import { icon } from "./icon";

/** The server doesn't give it: another try may help. */
export function loadError(why: string, again: () => void): TemplateResult | typeof nothing {
  if (!why) return nothing;
  return html`<div class="placeholder card" role="alert">
    <p>${why}</p>
    <button class="primary" @click=${again}>${icon("again")} ${t("Try again")}</button>
  </div>`;
}

/** A page whose code couldn't be fetched: the network is gone, or the server has a newer version. */
export function notLoaded(again: () => void): TemplateResult {
  return html`<section class="plain-page">
    <div class="placeholder card" role="alert">
      <h1>${t("This page couldn't be loaded")}</h1>
      <p>${t("Perhaps the connection is gone, or there is a newer version of the page.")}</p>
      <div class="row">
        <button class="primary" @click=${again}>${icon("again")} ${t("Try again")}</button>
        <button @click=${() => location.reload()}>${t("Reload")}</button>
      </div>
    </div>
  </section>`;
}

/** An empty list, with a link to what fills it. */
export function empty(text: string, action: TemplateResult | typeof nothing): TemplateResult {
  return html`<div class="empty">
    <svg viewBox="0 0 214 96" width="214" height="96" aria-hidden="true">
      <path class="empty-path" d="M39 40C60 4 86 4 107 40" />
      <rect class="empty-wood" x="9" y="38" width="196" height="52" rx="26" />
      ${[73, 107, 141, 175].map((x) => svg`<circle class="empty-hole" cx=${x} cy="64" r="14" />`)}
      <circle class="empty-marble" cx="39" cy="60" r="16" />
      <ellipse class="empty-shine" cx="34" cy="53" rx="5" ry="3.5" transform="rotate(-35 34 53)" />
    </svg>
    <p>${text}</p>
    ${action}
  </div>`;
}

/** An address that leads nowhere; another way than to the board may be more to the point. */
export function notFound(title: string, text: string, way?: TemplateResult): TemplateResult {
  return html`<section class="plain-page">
    <h1>${title}</h1>
    ${empty(text, way ?? html`<a class="button primary" href="/">${t("Back to the board")}</a>`)}
  </section>`;
}

/** A page that needs a server, on a web host without one. */
export function needsServer(): TemplateResult {
  return notFound(
    t("Not available here"),
    t(
      "This copy of the game has no server: there are no accounts, ratings or games over the network. Everything else works.",
    ),
  );
}
