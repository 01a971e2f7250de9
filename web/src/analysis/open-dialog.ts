// The dialog that opens a stored analysis, a file or a pasted text.

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { locale, t } from "../domain/i18n";
import { attempt } from "../domain/messages";
import { Study } from "../record/study";
import { type Analysis, analyses } from "../storage/analyses";
import { BaseElement } from "../ui/element";
import { icon } from "../ui/icon";
import { littleBoard } from "../ui/pictures";

class OpenDialog extends BaseElement {
  static override properties = {
    open: { attribute: false },
    shown: { attribute: false },
    own: { state: true },
    sure: { state: true },
  };
  declare open: boolean;
  /** The id of the analysis that is on the board, if it is one. */
  declare shown: string | null;
  declare own: readonly Analysis[];
  /** The analysis whose deletion was asked for once. */
  declare sure: string;

  constructor() {
    super();
    this.open = false;
    this.shown = null;
    this.own = [];
    this.sure = "";
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has("open")) return;
    const dialog = this.querySelector("dialog");
    if (this.open) void this.load();
    if (this.open && !dialog?.open) dialog?.showModal();
    if (!this.open && dialog?.open) dialog.close();
  }

  private async load(): Promise<void> {
    this.sure = "";
    this.own = await analyses.all();
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

  private discard(id: string): void {
    if (this.sure !== id) {
      this.sure = id;
      return;
    }
    void attempt(async () => {
      await Study.remove(id);
      await this.load();
    });
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
        ${this.own.length > 0 ? this.analyses() : nothing}
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

  private analyses(): TemplateResult {
    return html`<section class="own-analyses" aria-labelledby="own-title">
      <h3 id="own-title">${t("Your analyses")}</h3>
      <ul>
        ${this.own.map((analysis) => this.row(analysis))}
      </ul>
    </section>`;
  }

  private row({ id, players, moves, position, changedAt }: Analysis): TemplateResult {
    const when = new Date(changedAt).toLocaleString(locale(), {
      dateStyle: "medium",
      timeStyle: "short",
    });
    const shown = id === this.shown;
    return html`<li>
      <button
        type="button"
        class="quiet own-analysis"
        aria-current=${shown ? "true" : nothing}
        @click=${() => this.dispatchEvent(new CustomEvent("analysis", { detail: id }))}
      >
        ${littleBoard(position)}
        <span
          ><b>${players || when}</b
          ><small>${players ? `${when} · ` : ""}${t("Moves: {count}", { count: moves })}</small></span
        >
      </button>
      ${shown ? nothing : this.removal(id)}
    </li>`;
  }

  /** Deleting can't be undone, so it asks once more. */
  private removal(id: string): TemplateResult {
    const asked = this.sure === id;
    return html`<button
      type="button"
      class=${asked ? "danger" : "quiet round"}
      aria-label=${asked ? nothing : t("Delete")}
      title=${asked ? nothing : t("Delete")}
      @click=${() => this.discard(id)}
      @blur=${() => {
        if (this.sure === id) this.sure = "";
      }}
    >
      ${asked ? t("Really delete?") : icon("close")}
    </button>`;
  }
}

customElements.define("sumito-open-dialog", OpenDialog);
