// The start position of a new game: the chosen one, and all of the mode to choose from.

import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../domain/i18n";
import { grouped, layoutName } from "../../domain/layouts";
import type { Layout } from "../../domain/protocol";
import { littleBoard } from "../../ui/pictures";

/** The chosen layout as a button that opens the picker. */
export function layoutButton(
  layouts: readonly Layout[],
  chosen: string,
  pick: () => void,
): TemplateResult {
  const layout = layouts.find(({ id }) => id === chosen);
  if (!layout) return html`<div class="field layout-now waiting"></div>`;
  const isOnly = layouts.length < 2;
  return html`<div class="field">
    <span class="label">${t("Starting position")}</span>
    <button type="button" class="layout-now" ?disabled=${isOnly} @click=${pick}>
      ${littleBoard(layout.position)}<span>${layoutName(layout)}</span>
      ${isOnly ? nothing : html`<em>${t("Change")}</em>`}
    </button>
  </div>`;
}

export function layoutPicker(
  layouts: readonly Layout[],
  chosen: string,
  query: string,
  search: (query: string) => void,
  choose: (layout: string) => void,
): TemplateResult {
  const groups = grouped(layouts, query);
  return html`<label class="field"
      ><span class="hidden">${t("Search")}</span
      ><input
        type="search"
        placeholder=${t("Search")}
        .value=${query}
        @input=${(event: Event) => search((event.target as HTMLInputElement).value)}
    /></label>
    ${groups.length === 0 ? html`<p class="empty">${t("No such layout.")}</p>` : nothing}
    ${groups.map(
      (group) => html`<h3>${group.title}</h3>
        <div class="layout-grid" role="group" aria-label=${group.title}>
          ${group.layouts.map(
            (layout) => html`<button
              type="button"
              aria-pressed=${layout.id === chosen}
              @click=${() => choose(layout.id)}
            >
              ${littleBoard(layout.position)}<span>${layoutName(layout)}</span>
            </button>`,
          )}
        </div>`,
    )}`;
}
