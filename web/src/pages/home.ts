// The first page: a board to play on at once, and three ways to something else.

import { html, type TemplateResult } from "lit";
import { api } from "../api";
import type { Game } from "../games/game";
import { OnlineGame } from "../games/online";
import type { PlayedGame } from "../games/played";
import { type IconName, icon } from "../parts/icon";
import type { NewGame } from "../protocol";
import { t } from "../words";
import "../parts/new-game";
import type { Purpose } from "../parts/new-game";
import { attempt, Part } from "../parts/part";
import "../parts/play-area";
import { handOver } from "./game";
import "./home.css";

const AT_ONCE: NewGame = {
  mode: "two",
  layout: "standard",
  rules: "rulebook",
  control: { kind: "none" },
  seats: { black: { kind: "me" }, white: { kind: "computer", level: "friendly" } },
};

const SETTLE = 350;
const KEPT = "sumito.at-once";

/** The game of an earlier visit to this page, if nobody has moved in it. */
async function untouched(): Promise<Game | null> {
  const id = sessionStorage.getItem(KEPT);
  const game = id && (await api.game(id).catch(() => null));
  return game && game.status === "playing" && game.moves.length === 0 ? game : null;
}

class Home extends Part {
  static override properties = { played: { state: true }, purpose: { state: true } };
  declare played: PlayedGame | null;
  declare purpose: Purpose | null;
  private asking = false;
  private leaving = 0;

  constructor() {
    super();
    this.played = null;
    this.purpose = null;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // A game that goes on elsewhere has been played on; one that hasn't is let go.
    if (this.played?.game?.moves.length === 0 && !this.played.pending) this.played.close();
    this.played = null;
  }

  /** The game is only made when somebody reaches for the board. */
  private begin(): void {
    if (this.played || this.asking) return;
    this.asking = true;
    void attempt(async () => {
      const game = (await untouched()) ?? (await api.newGame(AT_ONCE)).game;
      sessionStorage.setItem(KEPT, game.id);
      const played = new OnlineGame(game.id, game);
      played.addEventListener("notice", () => this.moveOver(played));
      this.played = played;
    }).finally(() => {
      this.asking = false;
    });
  }

  private moveOver(played: PlayedGame): void {
    if (this.leaving || !played.game || played.game.moves.length === 0) return;
    // The first move is seen to its end before the page around it changes.
    this.leaving = window.setTimeout(() => {
      if (this.isConnected) handOver(played);
    }, SETTLE);
  }

  override render(): TemplateResult {
    return html`<div class="home">
      <section class="welcome">
        <h1>${t("Push six marbles off the board")}</h1>
        <p>
          ${t("Abalone for two, three and four. Move one, two or three marbles in a row; the longer row pushes the shorter one.")}
        </p>
      </section>
      <sumito-play
        .played=${this.played}
        @pointerdown=${() => this.begin()}
        @keydown=${() => this.begin()}
      ></sumito-play>
      <section class="choices" aria-label=${t("Other ways to play")}>
        ${this.choice("computer", "computer", t("Play the computer"), t("Ten levels, from a first game to full strength"))}
        ${this.choice("here", "here", t("Play here together"), t("Two, three or four at this screen"))}
        ${this.choice("friends", "invite", t("Invite friends"), t("Send a link and play over the network"))}
        <a class="lobby-link" href="/lobby">${t("Or join an open game in the lobby")}</a>
      </section>
      <sumito-new-game
        .purpose=${this.purpose}
        @close=${() => {
          this.purpose = null;
        }}
      ></sumito-new-game>
    </div>`;
  }

  private choice(purpose: Purpose, name: IconName, title: string, note: string): TemplateResult {
    return html`<button
      class="choice"
      @click=${() => {
        this.purpose = purpose;
      }}
    >
      ${icon(name)}<span><b>${title}</b><small>${note}</small></span>
    </button>`;
  }
}

customElements.define("sumito-home", Home);
