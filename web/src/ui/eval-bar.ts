// The evaluation bar: the chances of all sides beside the board.

import { html, nothing, type TemplateResult } from "lit";
import { ref } from "lit/directives/ref.js";
import { percent } from "../domain/evaluation";
import { t } from "../domain/i18n";
import { sideName, sidesOf } from "../domain/modes";
import type { Mode } from "../domain/protocol";

/** Black's share is at the bottom of a vertical bar, and at the left of a horizontal one. */
export function evalBar(mode: Mode, chances: readonly number[] | null): TemplateResult {
  const sides = sidesOf(mode);
  const even = sides.map(() => 1 / sides.length);
  const known = chances ?? even;
  const descriptions = sides.map((side, index) => {
    const name = sideName(mode, side[0] ?? "black");
    return `${name} ${percent(known[index] ?? 0)}`;
  });
  return html`<div
    class="eval-bar ${chances ? "" : "unknown"}"
    role="img"
    aria-label=${chances ? t("Chance of winning: {chances}", { chances: descriptions.join(", ") }) : t("Chance of winning")}
  >
    ${sides.map((side, index) => {
      const share = known[index] ?? 0;
      return html`<span class="share ${side[0]}" ${ref((part) => widen(part, share))}
        >${chances && share >= 0.12 ? html`<b>${Math.round(share * 100)}</b>` : nothing}</span
      >`;
    })}
  </div>`;
}

/** Not by a style attribute, which the page's Content-Security-Policy forbids. */
function widen(part: Element | undefined, share: number): void {
  if (part instanceof HTMLElement) part.style.flexGrow = share.toFixed(4);
}
