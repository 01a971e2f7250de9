// The keyboard: arrow keys walk over the cells, Enter or Space selects a marble or plays, and six
// keys around S (or around 5 on the number pad) move the selected row as seen on screen.

import { CELLS, type Cell, type Direction, place, step, turnDirection } from "./geometry";
import type { Hand } from "./input";
import type { View } from "./state";

// Key positions, not letters, so that the six keys are around S on every keyboard layout.
const GO: Record<string, Direction> = {
  KeyW: "NW",
  KeyE: "NE",
  KeyA: "W",
  KeyD: "E",
  KeyZ: "SW",
  KeyX: "SE",
  Numpad7: "NW",
  Numpad9: "NE",
  Numpad4: "W",
  Numpad6: "E",
  Numpad1: "SW",
  Numpad3: "SE",
};

export class Keyboard {
  /** The one cell that Tab reaches. */
  focus: Cell = "e5";

  constructor(
    svg: SVGSVGElement,
    private readonly hand: Hand,
    private readonly view: () => View,
    private readonly moveFocus: (cell: Cell) => void,
  ) {
    svg.addEventListener("keydown", (event) => this.key(event));
    svg.addEventListener("focusin", ({ target }) => {
      if (target instanceof Element) this.focus = target.getAttribute("data-at") ?? this.focus;
    });
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.act(event)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  private act(event: KeyboardEvent): boolean {
    const direction = GO[event.code];
    if (direction !== undefined) {
      if (this.hand.selection.length === 0) this.hand.touch(this.focus);
      this.hand.go(turnDirection(direction, -this.view().turns));
      return true;
    }
    switch (event.key) {
      case "Enter":
      case " ":
        this.hand.touch(this.focus);
        return true;
      case "Escape":
        this.hand.clear();
        return true;
      case "ArrowLeft":
        return this.walk(["W"]);
      case "ArrowRight":
        return this.walk(["E"]);
      case "ArrowUp":
        return this.walk(["NW", "NE"]);
      case "ArrowDown":
        return this.walk(["SE", "SW"]);
      case "Home":
        return this.goTo(CELLS[0] ?? "a1");
      case "End":
        return this.goTo(CELLS.at(-1) ?? "i9");
      default:
        return false;
    }
  }

  /** Up and down are two ways each; the one that stays nearer to the middle keeps the column. */
  private walk(ways: Direction[]): boolean {
    const { turns } = this.view();
    const targets = ways
      .map((direction) => step(this.focus, turnDirection(direction, -turns)))
      .filter((cell) => cell !== null)
      .sort((one, other) => Math.abs(place(one, turns).x) - Math.abs(place(other, turns).x));
    return targets[0] === undefined || this.goTo(targets[0]);
  }

  private goTo(cell: Cell): boolean {
    this.focus = cell;
    this.hand.point(cell);
    this.moveFocus(cell);
    return true;
  }
}
