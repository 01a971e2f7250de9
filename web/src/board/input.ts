// The row in hand: what a touch, a key or a drag means. Only offered moves are ever chosen; a try
// at anything else is reported as an attempt, so that somebody who knows the rules can say why not.

import { beyond, type Offer, offers } from "./arrows";
import { type Cell, DIRECTIONS, type Direction } from "./geometry";
import { type Attempt, type Effect, inHand, rowBetween, type View } from "./state";

export interface Reports {
  /** A legal move was chosen; `done` is the part of the way a drag has already moved it. */
  choose(effect: Effect, done: number): void;
  attempt(attempt: Attempt): void;
  premove(attempt: Attempt | null): void;
  changed(): void;
}

export class Hand {
  selection: readonly Cell[] = [];
  /** The cell under the pointer or the keyboard's focus, whose move is previewed. */
  pointed: Cell | null = null;

  constructor(
    private readonly view: () => View,
    private readonly reports: Reports,
  ) {}

  offers(): Offer[] {
    return offers(this.selection, this.view());
  }

  select(cells: readonly Cell[]): void {
    this.selection = cells;
    this.reports.changed();
  }

  point(cell: Cell | null): void {
    if (cell === this.pointed) return;
    this.pointed = cell;
    if (this.selection.length > 0) this.reports.changed();
  }

  clear(): void {
    if (this.view().premove !== null) this.reports.premove(null);
    this.select([]);
  }

  /** A tap, a click, or Enter on a cell. */
  touch(cell: Cell): void {
    const [anchor] = this.selection;
    if (inHand(cell, this.view())) {
      if (cell === anchor) this.clear();
      else this.select((anchor && rowBetween(anchor, cell, this.view())) || [cell]);
    } else if (anchor !== undefined) {
      this.towards(cell);
    }
  }

  private towards(cell: Cell): void {
    const view = this.view();
    const offer =
      this.offers().find(({ at }) => at === cell) ??
      only(this.offers().filter(({ effect }) => effect?.pushed.includes(cell)));
    const direction =
      offer?.direction ?? DIRECTIONS.find((way) => beyond(this.selection, way, view) === cell);
    if (direction === undefined) this.clear();
    else this.go(direction);
  }

  /** Send the row in hand in a direction. */
  go(direction: Direction, done = 0): void {
    const cells = this.selection;
    if (cells.length === 0) return;
    if (this.view().ahead) {
      this.select([]);
      this.reports.premove({ cells, direction });
      return;
    }
    const offer = this.offers().find((one) => one.direction === direction);
    if (offer?.effect) {
      this.select([]);
      this.reports.choose(offer.effect, done);
    } else {
      this.reports.attempt({ cells, direction });
    }
  }
}

function only<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined;
}
