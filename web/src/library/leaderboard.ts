// The leaderboard of each mode.

import { html, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { api } from "../client/api";
import { t } from "../domain/i18n";
import { MODES, modeName } from "../domain/modes";
import type { LeaderboardEntry, Mode } from "../domain/protocol";
import { BaseElement } from "../ui/element";
import { empty, loadError } from "../ui/placeholders";
import "../ui/pages.css";

class Leaderboard extends BaseElement {
  @state() mode: Mode = "two";
  @state() leaders: readonly LeaderboardEntry[] | null = null;
  @state() failed = "";

  override connectedCallback(): void {
    super.connectedCallback();
    this.show("two");
  }

  private show(mode: Mode): void {
    this.mode = mode;
    this.leaders = null;
    this.failed = "";
    api
      .leaders(mode)
      .then((leaders) => {
        if (mode === this.mode) this.leaders = leaders;
      })
      .catch((error: Error) => {
        this.failed = error.message;
      });
  }

  override render(): TemplateResult {
    return html`<section class="plain-page">
      <h1>${t("Ratings")}</h1>
      <div class="tabs">
        ${MODES.map(
          (mode) =>
            html`<button
              class="chip"
              aria-pressed=${this.mode === mode}
              @click=${() => this.show(mode)}
            >
              ${modeName(mode)}
            </button>`,
        )}
      </div>
      ${loadError(this.failed, () => this.show(this.mode))}
      ${this.leaders?.length ? this.table(this.leaders) : this.leaders ? this.nobody() : ""}
    </section>`;
  }

  private nobody(): TemplateResult {
    return empty(
      t("Nobody has played a rated game here yet. With an account you can be the first."),
      html`<a class="button" href="/account">${t("Account")}</a>`,
    );
  }

  private table(leaders: readonly LeaderboardEntry[]): TemplateResult {
    return html`<table class="leaders">
      <thead>
        <tr>
          <th scope="col">${t("Place")}</th>
          <th scope="col">${t("Name")}</th>
          <th scope="col">${t("Rating")}</th>
          <th scope="col">${t("Games")}</th>
        </tr>
      </thead>
      <tbody>
        ${leaders.map(
          ({ name, rating, games }, index) =>
            html`<tr>
              <td>${index + 1}</td>
              <td><a href="/players/${encodeURIComponent(name)}">${name}</a></td>
              <td>${Math.round(rating)}</td>
              <td>${games}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
  }
}

customElements.define("sumito-leaderboard", Leaderboard);
