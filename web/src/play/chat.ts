// The chat of a game. Partners in a team don't talk during the game; the server enforces it.

import { html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { GameSession } from "../domain/game-session";
import type { GameState } from "../domain/game-state";
import { t } from "../domain/i18n";
import { colourName } from "../domain/modes";
import type { ChatLine, Colour } from "../domain/protocol";
import "./chat.css";
import { BaseElement } from "../ui/element";
import { icon } from "../ui/icon";
import { personName } from "../ui/person-name";

const PHRASES = ["hello", "good-luck", "well-played", "thanks", "oops", "good-game"];

function phraseText(phrase: string): string {
  const texts: Record<string, string> = {
    hello: t("Hello!"),
    "good-luck": t("Good luck!"),
    "well-played": t("Well played!"),
    sorry: t("Sorry!"),
    "one-moment": t("One moment, please."),
    oops: t("Oops!"),
    bye: t("Goodbye!"),
    thanks: t("Thank you!"),
    "good-game": t("Good game!"),
  };
  return texts[phrase] ?? phrase;
}

class Chat extends BaseElement {
  @property({ attribute: false }) session!: GameSession;
  @property({ attribute: false }) game!: GameState;

  private say(content: { text: string } | { phrase: string }): void {
    this.session.command("chat", content);
  }

  private submit(event: SubmitEvent): void {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const text = String(new FormData(form).get("text") ?? "").trim();
    if (text) this.say({ text });
    form.reset();
  }

  protected override updated(): void {
    const list = this.querySelector(".chat-lines");
    list?.scrollTo(0, list.scrollHeight);
  }

  override render(): TemplateResult {
    return html`
      <ul class="chat-lines" tabindex="0" aria-label=${t("Chat")} aria-live="polite">
        ${this.game.chat.map((said) => this.line(said))}
      </ul>
      ${this.game.can.includes("chat") ? this.writing() : nothing}
    `;
  }

  private writing(): TemplateResult {
    return html`
      <div class="presets">
        ${PHRASES.map(
          (phrase) =>
            html`<button class="chip" @click=${() => this.say({ phrase })}>
              ${phraseText(phrase)}
            </button>`,
        )}
      </div>
      <form class="saying" @submit=${this.submit}>
        <input
          name="text"
          maxlength="300"
          autocomplete="off"
          aria-label=${t("Message")}
          placeholder=${t("Message")}
        />
        <button aria-label=${t("Send")}>${icon("next")}</button>
      </form>
    `;
  }

  private line(said: ChatLine): TemplateResult {
    const seat = this.game.seats.find(({ colour }) => colour === said.sender);
    const name = seat ? seat.name || colourName(seat.colour as Colour) : said.sender;
    const text = said.phrase ? phraseText(said.phrase) : said.text;
    return html`<li><b>${personName(name, seat?.guest ?? false)}</b> ${text}</li>`;
  }
}

customElements.define("sumito-chat", Chat);
