// A board for other people's pages, in an <iframe>: a position, the moves from it to step through,
// and a link to the analysis board.

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { linkTo, recordFromLink } from "../record/links";
import { recordFromQuery } from "../record/sources";
import "../ui/variation-board";
import "../ui/analysis-layout.css";
import { colourName } from "../domain/modes";
import { START, Study } from "../record/study";
import { type IconName, icon } from "../ui/icon";
import "../ui/move-list.css";
import { BaseElement } from "../ui/element";
import "../ui/play-area.css";
import { t } from "../domain/i18n";
import { errorText } from "../record/errors";
import { referee } from "../record/referee";
import { playersOf } from "../record/tags";
import "./embed.css";

class EmbedPage extends BaseElement {
  static override properties = {
    asked: { attribute: false },
    study: { state: true },
    failed: { state: true },
  };
  declare asked: string;
  declare study: Study | null;
  declare failed: string;
  private readonly changed = () => this.requestUpdate();

  constructor() {
    super();
    this.asked = "";
    this.study = null;
    this.failed = "";
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("asked")) void this.load(this.asked);
  }

  private async load(query: string): Promise<void> {
    try {
      const judge = await referee();
      const given = (await recordFromQuery(query, judge)) ?? (await recordFromLink(query, judge));
      const study = given ? new Study(judge, [given.record]) : Study.from(judge, START);
      if (given) study.go(given.node);
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
    const { node } = study;
    const button = (name: IconName, label: string, off: boolean, act: () => void) =>
      html`<button class="quiet" aria-label=${label} title=${label} ?disabled=${off} @click=${act}>
        ${icon(name)}
      </button>`;
    return html`<div class="steps">
      ${button("first", t("Start"), node.parent === null, () => study.toStart())}
      ${button("previous", t("Back"), node.parent === null, () => study.back())}
      ${button("next", t("Forward"), node.next === null, () => study.forward())}
      ${button("last", t("End"), node.next === null, () => study.toEnd())}
      <a
        class="button quiet"
        href=${linkTo(study.record, study.node)}
        target="_blank"
        rel="noopener"
        >${icon("engine")} ${t("Analyse")}</a
      >
    </div>`;
  }
}

customElements.define("sumito-embed", EmbedPage);
