// Selection and moves by touch, key or drag. Only offered moves are chosen; any other attempt is
// reported, so that somebody who knows the rules can explain it, and the row stays selected.

import { beyond, type Offer, offers, overRim } from "./arrows";
import { type Cell, DIRECTIONS, type Direction, type Point, STEP, step } from "./geometry";
import { type Attempt, type Effect, inHand, type Miss, rowBetween, type View } from "./state";

export interface Reports {
  /** A legal move was chosen; `done` is the part of the way a drag has already moved it. */
  choose(effect: Effect, done: number): void;
  attempt(attempt: Attempt): void;
  miss(miss: Miss): void;
  /** A cell was pointed at, where that is what is asked for. */
  point(cell: Cell): void;
  premove(attempt: Attempt | null): void;
  /** Another row is selected, or none. */
  selected(): void;
  /** Other marbles are selected. */
  changed(): void;
}

export class Hand {
  selection: readonly Cell[] = [];
  /** The cell under the pointer or the keyboard's focus, whose move is previewed. */
  pointed: Cell | null = null;
  /** Ways that a touch left open; they call for attention. */
  unsure: readonly Direction[] = [];

  constructor(
    private readonly view: () => View,
    private readonly reports: Reports,
  ) {}

  offers(): Offer[] {
    return offers(this.selection, this.view());
  }

  select(cells: readonly Cell[]): void {
    this.selection = cells;
    this.unsure = [];
    this.reports.changed();
    this.reports.selected();
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
    if (this.view().pointing) {
      this.reports.point(cell);
      return;
    }
    const [anchor] = this.selection;
    if (inHand(cell, this.view())) {
      if (cell === anchor) this.clear();
      else this.select((anchor && rowBetween(anchor, cell, this.view())) || [cell]);
    } else if (anchor !== undefined) {
      this.towards(cell);
    } else {
      this.miss(this.view().marbles.has(cell) ? "theirs" : "empty", cell);
    }
  }

  /** A tap on the frame: a selected row that ends there is sent over the rim, any other deselected. */
  touchRim(at: Point): void {
    const direction = DIRECTIONS.find((way) => {
      const spot = overRim(this.selection, way, this.view());
      return spot !== null && Math.hypot(spot.x - at.x, spot.y - at.y) < STEP * 0.62;
    });
    if (direction !== undefined) this.go(direction);
    else this.clear();
  }

  private towards(cell: Cell): void {
    const direct = this.offers().find(({ at }) => at === cell);
    const reaching = direct ? [direct] : this.offers().filter((offer) => reaches(offer, cell));
    const [first, ...others] = reaching;
    if (others.length > 0) {
      this.waver(
        reaching.map(({ direction }) => direction),
        cell,
        "ambiguous",
      );
      return;
    }
    const direction =
      first?.direction ??
      DIRECTIONS.find((way) => beyond(this.selection, way, this.view()) === cell);
    if (direction !== undefined) this.go(direction);
    else this.miss(this.view().marbles.has(cell) ? "theirs" : "far", cell);
  }

  /** The touch could mean several ways: show them, and wait for a clearer one. */
  waver(ways: readonly Direction[], cell: Cell, kind: "ambiguous" | "between"): void {
    this.unsure = ways;
    this.reports.changed();
    this.miss(kind, cell);
  }

  private miss(kind: Miss["kind"], cell: Cell): void {
    this.reports.miss({ kind, cell, cells: this.selection });
  }

  /** Move the selected row in a direction. */
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

/** Whether a move pushes what stands on a cell, or brings one of its own marbles there. */
function reaches({ effect }: Offer, cell: Cell): boolean {
  if (effect === null) return false;
  const { moved, pushed, direction } = effect;
  return pushed.includes(cell) || moved.some((from) => step(from, direction) === cell);
}
