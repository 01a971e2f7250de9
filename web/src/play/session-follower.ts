// A reactive controller that follows a game session: renders its host again when the game or the
// settings change, and passes on notices, while the host is on the page.

import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { GameSession, Notice } from "../domain/game-session";
import { settings } from "../storage/preferences";

export class SessionFollower implements ReactiveController {
  private followed: GameSession | null = null;
  private present = false;

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly noticed: (notice: Notice) => void = () => undefined,
  ) {
    host.addController(this);
  }

  get session(): GameSession | null {
    return this.followed;
  }

  follow(session: GameSession | null): void {
    if (session === this.followed) return;
    this.unsubscribe();
    this.followed = session;
    if (this.present) this.subscribe();
    this.host.requestUpdate();
  }

  hostConnected(): void {
    this.present = true;
    settings.addEventListener("change", this.changed);
    this.subscribe();
  }

  hostDisconnected(): void {
    this.present = false;
    settings.removeEventListener("change", this.changed);
    this.unsubscribe();
  }

  private readonly changed = () => this.host.requestUpdate();
  private readonly onNotice = (event: Event) => this.noticed((event as CustomEvent<Notice>).detail);

  private subscribe(): void {
    this.followed?.addEventListener("change", this.changed);
    this.followed?.addEventListener("notice", this.onNotice);
  }

  private unsubscribe(): void {
    this.followed?.removeEventListener("change", this.changed);
    this.followed?.removeEventListener("notice", this.onNotice);
  }
}
