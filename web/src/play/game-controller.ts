// The one way a part of the page follows a game: it draws itself again when the game or the
// settings change, and hears of what happens, for as long as it is on the page.

import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { Notice, PlayedGame } from "../domain/game-session";
import { settings } from "../storage/preferences";

export class GameController implements ReactiveController {
  private followed: PlayedGame | null = null;
  private present = false;

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly noticed: (notice: Notice) => void = () => undefined,
  ) {
    host.addController(this);
  }

  get played(): PlayedGame | null {
    return this.followed;
  }

  follow(played: PlayedGame | null): void {
    if (played === this.followed) return;
    this.unsubscribe();
    this.followed = played;
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
  private readonly heard = (event: Event) => this.noticed((event as CustomEvent<Notice>).detail);

  private subscribe(): void {
    this.followed?.addEventListener("change", this.changed);
    this.followed?.addEventListener("notice", this.heard);
  }

  private unsubscribe(): void {
    this.followed?.removeEventListener("change", this.changed);
    this.followed?.removeEventListener("notice", this.heard);
  }
}
