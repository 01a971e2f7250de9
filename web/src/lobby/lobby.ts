// The lobby: pairing by clock, open games that anyone may join, updated live, and games to watch.

import { html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { api } from "../client/api";
import { Connection } from "../client/connection";
import { controlName } from "../domain/game-texts";
import { t } from "../domain/i18n";
import { attempt } from "../domain/messages";
import { seatName } from "../domain/modes";
import type { Control, Summary } from "../domain/protocol";
import { gameRow } from "../ui/game-row";
import "../ui/pages.css";
import "./lobby.css";
import "./new-game/dialog";
import { BaseElement } from "../ui/element";
import { icon } from "../ui/icon";
import { littleBoard } from "../ui/pictures";
import { empty, loadError } from "../ui/placeholders";
import type { Purpose } from "./new-game/terms";
import { CLOCKS, pairAndOpen, shortName } from "./pairing";

/** Milliseconds after which games in play are fetched again. */
const LIVE_AGAIN = 10_000;
const MOST_LIVE = 8;

class Lobby extends BaseElement {
  @state() games: readonly Summary[] | null = null;
  @state() live: readonly Summary[] = [];
  @state() purpose: Purpose | null = null;
  @state() away = false;
  /** The clock with which an opponent is being looked for. */
  @state() pairing: Control | null = null;
  private connection: Connection | null = null;
  private timer = 0;

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
    void this.loadLive();
    this.timer = window.setInterval(() => {
      if (!document.hidden) void this.loadLive();
    }, LIVE_AGAIN);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.connection?.close();
    clearInterval(this.timer);
  }

  private async loadLive(): Promise<void> {
    const answer = await api.games("live", null).catch(() => null);
    if (answer) this.live = answer.games.slice(0, MOST_LIVE);
  }

  override render(): TemplateResult {
    const games = this.games ?? [];
    return html`<section class="plain-page lobby">
      <h1>${t("Lobby")}</h1>
      ${loadError(this.away ? t("No connection to the server. Games against the computer, puzzles and lessons work without it.") : "", () => location.reload())}
      <h2>${icon("bolt")} ${t("Quick pairing")}</h2>
      <div class="clocks" role="group" aria-label=${t("Quick pairing")}>
        ${CLOCKS.map((control) => this.clock(control))}
      </div>
      <h2>${t("Open games")}</h2>
      ${
        this.games && games.length === 0
          ? empty(t("No open game right now. Make one: others will see it here."), this.maker())
          : html`<p>${t("Games that wait for players. Anyone may join.")}</p>
              <ul class="game-list">
                ${games.map((game) => gameRow(game, t("Join")))}
              </ul>
              ${this.maker()}`
      }
      ${this.live.length > 0 ? this.watching() : nothing}
      <sumito-new-game
        .purpose=${this.purpose}
        @close=${() => {
          this.purpose = null;
        }}
      ></sumito-new-game>
    </section>`;
  }

  private clock(control: Control): TemplateResult {
    const [short, speed] = [shortName(control), speedOf(control)];
    return html`<button
      aria-label="${short} ${speed}: ${controlName(control)}"
      aria-busy=${this.pairing === control}
      ?disabled=${this.away || this.pairing !== null}
      @click=${() => this.pair(control)}
    >
      <b>${short}</b> <small>${speed}</small>
    </button>`;
  }

  private pair(control: Control): void {
    this.pairing = control;
    void attempt(() => pairAndOpen(control)).finally(() => {
      this.pairing = null;
    });
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

  private watching(): TemplateResult {
    return html`<h2>${icon("eye")} ${t("Watch a game")}</h2>
      <ul class="live-games">
        ${this.live.map(
          (game) =>
            html`<li>
              <a href="/g/${game.id}">
                ${littleBoard(game.position)}
                <span>${game.seats.map((seat) => seatName(seat)).join(" – ")}</span>
                <small>${controlName(game.control)}</small>
              </a>
            </li>`,
        )}
      </ul>`;
  }
}

/** How fast a game with a clock is, counting forty moves. */
function speedOf(control: Control): string {
  if (control.kind === "none") return t("No clock");
  const increment = control.kind === "fischer" ? control.increment_ms : 0;
  const seconds = (control.ms + 40 * increment) / 1000;
  if (seconds < 240) return t("Bullet");
  return seconds < 600 ? t("Blitz") : t("Rapid");
}

customElements.define("sumito-lobby", Lobby);
