// The reader's own games, and the library of all finished ones.

import { html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { api } from "../client/api";
import { isLocal } from "../domain/game-ids";
import { hasServer } from "../domain/hosting";
import { t } from "../domain/i18n";
import type { Layout, Summary } from "../domain/protocol";
import type { LocalSummary } from "../storage/game-list";
import { BaseElement } from "../ui/element";
import { gameRow } from "../ui/game-row";
import { icon } from "../ui/icon";
import { empty, loadError } from "../ui/placeholders";
import { gameSearch } from "./game-search";
import "../ui/pages.css";

/** Those of this browser. */
async function gamesHere(): Promise<readonly LocalSummary[]> {
  const { summaries } = await import("../storage/game-list");
  return summaries();
}

type Which = "mine" | "finished";

/** Games begun on the home page in which no move was made are left out. */
function isPlayed({ status, moves, seats }: Summary): boolean {
  return status !== "playing" || moves > 0 || seats.every(({ kind }) => kind !== "computer");
}

class Games extends BaseElement {
  @state() which: Which = "mine";
  @state() games: readonly Summary[] = [];
  @state() next: string | null = null;
  @state() loaded = false;
  @state() failed = "";
  /** What is searched for in the library. */
  @state() wanted = "";
  /** Where the pages of the library begin, up to the one that is shown. */
  @state() pages: readonly (string | null)[] = [null];
  @state() layouts: readonly Layout[] = [];

  override connectedCallback(): void {
    super.connectedCallback();
    this.show("mine");
  }

  private show(which: Which): void {
    this.which = which;
    this.wanted = "";
    this.turnTo([null]);
    if (which === "finished" && this.layouts.length === 0) void this.loadLayouts();
  }

  /** Of two players; the other modes have one each. */
  private async loadLayouts(): Promise<void> {
    try {
      this.layouts = await api.layouts("two");
    } catch {
      // One can search without them.
    }
  }

  /** Show a page of what is wanted. */
  private turnTo(pages: readonly (string | null)[]): void {
    this.pages = pages;
    this.games = [];
    this.next = pages.at(-1) ?? null;
    this.loaded = false;
    void this.load();
  }

  private async load(): Promise<void> {
    const { which } = this;
    this.failed = "";
    try {
      const here = which === "mine" && this.next === null ? await gamesHere() : [];
      if (which !== this.which) return;
      this.games = [...this.games, ...here];
      if (hasServer) {
        const { wanted, pages } = this;
        const page = await api.games(which, this.next, wanted);
        if (which !== this.which || wanted !== this.wanted || pages !== this.pages) return;
        // A game that the server has too is shown once, as the server has it.
        const uploaded = new Set(here.filter((game) => game.serverId !== null).map(({ id }) => id));
        const own = this.games.filter(({ id }) => !uploaded.has(id));
        this.games = [...own, ...page.games.filter(isPlayed)];
        this.next = page.next;
      }
      this.loaded = true;
    } catch (error) {
      this.failed = (error as Error).message;
    }
  }

  override render(): TemplateResult {
    return html`<section class="plain-page">
      <h1>${t("Games")}</h1>
      <div class="tabs">
        ${this.tab("mine", t("My games"))}
        ${hasServer ? this.tab("finished", t("Library")) : nothing}
      </div>
      ${
        this.which === "finished"
          ? gameSearch(this.layouts, (wanted) => {
              this.wanted = wanted;
              this.turnTo([null]);
            })
          : nothing
      }
      ${loadError(this.failed, () => this.load())}
      <ul class="game-list">
        ${this.games.map((game) => gameRow(game, game.status === "over" ? t("Replay") : t("Continue")))}
      </ul>
      ${this.loaded && this.games.length === 0 ? this.none() : nothing}
      ${this.which === "finished" ? this.turning() : this.next ? html`<button @click=${() => this.load()}>${t("More")}</button>` : nothing}
      ${
        hasServer && this.which === "mine" && this.games.some(({ id }) => !isLocal(id))
          ? html`<a class="button" href="/api/export.apgn" download="sumito.apgn"
              >${icon("download")} ${t("Download all my games")}</a
            >`
          : nothing
      }
    </section>`;
  }

  /** Pages of the library, and all that was found as a file. */
  private turning(): TemplateResult {
    const { pages, next } = this;
    return html`<div class="row turning">
      <button ?disabled=${pages.length === 1} @click=${() => this.turnTo(pages.slice(0, -1))}>
        ${icon("previous")} ${t("Newer")}
      </button>
      <span>${t("Page {page}", { page: pages.length })}</span>
      <button ?disabled=${next === null} @click=${() => this.turnTo([...pages, next])}>
        ${t("Older")} ${icon("next")}
      </button>
      ${
        this.games.length > 0
          ? html`<a class="button" href="/api/games.apgn?${this.wanted}" download="sumito-found.apgn"
              >${icon("download")} ${t("Download what was found")}</a
            >`
          : nothing
      }
    </div>`;
  }

  private none(): TemplateResult {
    if (this.wanted) return empty(t("No game fits this."), html``);
    return this.which === "mine"
      ? empty(
          t("No games yet. Every game you play is stored here."),
          html`<a class="button primary" href="/">${t("Play your first game")}</a>`,
        )
      : empty(
          t("No games yet. Finished open games appear here."),
          html`<a class="button" href="/lobby">${t("Lobby")}</a>`,
        );
  }

  private tab(which: Which, text: string): TemplateResult {
    return html`<button
      class="chip"
      aria-pressed=${this.which === which}
      @click=${() => this.show(which)}
    >
      ${text}
    </button>`;
  }
}

customElements.define("sumito-games", Games);
