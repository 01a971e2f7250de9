// The game page: board, moves, chat and menu.

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { features, type Pointed } from "../domain/features";
import { isLocal } from "../domain/game-ids";
import type { GameSession } from "../domain/game-session";
import type { GameState } from "../domain/game-state";
import { controlName } from "../domain/game-texts";
import { number, t, tn } from "../domain/i18n";
import { attempt, toast } from "../domain/messages";
import { colourName, modeName } from "../domain/modes";
import { go } from "../domain/navigation";
import type { Colour } from "../domain/protocol";
import { settings } from "../storage/preferences";
import { BaseElement } from "../ui/element";
import { formationsSwitch, mayShowFormations } from "../ui/formations";
import { icon } from "../ui/icon";
import { littleMarble } from "../ui/pictures";
import { notFound } from "../ui/placeholders";
import "../ui/menu.css";
import "./actions";
import "./chat";
import { gameMenu } from "./game-menu";
import { GamePageController, type Invitation, type Tab } from "./game-page-controller";
import "./invite";
import "./move-list";
import "./page.css";
import "./play-area";
import "./result-card";
import { notifyTurn } from "./running-bar";

/** Where there is room to write moves; elsewhere that is in the menu. */
const ROOMY = matchMedia("(width >= 900px)");

class GamePage extends BaseElement {
  @property({ attribute: false }) gameId!: string;
  @state() flips = 0;
  private readonly page = new GamePageController({
    changed: () => this.requestUpdate(),
    yourTurn: (game) => notifyTurn(t("Your turn."), `/g/${game.id}`),
    rematch: (id) => go(`/g/${id}`),
  });
  private readonly changed = () => this.requestUpdate();

  override connectedCallback(): void {
    super.connectedCallback();
    ROOMY.addEventListener("change", this.changed);
    settings.addEventListener("change", this.changed);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    ROOMY.removeEventListener("change", this.changed);
    settings.removeEventListener("change", this.changed);
    this.page.close();
    document.title = "Sumito";
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("gameId")) return;
    this.flips = 0;
    void this.page.open(this.gameId);
  }

  protected override updated(): void {
    document.title = this.page.isYourTurn ? `● ${t("Your turn.")} – Sumito` : "Sumito";
  }

  override render(): TemplateResult | typeof nothing {
    const { session, game, shown, pointed, result } = this.page;
    if (!session) return nothing;
    if (session.failed) return notFound(t("This game can't be shown"), session.failed);
    if (session.missing) {
      const why = isLocal(this.gameId)
        ? t(
            "Games against the computer and at one screen are stored in the browser they were played in.",
          )
        : t("Perhaps the link isn't complete, or the game was called off before it began.");
      return notFound(t("There is no such game"), why);
    }
    const waiting = game?.status === "waiting";
    const kind = `${waiting ? "waiting" : "on"} ${game?.mode ?? "two"}`;
    return html`<div class="game-page ${kind}">
      <h1 class="hidden">${t("Game")}</h1>
      <sumito-play
        .session=${session}
        .shown=${shown}
        .flips=${this.flips}
        .pointed=${shown === null ? pointed : null}
        @rest=${(event: CustomEvent<boolean>) => this.page.rested(event.detail)}
      ></sumito-play>
      ${result === "shown" && game ? this.result(session, game) : nothing}
      <section class="panel" aria-label=${t("Game")}>${game ? this.panel(session, game) : nothing}</section>
    </div>`;
  }

  private result(session: GameSession, game: GameState): TemplateResult {
    return html`<sumito-result
      .session=${session}
      .game=${game}
      @close=${() => this.page.closeResult()}
      @review=${() => this.review()}
    ></sumito-result>`;
  }

  private review(): void {
    this.page.startReplay();
    void this.updateComplete.then(() => this.querySelector("sumito-moves")?.start());
  }

  private panel(session: GameSession, game: GameState): TemplateResult {
    const waiting = game.status === "waiting";
    const invitation = this.page.invitation(location.search);
    const isCoached = settings.now.coach && !session.elsewhere && this.page.mayBeCoached;
    return html`
      ${session.elsewhere ? this.elsewhere(session) : nothing}
      ${invitation ? this.joining(game, invitation) : nothing}
      ${waiting && game.you.length > 0 ? html`<sumito-invite .game=${game}></sumito-invite>` : nothing}
      <sumito-actions .session=${session} .game=${game}></sumito-actions>
      ${isCoached ? this.coach(session, game) : nothing}
      ${waiting ? this.facts(session, game) : this.sheet(session, game)}
    `;
  }

  /** The game is played in another tab, and can be moved here. */
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
      @point=${(event: CustomEvent<Pointed>) => this.page.point(event.detail)}
    ></sumito-coach>`;
  }

  /** Moves and chat share one place; the rest is in a menu. */
  private sheet(session: GameSession, game: GameState): TemplateResult {
    const { hasChat, isChatShown, shown } = this.page;
    if (isChatShown) this.page.markChatRead();
    return html`<div class="card sheet-card">
      <div class="sheet-head">
        <div class="tab-list" role="tablist">
          ${this.tabButton("moves", t("Moves"), 0)}
          ${hasChat ? this.tabButton("chat", t("Chat"), this.page.unreadCount) : nothing}
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
          ${this.tools(game)} ${ROOMY.matches ? nothing : this.typing()}
          ${this.facts(session, game)}
        </div>
      </div>
      <div class="sheet-body" role="tabpanel" aria-label=${isChatShown ? t("Chat") : t("Moves")}>
        ${
          isChatShown
            ? html`<sumito-chat .session=${session} .game=${game}></sumito-chat>`
            : html`<sumito-moves
                  .game=${game}
                  .shown=${shown}
                  @show=${(event: CustomEvent<number | null>) => this.page.show(event.detail)}
                ></sumito-moves>
                ${ROOMY.matches ? this.typing() : nothing}`
        }
      </div>
    </div>`;
  }

  private tabButton(tab: Tab, text: string, unread: number): TemplateResult {
    return html`<button
      class="quiet"
      role="tab"
      aria-selected=${this.page.tab === tab}
      @click=${() => this.page.openTab(tab)}
    >
      ${text}${
        unread > 0
          ? html`<span class="badge" aria-label=${t("New messages: {count}", { count: unread })}
              >${number(unread)}</span
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
    ];
    const { lag } = session;
    return html`<p class="facts">${facts.join(" · ")} ${lag === null ? nothing : signalBars(lag)}</p>`;
  }

  private joining(game: GameState, { seats, key }: Invitation): TemplateResult {
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
      await this.page.join(seat, name, key);
      history.replaceState(null, "", `/g/${this.gameId}`);
    });
  }

  /** A field for those who would rather type their moves. */
  private typing(): TemplateResult | typeof nothing {
    if (!this.page.mayType) return nothing;
    return html`<form class="typing" @submit=${(event: SubmitEvent) => this.typed(event)}>
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

  private typed(event: SubmitEvent): void {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const problem = this.page.type(String(new FormData(form).get("move") ?? ""));
    if (typeof problem === "string") toast(problem);
    else if (problem) this.querySelector("sumito-play")?.explain(problem);
    form.reset();
    this.closeMenu();
  }

  private tools(game: GameState): TemplateResult {
    const { shown, mayBeCoached } = this.page;
    return gameMenu(game, shown ?? game.moves.length, mayBeCoached, {
      flip: () => {
        this.flips = (this.flips + 1) % 2;
      },
      close: () => this.closeMenu(),
    });
  }

  private closeMenu(): void {
    this.querySelector<HTMLElement>("#game-menu:popover-open")?.hidePopover();
  }
}

/** How quickly the server answers, as on a phone: three bars, two or one. */
function signalBars(lag: number): TemplateResult {
  const text = t("Connection: {lag} ms", { lag });
  const bars = lag < 100 ? 3 : lag < 300 ? 2 : 1;
  return html`<span class="signal signal-${bars}" role="img" aria-label=${text} title=${text}
    ><i></i><i></i><i></i
  ></span>`;
}

customElements.define("sumito-game", GamePage);
