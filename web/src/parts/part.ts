// The base of everything on the page: Lit elements without a shadow, styled by the page's own sheet.

import { LitElement, type ReactiveController, type ReactiveControllerHost } from "lit";
import { t } from "../words";

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

export class Part extends LitElement {
  constructor() {
    super();
    new LanguageController(this);
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}

/** Say something for a moment at the foot of the page. */
export function toast(message: string): void {
  dispatchEvent(new CustomEvent("toast", { detail: message }));
}

/** Have screen readers read something out. */
export function announce(message: string): void {
  dispatchEvent(new CustomEvent("announce", { detail: message }));
}

/** Run something that the server may refuse, and tell the person when it does. */
export async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof TypeError) {
      // What `import()` throws when a part of the page can't be fetched.
      toast(t("A part of the page couldn't be loaded. Try again, or reload the page."));
    } else toast(error instanceof Error ? error.message : String(error));
  }
}
