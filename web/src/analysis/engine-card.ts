// The controls of the engine: on or off, number of variations, threats, arrows, server or page.

import { html, nothing, type TemplateResult } from "lit";
import { t } from "../domain/i18n";
import type { Mode } from "../domain/protocol";
import type { Study } from "../record/study";
import { switchInput } from "../ui/form-controls";
import { icon } from "../ui/icon";
import { engineFacts, engineLines } from "./engine-lines";
import type { EngineSession } from "./engine-session";
import type { EngineSettings } from "./engine-settings";

const MAX_LINES = 5;

/** The engine's settings, and how to change them. */
export interface EngineControls {
  readonly settings: EngineSettings;
  readonly isServerOffered: boolean;
  update(change: Partial<EngineSettings>): void;
}

/** The engine's switch and settings, with its variations. */
export function engineCard(
  study: Study,
  mode: Mode,
  engine: EngineSession,
  controls: EngineControls,
): TemplateResult {
  const { on, lines, threat, arrows, useServer } = controls.settings;
  const { result, failed } = engine;
  return html`<div class="card engine-card">
    <div class="engine-head">
      <label class="engine-switch" title=${t("Engine")}>
        ${switchInput(on, { change: () => controls.update({ on: !on }) })}<span class="hidden">${t("Engine")}</span></label
      >
      <p class="engine-facts">
        ${!on ? t("Engine") : failed ? failed : study.board.outcome ? "" : engineFacts(mode, result)}
      </p>
      ${
        on
          ? html`<button
                class="quiet round"
                aria-pressed=${arrows}
                aria-label=${t("Arrows for the best moves")}
                title=${t("Arrows for the best moves")}
                @click=${() => controls.update({ arrows: !arrows })}
              >
                ${icon("up")}
              </button>
              <button
                class="quiet round"
                aria-pressed=${threat}
                aria-label=${t("Threats: what if it were the other's turn?")}
                title="${t("Threats: what if it were the other's turn?")} (X)"
                @click=${() => controls.update({ threat: !threat })}
              >
                ${icon("threat")}
              </button>
              <button
                class="quiet round count"
                aria-label=${t("Lines: {count}", { count: lines })}
                title=${t("Lines: {count}", { count: lines })}
                @click=${() => controls.update({ lines: (lines % MAX_LINES) + 1 })}
              >
                ${lines}
              </button>`
          : nothing
      }
    </div>
    ${
      on && !study.board.outcome
        ? engineLines(result, lines, threat ? null : (moves) => study.playLine(moves))
        : nothing
    }
    ${on && controls.isServerOffered ? serverSwitch(useServer, controls) : nothing}
  </div>`;
}

function serverSwitch(useServer: boolean, controls: EngineControls): TemplateResult {
  return html`<label class="engine-switch engine-server">
    ${switchInput(useServer, { change: () => controls.update({ useServer: !useServer }) })}
    ${t("Use the server's engine")}</label
  >`;
}
