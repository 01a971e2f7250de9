// The hexagon on the screen.

import { describe, expect, it } from "vitest";
import {
  bearing,
  between,
  CELLS,
  cellAt,
  DIRECTIONS,
  labels,
  place,
  step,
  VIEW_BOX,
  way,
} from "../src/board/geometry";

const [, , WIDTH = 0] = VIEW_BOX.split(" ").map(Number);

describe("geometry", () => {
  it("has 61 cells, and every step leads back", () => {
    expect(CELLS).toHaveLength(61);
    for (const cell of CELLS) {
      DIRECTIONS.forEach((direction, k) => {
        const next = step(cell, direction);
        const back = DIRECTIONS[(k + 3) % 6] as (typeof DIRECTIONS)[number];
        if (next !== null) expect(step(next, back)).toBe(cell);
      });
    }
  });

  it("turns the board by sixths: six turns change nothing, and steps turn along", () => {
    for (const turns of [0, 1, 2, 3, 4, 5]) {
      const from = place("e5", turns);
      const to = place("f6", turns);
      const { x, y } = way("NE", turns);
      expect(to.x - from.x).toBeCloseTo(x);
      expect(to.y - from.y).toBeCloseTo(y);
    }
    expect(place("a1", 3).x).toBeCloseTo(place("i9", 0).x);
  });

  it("keeps holes at least 38 px apart on a phone of 390 px", () => {
    const apart = place("e6", 0).x - place("e5", 0).x;
    expect((apart * 390) / WIDTH).toBeGreaterThanOrEqual(38);
  });

  it("puts every label nearer to the hole it names than to any hole of another line", () => {
    for (const turns of [0, 1, 2, 3, 4, 5]) {
      for (const { text, at } of labels(turns)) {
        const away = (cell: string) => {
          const { x, y } = place(cell, turns);
          return Math.hypot(at.x - x, at.y - y);
        };
        const nearest = CELLS.toSorted((one, other) => away(one) - away(other))[0] ?? "";
        expect(nearest).toContain(text);
        expect(away(nearest)).toBeLessThan(40);
      }
    }
  });

  it("finds the cell under a finger, and none beyond the rim", () => {
    for (const cell of CELLS) expect(cellAt(place(cell, 2), 2)).toBe(cell);
    expect(cellAt({ x: 0, y: -300 }, 0)).toBeNull();
  });

  it("knows lines between cells", () => {
    expect(between("a1", "c3")).toEqual({ direction: "NE", steps: 2 });
    expect(between("a1", "b4")).toBeNull();
  });

  it("takes a drag along a line for that direction, and one between two for neither", () => {
    expect(bearing({ x: 40, y: 2 }, 0)).toMatchObject({ direction: "E", clear: true });
    const angle = Math.PI / 6;
    const middle = { x: 40 * Math.cos(angle), y: -40 * Math.sin(angle) };
    const found = bearing(middle, 0);
    expect(found.clear).toBe(false);
    expect([found.direction, found.other].sort()).toEqual(["E", "NE"]);
  });

  it("reads a drag as it is seen on a turned board", () => {
    expect(bearing({ x: 40, y: 0 }, 3).direction).toBe("W");
  });
});
