// The tree of moves as text to step through: the main line, and variations in boxes.

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { signed } from "../domain/evaluation";
import { t } from "../domain/i18n";
import { colourName } from "../domain/modes";
import { glyphOf, type Node } from "../record/tree";
import { settings } from "../storage/preferences";
import { BaseElement } from "../ui/element";
import { littleMarble } from "../ui/pictures";

const KINDS: Readonly<Record<number, string>> = {
  1: "good",
  2: "bad",
  3: "good",
  4: "bad",
  5: "interesting",
  6: "dubious",
};

class TreeView extends BaseElement {
  static override properties = {
    root: { attribute: false },
    node: { attribute: false },
    version: { attribute: false },
  };
  declare root: Node;
  declare node: Node;
  /** Grows with every change, since the tree itself stays the same. */
  declare version: number;

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has("node") && !changed.has("root")) return;
    const current = this.querySelector<HTMLElement>("[aria-current=step]");
    const top = current ? current.offsetTop - this.clientHeight / 2 : 0;
    this.scrollTo({ top });
  }

  override render(): TemplateResult {
    const { root } = this;
    if (!root.next) {
      return html`<p class="tree-empty">${t("Play a move on the board, for either side.")}</p>
        ${comment(root.comment)}`;
    }
    return html`${comment(root.comment)}
      <div class="tree-line">${this.line(root, true)}</div>`;
  }

  private line(from: Node, begins: boolean): TemplateResult[] {
    const parts: TemplateResult[] = [];
    let numbered = begins;
    for (let node = from; node.next !== null; node = node.next) {
      const next: Node = node.next;
      const others = node.children.slice(1);
      parts.push(this.move(next, numbered || !next.label.endsWith("...")));
      parts.push(comment(next.comment));
      for (const other of others) parts.push(this.variation(other));
      numbered = next.comment !== "" || others.length > 0;
    }
    return parts;
  }

  private variation(first: Node): TemplateResult {
    return html`<div class="tree-variation">
      ${comment(first.opening)}${this.move(first, true)}${comment(first.comment)}${this.line(first, first.comment !== "")}
    </div>`;
  }

  private move(node: Node, numbered: boolean): TemplateResult {
    const { effect, seat } = node;
    const text = settings.now.notation === "nacre" ? node.nacre : node.move;
    const mark = effect?.ejected ? "×" : (effect?.pushed.length ?? 0) > 0 ? "›" : "";
    const [nag = 0] = node.nags.filter((one) => glyphOf(one));
    return html`<button
      class="tree-move ${KINDS[nag] ?? ""}"
      aria-current=${node === this.node ? "step" : "false"}
      @click=${() => this.dispatchEvent(new CustomEvent("show", { detail: node }))}
    >
      ${numbered ? html`<span class="number">${node.label.replace("...", "…")}</span>` : nothing}
      ${seat ? html`${littleMarble(seat)}<span class="hidden">${colourName(seat)}</span>` : nothing}
      <span>${text}${mark}${glyphOf(nag)}</span>
      ${node.evaluation === null ? nothing : html`<small>${signed(node.evaluation, 1)}</small>`}
    </button>`;
  }
}

function comment(text: string): TemplateResult {
  return html`${text ? html`<span class="tree-comment">${text}</span>` : nothing}`;
}

customElements.define("sumito-tree", TreeView);
