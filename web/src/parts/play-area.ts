// The board with the players around it: shows a game or one of its past positions, and turns what
// the player does on the board into commands.

import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { SumitoBoard } from "../board/element";
import {
  type Attempt,
  apply,
  type Colour,
  type Effect,
  movesOf,
  readMarbles,
  type View,
} from "../board/state";
import { GameController } from "../games/controller";
import type { Game } from "../games/game";
import { lastBefore, marblesAfter, pilesAfter } from "../games/history";
import type { Notice, PlayedGame } from "../games/played";
import { colourName, coloursOf, edgeOf, sideOf, sidesOf, turnsFor } from "../modes";
import { settings } from "../settings";
import { sounds } from "../sounds";
import { t } from "../words";
import { announce, Part } from "./part";
import { describeMove, statusLine } from "./says";
import { seatBar, seatToBe } from "./seat-bar";

const STANDARD = "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0,0 0 1";

class PlayArea extends Part {
  static override properties = {
    played: { attribute: false },
    shown: { attribute: false },
    flips: { attribute: false },
    proposed: { state: true },
    premove: { state: true },
    reason: { state: true },
  };
  declare played: PlayedGame | null;
  /** How many moves of the game are shown; null: all, as it stands now. */
  declare shown: number | null;
  declare flips: number;
  /** A move that waits for its player's yes. */
  declare proposed: Effect | null;
  declare premove: Attempt | null;
  /** Why the last try was no move. */
  declare reason: string;
  private readonly follower = new GameController(this, (notice) => this.notice(notice));

  constructor() {
    super();
    this.played = null;
    this.shown = null;
    this.flips = 0;
    this.proposed = null;
    this.premove = null;
    this.reason = "";
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("played")) {
      this.follower.follow(this.played);
      this.proposed = null;
      this.premove = null;
    }
  }

  protected override updated(): void {
    const board = this.querySelector<SumitoBoard>("sumito-board");
    if (!board) return;
    board.describe = (cell, colour) =>
      colour
        ? t("{cell}, {colour} marble", { cell, colour: colourName(colour) })
        : t("{cell}, empty", { cell });
    board.view = this.view();
  }

  private view(): View {
    const game = this.played?.game ?? null;
    const { coordinates, letters } = settings.now;
    const common = { coordinates, letters, premove: this.premove, turns: this.turns(game) };
    if (game === null) {
      const marbles = readMarbles(STANDARD);
      const hand: Colour[] = ["black"];
      return { ...common, marbles, hand, legal: [], last: null, piles: [], ahead: false, lamp: 0 };
    }
    const live = this.shown === null;
    const count = this.shown ?? game.moves.length;
    const coming = live ? (this.played?.pending?.effect ?? this.proposed) : null;
    const before = marblesAfter(game, count);
    const ready = live && coming === null && game.status === "playing";
    const ahead = ready && !this.isMyTurn(game) && game.clocks !== null && game.you.length === 1;
    return {
      ...common,
      marbles: coming ? apply(before, coming) : before,
      last: coming ?? lastBefore(game.moves, count),
      piles: pilesAfter(game, count, coming),
      legal: ready && this.isMyTurn(game) ? game.legal : [],
      hand: ready ? this.handOf(game, ahead) : [],
      ahead,
      lamp: game.turn && live ? edgeOf(game.mode, game.turn) : null,
    };
  }

  private turns(game: Game | null): number {
    const seat = game?.you.length === 1 ? game.you[0] : undefined;
    const own = game && seat ? turnsFor(game.mode, seat) : 0;
    return (own + 3 * this.flips) % 6;
  }

  private isMyTurn(game: Game): boolean {
    return game.turn !== null && game.you.includes(game.turn);
  }

  /** A partner's marbles may be part of a row. */
  private handOf(game: Game, ahead: boolean): readonly Colour[] {
    const seat = ahead ? game.you[0] : this.isMyTurn(game) ? game.turn : null;
    return seat ? (sidesOf(game.mode)[sideOf(game.mode, seat)] ?? []) : [];
  }

  private choose(effect: Effect): void {
    this.reason = "";
    if (settings.now.confirm) this.proposed = effect;
    else this.played?.play(effect);
  }

  private confirm(): void {
    const effect = this.proposed;
    this.proposed = null;
    if (effect) this.played?.play(effect);
  }

  private async explain(attempt: Attempt): Promise<void> {
    const game = this.played?.game;
    if (!game?.turn || !this.played) return;
    this.reason = await this.played.why(attempt);
    announce(this.reason);
  }

  private notice({ kind, event, effect, message }: Notice): void {
    const game = this.played?.game;
    if (kind === "refused") {
      this.reason = message ?? "";
      this.proposed = null;
    } else if (kind === "moved" && effect) {
      this.reason = "";
      if (effect.ejected) sounds.eject();
      else if (effect.pushed.length > 0) sounds.push();
      else sounds.move();
      announce(describeMove(effect, effect.seat));
    } else if (kind === "ended" && game) {
      const side = game.outcome?.winner;
      const won =
        side && game.you.some((seat) => sideOf(game.mode, seat) === sideOf(game.mode, side));
      if (won) sounds.won();
      else sounds.over();
      announce(statusLine(game, this.played));
    }
    if (event?.type === "moved") this.playAhead();
  }

  /** The turn has come: play what was chosen ahead of it, if it is a move by now. */
  private playAhead(): void {
    const { premove, played } = this;
    const game = played?.game;
    if (!premove || !game || !played || !this.isMyTurn(game) || played.pending) return;
    this.premove = null;
    const effect = movesOf(premove.cells, game.legal).find(
      ({ direction }) => direction === premove.direction,
    );
    if (effect) played.play(effect);
  }

  override render(): TemplateResult {
    const game = this.played?.game ?? null;
    const [others, mine] = this.seating(game);
    return html`
      <div class="seats others count-${others.length}">
        ${game ? others.map((colour) => this.seat(game, colour)) : seatToBe("white", t("Computer"))}
      </div>
      <div class="board-place">
        <sumito-board
          label=${t("Board")}
          @choose=${(event: CustomEvent<Effect>) => this.choose(event.detail)}
          @attempt=${(event: CustomEvent<Attempt>) => this.explain(event.detail)}
          @premove=${(event: CustomEvent<Attempt | null>) => {
            this.premove = event.detail;
          }}
          @hand=${(event: CustomEvent<{ cells: readonly string[]; ways: number }>) =>
            this.taken(event.detail)}
        ></sumito-board>
      </div>
      <div class="seats mine">
        ${game ? mine.map((colour) => this.seat(game, colour)) : seatToBe("black", t("You"))}
      </div>
      ${this.hint(game)}
    `;
  }

  private taken({ cells, ways }: { cells: readonly string[]; ways: number }): void {
    const game = this.played?.game;
    this.reason =
      cells.length > 0 && ways === 0 && game && this.isMyTurn(game)
        ? t("No way is open for it. Try another marble, or the first and the last of a row.")
        : "";
  }

  private seat(game: Game, colour: Colour): TemplateResult | typeof nothing {
    return this.played ? seatBar(this.played, game, colour) : nothing;
  }

  /** Who sits beyond the board and who on this side of it. */
  private seating(game: Game | null): [Colour[], Colour[]] {
    if (game === null) return [[], []];
    const turns = this.turns(game);
    const colours = coloursOf(game.mode);
    const near = colours.filter((colour) => (edgeOf(game.mode, colour) + turns) % 6 === 0);
    const left = colours.filter((colour) => !near.includes(colour));
    // From left to right as they sit.
    left.sort((one, other) => across(other) - across(one));
    return [left, near];
    function across(colour: Colour): number {
      return (edgeOf(game?.mode ?? "two", colour) + turns) % 6;
    }
  }

  private hint(game: Game | null): TemplateResult {
    if (this.proposed) {
      return html`<div class="hint ask">
        <button class="primary" @click=${() => this.confirm()}>
          ${t("Play {move}", { move: this.proposed.move })}
        </button>
        <button
          @click=${() => {
            this.proposed = null;
          }}
        >
          ${t("Take it back")}
        </button>
      </div>`;
    }
    const text =
      this.reason ||
      (game
        ? statusLine(game, this.played)
        : t("Your turn: tap a marble, then the way it should go."));
    const kind = this.reason ? "reason" : game?.status === "over" ? "over" : "";
    return html`<p class="hint ${kind}">${text}</p>`;
  }
}

customElements.define("sumito-play", PlayArea);
