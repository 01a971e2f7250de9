// The lobby: open games that anyone may join, updated live.

import { html, type TemplateResult } from "lit";
import { Connection } from "../client/connection";
import { t } from "../domain/i18n";
import type { Summary } from "../domain/protocol";
import { gameRow } from "../ui/game-row";
import "../ui/pages.css";
import "./new-game/dialog";
import { BaseElement } from "../ui/element";
import { empty, loadError } from "../ui/placeholders";
import type { Purpose } from "./new-game/dialog";

class Lobby extends BaseElement {
  static override properties = {
    games: { state: true },
    purpose: { state: true },
    away: { state: true },
  };
  declare games: readonly Summary[] | null;
  declare purpose: Purpose | null;
  declare away: boolean;
  private connection: Connection | null = null;

  constructor() {
    super();
    this.games = null;
    this.purpose = null;
    this.away = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.connection = new Connection("/ws/lobby", {
      onMessage: (message) => {
        if (message.type === "lobby") this.games = message.games;
      },
      onConnectionChange: (on) => {
        this.away = !on;
      },
      hello: () => ({ since: null }),
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.connection?.close();
  }

  private maker(): TemplateResult {
    return html`<button
      class="primary big"
      @click=${() => {
        this.purpose = "open";
      }}
    >
      ${t("Make an open game")}
    </button>`;
  }

  override render(): TemplateResult {
    const games = this.games ?? [];
    return html`<section class="plain-page">
      <h1>${t("Lobby")}</h1>
      <p>${t("Games that wait for players. Anyone may join.")}</p>
      ${loadError(this.away ? t("No connection to the server. Games against the computer, puzzles and lessons work without it.") : "", () => location.reload())}
      <ul class="game-list">
        ${games.map((game) => gameRow(game, t("Join")))}
      </ul>
      ${
        this.games && games.length === 0
          ? empty(t("No open game right now. Make one: others will see it here."), this.maker())
          : this.maker()
      }
      <sumito-new-game
        .purpose=${this.purpose}
        @close=${() => {
          this.purpose = null;
        }}
      ></sumito-new-game>
    </section>`;
  }
}

customElements.define("sumito-lobby", Lobby);
