// The bar of buttons that step through the moves of a game.

import { html, nothing, type TemplateResult } from "lit";
import { t } from "../domain/i18n";
import { type IconName, icon } from "./icon";

/** A list of moves with a place in it. */
export interface Steps {
  readonly isAtStart: boolean;
  readonly isAtEnd: boolean;
  toStart(): void;
  back(): void;
  forward(): void;
  toEnd(): void;
}

/** The steps of a list by index: from 0 to `last`. */
export function stepsOf(at: number, last: number, go: (to: number) => void): Steps {
  return {
    isAtStart: at === 0,
    isAtEnd: at === last,
    toStart: () => go(0),
    back: () => go(at - 1),
    forward: () => go(at + 1),
    toEnd: () => go(last),
  };
}

/** To the start, back, forward, to the end; `more` follows them, and `end` names the last button. */
export function stepBar(
  steps: Steps,
  more: TemplateResult | typeof nothing = nothing,
  end = t("End"),
): TemplateResult {
  const { isAtStart, isAtEnd } = steps;
  return html`<div class="steps" role="toolbar" aria-label=${t("Go through the game")}>
    ${button("first", t("Start"), isAtStart, () => steps.toStart())}
    ${button("previous", t("Back"), isAtStart, () => steps.back())}
    ${button("next", t("Forward"), isAtEnd, () => steps.forward())}
    ${button("last", end, isAtEnd, () => steps.toEnd())} ${more}
  </div>`;
}

function button(name: IconName, label: string, off: boolean, act: () => void): TemplateResult {
  return html`<button class="quiet" aria-label=${label} title=${label} ?disabled=${off} @click=${act}>
    ${icon(name)}
  </button>`;
}
