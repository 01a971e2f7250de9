// <sumito-board>: an SVG board that knows no rules. It is given marbles, the legal moves and the
// last move; it reports what the player did: `choose`, `attempt`, `premove`, `hand`.

import { refuse, roll, slideBack, slideForward } from "./animate";
import { Drag } from "./drag";
import { Hand } from "./input";
import { Keyboard } from "./keyboard";
import { type Describe, Stage } from "./render";
import { type Attempt, apply, type Effect, EMPTY_VIEW, same, type View } from "./state";
import "./board.css";

export interface BoardEvents {
  choose: CustomEvent<Effect>;
  attempt: CustomEvent<Attempt>;
  premove: CustomEvent<Attempt | null>;
  hand: CustomEvent<{ cells: readonly string[]; ways: number }>;
}

export class SumitoBoard extends HTMLElement {
  /** How a cell is called by screen readers. */
  describe: Describe = (cell, colour) => (colour ? `${cell}, ${colour} marble` : `${cell}, empty`);

  private now: View = EMPTY_VIEW;
  private stage: Stage | null = null;
  private readonly hand = new Hand(() => this.now, {
    choose: (effect, done) => {
      this.dragged = done;
      this.report("choose", effect);
    },
    attempt: (attempt) => {
      const marbles = attempt.cells.map((cell) => this.stage?.standing.get(cell));
      refuse(marbles.filter((marble) => marble !== undefined));
      this.report("attempt", attempt);
    },
    premove: (attempt) => this.report("premove", attempt),
    changed: () => {
      this.stage?.drawHand(this.now, this.hand);
      const detail = { cells: this.hand.selection, ways: this.hand.offers().length };
      this.report("hand", detail);
    },
  });
  private keyboard: Keyboard | null = null;
  /** How far a drag has brought the move that was reported last. */
  private dragged = 0;

  get view(): View {
    return this.now;
  }

  set view(view: View) {
    const before = this.now;
    this.now = view;
    if (this.stage === null) return;
    const motion = this.motion(before, view);
    const turned = before.turns !== view.turns || before.legal !== view.legal;
    if (motion || turned || before.hand.join() !== view.hand.join()) this.keepHand(motion !== null);
    if (motion?.forward) this.stage.standing.follow(motion.effect);
    else if (motion) this.stage.standing.unfollow(motion.effect);
    this.draw();
    if (motion) {
      this.play(motion, before);
      this.dragged = 0;
    }
  }

  connectedCallback(): void {
    if (this.stage !== null) return;
    this.stage = new Stage(this.getAttribute("label") ?? "Board");
    this.keyboard = new Keyboard(
      this.stage.svg,
      this.hand,
      () => this.now,
      (cell) => this.stage?.focus(cell),
    );
    new Drag(this.stage.svg, this.hand, this.stage.standing, () => this.now);
    this.replaceChildren(this.stage.svg);
    this.draw();
  }

  private draw(): void {
    this.stage?.draw(this.now, this.describe, this.keyboard?.focus ?? "e5");
    this.stage?.drawHand(this.now, this.hand);
  }

  /** A row stays in hand while its marbles do. */
  private keepHand(moved: boolean): void {
    const { marbles, hand } = this.now;
    const kept = this.hand.selection.every((cell) => {
      const colour = marbles.get(cell);
      return colour !== undefined && hand.includes(colour);
    });
    if (moved || !kept) this.hand.selection = [];
  }

  private motion(before: View, after: View): { effect: Effect; forward: boolean } | null {
    if (before.turns !== after.turns || same(before.marbles, after.marbles)) return null;
    if (after.last && same(apply(before.marbles, after.last), after.marbles)) {
      return { effect: after.last, forward: true };
    }
    const back = before.last;
    // An ejected marble can't be put back by a reversed slide alone, so colours are compared after.
    if (back && same(apply(after.marbles, back), before.marbles)) {
      return { effect: back, forward: false };
    }
    return null;
  }

  private play({ effect, forward }: { effect: Effect; forward: boolean }, before: View): void {
    if (this.stage === null) return;
    const { standing } = this.stage;
    if (!forward) {
      slideBack(standing, effect, this.now.turns);
      return;
    }
    slideForward(standing, effect, this.now.turns, this.dragged);
    if (effect.ejected === null) return;
    this.now.piles.forEach((pile, index) => {
      const grew = pile.marbles.length > (before.piles[index]?.marbles.length ?? 0);
      const newest = this.stage?.lying[index]?.at(-1);
      if (grew && newest) roll(newest, effect, this.now.turns);
    });
  }

  private report<K extends keyof BoardEvents>(name: K, detail: BoardEvents[K]["detail"]): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

customElements.define("sumito-board", SumitoBoard);

declare global {
  interface HTMLElementTagNameMap {
    "sumito-board": SumitoBoard;
  }
}
