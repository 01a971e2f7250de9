// The glossary: each term in four languages, its meaning, its use, and an example.

import { html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { LANGUAGES, type Language, language, t } from "../domain/i18n";
import "./figure";
import { figurePicture } from "./figure-picture";
import "./glossary.css";
import "./print.css";
import { LessonPageBase } from "./lesson-page-base";
import { FIGURES, teachingText, textsOf, WORD_LIST, type Word } from "./teaching";

type Names = Readonly<Record<string, string>>;

class Glossary extends LessonPageBase {
  /** The texts of every language, for the names in them. */
  @state() names: Partial<Record<Language, Names>> = {};

  override connectedCallback(): void {
    super.connectedCallback();
    for (const one of Object.keys(LANGUAGES) as Language[]) {
      void textsOf(one).then((texts) => {
        this.names = { ...this.names, [one]: texts };
      });
    }
  }

  protected override heading(): string {
    return teachingText("words.title");
  }

  protected override page(): TemplateResult {
    return html`<section class="plain-page glossary">
      <h1>${teachingText("words.title")}</h1>
      <nav class="word-index" aria-label=${t("Contents")}>
        ${WORD_LIST.map(({ id }) => html`<a class="chip button" href="/words#${id}">${teachingText(`word.${id}.name`)}</a>`)}
      </nav>
      <div class="word-list">${WORD_LIST.map((word) => this.entry(word))}</div>
      <p><a href="/rules">${teachingText("rules.title")}</a> · <a href="/learn">${teachingText("course.title")}</a></p>
    </section>`;
  }

  private entry({ id, example, cells }: Word): TemplateResult {
    const others = (Object.keys(LANGUAGES) as Language[]).filter((one) => one !== language());
    return html`<article class="word card" id=${id}>
      <sumito-figure .name=${example} .cells=${cells} .captioned=${false}></sumito-figure>
      <div class="word-picture">${pictureOf(example, cells)}</div>
      <div>
        <h2>${teachingText(`word.${id}.name`)}</h2>
        <p>${teachingText(`word.${id}.meaning`)}</p>
        <p class="use">${teachingText(`word.${id}.use`)}</p>
        <dl>
          ${others.map(
            (one) =>
              html`<div>
                <dt>${LANGUAGES[one]}</dt>
                <dd lang=${one}>${this.names[one]?.[`word.${id}.name`] ?? ""}</dd>
              </div>`,
          )}
        </dl>
      </div>
    </article>`;
  }
}

/** The first board of a figure, for printing. */
function pictureOf(name: string, cells: readonly string[]): TemplateResult | typeof nothing {
  const figure = FIGURES[name]?.[0];
  return figure ? figurePicture(figure, { lit: cells, whole: name.startsWith("start") }) : nothing;
}

customElements.define("sumito-glossary", Glossary);
