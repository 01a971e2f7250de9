// The reader's session: who they are to the server, guest or account. The one owner of `Me`, which
// comes from a single request, and from the answers to signing up, in and out; no other module requests it.

import { hasServer } from "../domain/hosting";
import type { Me, MePatch } from "../domain/protocol";
import { api } from "./api";

/** Tells the other tabs of this browser, which share its cookie, that the account changed. */
const tabs = globalThis.BroadcastChannel ? new BroadcastChannel("sumito-session") : null;

/** Dispatches `change` when the reader is known or is somebody else. */
class UserSession extends EventTarget {
  private known: Me | null = null;
  private loading: Promise<Me | null> | null = null;
  /** Grows with each answer to signing up, in or out: a request that began before is out of date. */
  private generation = 0;

  constructor() {
    super();
    tabs?.addEventListener("message", () => void this.refresh().catch(() => undefined));
  }

  /** Null until it is known, and where there is no server. */
  get me(): Me | null {
    return this.known;
  }

  /** Ask the server once; after a failure, again. Raise `ApiError` if it can't be asked. */
  load(): Promise<Me | null> {
    return this.known ? Promise.resolve(this.known) : this.refresh();
  }

  /** Ask again, for what changes without an answer: ratings after a game. */
  refresh(): Promise<Me | null> {
    if (!hasServer) return Promise.resolve(null);
    this.loading ??= this.request().finally(() => {
      this.loading = null;
    });
    return this.loading;
  }

  async register(name: string, password: string): Promise<void> {
    this.announce(await api.register(name, password));
  }

  async logIn(name: string, password: string): Promise<void> {
    this.announce(await api.logIn(name, password));
  }

  async logOut(): Promise<void> {
    this.announce(await api.logOut());
  }

  async update(change: MePatch): Promise<void> {
    this.announce(await api.updateMe(change));
  }

  private async request(): Promise<Me | null> {
    const { generation } = this;
    const me = await api.me();
    if (generation === this.generation) this.set(me);
    return this.known;
  }

  private announce(me: Me): void {
    this.generation++;
    this.set(me);
    tabs?.postMessage("changed");
  }

  private set(me: Me): void {
    this.known = me;
    this.dispatchEvent(new Event("change"));
  }
}

export const userSession = new UserSession();
