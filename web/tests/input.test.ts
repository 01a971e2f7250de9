// What a touch means: a move, another row, or a try that is answered and keeps the row in hand.

import { beforeEach, describe, expect, it } from "vitest";
import { Hand } from "../src/board/input";
import {
  type Attempt,
  attemptOf,
  type Effect,
  EMPTY_VIEW,
  type Miss,
  readMarbles,
  type View,
} from "../src/board/state";

const effect = (move: string, direction: Effect["direction"], moved: string[], pushed: string[] = []) =>
  ({ move, direction, moved, pushed, ejected: null }) satisfies Effect;

const VIEW: View = {
  ...EMPTY_VIEW,
  marbles: readMarbles("5/6/7/8/3w5/2bb4/2bb3/6/5 b 0,0 0 1"),
  hand: ["black"],
  legal: [
    effect("d3d2", "W", ["d3"]),
    effect("d3e3", "NW", ["d3"]),
    effect("d3d4e4", "NW", ["d3", "d4"]),
    effect("d3d4e5", "NE", ["d3", "d4"]),
    effect("c3d4", "NE", ["c3", "d4"]),
  ],
};

describe("the hand", () => {
  let view = VIEW;
  let said: { chosen: string[]; attempts: Attempt[]; misses: Miss[]; points: string[] };
  let hand: Hand;

  beforeEach(() => {
    view = VIEW;
    said = { chosen: [], attempts: [], misses: [], points: [] };
    hand = new Hand(() => view, {
      choose: ({ move }) => said.chosen.push(move),
      attempt: (attempt) => said.attempts.push(attempt),
      miss: (miss) => said.misses.push(miss),
      point: (cell) => said.points.push(cell),
      premove: () => undefined,
      selected: () => undefined,
      changed: () => undefined,
    });
  });

  it("takes a marble, then a row, and lets go when the first is touched again", () => {
    hand.touch("d3");
    hand.touch("d4");
    expect(hand.selection).toEqual(["d3", "d4"]);
    hand.touch("d3");
    expect(hand.selection).toEqual([]);
  });

  it("plays the move whose arrow is touched", () => {
    hand.touch("d3");
    hand.touch("d2");
    expect(said.chosen).toEqual(["d3d2"]);
    expect(hand.selection).toEqual([]);
  });

  it("keeps the row and says so when a hole is too far away", () => {
    hand.touch("d3");
    hand.touch("h8");
    expect(said.misses).toEqual([{ kind: "far", cell: "h8", cells: ["d3"] }]);
    expect(hand.selection).toEqual(["d3"]);
  });

  it("keeps the row when an opponent's marble is touched that it doesn't reach", () => {
    hand.touch("c3");
    hand.touch("e4");
    expect(said.misses.map(({ kind }) => kind)).toEqual(["theirs"]);
    expect(hand.selection).toEqual(["c3"]);
  });

  it("answers a touch on an opponent's marble or an empty hole with nothing in hand", () => {
    hand.touch("e4");
    hand.touch("a1");
    expect(said.misses.map(({ kind }) => kind)).toEqual(["theirs", "empty"]);
  });

  it("points at both ways when a touch could mean either", () => {
    view = {
      ...VIEW,
      marbles: readMarbles("5/6/7/8/9/2bb4/2bb3/6/5 b 0,0 0 1"),
      legal: [
        effect("d3d4e3", "NW", ["d3", "d4"]),
        effect("d3d4e4", "NE", ["d3", "d4"]),
      ],
    };
    hand.select(["d3", "d4"]);
    // d3 would come here by NE, d4 by NW.
    hand.touch("e4");
    expect(said.misses.map(({ kind }) => kind)).toEqual(["ambiguous"]);
    expect(hand.unsure).toEqual(["NW", "NE"]);
    expect(hand.selection).toEqual(["d3", "d4"]);
    expect(said.chosen).toEqual([]);
  });

  it("reports a direction that isn't offered as an attempt, and keeps the row", () => {
    hand.touch("d3");
    hand.go("E");
    expect(said.attempts).toEqual([{ cells: ["d3"], direction: "E" }]);
    expect(hand.selection).toEqual(["d3"]);
  });

  it("only points where that is asked for", () => {
    view = { ...VIEW, pointing: true };
    hand.touch("d3");
    hand.touch("e4");
    expect(said.points).toEqual(["d3", "e4"]);
    expect(hand.selection).toEqual([]);
  });

  it("takes a tap on the frame beside a row's end for a try to leave the board", () => {
    view = { ...VIEW, marbles: readMarbles("5/6/7/8/6bbb/8/7/6/5 b 0,0 0 1"), legal: [] };
    hand.touch("e7");
    hand.touchRim({ x: 200, y: 0 });
    expect(said.attempts).toEqual([{ cells: ["e7"], direction: "E" }]);
    hand.touchRim({ x: -200, y: 0 });
    expect(hand.selection).toEqual([]);
  });

  it("wavers between two ways of a drag", () => {
    hand.touch("d3");
    hand.waver(["W", "NW"], "d3", "between");
    expect(hand.unsure).toEqual(["W", "NW"]);
    expect(said.misses[0]?.kind).toBe("between");
  });
});

describe("a move that is written", () => {
  it("is read as a row and a way, whatever stands there", () => {
    expect(attemptOf("a1b2")).toEqual({ cells: ["a1"], direction: "NE" });
    expect(attemptOf("c3c5d4")).toEqual({ cells: ["c3", "c4", "c5"], direction: "NE" });
  });

  it("is refused when it names no row", () => {
    for (const text of ["", "a1", "a1c5", "z9a1", "a1b2c3d4", "a1a5b1"]) {
      expect(attemptOf(text)).toBeNull();
    }
  });
});
