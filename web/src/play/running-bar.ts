// A bar on every page while one of the reader's games goes on elsewhere: whose turn it is, and the
// time. Games at the server come first, since an opponent waits there; else the last one of this
// browser.

import { html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { api } from "../client/api";
import { clockText, timeLeft } from "../domain/clock-time";
import type { Notice } from "../domain/game-session";
import type { GameState } from "../domain/game-state";
import { hasServer, root } from "../domain/hosting";
import { t } from "../domain/i18n";
import { modeName, seatName } from "../domain/modes";
import { path, router } from "../domain/navigation";
import type { Summary } from "../domain/protocol";
import { settings } from "../storage/preferences";
import { BaseElement } from "../ui/element";
import { icon } from "../ui/icon";
import { sounds } from "../ui/sounds";
import { SessionFollower } from "./session-follower";
import { OnlineSession } from "./sessions/online";
import "./running-bar.css";
import { playerName } from "../domain/game-texts";

const REFRESH_MS = 60_000;
/** A game in this browser that has lain for longer is no longer being played. */
const FRESH = 24 * 3_600_000;

/** Whether a game is shown: it has moves, or other people play in it. */
function isRunning({ status, moves, seats }: Summary): boolean {
  const people = seats.filter(({ kind }) => kind === "person").length;
  return status === "playing" && (moves > 1 || people > 1);
}

class Running extends BaseElement {
  /** A game of this browser that goes on. */
  @state() local: Summary | null = null;
  private readonly follower = new SessionFollower(this, (notice) => this.noticed(notice));
  private refreshTimer = 0;
  private ticking = 0;
  private readonly refresh = () => void this.find();

  override connectedCallback(): void {
    super.connectedCallback();
    router.addEventListener("change", this.refresh);
    this.refreshTimer = window.setInterval(this.refresh, REFRESH_MS);
    this.ticking = window.setInterval(() => this.requestUpdate(), 1000);
    this.refresh();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    router.removeEventListener("change", this.refresh);
    clearInterval(this.refreshTimer);
    clearInterval(this.ticking);
    this.drop();
  }

  private drop(): void {
    this.follower.session?.close();
    this.follower.follow(null);
  }

  private async find(): Promise<void> {
    const page = hasServer ? await api.games("mine", null).catch(() => null) : null;
    const elsewhere = ({ id }: Summary) => path() !== `/g/${id}`;
    const found = page?.games.find((game) => isRunning(game) && elsewhere(game));
    const { running } = await import("../storage/game-list");
    const local = found ? null : await running(Date.now() - FRESH);
    this.local = local && elsewhere(local) ? local : null;
    if (found?.id === this.follower.session?.id) return;
    this.drop();
    if (found && this.isConnected) this.follower.follow(new OnlineSession(found.id));
  }

  private noticed({ kind }: Notice): void {
    const game = this.follower.session?.game;
    if (!game) return;
    if (kind === "ended") this.requestUpdate();
    if (kind !== "moved" || !isMine(game)) return;
    sounds.turn();
    notifyTurn(t("Your turn."), `/g/${game.id}`);
  }

  override render(): TemplateResult | typeof nothing {
    const { session } = this.follower;
    const game = session?.game;
    if (!session || !game || game.status !== "playing") return this.localBar();
    const others = game.seats.filter(({ colour }) => !game.you.includes(colour));
    const [other] = others;
    const name = other && others.length === 1 ? playerName(game, other) : modeName(game.mode);
    const mine = isMine(game);
    const left = game.turn ? timeLeft(game, game.turn, session.receivedAt) : null;
    const text = mine ? yourTurn(name, others.length) : waits(name, others.length);
    return html`<a class="running-bar ${mine ? "mine" : ""}" href="/g/${game.id}">
      ${icon("play")}<span>${text}</span>${left === null ? nothing : html`<b>${clockText(left)}</b>`}
    </a>`;
  }

  private localBar(): TemplateResult | typeof nothing {
    if (!this.local) return nothing;
    const computers = this.local.seats.filter(({ kind }) => kind === "computer");
    const name = computers[0] ? seatName(computers[0]) : "";
    return html`<a class="running-bar" href="/g/${this.local.id}">
      ${icon("play")}<span>${computers.length === 1 ? t("Continue against {name}", { name }) : t("Your game goes on")}</span>
    </a>`;
  }
}

/** With several opponents, the mode is named instead of them. */
function yourTurn(name: string, others: number): string {
  if (others === 0) return t("Your game goes on");
  return others === 1
    ? t("Your turn against {name}", { name })
    : t("Your turn: {game}", { game: name });
}

function waits(name: string, others: number): string {
  return others === 1 ? t("Waiting for {name}", { name }) : t("Your game goes on");
}

function isMine({ turn, you }: GameState): boolean {
  return turn !== null && you.includes(turn);
}

/** Notify a player whose page is hidden of their turn, if they allowed it. */
export function notifyTurn(text: string, path: string): void {
  if (!settings.now.notify || !document.hidden || !("Notification" in window)) return;
  if (Notification.permission === "granted") void tell(text, path);
}

/** Phones take notices from service workers only. */
async function tell(text: string, path: string): Promise<void> {
  const how = { body: text, tag: path, data: path, icon: `${root}icons/192.png` };
  const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
  if (worker) await worker.showNotification("Sumito", how);
  else new Notification("Sumito", how);
}

customElements.define("sumito-running", Running);
