// The past of a game, and the order in which it is shown.

import { describe, expect, it, vi } from "vitest";
import { readMarbles } from "../src/board/state";
import { ejectedAfter, marblesAfter, rounds, sinceOwn } from "../src/domain/history";
import type { GameState, MadeMove } from "../src/domain/game-state";
import { computerPause, MovePacer } from "../src/play/move-pacing";

const START = "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0,0 0 1";

function moved(
  ply: number,
  seat: string,
  move: string,
  direction: string,
  cells: string[],
  pushed: string[] = [],
  ejected: string | null = null,
) {
  return { ply, seat, move, direction, moved: cells, pushed, ejected, nacre: move, clock: null };
}

const GAME = {
  id: "g",
  mode: "two",
  start: START,
  turn: "black",
  moves: [
    moved(1, "black", "c3d3", "NW", ["c3"]),
    moved(2, "white", "g5f5", "SE", ["g5"]),
    moved(3, "black", "d3e3", "NW", ["d3"], [], "white"),
  ],
} as unknown as GameState;

describe("history", () => {
  it("applies moves one after the other", () => {
    expect(marblesAfter(GAME, 0).get("c3")).toBe("black");
    expect(marblesAfter(GAME, 2).get("f5")).toBe("white");
    expect(marblesAfter(GAME, 1).get("g5")).toBe("white");
  });

  it("lets the trays follow", () => {
    expect(ejectedAfter(GAME, 2, null)).toEqual([[], []]);
    expect(ejectedAfter(GAME, 3, null)).toEqual([["white"], []]);
  });

  it("marks all moves since one's own last, and at least the last", () => {
    const { moves } = GAME as unknown as { moves: MadeMove[] };
    expect(sinceOwn(moves, 2, "black").map(({ move }) => move)).toEqual(["g5f5"]);
    expect(sinceOwn(moves, 3, "white").map(({ move }) => move)).toEqual(["d3e3"]);
    expect(sinceOwn(moves, 3, "black").map(({ move }) => move)).toEqual(["d3e3"]);
    expect(sinceOwn(moves, 3, null).map(({ move }) => move)).toEqual(["d3e3"]);
    expect(sinceOwn(moves, 0, null)).toEqual([]);
  });

  it("numbers moves by rounds, also when somebody has left", () => {
    const list = ["black", "white", "red", "black", "red", "black"].map((seat, k) =>
      moved(k + 1, seat, "a1b1", "NW", ["a1"]),
    ) as unknown as MadeMove[];
    const found = rounds(list, ["black", "white", "red"]);
    expect(found.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(found[1]?.moves.map((one) => one?.index ?? null)).toEqual([3, null, 4]);
  });
});

describe("pacing", () => {
  const calm = { mode: "two", marbles: readMarbles(START), answeredIn: null, left: null } as const;

  it("lets a computer breathe between 400 and 700 ms, longer in a melee", () => {
    const melee = { ...calm, marbles: readMarbles("bwbwb/wbwbwb/bwbwbwb/8/9/8/7/6/5 b 0,0 0 1") };
    expect(computerPause(calm)).toBe(400);
    expect(computerPause(melee)).toBe(700);
  });

  it("is quicker when the player hurries or the clock is low", () => {
    expect(computerPause({ ...calm, answeredIn: 100 })).toBeLessThan(300);
    expect(computerPause({ ...calm, left: 5000 })).toBeLessThan(200);
  });

  it("shows moves one by one, each after the one before has come to rest", async () => {
    let goal = 0;
    const shown: number[] = [];
    let rest: () => void = () => undefined;
    const pacer = new MovePacer({
      game: () => ({ id: "g" }) as never,
      goal: () => goal,
      pause: () => 0,
      show: () => {
        shown.push(pacer.seen);
        return new Promise((resolve) => {
          rest = resolve;
        });
      },
    });
    pacer.follow();
    goal = 3;
    pacer.follow();
    expect(pacer.caughtUp).toBe(false);
    for (let k = 0; k < 4; k++) {
      pacer.follow();
      await vi.waitFor(() => expect(shown).toHaveLength(k + 1));
      expect(pacer.seen).toBe(k);
      rest();
    }
    expect(shown).toEqual([0, 1, 2, 3]);
    expect(pacer.caughtUp).toBe(true);
  });

  it("has one's own move on the screen at once, and doesn't show it again when it is confirmed", () => {
    let goal = 4;
    const shown: number[] = [];
    const pacer = new MovePacer({
      game: () => ({ id: "g" }) as never,
      goal: () => goal,
      pause: () => 0,
      show: () => {
        shown.push(pacer.seen);
        return Promise.resolve();
      },
    });
    pacer.follow();
    goal = 5;
    pacer.advance();
    pacer.follow();
    expect(pacer.seen).toBe(5);
    expect(shown).toEqual([]);
  });

  it("jumps when a game is opened, taken back, or far behind", () => {
    let goal = 40;
    const pacer = new MovePacer({
      game: () => ({ id: "g" }) as never,
      goal: () => goal,
      pause: () => 0,
      show: () => Promise.resolve(),
    });
    pacer.follow();
    expect(pacer.seen).toBe(40);
    goal = 38;
    pacer.follow();
    expect(pacer.seen).toBe(38);
    goal = 60;
    pacer.follow();
    expect(pacer.seen).toBe(60);
  });
});
