// The base of the teaching pages: renders once the texts are loaded.

import { nothing, type PropertyValues, type TemplateResult } from "lit";
import { BaseElement } from "../ui/element";
import { loadTexts } from "./teaching";

export abstract class LessonPageBase extends BaseElement {
  static override properties = { textsLoaded: { state: true }, section: { attribute: false } };
  /** The texts are there. */
  declare textsLoaded: boolean;
  /** The place in the page that the address names. */
  declare section: string;

  constructor() {
    super();
    this.textsLoaded = false;
    this.section = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void loadTexts().then(() => {
      this.textsLoaded = true;
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.title = "Sumito";
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.textsLoaded) return nothing;
    document.title = `${this.heading()} – Sumito`;
    return this.page();
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (
      !this.textsLoaded ||
      !(changed.has("section") || changed.has("textsLoaded")) ||
      !this.section
    )
      return;
    document.getElementById(this.section)?.scrollIntoView();
  }

  protected abstract heading(): string;
  protected abstract page(): TemplateResult;
}
