// The card of the engine on the analysis board: on or off, how many lines, threats, arrows.

import { html, nothing, type TemplateResult } from "lit";
import { t } from "../domain/i18n";
import type { Mode } from "../domain/protocol";
import type { Study } from "../record/study";
import { icon } from "../ui/icon";
import { engineFacts, engineLines } from "./engine-lines";
import type { LiveEngine } from "./engine-session";
import type { EngineWish } from "./engine-settings";

const MOST_LINES = 5;

/** What is wished of the engine, and how to wish otherwise. */
export interface Wishing {
  readonly now: EngineWish;
  /** The server lends its engine. */
  readonly offered: boolean;
  change(wish: Partial<EngineWish>): void;
}

/** The engine's lines, and what one wishes of it. */
export function engineCard(
  study: Study,
  mode: Mode,
  live: LiveEngine,
  wish: Wishing,
): TemplateResult {
  const { on, lines, threat, arrows, deeper } = wish.now;
  const { insight, failed } = live;
  return html`<div class="card engine-card">
    <div class="engine-head">
      <label class="engine-switch" title=${t("Engine")}>
        <input
          type="checkbox"
          role="switch"
          .checked=${on}
          @change=${() => wish.change({ on: !on })}
        /><span class="hidden">${t("Engine")}</span></label
      >
      <p class="engine-facts">
        ${!on ? t("Engine") : failed ? failed : study.board.outcome ? "" : engineFacts(mode, insight)}
      </p>
      ${
        on
          ? html`<button
                class="quiet round"
                aria-pressed=${arrows}
                aria-label=${t("Arrows for the best moves")}
                title=${t("Arrows for the best moves")}
                @click=${() => wish.change({ arrows: !arrows })}
              >
                ${icon("up")}
              </button>
              <button
                class="quiet round"
                aria-pressed=${threat}
                aria-label=${t("Threats: what if it were the other's turn?")}
                title="${t("Threats: what if it were the other's turn?")} (X)"
                @click=${() => wish.change({ threat: !threat })}
              >
                ${icon("threat")}
              </button>
              <button
                class="quiet round count"
                aria-label=${t("Lines: {count}", { count: lines })}
                title=${t("Lines: {count}", { count: lines })}
                @click=${() => wish.change({ lines: (lines % MOST_LINES) + 1 })}
              >
                ${lines}
              </button>`
          : nothing
      }
    </div>
    ${
      on && !study.board.outcome
        ? engineLines(insight, lines, threat ? null : (moves) => study.playLine(moves))
        : nothing
    }
    ${on && wish.offered ? deeperSwitch(deeper, wish) : nothing}
  </div>`;
}

function deeperSwitch(deeper: boolean, wish: Wishing): TemplateResult {
  return html`<label class="engine-switch engine-deeper">
    <input
      type="checkbox"
      role="switch"
      .checked=${deeper}
      @change=${() => wish.change({ deeper: !deeper })}
    />
    ${t("Deeper: by the server")}</label
  >`;
}
