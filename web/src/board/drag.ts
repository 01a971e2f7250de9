// Touch and mouse. A short press is a tap; a longer one drags the selected row along the nearest
// of the six directions as far as it may go; between two directions it waits.

import { bearing, type Cell, cellAt, type Direction, type Point, STEP, way } from "./geometry";
import type { Hand } from "./input";
import type { Standing } from "./marbles";
import { type Effect, inHand, type View } from "./state";

const THRESHOLD = STEP * 0.3;
const COMMIT = 0.5;
/** How far a marble follows the finger when it can't move. */
const GIVE = 0.12;

interface Press {
  readonly id: number;
  readonly at: Point;
  readonly cell: Cell;
  readonly cells: readonly Cell[];
  dragged: boolean;
  part: number;
  drag: Point;
}

export class Drag {
  private press: Press | null = null;

  constructor(
    private readonly svg: SVGSVGElement,
    private readonly hand: Hand,
    private readonly standing: Standing,
    private readonly view: () => View,
  ) {
    svg.addEventListener("pointerdown", (event) => this.down(event));
    svg.addEventListener("pointermove", (event) => this.move(event));
    svg.addEventListener("pointerup", (event) => this.up(event));
    svg.addEventListener("pointercancel", () => this.cancel());
    svg.addEventListener("pointerleave", () => hand.point(null));
    // A finger on a marble moves it; anywhere else it scrolls the page. (Browsers don't heed
    // `touch-action` on parts of an SVG.)
    svg.addEventListener("touchstart", (event) => this.hold(event), { passive: false });
  }

  private locate({ clientX, clientY }: { clientX: number; clientY: number }): Point {
    const matrix = this.svg.getScreenCTM();
    if (matrix === null) return { x: 0, y: 0 };
    return new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0 || this.press !== null) return;
    const at = this.locate(event);
    const cell = cellAt(at, this.view().turns);
    if (cell === null) {
      this.hand.touchRim(at);
      return;
    }
    const inRow = this.hand.selection.includes(cell);
    const cells = inRow ? this.hand.selection : [cell];
    this.press = {
      id: event.pointerId,
      at,
      cell,
      cells,
      dragged: false,
      part: 0,
      drag: { x: 0, y: 0 },
    };
    if (inHand(cell, this.view())) this.svg.setPointerCapture(event.pointerId);
  }

  private hold(event: TouchEvent): void {
    const touch = event.touches[0];
    const cell = touch && cellAt(this.locate(touch), this.view().turns);
    if (cell && event.touches.length === 1 && inHand(cell, this.view())) event.preventDefault();
  }

  private move(event: PointerEvent): void {
    const at = this.locate(event);
    const { press } = this;
    if (press === null || press.id !== event.pointerId) {
      if (event.pointerType === "mouse") this.hand.point(cellAt(at, this.view().turns));
      return;
    }
    if (!inHand(press.cell, this.view())) return;
    press.drag = { x: at.x - press.at.x, y: at.y - press.at.y };
    if (!press.dragged && Math.hypot(press.drag.x, press.drag.y) < THRESHOLD) return;
    if (!press.dragged) {
      press.dragged = true;
      this.svg.classList.add("dragging");
      this.hand.select(press.cells);
    }
    this.follow(press);
  }

  private follow(press: Press): void {
    const { turns } = this.view();
    const { direction, clear } = bearing(press.drag, turns);
    this.standing.release();
    if (!clear) {
      press.part = 0;
      this.hand.point(null);
      return;
    }
    const wanted = along(press.drag, direction, turns);
    const offer = this.hand.offers().find((one) => one.direction === direction);
    const limit = offer?.effect ? 1 : GIVE;
    press.part = Math.max(0, Math.min(limit, offer?.effect ? wanted : wanted * 0.25));
    const row: Pick<Effect, "moved" | "pushed" | "direction"> = offer?.effect ?? {
      moved: press.cells,
      pushed: [],
      direction,
    };
    this.standing.hold(row, press.part, this.view());
    this.hand.point(offer?.at ?? null);
  }

  private up(event: PointerEvent): void {
    const { press } = this;
    if (press === null || press.id !== event.pointerId) return;
    this.press = null;
    this.svg.classList.remove("dragging");
    if (!press.dragged) {
      this.hand.touch(press.cell);
      return;
    }
    this.standing.release();
    this.hand.point(null);
    const { turns } = this.view();
    const { direction, other, clear } = bearing(press.drag, turns);
    if (along(press.drag, direction, turns) < COMMIT) return;
    if (clear) this.hand.go(direction, press.part);
    else this.hand.waver([direction, other], press.cell, "between");
  }

  private cancel(): void {
    this.press = null;
    this.svg.classList.remove("dragging");
    this.standing.release();
  }
}

/** How many steps a drag goes in a direction. */
function along(drag: Point, direction: Direction, turns: number): number {
  const towards = way(direction, turns);
  return (drag.x * towards.x + drag.y * towards.y) / (STEP * STEP);
}
