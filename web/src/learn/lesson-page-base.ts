// The base of the teaching pages: renders once the texts are loaded.

import { nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { BaseElement } from "../ui/element";
import { loadTexts } from "./teaching";

export abstract class LessonPageBase extends BaseElement {
  /** The texts are there. */
  @state() textsLoaded = false;
  /** The place in the page that the address names. */
  @property({ attribute: false }) section = "";

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
