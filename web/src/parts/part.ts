// The base of everything on the page: Lit elements without a shadow, styled by the page's own sheet.

import { LitElement } from "lit";

export class Part extends LitElement {
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
    toast(error instanceof Error ? error.message : String(error));
  }
}
