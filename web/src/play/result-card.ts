// The result of a game: who won and how, the change of rating, and what to do next. Its words are
// kind to those who lost.

import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { isStill } from "../board/animate";
import { api } from "../client/api";
import { userSession } from "../client/session";
import { features } from "../domain/features";
import { isLocal } from "../domain/game-ids";
import type { GameSession } from "../domain/game-session";
import type { GameState } from "../domain/game-state";
import { ejectedAfter } from "../domain/history";
import { hasServer } from "../domain/hosting";
import { number, t } from "../domain/i18n";
import { attempt } from "../domain/messages";
import { LEVEL_IDS, levelName, sideOf, sidesOf } from "../domain/modes";
import { go } from "../domain/navigation";
import { outcomeText } from "../domain/outcomes";
import type { Colour } from "../domain/protocol";
import { rememberCreated } from "../storage/created-games";
import { BaseElement } from "../ui/element";
import { icon } from "../ui/icon";
import { littleMarble } from "../ui/pictures";
import "./result-card.css";
import { playerName } from "../domain/game-texts";
import { sameTerms } from "./rematch-terms";
import { storyOf } from "./story";

const CONFETTI = 26;
/** Plies after which a lost game was a fight. */
const LONG = 20;

class ResultCard extends BaseElement {
  @property({ attribute: false }) session!: GameSession;
  @property({ attribute: false }) game!: GameState;
  /** How a rated game changed the player's rating. */
  @state() change: { readonly now: number; readonly before: number | null } | null = null;
  @state() sharing = false;
  /** How far the film of the game is, from 0 to 1; null while none is made. */
  @state() busy: number | null = null;

  protected override firstUpdated(): void {
    void this.rate();
    this.querySelector<HTMLElement>(".result-card")?.focus({ preventScroll: true });
  }

  private async rate(): Promise<void> {
    const { game } = this;
    const seat = game.seats.find(({ colour }) => game.you.includes(colour));
    if (!game.rated || !seat) return;
    const me = await userSession.refresh().catch(() => null);
    const now = me?.account?.ratings[game.mode]?.rating;
    if (now === undefined) return;
    // The first rated game has nothing to be compared with.
    const before = seat.rating === null ? null : Math.round(seat.rating);
    this.change = { now: Math.round(now), before };
  }

  override render(): TemplateResult | typeof nothing {
    const { outcome } = this.game;
    if (!outcome) return nothing;
    const { title, how, tone } = outcomeText(this.game, outcome);
    const rejoices = tone !== "lost" && outcome.winner !== null;
    return html`<section
      class="result-card ${tone}"
      tabindex="-1"
      role="dialog"
      aria-labelledby="result-title"
    >
      ${rejoices ? confetti(outcome.winner ?? "black") : nothing}
      <button
        class="quiet round close"
        aria-label=${t("Close")}
        @click=${() => this.dispatchEvent(new Event("close"))}
      >
        ${icon("close")}
      </button>
      <h2 id="result-title">${title}</h2>
      <p class="how">${how}</p>
      ${this.marbles()}
      ${this.change ? this.rating(this.change) : nothing}
      ${this.story(tone)}
      ${this.sharing ? this.share() : this.next()}
    </section>`;
  }

  private rating({ now, before }: NonNullable<ResultCard["change"]>): TemplateResult {
    if (before === null)
      return html`<p class="rating-change">${t("Your rating: {rating}", { rating: now })}</p>`;
    const by = now - before;
    const signed = number(by, { signDisplay: "exceptZero" });
    return html`<p class="rating-change">
      ${t("Your rating: {before} → {now}", { before, now })}
      <b class=${by < 0 ? "down" : "up"}>${signed}</b>
    </p>`;
  }

  /** What was special about the game; without that, a kind word for who lost. */
  private story(tone: string): TemplateResult | typeof nothing {
    const kind = t("Well fought. Every game shows you something new.");
    const fought = tone === "lost" && this.game.moves.length >= LONG;
    const sentence = storyOf(this.game) ?? (fought ? kind : null);
    return sentence ? html`<p class="story">${sentence}</p>` : nothing;
  }

  private marbles(): TemplateResult {
    const { game } = this;
    const ejected = ejectedAfter(game, game.moves.length, null);
    return html`<ul class="standings ${ejected.length === 2 ? "pair" : ""}">
      ${sidesOf(game.mode).map((side, index) => {
        const seats = side.map((colour) => game.seats.find((one) => one.colour === colour));
        const names = seats.map((seat) => (seat ? playerName(game, seat) : "")).join(" + ");
        return html`<li>
          <span>${side.map(littleMarble)} ${names}</span><b>${ejected[index]?.length ?? 0}</b>
        </li>`;
      })}
    </ul>`;
  }

  private next(): TemplateResult {
    const { game } = this;
    const mine = game.you.length > 0;
    const up = levelUp(game);
    return html`<div class="next">
      ${
        !mine
          ? nothing
          : game.rematch
            ? html`<a class="button primary offered" href="/g/${game.rematch}">${icon("rematch")} ${t("To the rematch")}</a>`
            : html`<button
                class="primary ${this.isOffered ? "offered" : ""}"
                @click=${() => this.session.command("rematch", { seat: game.you[0] })}
              >
                ${icon("rematch")} ${t("Rematch")}
              </button>`
      }
      ${
        up
          ? html`<button @click=${() => this.again(up)}>
              ${icon("up")} ${t("One level up: {level}", { level: levelName(up) })}
            </button>`
          : nothing
      }
      <a class="button" href="/review/${game.id}">${icon("curve")} ${t("Review")}</a>
      <button @click=${() => this.dispatchEvent(new Event("review"))}>
        ${icon("replay")} ${t("Replay")}
      </button>
      <button
        @click=${() => {
          this.sharing = true;
        }}
      >
        ${icon("share")} ${t("Share")}
      </button>
      <a class="button" href="/?new">${icon("board")} ${t("New game")}</a>
    </div>`;
  }

  /** Has an opponent asked for a rematch? */
  private get isOffered(): boolean {
    const { offers, you } = this.game;
    return offers.rematch.some((seat) => !you.includes(seat));
  }

  private again(level: string): Promise<void> {
    return attempt(async () => {
      const wanted = sameTerms(this.game, level);
      if (isLocal(this.game.id)) {
        go(`/g/${await (await import("../storage/new-game")).createLocalGame(wanted)}`);
        return;
      }
      const { game } = await api.createGame(wanted);
      rememberCreated(game.id);
      go(`/g/${game.id}`);
    });
  }

  private share(): TemplateResult {
    return html`<div class="next">
      ${
        hasServer
          ? html`<button @click=${() => this.send("link")}>${icon("invite")} ${t("Link")}</button>`
          : nothing
      }
      <button @click=${() => this.send("png")}>${icon("picture")} ${t("Picture")}</button>
      <button ?disabled=${this.busy !== null} @click=${() => this.send("gif")}>
        ${icon("play")}
        ${
          this.busy === null
            ? t("Film of the game")
            : t("Film: {percent}", { percent: number(this.busy, { style: "percent" }) })
        }
      </button>
      <button
        class="quiet"
        @click=${() => {
          this.sharing = false;
        }}
      >
        ${icon("previous")} ${t("Back")}
      </button>
    </div>`;
  }

  private send(what: "link" | "png" | "gif"): Promise<void> {
    return attempt(async () => {
      const { shareFilm, shareLink, sharePicture } = await features().sharing();
      if (what === "link") await shareLink(this.game);
      else if (what === "png") await sharePicture(this.game, this.game.moves.length);
      else {
        this.busy = 0;
        await shareFilm(this.game, (part) => {
          this.busy = part;
        }).finally(() => {
          this.busy = null;
        });
      }
    });
  }
}

/** The next level, after a win against a computer. */
function levelUp(game: GameState): string | null {
  const computers = game.seats.filter(({ kind }) => kind === "computer");
  const winner = game.outcome?.winner;
  if (computers.length === 0 || !winner || game.you.length !== 1) return null;
  if (sideOf(game.mode, winner) !== sideOf(game.mode, game.you[0] as Colour)) return null;
  const levels = computers.map(({ level }) => LEVEL_IDS.indexOf(level ?? ""));
  return LEVEL_IDS[Math.max(...levels) + 1] ?? null;
}

/** Marbles of the winner's colour rain for a moment, unless reduced motion is preferred. */
function confetti(colour: Colour): TemplateResult | typeof nothing {
  if (isStill()) return nothing;
  return html`<div class="confetti" aria-hidden="true">
    ${Array.from({ length: CONFETTI }, (_, k) => {
      const style = `left:${(k * 37) % 100}%;animation-delay:${(k * 61) % 700}ms;scale:${0.6 + ((k * 13) % 10) / 14}`;
      // As a property: the page's Content-Security-Policy forbids style attributes.
      return html`<i .style=${style}>${littleMarble(k % 3 === 0 ? "white" : colour)}</i>`;
    })}
  </div>`;
}

customElements.define("sumito-result", ResultCard);
