// The layers of the board: a change of view or selection redraws only the light layers, while
// marbles keep their elements.

import { marked } from "./annotations";
import { arrow, consequences, premoved, selected, trails } from "./arrows";
import { CELLS, type Cell, place, VIEW_BOX } from "./geometry";
import { bands, lit, signs } from "./highlights";
import type { Hand } from "./input";
import { paints, Standing } from "./marbles";
import { type Colour, inHand, type View } from "./state";
import { labelsOf, lamp } from "./surface";
import { svg, translate } from "./svg";

export type Describe = (cell: Cell, colour: Colour | null) => string;

let boards = 0;

export class Stage {
  readonly id = `board${++boards}`;
  readonly standing = new Standing(this.id);
  readonly svg: SVGSVGElement;
  private readonly frame = svg("g", { class: "labels" });
  private readonly under = svg("g", { class: "under" });
  private readonly bands = svg("g", { class: "highlights" });
  private readonly highlights = svg("g", { class: "highlights" });
  private readonly annotations = svg("g", { class: "annotations" });
  private readonly over = svg("g", { class: "over" });
  /** For marbles on their way out. */
  readonly leaving = svg("g", { class: "leaving" });
  private readonly cells = new Map<Cell, SVGGElement>();
  private readonly grid: SVGGElement[];

  constructor(label: string) {
    this.grid = [..."ihgfedcba"].map((row) => svg("g", { role: "row" }, ...this.rowOf(row)));
    const drawing = svg(
      "g",
      { "aria-hidden": "true" },
      this.frame,
      this.under,
      this.bands,
      this.standing.layer,
      this.highlights,
      this.annotations,
      this.over,
      this.leaving,
    );
    this.svg = svg(
      "svg",
      { viewBox: VIEW_BOX, role: "grid", "aria-label": label, "aria-multiselectable": "true" },
      paints(this.id),
      drawing,
      ...this.grid,
    );
  }

  /** Give the board its name for screen readers. */
  name(label: string): void {
    this.svg.setAttribute("aria-label", label);
  }

  private rowOf(row: string): SVGGElement[] {
    return CELLS.filter((cell) => cell.startsWith(row)).map((cell) => {
      const element = svg(
        "g",
        { role: "gridcell", tabindex: "-1", "data-at": cell },
        svg("circle", { r: 20, class: "hit" }),
        svg("circle", { r: 18.5, class: "focus" }),
      );
      this.cells.set(cell, element);
      return element;
    });
  }

  focus(cell: Cell): void {
    for (const [name, element] of this.cells) {
      element.setAttribute("tabindex", name === cell ? "0" : "-1");
    }
    this.cells.get(cell)?.focus();
  }

  /** Everything that stays the same while a row is selected. */
  draw(view: View, describe: Describe, focus: Cell): void {
    this.svg.classList.toggle("letters", view.letters);
    this.standing.show(view.marbles, view.turns);
    this.frame.replaceChildren(
      ...(view.coordinates ? labelsOf(view.turns) : []),
      ...(view.lamp === null ? [] : [lamp(view.lamp, view.turns)]),
    );
    this.bands.replaceChildren(...bands(view.highlights, view.turns));
    this.highlights.replaceChildren(
      ...lit(view.highlights, view.turns),
      ...signs(view.signs, view.turns),
    );
    this.annotations.replaceChildren(...marked(view.annotations ?? [], view.turns));
    for (const [cell, element] of this.cells) {
      element.setAttribute("transform", translate(place(cell, view.turns)));
      element.setAttribute("aria-label", describe(cell, view.marbles.get(cell) ?? null));
      element.setAttribute("tabindex", cell === focus ? "0" : "-1");
      element.classList.toggle("hand", inHand(cell, view) || view.pointing);
    }
  }

  /** The selected row and its moves; meanwhile the last move is shown faintly. */
  drawHand(view: View, hand: Hand): void {
    const offers = hand.offers();
    const previewed = offers.find(({ at }) => at === hand.pointed);
    const shown = previewed?.effect ? [previewed] : offers;
    this.under.replaceChildren(...(offers.length === 0 ? trails(view) : []));
    this.over.replaceChildren(
      ...selected(hand.selection, view.turns),
      ...shown.flatMap(({ effect }) =>
        effect ? consequences(effect, view.turns, effect === previewed?.effect) : [],
      ),
      ...offers.map((offer) =>
        arrow(offer, view.turns, offer === previewed, hand.unsure.includes(offer.direction)),
      ),
      ...(view.premove && hand.selection.length === 0 ? premoved(view.premove, view) : []),
    );
    for (const [cell, element] of this.cells) {
      const chosen = hand.selection.includes(cell);
      if (inHand(cell, view)) element.setAttribute("aria-selected", String(chosen));
      else element.removeAttribute("aria-selected");
      element.classList.toggle(
        "offer",
        offers.some(({ at }) => at === cell),
      );
    }
  }
}
