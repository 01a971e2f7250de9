// The rulebook as a booklet on A5, for printing: cover, set-up, rules with cropped figures, glossary,
// a score sheet and an empty board. On the screen it is hidden.

import { html, nothing, type TemplateResult } from "lit";
import { t } from "../domain/i18n";
import { colourName } from "../domain/modes";
import "./booklet.css";
import { emptyBoard, figurePicture } from "./figure-picture";
import { richText } from "./rich-text";
import { FIGURES, SECTIONS, type Section, teachingText, WORD_LIST } from "./teaching";

/** Numbered lines on the score sheet, in two columns. */
const LINES = 25;

export function booklet(): TemplateResult {
  return html`<div class="booklet">
    ${cover()} ${SECTIONS.map((section) => chapter(section))} ${glossary()} ${scoreSheet()}
    <section class="leaf">
      <h2>${teachingText("booklet.board.title")}</h2>
      ${emptyBoard()}
    </section>
  </div>`;
}

function cover(): TemplateResult {
  const start = FIGURES["belgian-daisy"]?.[0];
  const needed = ["board", "two", "three", "teams"] as const;
  return html`<section class="leaf cover">
    <p class="booklet-name">Sumito</p>
    <h1>${teachingText("rules.title")}</h1>
    ${start ? figurePicture(start, { whole: true }) : nothing}
    <p class="players">${teachingText("booklet.players")}</p>
    <h2>${teachingText("booklet.material.title")}</h2>
    <ul>
      ${needed.map((one) => html`<li>${teachingText(`booklet.material.${one}`)}</li>`)}
    </ul>
  </section>`;
}

/** The paragraphs of a chapter, and its figures below them, two a row. */
function chapter({ id, blocks }: Section): TemplateResult {
  const figures = blocks.flatMap(({ figure }) => figure ?? []);
  return html`<section class="booklet-chapter">
    <h2>${teachingText(`rules.${id}.title`)}</h2>
    ${blocks.map(({ text }) =>
      text ? html`<p>${richText(teachingText(`rules.${id}.${text}`))}</p>` : nothing,
    )}
    ${figures.length > 0 ? html`<div class="pictures">${figures.map(picture)}</div>` : nothing}
  </section>`;
}

function picture(name: string): TemplateResult {
  const boards = FIGURES[name] ?? [];
  const whole = /^start|daisy$/.test(name);
  return html`<figure class="pictures-${boards.length}">
    <div>${boards.map((board) => figurePicture(board, { whole }))}</div>
    <figcaption>${teachingText(`figure.${name}`)}</figcaption>
  </figure>`;
}

function glossary(): TemplateResult {
  return html`<section class="booklet-chapter booklet-words">
    <h2>${teachingText("words.title")}</h2>
    <dl>
      ${WORD_LIST.map(
        ({ id }) => html`<div>
          <dt>${teachingText(`word.${id}.name`)}</dt>
          <dd>${teachingText(`word.${id}.meaning`)} ${teachingText(`word.${id}.use`)}</dd>
        </div>`,
      )}
    </dl>
  </section>`;
}

function scoreSheet(): TemplateResult {
  const heads = [teachingText("booklet.score.number"), colourName("black"), colourName("white")];
  const row = (number: number) => html`<tr><th scope="row">${number}</th><td></td><td></td></tr>`;
  const table = (from: number) => html`<table>
    <thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
    <tbody>${Array.from({ length: LINES }, (_, n) => row(from + n))}</tbody>
  </table>`;
  const fields = [
    teachingText("booklet.score.event"),
    teachingText("booklet.score.date"),
    colourName("black"),
    colourName("white"),
    teachingText("booklet.score.result"),
    t("Clock"),
  ];
  return html`<section class="leaf score-sheet">
    <h2>${teachingText("booklet.score.title")}</h2>
    <div class="score-fields">${fields.map((field) => html`<span>${field}</span>`)}</div>
    <div class="score-tables">${table(1)}${table(LINES + 1)}</div>
  </section>`;
}
