// The moves so far, and the way back through them.

import { html, type TemplateResult } from "lit";
import type { Game } from "../games/game";
import { colourName } from "../modes";
import { settings } from "../settings";
import { t } from "../words";
import { type IconName, icon } from "./icon";
import { Part } from "./part";
import { littleMarble } from "./pictures";

class MoveList extends Part {
  static override properties = { game: { attribute: false }, shown: { attribute: false } };
  declare game: Game;
  declare shown: number | null;
  private readonly keys = (event: KeyboardEvent) => this.key(event);

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.keys);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.keys);
  }

  /** Left and right go through the game, unless they are needed where the focus is. */
  private key(event: KeyboardEvent): void {
    const { target } = event;
    if (
      target instanceof Element &&
      target.closest("input, textarea, select, dialog, [role=grid]")
    ) {
      return;
    }
    if (event.key === "ArrowLeft") this.go(this.at() - 1);
    else if (event.key === "ArrowRight") this.go(this.at() + 1);
  }

  private at(): number {
    return this.shown ?? this.game.moves.length;
  }

  private go(count: number): void {
    const last = this.game.moves.length;
    const to = Math.max(0, Math.min(last, count));
    const live = to === last && this.game.status !== "over" ? null : to;
    this.dispatchEvent(new CustomEvent("show", { detail: live }));
  }

  protected override updated(): void {
    const list = this.querySelector<HTMLElement>(".list");
    const current = this.querySelector<HTMLElement>("[aria-current=step]");
    if (!list) return;
    // Only the list scrolls, never the page.
    if (!current) list.scrollTop = 0;
    else {
      list.scrollTop = current.offsetTop - list.clientHeight / 2;
      list.scrollLeft = current.offsetLeft - list.clientWidth / 2;
    }
  }

  override render(): TemplateResult {
    const at = this.at();
    const last = this.game.moves.length;
    return html`
      <div class="steps" role="toolbar" aria-label=${t("Go through the game")}>
        ${this.button("first", t("Start"), 0, at === 0)}
        ${this.button("previous", t("Back"), at - 1, at === 0)}
        ${this.button("next", t("Forward"), at + 1, at === last)}
        ${this.button("last", t("Now"), last, at === last)}
      </div>
      <ol class="list" tabindex="0" aria-label=${t("Moves")}>
        ${this.game.moves.map((move, index) => {
          const text = settings.now.notation === "nacre" ? move.nacre : move.move;
          const mark = move.ejected ? "×" : move.pushed.length > 0 ? "›" : "";
          return html`<li>
            <button
              class="quiet"
              aria-current=${at === index + 1 ? "step" : "false"}
              @click=${() => this.go(index + 1)}
            >
              <span class="number">${index + 1}</span>${littleMarble(move.seat)}<span
                class="hidden"
                >${colourName(move.seat)}</span
              ><span>${text}${mark}</span>
            </button>
          </li>`;
        })}
      </ol>
    `;
  }

  private button(name: IconName, label: string, to: number, off: boolean): TemplateResult {
    return html`<button
      class="quiet"
      aria-label=${label}
      title=${label}
      ?disabled=${off}
      @click=${() => this.go(to)}
    >
      ${icon(name)}
    </button>`;
  }
}

customElements.define("sumito-moves", MoveList);
