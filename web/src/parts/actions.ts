// What a player can do besides moving; each is offered only when it makes sense.

import { html, nothing, type TemplateResult } from "lit";
import type { Game } from "../games/game";
import type { PlayedGame } from "../games/played";
import type { Ability, Colour } from "../protocol";
import { t } from "../words";
import "./actions.css";
import { type IconName, icon } from "./icon";
import { Part } from "./part";

class Actions extends Part {
  static override properties = {
    played: { attribute: false },
    game: { attribute: false },
    sure: { state: true },
  };
  declare played: PlayedGame;
  declare game: Game;
  /** The grave action that was pressed once. */
  declare sure: string;

  constructor() {
    super();
    this.sure = "";
  }

  private command(type: string, fields: object = {}): void {
    this.sure = "";
    this.played.command(type, fields);
  }

  override render(): TemplateResult | typeof nothing {
    const { game } = this;
    if (game.you.length === 0) return nothing;
    return html`${this.offers()}
      <div class="actions">${game.status === "over" ? this.afterwards() : this.during()}</div>`;
  }

  private during(): TemplateResult {
    const { game } = this;
    const can = (ability: Ability) => game.can.includes(ability);
    return html`
      ${can("ask_takeback") ? this.button("undo", t("Take back"), () => this.command("ask_takeback")) : nothing}
      ${
        can("offer_draw")
          ? this.button("draw", t("Offer a draw"), () => this.command("offer_draw"))
          : nothing
      }
      ${can("abort") ? this.grave("abort", "close", t("Call off"), t("Really call off?")) : nothing}
      ${can("resign") ? this.grave("resign", "resign", t("Resign"), t("Really resign?")) : nothing}
      ${
        can("claim_win")
          ? this.button("check", t("Claim the win"), () => this.command("claim", { result: "win" }))
          : nothing
      }
      ${
        can("claim_draw")
          ? this.button("draw", t("Claim a draw"), () => this.command("claim", { result: "draw" }))
          : nothing
      }
    `;
  }

  private afterwards(): TemplateResult {
    const { rematch } = this.game;
    return html`${
      rematch
        ? html`<a class="button primary" href="/g/${rematch}">${icon("again")} ${t("To the rematch")}</a>`
        : this.button("again", t("Rematch"), () => this.command("rematch"), "primary")
    }
    <a class="button" href="/review/${this.game.id}">${icon("curve")} ${t("Review")}</a>
    <a class="button" href="/?new">${t("New game")}</a>`;
  }

  /** What the others have asked for. */
  private offers(): TemplateResult {
    const { offers, you } = this.game;
    const asked = (seats: readonly Colour[]) => seats.some((seat) => !you.includes(seat));
    const waits = (seats: readonly Colour[]) => seats.some((seat) => you.includes(seat));
    return html`
      ${asked(offers.draw) ? this.question(t("Your opponent offers a draw."), "draw") : nothing}
      ${
        asked(offers.rematch ?? []) && !waits(offers.rematch ?? [])
          ? html`<p class="asked">${t("Your opponent would like a rematch.")}</p>`
          : nothing
      }
      ${
        waits(offers.rematch ?? [])
          ? html`<p class="asked">${t("You asked for a rematch.")}</p>`
          : nothing
      }
      ${
        asked(offers.takeback)
          ? this.question(t("Your opponent asks to take the last move back."), "takeback")
          : nothing
      }
      ${waits(offers.draw) && !asked(offers.draw) ? html`<p class="asked">${t("You offered a draw.")}</p>` : nothing}
      ${
        waits(offers.takeback) && !asked(offers.takeback)
          ? html`<p class="asked">${t("You asked to take your move back.")}</p>`
          : nothing
      }
    `;
  }

  private question(text: string, about: string): TemplateResult {
    return html`<div class="question" role="alert">
      <p>${text}</p>
      <button class="primary" @click=${() => this.command(`accept_${about}`)}>${t("Accept")}</button>
      <button @click=${() => this.command(`decline_${about}`)}>${t("Decline")}</button>
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
        this.sure = "";
      }}
    >
      ${icon(name)} ${asked ? sure : text}
    </button>`;
  }
}

customElements.define("sumito-actions", Actions);
