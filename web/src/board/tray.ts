// The tray around the board: ejected marbles lie before the player whose side ejected them.

import { corners, MARBLE, type Point, SLOPE, TRAY_SLOPE } from "./geometry";
import { type Marble, marble } from "./marbles";
import type { Pile, View } from "./state";
import { translate } from "./svg";

const SCALE = 0.84;

export interface Lying {
  readonly marble: Marble;
  readonly at: Point;
}

/** The marbles of all piles, each pile spread around the middle of its edge. */
export function lying(view: View, id: string): Lying[][] {
  return view.piles.map((pile) =>
    pile.marbles.map((colour, number) => {
      const at = slot(pile, number, view.turns);
      const it = marble(colour, id, SCALE);
      it.outer.setAttribute("transform", translate(at));
      return { marble: it, at };
    }),
  );
}

function slot(pile: Pile, number: number, turns: number): Point {
  const ring = corners((SLOPE + TRAY_SLOPE) / 2);
  const k = (pile.edge + turns) % 6;
  const from = ring[k] as Point;
  const to = ring[(k + 1) % 6] as Point;
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const count = pile.marbles.length;
  const apart = Math.min(2 * MARBLE * SCALE + 1, (length - 30) / Math.max(1, count - 1));
  const part = 0.5 + ((number - (count - 1) / 2) * apart) / length;
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}
