// The page without a network: asks the browser to keep it, and says when a newer one is there. The
// reader decides when that comes in; a game is never interrupted for it.

import { t } from "../words";
import { root } from "./site";

/** Dispatches `change` when a newer page waits. */
class Updates extends EventTarget {
  private waiting: ServiceWorker | null = null;

  get ready(): boolean {
    return this.waiting !== null;
  }

  found(worker: ServiceWorker): void {
    this.waiting = worker;
    this.dispatchEvent(new Event("change"));
  }

  /** Let the newer page in; this one is loaded again. */
  letIn(): void {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), {
      once: true,
    });
    this.waiting?.postMessage("let-in");
  }
}

export const updates = new Updates();

export async function keepOffline(): Promise<void> {
  if (!("serviceWorker" in navigator) || import.meta.env.DEV) return;
  try {
    const kept = await navigator.serviceWorker.register(`${root}sw.js`, { scope: root });
    const look = () => {
      // The very first one is no news: it is this page.
      if (kept.waiting && navigator.serviceWorker.controller) updates.found(kept.waiting);
    };
    look();
    kept.addEventListener("updatefound", () =>
      kept.installing?.addEventListener("statechange", look),
    );
    addEventListener("focus", () => void kept.update().catch(() => undefined));
  } catch {
    // Some browsers forbid it in private windows; the page then needs its network, no more.
  }
}

/** A bar at the foot of the page, while a newer one waits. */
export class UpdateBar extends HTMLElement {
  connectedCallback(): void {
    updates.addEventListener("change", this.show);
    this.show();
  }

  disconnectedCallback(): void {
    updates.removeEventListener("change", this.show);
  }

  private readonly show = () => {
    this.hidden = !updates.ready;
    if (!updates.ready || this.firstChild) return;
    this.setAttribute("role", "status");
    const text = document.createElement("span");
    text.textContent = t("A new version is ready.");
    const button = document.createElement("button");
    button.textContent = t("Load it now");
    button.onclick = () => updates.letIn();
    this.append(text, button);
  };
}

customElements.define("sumito-update", UpdateBar);
