// The base class of all elements: Lit without a shadow root, styled by the page's own sheet.

import { LitElement, type ReactiveController, type ReactiveControllerHost } from "lit";

/** Renders its host again when the reader has chosen another language. */
class LanguageController implements ReactiveController {
  private readonly changed = () => this.host.requestUpdate();

  constructor(private readonly host: ReactiveControllerHost) {
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener("language", this.changed);
  }

  hostDisconnected(): void {
    removeEventListener("language", this.changed);
  }
}

export class BaseElement extends LitElement {
  constructor() {
    super();
    new LanguageController(this);
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}
