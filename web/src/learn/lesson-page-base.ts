// The base of the pages that teach: they wait for their texts.

import { nothing, type PropertyValues, type TemplateResult } from "lit";
import { Part } from "../ui/element";
import { loadTexts } from "./teaching";

export abstract class Taught extends Part {
  static override properties = { told: { state: true }, section: { attribute: false } };
  /** The texts are there. */
  declare told: boolean;
  /** The place in the page that the address names. */
  declare section: string;

  constructor() {
    super();
    this.told = false;
    this.section = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void loadTexts().then(() => {
      this.told = true;
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.title = "Sumito";
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.told) return nothing;
    document.title = `${this.heading()} – Sumito`;
    return this.page();
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!this.told || !(changed.has("section") || changed.has("told")) || !this.section) return;
    document.getElementById(this.section)?.scrollIntoView();
  }

  protected abstract heading(): string;
  protected abstract page(): TemplateResult;
}
