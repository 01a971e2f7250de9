// What a player can do besides moving; each action is offered only when it makes sense.

import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { isLocal } from "../domain/game-ids";
import type { GameSession } from "../domain/game-session";
import type { GameState } from "../domain/game-state";
import { listed, t } from "../domain/i18n";
import type { Ability, Colour } from "../domain/protocol";
import "./actions.css";
import { nameOf } from "../domain/outcomes";
import { BaseElement } from "../ui/element";
import { type IconName, icon } from "../ui/icon";
import { answersText, offerText, type Proposal, partyTo } from "./offers";

class Actions extends BaseElement {
  @property({ attribute: false }) session!: GameSession;
  @property({ attribute: false }) game!: GameState;
  /** The grave action that was pressed once. */
  @state() sure = "";

  private command(type: string, fields: object = {}): void {
    this.sure = "";
    this.session.command(type, fields);
  }

  private can(ability: Ability): boolean {
    return this.game.can.includes(ability);
  }

  override render(): TemplateResult | typeof nothing {
    const { game } = this;
    if (game.you.length === 0) return nothing;
    return html`${this.offers()}
      <div class="actions">${game.status === "over" ? this.afterwards() : this.during()}</div>`;
  }

  private during(): TemplateResult {
    return html`
      ${this.can("ask_takeback") ? this.button("undo", t("Take back"), () => this.command("ask_takeback")) : nothing}
      ${this.can("offer_draw") ? this.button("draw", t("Offer a draw"), () => this.offerDraw()) : nothing}
      ${this.can("abort") ? this.grave("abort", "close", t("Abort game"), t("Really call off?")) : nothing}
      ${this.can("resign") ? this.grave("resign", "resign", t("Resign"), t("Really resign?")) : nothing}
      ${
        this.can("claim_win")
          ? this.button("check", t("Claim the win"), () => this.command("claim", { result: "win" }))
          : nothing
      }
      ${
        this.can("claim_draw")
          ? this.button("draw", t("Claim a draw"), () => this.command("claim", { result: "draw" }))
          : nothing
      }
    `;
  }

  private afterwards(): TemplateResult {
    const { rematch } = this.game;
    return html`${
      rematch
        ? html`<a class="button primary" href="/g/${rematch}">${icon("rematch")} ${t("To the rematch")}</a>`
        : this.button("rematch", t("Rematch"), () => this.command("rematch"), "primary")
    }
    <a class="button" href="/review/${this.game.id}">${icon("curve")} ${t("Review")}</a>
    <a class="button" href="/?new">${t("New game")}</a>`;
  }

  /** At one screen, the players there are asked for their agreement. */
  private offerDraw(): void {
    if (isLocal(this.game.id)) this.sure = "offer_draw";
    else this.command("offer_draw");
  }

  /** What has been proposed, and what is to be answered. */
  private offers(): TemplateResult {
    const { offers, you } = this.game;
    const rematch = offers.rematch ?? [];
    const wanted = rematch.some((seat) => you.includes(seat));
    return html`
      ${this.sure === "offer_draw" && this.can("offer_draw") ? this.drawHere() : nothing}
      ${this.proposal("draw")}
      ${
        rematch.length > 0 && !wanted
          ? html`<p class="asked">${this.rematchText(rematch[0] as Colour)}</p>`
          : nothing
      }
      ${wanted ? html`<p class="asked">${t("You asked for a rematch.")}</p>` : nothing}
      ${this.proposal("takeback")}
    `;
  }

  private rematchText(seat: Colour): string {
    const { game } = this;
    if (partyTo(game, seat) === "partner") return t("Your partner would like a rematch.");
    if (game.mode === "two") return t("Your opponent would like a rematch.");
    return t("{name} would like a rematch.", { name: nameOf(game, seat) });
  }

  private proposal(about: Proposal): TemplateResult | typeof nothing {
    const { game } = this;
    const [asker] = game.offers[about];
    if (asker === undefined) return nothing;
    const text = `${offerText(game, about, asker)} ${answersText(game, about, asker)}`.trim();
    // Players who needn't answer, or have answered, only see the state of the offer.
    if (!this.can(`accept_${about}`)) return html`<p class="asked" role="status">${text}</p>`;
    return this.question(text, [
      [t("Accept"), () => this.command(`accept_${about}`)],
      [t("Decline"), () => this.command(`decline_${about}`)],
    ]);
  }

  private drawHere(): TemplateResult {
    const { game } = this;
    const players = game.you.filter(
      (seat) => !game.seats.some(({ colour, out }) => colour === seat && out),
    );
    const names = listed(players.map((seat) => nameOf(game, seat)));
    const cancel = () => {
      this.sure = "";
    };
    return this.question(t("Do all agree to a draw: {names}?", { names }), [
      [t("All agree"), () => this.command("offer_draw")],
      [t("Play on"), cancel],
    ]);
  }

  private question(text: string, answers: readonly (readonly [string, () => void])[]) {
    return html`<div class="question" role="alert">
      <p>${text}</p>
      <div class="answers">
        ${answers.map(
          ([answer, act], at) =>
            html`<button class=${at === 0 ? "primary" : ""} @click=${act}>${answer}</button>`,
        )}
      </div>
    </div>`;
  }

  private button(name: IconName, text: string, act: () => void, kind = ""): TemplateResult {
    return html`<button class=${kind} @click=${act}>${icon(name)} ${text}</button>`;
  }

  /** What can't be undone asks once more. */
  private grave(type: string, name: IconName, text: string, sure: string): TemplateResult {
    const asked = this.sure === type;
    const act = () => {
      if (asked) this.command(type);
      else this.sure = type;
    };
    return html`<button
      class=${asked ? "danger" : ""}
      @click=${act}
      @blur=${() => {
        if (this.sure === type) this.sure = "";
      }}
    >
      ${icon(name)} ${asked ? sure : text}
    </button>`;
  }
}

customElements.define("sumito-actions", Actions);
