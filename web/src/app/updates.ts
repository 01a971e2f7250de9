// Registers the service worker, and shows a bar when a newer version is waiting or active. The
// reader decides when to load it; a game is never interrupted for it.

import { root } from "../domain/hosting";
import { t } from "../domain/i18n";

/**
 * Dispatches `change`. `waits`: a newer version is fetched. `isOld`: it was let in, in this tab or
 * another, and this one still shows the version before.
 */
class Updates extends EventTarget {
  private waiting: ServiceWorker | null = null;
  private old = false;
  private wanted = false;

  get waits(): boolean {
    return this.waiting !== null;
  }

  get isOld(): boolean {
    return this.old;
  }

  found(worker: ServiceWorker): void {
    this.waiting = worker;
    this.dispatchEvent(new Event("change"));
  }

  /** Let the newer version in; this tab is loaded again with it. */
  activate(): void {
    this.wanted = true;
    this.waiting?.postMessage("let-in");
  }

  /** Another service worker serves this tab. */
  replaced(): void {
    if (this.wanted) {
      location.reload();
      return;
    }
    this.waiting = null;
    this.old = true;
    this.dispatchEvent(new Event("change"));
  }
}

export const updates = new Updates();

export async function registerServiceWorker(): Promise<void> {
  if (!("serviceWorker" in navigator) || import.meta.env.DEV) return;
  const { serviceWorker } = navigator;
  // The first service worker takes over the very page that registers it.
  let served = serviceWorker.controller !== null;
  serviceWorker.addEventListener("controllerchange", () => {
    if (served) updates.replaced();
    served = true;
  });
  try {
    const registration = await serviceWorker.register(`${root}sw.js`, { scope: root });
    const checkWaiting = () => {
      // The very first one is no news: it is this page.
      if (registration.waiting && serviceWorker.controller) updates.found(registration.waiting);
    };
    checkWaiting();
    registration.addEventListener("updatefound", () =>
      registration.installing?.addEventListener("statechange", checkWaiting),
    );
    addEventListener("focus", () => void registration.update().catch(() => undefined));
  } catch {
    // Some browsers forbid it in private windows; the page then only needs the network.
  }
}

/** A bar at the foot of the page, while there is a newer one. */
export class UpdateBar extends HTMLElement {
  connectedCallback(): void {
    this.setAttribute("role", "status");
    updates.addEventListener("change", this.show);
    addEventListener("language", this.show);
    this.show();
  }

  disconnectedCallback(): void {
    updates.removeEventListener("change", this.show);
    removeEventListener("language", this.show);
  }

  private readonly show = () => {
    const { waits, isOld } = updates;
    this.hidden = !waits && !isOld;
    if (this.hidden) return;
    const text = document.createElement("span");
    text.textContent = isOld ? t("A new version is here.") : t("A new version is ready.");
    const button = document.createElement("button");
    button.textContent = isOld ? t("Reload") : t("Load it now");
    button.onclick = () => (isOld ? location.reload() : updates.activate());
    this.replaceChildren(text, button);
  };
}

customElements.define("sumito-update", UpdateBar);
