// The dialog to open something: a file, or a text that is pasted.

import { html, type PropertyValues, type TemplateResult } from "lit";
import { icon } from "../parts/icon";
import { attempt, Part } from "../parts/part";
import { t } from "../words";

class OpenDialog extends Part {
  static override properties = { open: { attribute: false } };
  declare open: boolean;

  constructor() {
    super();
    this.open = false;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has("open")) return;
    const dialog = this.querySelector("dialog");
    if (this.open && !dialog?.open) dialog?.showModal();
    if (!this.open && dialog?.open) dialog.close();
  }

  private give(text: string): void {
    this.dispatchEvent(new CustomEvent("text", { detail: text }));
  }

  private file(event: Event): void {
    const input = event.target as HTMLInputElement;
    const [file] = input.files ?? [];
    if (file) void attempt(async () => this.give(await file.text()));
    input.value = "";
  }

  private paste(event: SubmitEvent): void {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const text = String(new FormData(form).get("text") ?? "");
    if (text.trim()) this.give(text);
  }

  override render(): TemplateResult {
    return html`<dialog
      class="sheet"
      aria-labelledby="open-title"
      @close=${() => this.dispatchEvent(new Event("close"))}
    >
      <form @submit=${(event: SubmitEvent) => this.paste(event)}>
        <header>
          <h2 id="open-title">${t("Open a record or a position")}</h2>
          <button
            type="button"
            class="quiet round"
            aria-label=${t("Close")}
            @click=${() => this.querySelector("dialog")?.close()}
          >
            ${icon("close")}
          </button>
        </header>
        <label class="button wide file"
          >${icon("open")} ${t("Choose a file…")}<input
            type="file"
            class="hidden"
            accept=".apgn,.pgn,.txt,text/plain"
            @change=${(event: Event) => this.file(event)}
        /></label>
        <p class="soft">${t("Or drop one anywhere on this page.")}</p>
        <label class="field"
          ><span>${t("Or paste a record, a position or a link")}</span
          ><textarea
            name="text"
            rows="6"
            spellcheck="false"
            placeholder="wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0,0 0 1"
          ></textarea>
        </label>
        <button class="primary wide">${t("Open")}</button>
      </form>
    </dialog>`;
  }
}

customElements.define("sumito-open-dialog", OpenDialog);
