// The step buttons of an analysis, and the form that annotates the shown move.

import { html, nothing, type TemplateResult } from "lit";
import { t } from "../domain/i18n";
import type { Study } from "../record/study";
import { GLYPHS } from "../record/tree";
import { formationsSwitch } from "../ui/formations";
import { icon } from "../ui/icon";
import { stepBar } from "../ui/step-buttons";

/** The buttons that go through the game, and what else is done with the board. */
export function steps(study: Study, drawing: boolean, draw: () => void): TemplateResult {
  const more = html`<button
      class="quiet"
      aria-label=${t("Draw arrows and rings")}
      title=${t("Draw arrows and rings")}
      aria-pressed=${drawing}
      @click=${draw}
    >
      ${icon("pen")}
    </button>
    ${formationsSwitch()}`;
  return stepBar(study, more);
}

/** The form that annotates the shown move. */
export function annotationForm(study: Study): TemplateResult {
  const { node } = study;
  const isMove = node.parent !== null;
  return html`<div class="annotate">
    ${
      isMove
        ? html`<div class="glyphs" role="group" aria-label=${t("Marks")}>
            ${["!!", "!", "!?", "?!", "?", "??"].map(
              (glyph) =>
                html`<button
                  class="chip"
                  aria-pressed=${node.nags.includes(GLYPHS[glyph] ?? -1)}
                  title=${glyphName(glyph)}
                  aria-label=${glyphName(glyph)}
                  @click=${() => study.mark(glyph)}
                >
                  ${glyph}
                </button>`,
            )}
            ${
              node.isPlayed
                ? nothing
                : html`<button
                    class="chip"
                    aria-label=${t("Make this the main line")}
                    title=${t("Make this the main line")}
                    @click=${() => study.promote()}
                  >
                    ${icon("up")}
                  </button>`
            }
            <button
              class="chip"
              aria-label=${t("Delete from here")}
              title=${t("Delete from here")}
              @click=${() => study.remove()}
            >
              ${icon("trash")}
            </button>
          </div>`
        : nothing
    }
    <input
      class="comment"
      maxlength="2000"
      aria-label=${t("Comment")}
      placeholder=${t("Comment")}
      .value=${node.comment}
      @change=${(event: Event) => study.comment((event.target as HTMLInputElement).value)}
    />
  </div>`;
}

function glyphName(glyph: string): string {
  const names: Record<string, string> = {
    "!!": t("Brilliant move"),
    "!": t("Good move"),
    "!?": t("Interesting move"),
    "?!": t("Dubious move"),
    "?": t("Mistake"),
    "??": t("Blunder"),
  };
  return names[glyph] ?? glyph;
}
