// The engine's variations with their scores, and the depth it has reached.

import { html, nothing, type TemplateResult } from "lit";
import { percent, scoreText } from "../domain/evaluation";
import { t } from "../domain/i18n";
import { sideName } from "../domain/modes";
import type { Mode } from "../domain/protocol";
import type { EngineResult, JudgedLine } from "./engine-session";

const SHOWN_MOVES = 12;

/** The lines; `play` takes the moves up to the one that was chosen. */
export function engineLines(
  result: EngineResult | null,
  wanted: number,
  play: ((moves: readonly string[]) => void) | null,
): TemplateResult {
  const lines = result?.lines ?? [];
  const empty = Math.max(0, wanted - lines.length);
  return html`<ol class="engine-lines" aria-label=${t("Engine lines")}>
    ${lines.map((line) => lineRow(line, play))}
    ${Array.from({ length: empty }, () => html`<li class="engine-line empty" aria-hidden="true">&nbsp;</li>`)}
  </ol>`;
}

function lineRow(
  line: JudgedLine,
  play: ((moves: readonly string[]) => void) | null,
): TemplateResult {
  return html`<li class="engine-line">
    <b class="chance">${percent(line.chance)}</b>
    <span class="score">${scoreText(line)}</span>
    <span class="pv"
      >${line.pv.slice(0, SHOWN_MOVES).map((move, index) =>
        play
          ? html`<button
              class="quiet"
              title=${t("Show the line up to here")}
              @click=${() => play(line.pv.slice(0, index + 1))}
            >
              ${move}
            </button>`
          : html`<span>${move}</span>`,
      )}</span
    >
  </li>`;
}

/** Depth, nodes a second, and whose chances are shown. */
export function engineFacts(
  mode: Mode,
  result: EngineResult | null,
): TemplateResult | typeof nothing {
  const best = result?.lines[0];
  if (!result || !best) return html`<span>${t("Looking…")}</span>`;
  const speed = best.time > 0 ? Math.round(best.nodes / best.time) : 0;
  const side = sideName(mode, result.turn);
  return html`<span class="depth">${t("Depth {depth}", { depth: best.depth })}</span>
    <span class="speed">${t("{count} kn/s", { count: speed })}</span>
    ${result.isFromServer ? html`<span class="by">${t("Server")}</span>` : nothing}
    <span class="for">${result.isThreat ? t("If {side} were to move", { side }) : t("for {side}", { side })}</span>`;
}
