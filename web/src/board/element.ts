// <sumito-board>: an SVG board that knows no rules. It is given marbles, the legal moves and the
// last move; it reports what the player did: `choose`, `attempt`, `miss`, `point`, `premove`, `hand`;
// and when marbles move: `motionstart`, `motionend`.

import { ended, refuse, roll, slideBack, slideForward } from "./animate";
import { Drag } from "./drag";
import type { Point } from "./geometry";
import { Hand } from "./input";
import { Keyboard } from "./keyboard";
import type { Marble } from "./marbles";
import { type Describe, Stage } from "./render";
import { type Attempt, apply, type Effect, EMPTY_VIEW, type Miss, same, type View } from "./state";
import { surface } from "./surface";
import "./materials.css";
import "./board.css";

export interface BoardEvents {
  choose: CustomEvent<Effect>;
  attempt: CustomEvent<Attempt>;
  miss: CustomEvent<Miss>;
  point: CustomEvent<string>;
  premove: CustomEvent<Attempt | null>;
  hand: CustomEvent<{ cells: readonly string[]; ways: number }>;
  motionstart: CustomEvent<{ move: string; forward: boolean }>;
  motionend: CustomEvent<{ move: string; forward: boolean }>;
}

interface Motion {
  readonly effect: Effect;
  readonly forward: boolean;
}

export class SumitoBoard extends HTMLElement {
  static readonly observedAttributes = ["label"];
  /** How a cell is called by screen readers. */
  describe: Describe = (cell, colour) => (colour ? `${cell}, ${colour} marble` : `${cell}, empty`);
  /** Where on the page the marble that the last move ejected lies. */
  ejectedPlace: () => Element | null = () => null;

  private now: View = EMPTY_VIEW;
  private stage: Stage | null = null;
  private readonly hand = new Hand(() => this.now, {
    choose: (effect, done) => {
      this.dragged = done;
      this.report("choose", effect);
    },
    attempt: (attempt) => {
      this.shake(attempt.cells);
      this.report("attempt", attempt);
    },
    miss: (miss) => {
      this.shake(miss.cells.length > 0 ? miss.cells : [miss.cell]);
      this.report("miss", miss);
    },
    point: (cell) => this.report("point", cell),
    premove: (attempt) => this.report("premove", attempt),
    selected: () => {
      this.report("hand", { cells: this.hand.selection, ways: this.hand.offers().length });
    },
    changed: () => this.stage?.drawHand(this.now, this.hand),
  });
  private keyboard: Keyboard | null = null;
  /** How far a drag has brought the move that was reported last. */
  private dragged = 0;
  private moving: Animation[] = [];
  private settling: Promise<void> = Promise.resolve();

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
    let leaving: Marble | null = null;
    if (motion?.forward) leaving = this.stage.standing.follow(motion.effect);
    else if (motion) this.stage.standing.unfollow(motion.effect);
    this.draw();
    if (motion) {
      this.settling = this.play(motion, leaving);
      this.dragged = 0;
    }
  }

  /** Resolves when the marbles have come to rest. */
  get settled(): Promise<void> {
    return this.settling;
  }

  /** Bring what moves to its end at once. */
  finish(): void {
    for (const animation of this.moving) animation.finish();
  }

  connectedCallback(): void {
    if (this.stage !== null) return;
    this.stage = new Stage(this.label);
    this.keyboard = new Keyboard(
      this.stage.svg,
      this.hand,
      () => this.now,
      (cell) => this.stage?.focus(cell),
    );
    new Drag(this.stage.svg, this.hand, this.stage.standing, () => this.now);
    this.replaceChildren(surface(this.stage.id), this.stage.svg);
    this.draw();
  }

  attributeChangedCallback(): void {
    this.stage?.name(this.label);
  }

  private get label(): string {
    return this.getAttribute("label") ?? "Board";
  }

  private draw(): void {
    this.stage?.draw(this.now, this.describe, this.keyboard?.focus ?? "e5");
    this.stage?.drawHand(this.now, this.hand);
  }

  /** A row stays selected while its marbles stay. */
  private keepHand(moved: boolean): void {
    const { marbles, hand } = this.now;
    const intact = this.hand.selection.every((cell) => {
      const colour = marbles.get(cell);
      return colour !== undefined && hand.includes(colour);
    });
    if (this.hand.selection.length > 0 && (moved || !intact)) this.hand.select([]);
  }

  private shake(cells: readonly string[]): void {
    const marbles = cells.map((cell) => this.stage?.standing.get(cell));
    refuse(marbles.filter((marble) => marble !== undefined));
  }

  private motion(before: View, after: View): Motion | null {
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

  private async play({ effect, forward }: Motion, leaving: Marble | null): Promise<void> {
    if (this.stage === null) return;
    const { standing } = this.stage;
    const { turns } = this.now;
    const detail = { move: effect.move, forward };
    this.moving = forward
      ? slideForward(standing, effect, turns, this.dragged)
      : slideBack(standing, effect, turns);
    if (leaving) {
      this.stage.leaving.append(leaving.outer);
      this.moving.push(...roll(leaving, effect, turns, this.trayPlace()));
    }
    this.report("motionstart", detail);
    await ended(this.moving);
    leaving?.outer.remove();
    this.report("motionend", detail);
  }

  /** Where the ejected marble lies on the page, in the board's own measure. */
  private trayPlace(): { at: Point; scale: number } | null {
    const box = this.ejectedPlace()?.getBoundingClientRect();
    const matrix = this.stage?.svg.getScreenCTM();
    if (!box || box.width === 0 || !matrix) return null;
    const middle = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2);
    const at = middle.matrixTransform(matrix.inverse());
    return { at, scale: box.width / matrix.a / 36 };
  }

  private report<K extends keyof BoardEvents>(name: K, detail: BoardEvents[K]["detail"]): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: name.startsWith("motion") }));
  }
}

customElements.define("sumito-board", SumitoBoard);

declare global {
  interface HTMLElementTagNameMap {
    "sumito-board": SumitoBoard;
  }
}
