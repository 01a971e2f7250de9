// Marks in teaching texts: *a term of the game*, **a heading within a paragraph**.

import { html, type TemplateResult } from "lit";

export function richText(text: string): TemplateResult {
  const pieces = text.split(/(\*\*[^*]+\*\*|\*[^*]+\*)/);
  return html`${pieces.map((piece) => {
    if (piece.startsWith("**")) return html`<strong>${piece.slice(2, -2)}</strong>`;
    return piece.startsWith("*") ? html`<em>${piece.slice(1, -1)}</em>` : piece;
  })}`;
}
