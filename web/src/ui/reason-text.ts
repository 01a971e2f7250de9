// A reason as it is shown: the players' term in it as a button, and a link to the rule.

import { html, nothing, type TemplateResult } from "lit";
import { t } from "../domain/i18n";
import { address } from "../domain/navigation";
import type { ReasonText, Term } from "../domain/reasons";

/** A sentence with its term as a button, and a link to its rule. */
export function withTerm(
  { text, term, section }: ReasonText,
  open: (term: Term) => void,
): TemplateResult {
  const rule = section ? ruleLink(section) : nothing;
  const [before = "", word, after = ""] = text.split("*");
  if (!term || word === undefined) return html`${text.replaceAll("*", "")} ${rule}`;
  // Punctuation behind the term isn't separated from it by a line break.
  const mark = /^ ?[.,:;!?)]*/.exec(after)?.[0] ?? "";
  return html`${before}<span class="together"
      ><button type="button" class="term" @click=${() => open(term)}>${word}</button>${mark}</span
    >${after.slice(mark.length)} ${rule}`;
}

/** Opens in another tab, so that the reader stays in the game. */
function ruleLink(section: string): TemplateResult {
  return html`<a class="rule" href=${address(`/rules#${section}`)} target="_blank">${t("Rule")}</a>`;
}

export function glossary(term: Term | null): TemplateResult | typeof nothing {
  if (term === null) return nothing;
  const texts: Record<Term, [string, string]> = {
    pac: [
      t("Pac"),
      t(
        "Two rows of the same length face each other: 1 against 1, 2 against 2 or 3 against 3. Neither can push the other. A fourth marble doesn't help, since only three count.",
      ),
    ],
    sumito: [
      t("Sumito"),
      t(
        "A push: 2 against 1, 3 against 1 or 3 against 2 in one line, right next to each other, with a free hole or the rim behind the pushed marbles.",
      ),
    ],
    "side-step": [
      t("Side-step"),
      t(
        "Two or three marbles in a row move sideways together. Each needs a free hole; a side-step never pushes.",
      ),
    ],
    rim: [
      t("Rim"),
      t(
        "The edge of the board. A marble pushed over it is out for good; nobody may push off a marble of their own side.",
      ),
    ],
  };
  const [title, text] = texts[term];
  return html`<b>${title}</b> ${text}`;
}
