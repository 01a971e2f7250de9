// The shell around all pages: header, the current page, toasts, and a live region for screen
// readers.

import { html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { keyed } from "lit/directives/keyed.js";
import { userSession } from "../client/session";
import { isLocal } from "../domain/game-ids";
import { hasServer, root } from "../domain/hosting";
import { language, preferred, setLanguage, t } from "../domain/i18n";
import { path as currentPath, router } from "../domain/navigation";
import { settings } from "../storage/preferences";
import { type Route, route } from "./router";
import "./home";
import { BaseElement } from "../ui/element";
import { type IconName, icon } from "../ui/icon";
import { needsServer, notFound, notLoaded } from "../ui/placeholders";
import "../play/running-bar";
import "./shell.css";
import { startSession } from "./session";

/** Pages that few visits need are loaded when they are asked for. */
const PAGE_LOADERS: Partial<Record<Route["page"], () => Promise<unknown>>> = {
  game: () => import("../play/page"),
  lobby: () => import("../lobby/lobby"),
  games: () => import("../library/games"),
  leaderboard: () => import("../library/leaderboard"),
  player: () => import("../library/player"),
  account: () => import("../account/account"),
  learn: () => import("../learn/course"),
  lesson: () => import("../learn/lesson"),
  rules: () => import("../learn/rules"),
  words: () => import("../learn/glossary"),
  analysis: () => import("../analysis/page"),
  editor: () => import("../editor/page"),
  embed: () => import("../embed/page"),
  puzzles: () => import("../puzzles/page"),
  review: () => import("../review/page"),
};

const PLAYING: readonly Route["page"][] = ["home", "game"];

class Shell extends BaseElement {
  @state() shown: Route = route();
  @state() toastText = "";
  /** What screen readers are to read out next. */
  @state() announced: readonly string[] = [];
  /** The page that is asked for couldn't be loaded. */
  @state() failed = false;
  /** The server no longer speaks this page's protocol. */
  @state() outdated = false;
  @state() ready = false;
  @state() settingsOpen = false;
  private fading = 0;
  /** Grows with each announcement, so that the same sentence is a new element. */
  private announcements = 0;
  private announcedShown = true;
  /** Grows with each navigation: what a slow one has loaded must not replace a later one. */
  private navigations = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    router.addEventListener("change", () => this.show());
    settings.addEventListener("change", () => this.applyLanguage());
    addEventListener("toast", (event) => this.showToast((event as CustomEvent<string>).detail));
    addEventListener("announce", (event) => this.announce((event as CustomEvent<string>).detail));
    addEventListener("outdated", () => {
      this.outdated = true;
    });
    userSession.addEventListener("change", () => this.requestUpdate());
    void this.applyLanguage();
    void this.show();
  }

  private async applyLanguage(): Promise<void> {
    const wanted = settings.now.language ?? preferred();
    // Without its catalogue the page is in English; better than no page.
    if (wanted !== language() || !this.ready) await setLanguage(wanted).catch(() => undefined);
    startSession();
    this.ready = true;
    this.requestUpdate();
  }

  private async show(): Promise<void> {
    const next = route();
    const navigation = ++this.navigations;
    const loaded = await (PAGE_LOADERS[next.page]?.() ?? Promise.resolve()).then(
      () => true,
      () => false,
    );
    if (navigation !== this.navigations) return;
    const moved = this.failed || JSON.stringify(next) !== JSON.stringify(this.shown);
    this.failed = !loaded;
    this.shown = next;
    await this.updateComplete;
    // Keyboards and screen readers begin at the new page, not in the middle of the old one.
    if (moved) this.querySelector("main")?.focus({ preventScroll: true });
  }

  private showToast(message: string): void {
    this.toastText = message;
    clearTimeout(this.fading);
    this.fading = window.setTimeout(() => {
      this.toastText = "";
    }, 5000);
  }

  /** What is announced before the last announcement was rendered is read out with it. */
  private announce(message: string): void {
    this.announced = this.announcedShown ? [message] : [...this.announced, message];
    this.announcedShown = false;
    this.announcements++;
  }

  protected override updated(): void {
    this.announcedShown = true;
    const title = titleOf(this.shown);
    if (this.ready && title !== null) document.title = title ? `${title} – Sumito` : "Sumito";
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.ready) return nothing;
    if (this.shown.page === "embed") return html`<main id="main">${this.content()}</main>`;
    this.classList.toggle("playing", hasBoard(this.shown));
    this.classList.toggle("tabbed", !hasBoard(this.shown) || this.shown.page === "home");
    return html`
      <a class="skip" href="#main">${t("Skip to the content")}</a>
      <header class="head">
        <a class="brand" href="/"
          ><img src="${root}favicon.svg" alt="" width="30" height="30" />Sumito</a
        >
        <nav id="ways" popover aria-label=${t("Main")} @click=${() => this.hideMenu()}>
          ${this.link("/learn", t("Learn"))} ${this.link("/rules", t("Rules"))}
          ${hasServer ? this.link("/lobby", t("Lobby")) : nothing}
          ${this.link("/puzzles", t("Puzzles"))} ${this.link("/analysis", t("Analysis"))}
          ${this.link("/games", t("Games"))}
          ${hasServer ? this.link("/leaderboard", t("Ratings")) : nothing}
          ${hasServer ? html`<a class="in-menu" href="/account">${t("Account")}</a>` : nothing}
          <button class="in-menu quiet" @click=${() => this.openSettings()}>${t("Settings")}</button>
        </nav>
        ${hasServer ? this.accountLink() : nothing}
        <button
          class="quiet round ways-button"
          popovertarget="ways"
          aria-label=${t("Menu")}
          title=${t("Menu")}
        >
          ${icon("menu")}
        </button>
        <button
          class="quiet round"
          aria-label=${t("Settings")}
          title=${t("Settings")}
          @click=${() => this.openSettings()}
        >
          ${icon("settings")}
        </button>
      </header>
      <sumito-running></sumito-running>
      <main id="main" tabindex="-1" lang=${language()}>${this.content()}</main>
      ${this.tabs()}
      ${this.outdated ? outdatedBar() : nothing}
      <sumito-update hidden></sumito-update>
      <div class="toast ${this.toastText ? "shown" : ""}" role="alert">${this.toastText}</div>
      <div class="hidden" role="log" aria-live="polite">
        ${keyed(this.announcements, html`<p>${this.announced.join(" ")}</p>`)}
      </div>
      <sumito-settings
        .open=${this.settingsOpen}
        @close=${() => {
          this.settingsOpen = false;
        }}
      ></sumito-settings>
    `;
  }

  /** On phones: below an upright page without a game, and beside every page sideways. */
  private tabs(): TemplateResult {
    return html`<nav class="tab-bar" aria-label=${t("Main")}>
      ${this.tab("/", "board", t("Play"))} ${this.tab("/learn", "learn", t("Learn"))}
      ${this.tab("/puzzles", "puzzle", t("Puzzles"))}
      ${hasServer ? this.tab("/lobby", "here", t("Lobby")) : this.tab("/analysis", "engine", t("Analysis"))}
      <button popovertarget="ways">${icon("menu")}<span>${t("More")}</span></button>
    </nav>`;
  }

  private tab(path: string, name: IconName, text: string): TemplateResult {
    const here = path === "/" ? PLAYING.includes(this.shown.page) : currentPath().startsWith(path);
    return html`<a href=${path} aria-current=${here ? "page" : nothing}
      >${icon(name)}<span>${text}</span></a
    >`;
  }

  /** On a phone the links are in a menu. */
  private hideMenu(): void {
    const ways = this.querySelector<HTMLElement>("#ways:popover-open");
    ways?.hidePopover();
  }

  private async openSettings(): Promise<void> {
    await import("./settings-dialog");
    this.settingsOpen = true;
  }

  /** The link to the account shows the reader's name. */
  private accountLink(): TemplateResult {
    const { me } = userSession;
    const name = me?.account?.name ?? me?.name ?? "";
    const here = location.pathname === "/account";
    return html`<a
      class="me"
      href="/account"
      title=${t("Account")}
      aria-label=${`${name || t("Guest")}, ${t("Account")}`}
      aria-current=${here ? "page" : nothing}
    >
      ${icon("person")}<span>${name || t("Guest")}</span>
    </a>`;
  }

  private link(path: string, text: string): TemplateResult {
    const here = currentPath() === path;
    return html`<a href=${path} aria-current=${here ? "page" : nothing}>${text}</a>`;
  }

  private content(): TemplateResult {
    const { shown } = this;
    if (!hasServer && requiresServer(shown)) return needsServer();
    if (this.failed) return notLoaded(() => void this.show());
    switch (shown.page) {
      case "home":
        return html`<sumito-home></sumito-home>`;
      case "game":
        return html`<sumito-game .gameId=${shown.id}></sumito-game>`;
      case "embed":
        return html`<sumito-embed .query=${shown.query}></sumito-embed>`;
      case "editor":
        return html`<sumito-editor .query=${shown.query}></sumito-editor>`;
      case "review":
        return html`<sumito-review .gameId=${shown.id}></sumito-review>`;
      case "puzzles":
        return html`<sumito-puzzles .path=${shown.path} .query=${shown.query}></sumito-puzzles>`;
      case "analysis":
        return html`<sumito-analysis .query=${shown.query}></sumito-analysis>`;
      case "lobby":
        return html`<sumito-lobby></sumito-lobby>`;
      case "games":
        return html`<sumito-games></sumito-games>`;
      case "leaderboard":
        return html`<sumito-leaderboard></sumito-leaderboard>`;
      case "player":
        return html`<sumito-player .name=${shown.name}></sumito-player>`;
      case "account":
        return html`<sumito-account></sumito-account>`;
      case "learn":
        return html`<sumito-course></sumito-course>`;
      case "rules":
        return html`<sumito-rules .section=${shown.section}></sumito-rules>`;
      case "words":
        return html`<sumito-glossary .section=${shown.section}></sumito-glossary>`;
      case "lesson":
        return html`<sumito-lesson .lesson=${shown.lesson} .step=${shown.step}></sumito-lesson>`;
      default:
        return notFound(
          t("There is nothing here"),
          t("This address leads nowhere. The board is only a step away."),
        );
    }
  }
}

/** The title of a page that doesn't set its own; "" for the home page, null for the others. */
function titleOf(shown: Route): string | null {
  switch (shown.page) {
    case "home":
      return "";
    case "lobby":
      return t("Lobby");
    case "games":
      return t("Games");
    case "leaderboard":
      return t("Ratings");
    case "player":
      return shown.name;
    case "account":
      return t("Account");
    case "missing":
      return t("There is nothing here");
    default:
      return null;
  }
}

/** Nothing is lost by a reload: games at the server go on from where they stand. */
function outdatedBar(): TemplateResult {
  return html`<div class="outdated" role="alert">
    <span>${t("The server has a newer version. Please reload the page.")}</span>
    <button class="primary" @click=${() => location.reload()}>${t("Reload")}</button>
  </div>`;
}

function requiresServer(shown: Route): boolean {
  if (shown.page === "game" || shown.page === "review")
    return shown.id !== "" && !isLocal(shown.id);
  return ["lobby", "leaderboard", "player", "account"].includes(shown.page);
}

/** Where a board takes the whole screen of a phone on its side. */
function hasBoard(shown: Route): boolean {
  if (shown.page === "puzzles") return shown.path !== "";
  return ["game", "home", "analysis", "editor", "review"].includes(shown.page);
}

customElements.define("sumito-page", Shell);
