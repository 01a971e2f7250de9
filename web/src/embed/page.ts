// A board for other people's pages, in an <iframe>: a position, the moves from it to step through,
// and a link to the analysis board.

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { linkTo, recordFromLink } from "../record/links";
import { recordFromQuery } from "../record/sources";
import "../ui/variation-board";
import "../ui/analysis-layout.css";
import { colourName } from "../domain/modes";
import { START, Study } from "../record/study";
import { icon } from "../ui/icon";
import { stepBar } from "../ui/step-buttons";
import "../ui/move-list.css";
import { BaseElement } from "../ui/element";
import "../ui/play-area.css";
import { t } from "../domain/i18n";
import { errorText } from "../record/errors";
import { referee } from "../record/referee";
import { playersOf } from "../record/tags";
import "./embed.css";

class EmbedPage extends BaseElement {
  @property({ attribute: false }) query = "";
  @state() study: Study | null = null;
  @state() failed = "";
  private readonly changed = () => this.requestUpdate();

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("query")) void this.load(this.query);
  }

  private async load(query: string): Promise<void> {
    try {
      const judge = await referee();
      const requested =
        (await recordFromQuery(query, judge)) ?? (await recordFromLink(query, judge));
      const study = requested ? new Study(judge, [requested.record]) : Study.from(judge, START);
      if (requested) study.go(requested.node);
      study.addEventListener("change", this.changed);
      this.study = study;
    } catch (error) {
      this.failed = errorText(error);
    }
  }

  override render(): TemplateResult {
    const { study } = this;
    return html`<div class="embed-page">
      <h1 class="hidden">${t("Board")}</h1>
      <sumito-variation-board
        .board=${study?.board ?? null}
        .last=${study?.node.effect ?? null}
        .locked=${true}
      ></sumito-variation-board>
      <p class="embed-text">${this.failed || (study ? this.caption(study) : "")}</p>
      ${study ? this.foot(study) : nothing}
    </div>`;
  }

  private caption(study: Study): string {
    const { tags } = study.record;
    if (study.node.comment) return study.node.comment;
    if (tags.Black !== "?") return playersOf(tags);
    return study.board.outcome ? "" : t("{name} to move.", { name: colourName(study.board.turn) });
  }

  private foot(study: Study): TemplateResult {
    const link = html`<a
      class="button quiet"
      href=${linkTo(study.record, study.node)}
      target="_blank"
      rel="noopener"
      >${icon("engine")} ${t("Analyse")}</a
    >`;
    return stepBar(study, link);
  }
}

customElements.define("sumito-embed", EmbedPage);
