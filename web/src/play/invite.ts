// The invitation card of a game with open seats: a link and a QR code for each seat, and the
// computer as a stand-in.

import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { api } from "../client/api";
import type { GameState } from "../domain/game-state";
import { t } from "../domain/i18n";
import { colourName, LEVEL_IDS, levelName } from "../domain/modes";
import type { Colour, Links } from "../domain/protocol";
import "./invite.css";
import { attempt } from "../domain/messages";
import { createdHere } from "../storage/created-games";
import { copy } from "../ui/copy-link";
import { BaseElement } from "../ui/element";
import { icon } from "../ui/icon";
import { littleMarble, qrCode } from "../ui/pictures";

class Invite extends BaseElement {
  @property({ attribute: false }) game!: GameState;
  @state() shown: Colour | "any" = "any";
  @state() code: TemplateResult | null = null;
  @state() level = "friendly";
  @state() links: Links = {};

  protected override firstUpdated(): void {
    if (!createdHere().includes(this.game.id)) return;
    api
      .invitations(this.game.id)
      .then(({ invitations }) => {
        this.links = invitations;
        return this.show(this.shown);
      })
      .catch(() => undefined);
  }

  private address(which: Colour | "any"): string | null {
    const path = this.links[which];
    return path ? new URL(path, location.href).href : null;
  }

  private async show(which: Colour | "any"): Promise<void> {
    this.shown = which;
    const address = this.address(which);
    this.code = address ? await qrCode(address) : null;
  }

  private open(): Colour[] {
    return this.game.seats.filter(({ kind }) => kind === "open").map(({ colour }) => colour);
  }

  override render(): TemplateResult {
    const open = this.open();
    const address = this.address(this.shown);
    const stranger = this.game.listed;
    return html`<section class="card invite">
      ${stranger ? this.looking() : html`<h2>${t("Invite your friends")}</h2>`}
      ${address ? this.link(address, open, stranger) : nothing}
      ${address || stranger ? nothing : html`<p>${t("Waiting until all seats are taken.")}</p>`}
      ${address ? this.standIn(open) : nothing}
    </section>`;
  }

  /** What a listed game shows while it waits for an opponent. */
  private looking(): TemplateResult {
    return html`<h2 class="looking">
        <span class="rolling" aria-hidden="true"><i></i><i></i><i></i></span>${t("Looking for an opponent…")}
      </h2>
      <p role="status">${t("Your game is in the lobby. It starts as soon as somebody joins.")}</p>`;
  }

  private link(address: string, open: Colour[], folded: boolean): TemplateResult {
    const content = html`<p>${t("Send this link, or let them scan the code.")}</p>
      ${open.length > 1 ? this.choices(open) : nothing}
      <div class="code">${this.code}</div>
      <div class="row">
        <input readonly .value=${address} aria-label=${t("Link")} />
        <button class="primary" @click=${() => copy(address)}>${icon("copy")} ${t("Copy")}</button>
      </div>`;
    if (!folded) return content;
    return html`<details>
      <summary>${t("Invite a friend instead")}</summary>
      ${content}
    </details>`;
  }

  private standIn(open: Colour[]): TemplateResult {
    return html`<div class="row stand-in">
        <label
          ><span class="hidden">${t("Level")}</span
          ><select
            @change=${(event: Event) => {
              this.level = (event.target as HTMLSelectElement).value;
            }}
          >
            ${LEVEL_IDS.map(
              (id) =>
                html`<option value=${id} ?selected=${id === this.level}>${levelName(id)}</option>`,
            )}
          </select></label
        >
        <button @click=${() => this.fill(open)}>
          ${icon("computer")} ${t("Let the computer play the open seats")}
        </button>
      </div>`;
  }

  private choices(open: Colour[]): TemplateResult {
    return html`<div class="chips" role="group" aria-label=${t("Seat")}>
      <button
        class="chip"
        aria-pressed=${this.shown === "any"}
        @click=${() => this.show("any")}
      >
        ${t("Any seat")}
      </button>
      ${open.map(
        (colour) =>
          html`<button
            class="chip"
            aria-pressed=${this.shown === colour}
            @click=${() => this.show(colour)}
          >
            ${littleMarble(colour)} ${colourName(colour)}
          </button>`,
      )}
    </div>`;
  }

  private fill(open: Colour[]): Promise<void> {
    return attempt(async () => {
      for (const colour of open) await api.fillSeat(this.game.id, colour, this.level);
    });
  }
}

customElements.define("sumito-invite", Invite);
