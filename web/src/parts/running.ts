// A bar on every page while a game of one's own goes on elsewhere: whose turn it is, and the time.

import { html, nothing, type TemplateResult } from "lit";
import { api } from "../api";
import { GameController } from "../games/controller";
import type { Game } from "../games/game";
import { OnlineGame } from "../games/online";
import type { Notice } from "../games/played";
import { remaining, written } from "../games/time";
import type { Summary } from "../protocol";
import { route, router } from "../router";
import { settings } from "../settings";
import { sounds } from "../sounds";
import { t } from "../words";
import { icon } from "./icon";
import { Part } from "./part";
import "./running.css";
import { playerName } from "./says";

const LOOK_EVERY = 60_000;

/** Worth a bar: somebody has moved, or somebody waits. */
function isRunning({ status, moves, seats }: Summary): boolean {
  const people = seats.filter(({ kind }) => kind === "person").length;
  return status === "playing" && (moves > 1 || people > 1);
}

class Running extends Part {
  private readonly follower = new GameController(this, (notice) => this.noticed(notice));
  private looking = 0;
  private ticking = 0;
  private readonly look = () => void this.find();

  override connectedCallback(): void {
    super.connectedCallback();
    router.addEventListener("change", this.look);
    this.looking = window.setInterval(this.look, LOOK_EVERY);
    this.ticking = window.setInterval(() => this.requestUpdate(), 1000);
    this.look();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    router.removeEventListener("change", this.look);
    clearInterval(this.looking);
    clearInterval(this.ticking);
    this.drop();
  }

  private drop(): void {
    this.follower.played?.close();
    this.follower.follow(null);
  }

  private async find(): Promise<void> {
    const page = await api.games("mine", null).catch(() => null);
    const here = route();
    const found = page?.games.find(
      (game) => isRunning(game) && !(here.page === "game" && here.id === game.id),
    );
    if (found?.id === this.follower.played?.id) return;
    this.drop();
    if (found && this.isConnected) this.follower.follow(new OnlineGame(found.id));
  }

  private noticed({ kind }: Notice): void {
    const game = this.follower.played?.game;
    if (!game) return;
    if (kind === "ended") this.requestUpdate();
    if (kind === "moved" && isMine(game)) sounds.turn();
  }

  override render(): TemplateResult | typeof nothing {
    const { played } = this.follower;
    const game = played?.game;
    if (!played || !game || game.status !== "playing") return nothing;
    const others = game.seats.filter(({ colour }) => !game.you.includes(colour));
    const name = others.map((seat) => playerName(game, seat)).join(", ");
    const mine = isMine(game);
    const left = game.turn ? remaining(game, game.turn, played.heardAt) : null;
    const text = mine
      ? name
        ? t("Your turn against {name}", { name })
        : t("Your game goes on")
      : t("Waiting for {name}", { name });
    return html`<a class="running-bar ${mine ? "mine" : ""}" href="/g/${game.id}">
      ${icon("play")}<span>${text}</span>${left === null ? nothing : html`<b>${written(left)}</b>`}
    </a>`;
  }
}

function isMine({ turn, you }: Game): boolean {
  return turn !== null && you.includes(turn);
}

/** Tell somebody whose page lies behind others that it is their turn, if they allowed it. */
export function notifyTurn(text: string): void {
  if (!settings.now.notify || !document.hidden || !("Notification" in window)) return;
  if (Notification.permission === "granted") new Notification("Sumito", { body: text });
}

customElements.define("sumito-running", Running);
