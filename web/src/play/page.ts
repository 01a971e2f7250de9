// The game page: board, moves, chat and menu.

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { attemptOf, type Effect } from "../board/state";
import { api } from "../client/api";
import { features, type Pointed } from "../domain/features";
import { isLocal } from "../domain/game-ids";
import type { GameSession, Notice } from "../domain/game-session";
import type { GameState } from "../domain/game-state";
import { hasServer } from "../domain/hosting";
import { t, tn } from "../domain/i18n";
import { colourName, modeName } from "../domain/modes";
import { go } from "../domain/navigation";
import type { Colour } from "../domain/protocol";
import { settings } from "../storage/preferences";
import { GameController } from "./game-controller";
import { claimHandedOver } from "./handoff";
import { OnlineSession } from "./sessions/online";
import "./actions";
import "./chat";
import "./invite";
import "./move-list";
import "./result-card";
import "./play-area";
import "../ui/menu.css";
import "./page.css";
import { controlName } from "../domain/game-texts";
import { attempt, toast } from "../domain/messages";
import { BaseElement } from "../ui/element";
import { formationsSwitch, mayShowFormations } from "../ui/formations";
import { icon } from "../ui/icon";
import { littleMarble } from "../ui/pictures";
import { notFound } from "../ui/placeholders";
import { notifyTurn } from "./running-bar";

/** Where there is room to write moves; elsewhere that is in the menu. */
const ROOMY = matchMedia("(width >= 900px)");

class GamePage extends BaseElement {
  static override properties = {
    gameId: { attribute: false },
    shown: { state: true },
    flips: { state: true },
    session: { state: true },
    tab: { state: true },
    finale: { state: true },
    pointed: { state: true },
  };
  declare gameId: string;
  declare shown: number | null;
  declare flips: number;
  declare session: GameSession | null;
  declare tab: "moves" | "chat";
  /** The game ended before one's eyes: soon after, or already shown, or put away. */
  declare finale: "none" | "coming" | "shown";
  /** What the coach points at on the board. */
  declare pointed: Pointed | null;
  /** How much of the chat has been seen. */
  private read = 0;

  constructor() {
    super();
    this.shown = null;
    this.flips = 0;
    this.session = null;
    this.tab = "moves";
    this.finale = "none";
    this.pointed = null;
  }

  private readonly resized = () => this.requestUpdate();
  private readonly follower = new GameController(this, (notice) => this.noticed(notice));

  private noticed({ kind, event, effect }: Notice): void {
    if (kind === "ended") this.finale = "coming";
    const { game } = this.session ?? {};
    const mine = game?.turn && game.you.includes(game.turn);
    if (kind === "moved" && mine && effect && !game.you.includes(effect.seat)) {
      notifyTurn(t("Your turn."), `/g/${game.id}`);
    }
    if (event?.type === "rematch" && this.session?.game?.you.length) {
      go(`/g/${event.id}`);
    }
    // Whoever looks at the past stays there only until something happens in their own game.
    if (this.session?.game?.status === "playing" && this.session.game.you.length > 0)
      this.shown = null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    ROOMY.addEventListener("change", this.resized);
    settings.addEventListener("change", this.resized);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    ROOMY.removeEventListener("change", this.resized);
    settings.removeEventListener("change", this.resized);
    this.leave();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("gameId")) return;
    this.leave();
    this.shown = null;
    this.flips = 0;
    this.finale = "none";
    const begun = claimHandedOver(this.gameId);
    if (begun) this.follow(begun);
    else if (isLocal(this.gameId)) void this.openLocal(this.gameId);
    else this.follow(new OnlineSession(this.gameId));
  }

  private follow(session: GameSession): void {
    this.session = session;
    this.follower.follow(session);
  }

  /** A game of this browser. */
  private async openLocal(id: string): Promise<void> {
    const { LocalSession } = await import("./sessions/local");
    if (this.gameId === id && this.isConnected && !this.session) this.follow(LocalSession.open(id));
  }

  protected override updated(): void {
    const game = this.session?.game;
    const mine = game?.turn && game.you.length === 1 && game.you[0] === game.turn;
    document.title = mine ? `● ${t("Your turn.")} – Sumito` : "Sumito";
  }

  private leave(): void {
    document.title = "Sumito";
    this.follower.follow(null);
    this.session?.close();
    this.session = null;
  }

  override render(): TemplateResult | typeof nothing {
    const { session } = this;
    if (!session) return nothing;
    if (session.failed) return notFound(t("This game can't be shown"), session.failed);
    if (session.missing) {
      const why = isLocal(this.gameId)
        ? t(
            "Games against the computer and at one screen are kept in the browser they were played in.",
          )
        : t("Perhaps the link isn't complete, or the game was called off before it began.");
      return notFound(t("There is no such game"), why);
    }
    const { game } = session;
    const waiting = game?.status === "waiting";
    const kind = `${waiting ? "waiting" : "on"} ${game?.mode ?? "two"}`;
    return html`<div class="game-page ${kind}">
      <h1 class="hidden">${t("Game")}</h1>
      <sumito-play
        .session=${session}
        .shown=${this.shown}
        .flips=${this.flips}
        .pointed=${this.shown === null ? this.pointed : null}
        @rest=${(event: CustomEvent<boolean>) => this.rested(event.detail)}
      ></sumito-play>
      ${this.finale === "shown" && game ? this.result(session, game) : nothing}
      <section class="panel" aria-label=${t("Game")}>${game ? this.panel(session, game) : nothing}</section>
    </div>`;
  }

  /** The last move has been seen to its end, if there was one; then comes the result. */
  private rested(caughtUp: boolean): void {
    if (this.finale === "coming" && caughtUp) this.finale = "shown";
  }

  private result(session: GameSession, game: GameState): TemplateResult {
    return html`<sumito-result
      .session=${session}
      .game=${game}
      @close=${() => {
        this.finale = "none";
      }}
      @review=${() => this.review()}
    ></sumito-result>`;
  }

  /** From the first move on, at leisure. */
  private review(): void {
    this.finale = "none";
    this.tab = "moves";
    this.shown = 0;
    void this.updateComplete.then(() => this.querySelector("sumito-moves")?.start());
  }

  private panel(session: GameSession, game: GameState): TemplateResult {
    const waiting = game.status === "waiting";
    return html`
      ${session.elsewhere ? this.elsewhere(session) : nothing} ${this.joining(game)}
      ${waiting && game.you.length > 0 ? html`<sumito-invite .game=${game}></sumito-invite>` : nothing}
      <sumito-actions .session=${session} .game=${game}></sumito-actions>
      ${settings.now.coach && !session.elsewhere && mayBeCoached(game) ? this.coach(session, game) : nothing}
      ${waiting ? this.facts(session, game) : this.sheet(session, game)}
    `;
  }

  /** The game goes on in another tab, and can be had here. */
  private elsewhere(session: GameSession): TemplateResult {
    return html`<div class="card elsewhere" role="status">
      <p>${t("You play this game in another tab. Here you can watch it.")}</p>
      <button class="primary" @click=${() => session.playHere?.()}>${t("Play here instead")}</button>
    </div>`;
  }

  private coach(session: GameSession, game: GameState): TemplateResult {
    void features().coach();
    return html`<sumito-coach
      .session=${session}
      .game=${game}
      @point=${(event: CustomEvent<Pointed>) => {
        this.pointed = event.detail;
      }}
    ></sumito-coach>`;
  }

  /** Moves and chat share one place; the rest is in a menu. */
  private sheet(session: GameSession, game: GameState): TemplateResult {
    const talk = this.showsChat(game);
    const chatting = talk && this.tab === "chat";
    if (chatting) this.read = game.chat.length;
    return html`<div class="card sheet-card">
      <div class="sheet-head">
        <div class="tab-list" role="tablist">
          ${this.tabButton("moves", t("Moves"), 0)}
          ${talk ? this.tabButton("chat", t("Chat"), game.chat.length - this.read) : nothing}
        </div>
        ${mayShowFormations(game) ? formationsSwitch() : nothing}
        <button
          class="quiet round"
          popovertarget="game-menu"
          aria-label=${t("More")}
          title=${t("More")}
        >
          ${icon("more")}
        </button>
        <div id="game-menu" class="menu" popover>
          ${this.tools(game)} ${ROOMY.matches ? nothing : this.typing(session, game)}
          ${this.facts(session, game)}
        </div>
      </div>
      <div class="sheet-body" role="tabpanel" aria-label=${chatting ? t("Chat") : t("Moves")}>
        ${
          chatting
            ? html`<sumito-chat .session=${session} .game=${game}></sumito-chat>`
            : html`<sumito-moves
                  .game=${game}
                  .shown=${this.shown}
                  @show=${(event: CustomEvent<number | null>) => {
                    this.shown = event.detail;
                  }}
                ></sumito-moves>
                ${ROOMY.matches ? this.typing(session, game) : nothing}`
        }
      </div>
    </div>`;
  }

  private tabButton(tab: "moves" | "chat", text: string, unread: number): TemplateResult {
    return html`<button
      class="quiet"
      role="tab"
      aria-selected=${this.tab === tab}
      @click=${() => {
        this.tab = tab;
      }}
    >
      ${text}${
        unread > 0
          ? html`<span class="badge" aria-label=${t("New messages: {count}", { count: unread })}
              >${unread}</span
            >`
          : nothing
      }
    </button>`;
  }

  private facts(session: GameSession, game: GameState): TemplateResult {
    const facts = [
      modeName(game.mode),
      controlName(game.control),
      game.rated ? t("rated") : t("not rated"),
      ...(game.spectators > 0 ? [tn("{count} watching", "{count} watching", game.spectators)] : []),
      ...(session.lag === null ? [] : [t("{lag} ms", { lag: session.lag })]),
    ];
    return html`<p class="facts">${facts.join(" · ")}</p>`;
  }

  /** An invitation is open for whoever came by its link. */
  private joining(game: GameState): TemplateResult | typeof nothing {
    const asked = new URLSearchParams(location.search);
    const key = asked.get("key") ?? undefined;
    const open = game.seats.filter(({ kind }) => kind === "open").map(({ colour }) => colour);
    if (open.length === 0 || game.you.length > 0 || !(key || game.listed)) return nothing;
    const wanted = asked.get("seat") as Colour | null;
    const seats = wanted ? open.filter((colour) => colour === wanted) : open;
    return html`<form class="card joining" @submit=${(event: SubmitEvent) => this.join(event, key)}>
      <h2>${t("You are invited to play")}</h2>
      <p>${modeName(game.mode)} · ${controlName(game.control)}</p>
      <label class="field"
        ><span>${t("Your name")}</span
        ><input name="name" maxlength="30" autocomplete="nickname" .value=${settings.now.name}
      /></label>
      <div class="row">
        ${seats.map(
          (colour) =>
            html`<button class="primary big" name="seat" value=${colour}>
              ${littleMarble(colour)} ${t("Play {colour}", { colour: colourName(colour) })}
            </button>`,
        )}
      </div>
    </form>`;
  }

  private join(event: SubmitEvent, key: string | undefined): void {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const name = String(form.get("name") ?? "").trim();
    const seat = (event.submitter as HTMLButtonElement).value as Colour;
    settings.set({ name });
    void attempt(async () => {
      const how = { seat, ...(key ? { key } : {}), ...(name ? { name } : {}) };
      const game = await api.join(this.gameId, how);
      history.replaceState(null, "", `/g/${this.gameId}`);
      this.session?.take(game);
      this.requestUpdate();
    });
  }

  /** For those who rather write their moves. */
  private typing(session: GameSession, game: GameState): TemplateResult | typeof nothing {
    if (game.status !== "playing" || game.you.length === 0 || session.elsewhere) return nothing;
    return html`<form
      class="typing"
      @submit=${(event: SubmitEvent) => {
        event.preventDefault();
        const form = event.target as HTMLFormElement;
        this.typed(session, game, String(new FormData(form).get("move") ?? ""));
        form.reset();
        this.querySelector<HTMLElement>("#game-menu:popover-open")?.hidePopover();
      }}
    >
      <input
        name="move"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        aria-label=${t("Type a move, such as a1b2")}
        placeholder=${t("Type a move, such as a1b2")}
      />
      <button aria-label=${t("Play the move")}>${icon("check")}</button>
    </form>`;
  }

  private typed(session: GameSession, game: GameState, text: string): void {
    const wanted = text.toLowerCase().replace(/[^a-i1-9]/g, "");
    const effect = game.legal.find((one) => one.move === wanted || fromOtherEnd(one) === wanted);
    if (!game.turn || !game.you.includes(game.turn)) toast(t("It isn't your turn."));
    else if (effect) session.play(effect);
    else this.refuseTyped(wanted, text);
  }

  /** The board answers a move that was written as it does one that was tried. */
  private refuseTyped(wanted: string, text: string): void {
    const tried = attemptOf(wanted);
    if (tried === null)
      toast(t("{move} is not a move. Write it like a1b2 or c3c5d4.", { move: text }));
    else this.querySelector("sumito-play")?.explain(tried);
  }

  private tools(game: GameState): TemplateResult {
    const at = this.shown ?? game.moves.length;
    return html`<div class="tools" role="toolbar" aria-label=${t("Tools")}>
      <button
        class="quiet"
        @click=${() => {
          this.flips = (this.flips + 1) % 2;
        }}
      >
        ${icon("flip")} ${t("Turn the board")}
      </button>
      ${
        game.status === "over"
          ? html`<a class="button quiet" href="/analysis?game=${game.id}&at=${at}"
              >${icon("engine")} ${t("Analyse")}</a
            >`
          : nothing
      }
      ${isLocal(game.id) ? this.toolsHere(game) : this.toolsOnline(game, at)}
    </div>`;
  }

  private toolsOnline(game: GameState, at: number): TemplateResult {
    return html`<button class="quiet" @click=${() => this.share("link", at)}>
        ${icon("share")} ${t("Share")}
      </button>
      <a class="button quiet" href="/api/games/${game.id}.apgn" download="sumito-${game.id}.apgn"
        >${icon("download")} ${t("Record")}</a
      >
      <button class="quiet" @click=${() => this.share("png", at)}>
        ${icon("picture")} ${t("Picture")}
      </button>`;
  }

  private toolsHere(game: GameState): TemplateResult {
    const over = game.status === "over" && game.outcome?.reason !== "aborted";
    return html`${mayBeCoached(game) ? coachTool() : nothing}
      <button
        class="quiet"
        @click=${() => void import("../record/stored-game").then(({ download }) => download(game.id))}
      >
        ${icon("download")} ${t("Record")}
      </button>
      <button class="quiet" @click=${() => this.share("png", this.shown ?? game.moves.length)}>
        ${icon("picture")} ${t("Picture")}
      </button>
      ${
        over && hasServer
          ? html`<button class="quiet" @click=${() => this.share("link", 0)}>
                ${icon("share")} ${t("Share")}
              </button>
              <button class="quiet" @click=${() => this.keep(game.id)}>
                ${icon("up")} ${t("Keep at the server")}
              </button>`
          : nothing
      }`;
  }

  /** A game of this browser, wanted on other devices too. */
  private async keep(id: string): Promise<void> {
    await attempt(async () => {
      const { uploadGame } = await import("../storage/upload");
      await uploadGame(id);
      toast(t("Kept: with your account you find it on every device."));
    });
    this.querySelector<HTMLElement>("#game-menu:popover-open")?.hidePopover();
  }

  private async share(what: "link" | "png", at: number): Promise<void> {
    const game = this.session?.game;
    if (!game) return;
    await attempt(async () => {
      const { shareLink, sharePicture } = await features().sharing();
      if (what === "link") await shareLink(game);
      else await sharePicture(game, at);
    });
  }

  /** There is something to read, or somebody to write to. */
  private showsChat(game: GameState): boolean {
    const others = game.seats.some(
      ({ colour, kind }) => kind === "person" && !game.you.includes(colour),
    );
    return game.chat.length > 0 || (others && game.can.includes("chat"));
  }
}

function coachTool(): TemplateResult {
  const { coach } = settings.now;
  return html`<button
    class="quiet"
    aria-pressed=${coach}
    @click=${() => settings.set({ coach: !coach })}
  >
    ${icon("learn")} ${t("Coach")}
  </button>`;
}

/** One person against computers, in this page: nobody is wronged by a helping word. */
function mayBeCoached({ id, seats, you }: GameState): boolean {
  return isLocal(id) && you.length === 1 && seats.some(({ kind }) => kind === "computer");
}

/** A side-step may be named from either end. */
function fromOtherEnd({ move }: Effect): string {
  if (move.length !== 6) return move;
  const [one, other, to] = [move.slice(0, 2), move.slice(2, 4), move.slice(4)];
  const row = to.charCodeAt(0) - one.charCodeAt(0) + other.charCodeAt(0);
  const digit = Number(to[1]) - Number(one[1]) + Number(other[1]);
  return `${other}${one}${String.fromCharCode(row)}${digit}`;
}

customElements.define("sumito-game", GamePage);
