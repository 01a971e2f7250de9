// The base of the pages that teach: they wait for their texts, and speak anew when the reader
// chooses another language.

import { nothing, type TemplateResult } from "lit";
import { Part } from "../parts/part";
import { loadTexts } from "./teaching";

export abstract class Taught extends Part {
  static override properties = { told: { state: true } };
  /** The texts are there. */
  declare told: boolean;

  constructor() {
    super();
    this.told = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("language", this.speak);
    this.speak();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("language", this.speak);
    document.title = "Sumito";
  }

  private readonly speak = () => {
    void loadTexts().then(() => {
      this.told = true;
      this.requestUpdate();
    });
  };

  override render(): TemplateResult | typeof nothing {
    if (!this.told) return nothing;
    document.title = `${this.heading()} – Sumito`;
    return this.page();
  }

  protected abstract heading(): string;
  protected abstract page(): TemplateResult;
}
