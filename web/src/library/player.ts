// A player's profile: ratings and their history.

import { html, nothing, type PropertyValues, svg, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { ApiError, api } from "../client/api";
import { locale, t } from "../domain/i18n";
import { modeName } from "../domain/modes";
import type { Mode, Profile, Rating } from "../domain/protocol";
import { BaseElement } from "../ui/element";
import { gameRow } from "../ui/game-row";
import { empty, loadError, notFound } from "../ui/placeholders";
import "../ui/pages.css";

type Points = readonly { at: number | string; rating: number }[];

class Player extends BaseElement {
  @property({ attribute: false }) name!: string;
  @state() profile: Profile | null = null;
  @state() failed = "";
  /** There is no player of this name. */
  @state() unknown = false;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("name")) return;
    void this.load();
  }

  private async load(): Promise<void> {
    this.profile = null;
    this.failed = "";
    this.unknown = false;
    try {
      this.profile = await api.player(this.name);
    } catch (error) {
      this.unknown = error instanceof ApiError && error.status === 404;
      this.failed = (error as Error).message;
    }
  }

  override render(): TemplateResult {
    if (this.unknown) {
      const { name } = this;
      return notFound(
        t("There is no player called {name}", { name }),
        t("Perhaps the name is spelt a little differently."),
      );
    }
    const ratings = Object.entries(this.profile?.ratings ?? {}) as [Mode, Rating][];
    return html`<section class="plain-page">
      <h1>${this.name}</h1>
      ${loadError(this.failed, () => this.load())}
      ${this.profile && ratings.length === 0 ? empty(t("No rated games yet."), nothing) : nothing}
      ${ratings.map(
        ([mode, { rating, games }]) => html`<article class="card">
          <h2>${modeName(mode)}</h2>
          <p class="rating">
            <b>${Math.round(rating)}</b> ${t("Games: {count}", { count: games })}
          </p>
          ${plot(this.profile?.history?.[mode] ?? [])}
        </article>`,
      )}
      <ul class="game-list">
        ${(this.profile?.games ?? []).map((game) => gameRow(game, t("Replay")))}
      </ul>
    </section>`;
  }
}

/** Ratings over the games, with the highest, the lowest and the days at the ends. */
function plot(points: Points): TemplateResult | typeof nothing {
  if (points.length < 2) return nothing;
  const ratings = points.map(({ rating }) => rating);
  const low = Math.min(...ratings);
  const high = Math.max(...ratings);
  const x = (index: number) => 46 + (index / (points.length - 1)) * 544;
  const y = (rating: number) => 150 - ((rating - low) / Math.max(1, high - low)) * 130;
  const line = ratings.map((rating, k) => `${x(k).toFixed(1)},${y(rating).toFixed(1)}`).join(" ");
  const day = (index: number) => new Date(points[index]?.at ?? 0).toLocaleDateString(locale());
  const label = t("Rating from {low} to {high}", { low: Math.round(low), high: Math.round(high) });
  return html`<svg class="plot" viewBox="0 0 600 180" role="img" aria-label=${label}>
    ${[low, high].map(
      (rating) => svg`<line x1="46" x2="590" y1=${y(rating)} y2=${y(rating)} />
        <text x="40" y=${y(rating) + 4} text-anchor="end">${Math.round(rating)}</text>`,
    )}
    <polyline points=${line} />
    <text x="46" y="174">${day(0)}</text>
    <text x="590" y="174" text-anchor="end">${day(points.length - 1)}</text>
  </svg>`;
}

customElements.define("sumito-player", Player);
