// The base of boards on which moves can be tried: preferences, movable marbles, sounds. Subclasses
// say what is shown.

import type { Board } from "../../kernel/src/board";
import type { SumitoBoard } from "../board/element";
import { type Colour, type Effect, EMPTY_VIEW, type View } from "../board/state";
import { sideOf, sidesOf } from "../domain/modes";
import { settings } from "../storage/preferences";
import { describeCell } from "./board-hints";
import { BaseElement } from "./element";
import { sounds } from "./sounds";

export abstract class TryBoard extends BaseElement {
  private readonly settingsChanged = () => this.requestUpdate();

  override connectedCallback(): void {
    super.connectedCallback();
    settings.addEventListener("change", this.settingsChanged);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    settings.removeEventListener("change", this.settingsChanged);
  }

  protected get element(): SumitoBoard | null {
    return this.querySelector<SumitoBoard>("sumito-board");
  }

  /** What the board shows now. */
  protected abstract view(): View;

  /** The move that led to what is shown. */
  protected abstract lastMove(): Effect | null;

  protected override updated(): void {
    const { element } = this;
    if (!element) return;
    element.describe = describeCell;
    element.view = this.view();
  }

  /** An empty board as people want boards drawn, with the last move. */
  protected baseView(): View {
    const { coordinates, letters } = settings.now;
    const last = this.lastMove();
    return { ...EMPTY_VIEW, coordinates, letters, last, trail: last ? [last] : [] };
  }

  protected readonly moving = ({ detail }: CustomEvent<{ forward: boolean }>) => {
    const last = this.lastMove();
    if (detail.forward && last) sounds.moved(last);
  };
}

/** The colours the player to move may move; a partner's marbles may be part of a row. */
export function movableColours({ mode, turn }: Board): readonly Colour[] {
  return sidesOf(mode)[sideOf(mode, turn)] ?? [];
}
