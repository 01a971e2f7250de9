// The home page: a board to play on immediately, and the ways to other games.

import { html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { ApiError, api } from "../client/api";
import type { GameSession } from "../domain/game-session";
import { hasServer } from "../domain/hosting";
import { t } from "../domain/i18n";
import { attempt } from "../domain/messages";
import { seatName } from "../domain/modes";
import type { Control, NewGame, Summary } from "../domain/protocol";
import type { Purpose } from "../lobby/new-game/terms";
import { openOnGamePage } from "../play/handoff";
import { HomeSession } from "../play/sessions/home";
import { markCourseOffered, shouldOfferCourse } from "../storage/learning-progress";
import { BaseElement } from "../ui/element";
import { type IconName, icon } from "../ui/icon";
import { littleBoard } from "../ui/pictures";
import "../play/play-area";
import { controlName } from "../domain/game-texts";
import { FAVOURITES, pairAndOpen } from "../lobby/pairing";
import { lastChoices } from "../storage/new-game-choices";
import "./home.css";

const FIRST_GAME: NewGame = {
  mode: "two",
  layout: "standard",
  rules: "rulebook",
  control: { kind: "none" },
  seats: { black: { kind: "me" }, white: { kind: "computer", level: "friendly" } },
};

/** The first move is seen to its end before the page around it changes. */
const SETTLE = 350;

/** The purpose of the last new game. */
function lastPurpose(): Purpose {
  return (lastChoices().purpose as Purpose | undefined) ?? "computer";
}

/** The dialog for a new game isn't part of the first load. */
function loadDialog(): Promise<unknown> {
  return import("../lobby/new-game/dialog");
}

function once(act: () => Promise<void>): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    act().catch(() => undefined);
  };
}

class Home extends BaseElement {
  @state() purpose: Purpose | null = new URLSearchParams(location.search).has("new")
    ? lastPurpose()
    : null;
  @state() pairing = false;
  /** A game at the server that can be watched. */
  @state() watchable: Summary | null = null;
  /** Whether this is a first visit. */
  @state() newcomer: boolean = shouldOfferCourse();
  /** The server can't be reached. */
  @state() isOffline: boolean = hasServer && !navigator.onLine;
  private readonly session = new HomeSession(
    async () => (await import("../play/sessions/start")).startLocalGame(FIRST_GAME),
    (online) => this.moveOver(online),
  );

  /** A pointer near the board announces a move: the rules are fetched meanwhile. */
  private readonly preload = once(async () => {
    (await import("../play/sessions/start")).preloadKernel();
    await import("../play/page");
  });

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("online", this.checkServer);
    removeEventListener("offline", this.checkServer);
    this.session.close();
  }

  private moveOver(online: GameSession): void {
    setTimeout(() => {
      if (this.isConnected) openOnGamePage(online);
      else online.close();
    }, SETTLE);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    markCourseOffered(); // once is enough
    addEventListener("online", this.checkServer);
    addEventListener("offline", this.checkServer);
    void this.checkServer();
    void loadDialog().catch(() => undefined); // the next try is when it is asked for
  }

  /** Check whether the server can be reached, and whether there is a game to watch. */
  private readonly checkServer = async () => {
    if (!hasServer) return;
    try {
      const { games } = await api.games("live", null);
      this.isOffline = false;
      this.watchable =
        games.find(({ seats }) => seats.every(({ kind }) => kind !== "open")) ?? null;
    } catch (error) {
      this.isOffline = error instanceof ApiError && error.code === "offline";
    }
  };

  /** What takes a server; while it is away, what else there is. */
  private withOthers(): TemplateResult {
    if (this.isOffline) {
      return html`
      ${this.way("/puzzles", "puzzle", t("Puzzles"), t("Puzzles that fit your strength"))}
      ${this.way("/learn", "learn", t("Learn"), t("The game step by step, from the first move"))}
      <p class="offline" role="status">
        ${t("You are offline: playing with others comes back with the connection.")}
        <button class="quiet" @click=${this.checkServer}>${icon("again")} ${t("Try again")}</button>
      </p>`;
    }
    return html`${this.choice("friends", "invite", t("Invite friends"), t("Send a link and play over the network"))}
    ${this.quick()} ${this.watchable ? this.watch(this.watchable) : nothing}`;
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
        .session=${this.session}
        @pointerover=${this.preload}
        @focusin=${this.preload}
      ></sumito-play>
      <section class="choices ${this.isOffline ? "away" : ""}" aria-label=${t("Other ways to play")}>
        ${this.newcomer && !this.isOffline ? this.course() : nothing}
        ${this.choice("computer", "computer", t("Play the computer"), t("Ten levels, from a first game to full strength"))}
        ${this.choice("here", "here", t("Play here together"), t("Two, three or four at this screen"))}
        ${hasServer ? this.withOthers() : nothing}
      </section>
      <sumito-new-game
        .purpose=${this.purpose}
        @close=${() => {
          this.purpose = null;
        }}
      ></sumito-new-game>
    </div>`;
  }

  private course(): TemplateResult {
    return html`<div class="offer">
      <a class="button" href="/learn">${icon("learn")} ${t("New to the game? Learn it in ten minutes.")}</a>
      <button
        class="quiet round"
        aria-label=${t("No, thank you")}
        @click=${() => {
          this.newcomer = false;
        }}
      >
        ${icon("close")}
      </button>
    </div>`;
  }

  /** Quick pairing with a clock. */
  private quick(): TemplateResult {
    return html`<div class="quick" role="group" aria-label=${t("Quick pairing")}>
      <span>${icon("bolt")} ${t("Quick pairing")}</span>
      ${FAVOURITES.map(
        (control) =>
          html`<button class="chip" ?disabled=${this.pairing} @click=${() => this.pair(control)}>
            ${controlName(control)}
          </button>`,
      )}
    </div>`;
  }

  private watch(game: Summary): TemplateResult {
    const names = game.seats.map((seat) => seatName(seat)).join(" – ");
    return html`<a class="watch" href="/g/${game.id}">
      ${littleBoard(game.position)}<span
        ><b>${icon("eye")} ${t("Watch a game")}</b><small>${names}</small></span
      >
    </a>`;
  }

  private pair(control: Control): void {
    this.pairing = true;
    void attempt(() => pairAndOpen(control)).finally(() => {
      this.pairing = false;
    });
  }

  private way(path: string, name: IconName, title: string, note: string): TemplateResult {
    return html`<a class="choice button" href=${path}>
      ${icon(name)}<span><b>${title}</b><small>${note}</small></span>
    </a>`;
  }

  private choose(purpose: Purpose): void {
    this.purpose = purpose;
    void attempt(async () => {
      await loadDialog();
    });
  }

  private choice(purpose: Purpose, name: IconName, title: string, note: string): TemplateResult {
    return html`<button
      class="choice"
      @click=${() => this.choose(purpose)}
    >
      ${icon(name)}<span><b>${title}</b><small>${note}</small></span>
    </button>`;
  }
}

customElements.define("sumito-home", Home);
