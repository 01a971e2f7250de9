// The base of modal dialogs: opens and closes with its property, and dispatches `close` when it was
// closed by its button or by Escape.

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import { t } from "../domain/i18n";
import { BaseElement } from "./element";
import { icon } from "./icon";

export abstract class DialogElement extends BaseElement {
  @property({ attribute: false }) open = false;

  protected override updated(changed: PropertyValues<this>): void {
    const { dialog } = this;
    if (!changed.has("open") || !dialog || dialog.open === this.open) return;
    if (this.open) dialog.showModal();
    else dialog.close();
  }

  protected get dialog(): HTMLDialogElement | null {
    return this.querySelector("dialog");
  }

  /** The dialog around its content; `lead` is shown before the title. */
  protected sheet(
    title: string,
    content: TemplateResult,
    submit: (event: SubmitEvent) => void,
    lead: TemplateResult | typeof nothing = nothing,
  ): TemplateResult {
    const id = `${this.localName}-title`;
    return html`<dialog
      class="sheet"
      aria-labelledby=${id}
      @close=${() => this.dispatchEvent(new Event("close"))}
    >
      <form @submit=${submit}>
        <header>
          ${lead}
          <h2 id=${id}>${title}</h2>
          <button
            type="button"
            class="quiet round"
            aria-label=${t("Close")}
            @click=${() => this.dialog?.close()}
          >
            ${icon("close")}
          </button>
        </header>
        ${content}
      </form>
    </dialog>`;
  }
}
