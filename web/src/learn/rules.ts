// The rulebook: the rules of every mode with all figures; printed, it is the booklet.

import { html, type TemplateResult } from "lit";
import { t } from "../domain/i18n";
import { icon } from "../ui/icon";
import { booklet } from "./booklet";
import "./figure";
import "./print.css";
import { richText } from "./rich-text";
import "./rules.css";
import { LessonPageBase } from "./lesson-page-base";
import { SECTIONS, type Section, teachingText } from "./teaching";

type Block = Section["blocks"][number];

class Rules extends LessonPageBase {
  protected override heading(): string {
    return teachingText("rules.title");
  }

  protected override page(): TemplateResult {
    return html`<section class="plain-page rules">
      <h1>${teachingText("rules.title")}</h1>
      <div class="rules-tools">
        <nav class="contents" aria-label=${t("Contents")}>
          ${SECTIONS.map(({ id }) => html`<a href="/rules#${id}">${teachingText(`rules.${id}.title`)}</a>`)}
        </nav>
        <p>
          <button @click=${() => print()}>${icon("print")} ${t("Print as a booklet")}</button>
          <a class="button quiet" href="/learn">${icon("learn")} ${teachingText("course.title")}</a>
          <a class="button quiet" href="/words">${teachingText("words.title")}</a>
        </p>
      </div>
      ${SECTIONS.map((section) => this.chapter(section))} ${booklet()}
    </section>`;
  }

  private chapter({ id, blocks }: Section): TemplateResult {
    return html`<section class="chapter" id=${id}>
      <h2>${teachingText(`rules.${id}.title`)}</h2>
      ${together(blocks).map((group) =>
        group[0]?.figure
          ? html`<div class="figures figures-${group.length}">
              ${group.map(({ figure }) => html`<sumito-figure .name=${figure}></sumito-figure>`)}
            </div>`
          : html`<p>${richText(teachingText(`rules.${id}.${group[0]?.text}`))}</p>`,
      )}
    </section>`;
  }
}

/** Figures that follow each other stand side by side. */
function together(blocks: readonly Block[]): Block[][] {
  const groups: Block[][] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    if (block.figure && last?.[0]?.figure) last.push(block);
    else groups.push([block]);
  }
  return groups;
}

customElements.define("sumito-rules", Rules);
