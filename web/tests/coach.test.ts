// The coach goes by facts: what can be pushed off, what a move lost, and what decided a game.

import { beforeAll, describe, expect, it, vi } from "vitest";

// The page asks its document whether there is a server.
vi.mock("../src/domain/hosting", () => ({ hasServer: true, root: "/" }));

import { load } from "../kernel/src/index";
import type { Kernel } from "../kernel/src/kernel";
import { threatened } from "../src/coach/advisor";
import type { Slip } from "../src/storage/games";
import { decided, slipText, threatText } from "../src/coach/texts";
import type { GameState, MadeMove } from "../src/domain/game-state";

const RULES = { win_at: 6, repetition: null, ply_limit: null, partner_sidestep: "any", stuck: "by-mode" };
const START = "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0,0 0 1";

function game(position: string, more: Partial<GameState> = {}): GameState {
  const seats = [{ colour: "black" }, { colour: "white" }];
  const mode = position.split(" ")[5] ?? "two";
  return { mode, position, start: START, rules: RULES, seats, you: ["black"], moves: [], ...more } as unknown as GameState;
}

function slip(code: string, loss: number, ply: number): Slip {
  const faults = [{ code, count: 1, cells: ["e5"] }] as unknown as Slip["faults"];
  return { ply, move: "a1b2", verdict: "blunder", loss, faults };
}

function made(ply: number, ejects: boolean): MadeMove {
  const seat = ply % 2 === 1 ? "black" : "white";
  const ejected = ejects ? "black" : null;
  return { ply, seat, move: "a1b2", ejected, moved: [], pushed: [] } as unknown as MadeMove;
}

describe("the coach", () => {
  let kernel: Kernel;
  beforeAll(async () => {
    kernel = await load(new URL("../kernel/dist/", import.meta.url));
  });

  it("sees which marbles can be pushed off next, by either side", () => {
    const position = "5/6/3ww2/3w4/4b1wwb/4bb1b/7/6/5";
    expect(threatened(kernel, game(`${position} b 0,0 0 1`), 0)).toEqual(["e9"]);
    expect(threatened(kernel, game(`${position} w 0,0 0 1`), 0)).toEqual(["e9"]);
    expect(threatened(kernel, game(`${position} b 0,0 0 1`), 1)).toEqual([]);
    expect(threatText(["e9"])).toBe("e9 could be pushed off next turn.");
  });

  it("counts every opponent among three", () => {
    const position = "5/6/7/8/rrb4wb/8/7/6/5 b 0,0,0 0 1 three";
    expect(threatened(kernel, game(position), 0)).toEqual([]);
    const pushed = "5/6/7/8/brr6/8/7/6/5 b 0,0,0 0 1 three";
    expect(threatened(kernel, game(pushed), 0)).toEqual(["e1"]);
  });

  it("says after a slip why it was one", () => {
    expect(slipText(slip("left-centre", 0.3, 1))).toBe(
      "That can happen to anybody. The move went a step away from the centre.",
    );
  });

  it("tells in three sentences what decided a game", () => {
    const moves = Array.from({ length: 9 }, (_, index) => made(index + 1, index === 1));
    const slips = [slip("exposed", 0.2, 1), slip("left-centre", 0.4, 5), slip("exposed", 0.3, 9)];
    const said = decided(game(START, { moves }), slips);
    expect(said).toEqual([
      "You pushed off 0, the other side 1; they were the first, on move 1.",
      "Your move 3, a1b2, cost you most. The move went a step away from the centre.",
      "Next time, look before each move at what is threatened.",
    ]);
    expect(decided(game(START), [])).toEqual([
      "No marble left the board.",
      "You made no move that cost much.",
      "Next time, try a stronger level.",
    ]);
  });

  it("holds no move against anybody that was taken back", () => {
    const moves = [made(1, false), made(2, false)];
    const [, worst] = decided(game(START, { moves }), [slip("exposed", 0.2, 1), slip("left-centre", 0.4, 3)]);
    expect(worst).toContain("Your move 1, a1b2, cost you most.");
  });

  it("says nothing of the moves of a game it did not see", () => {
    expect(decided(game(START), null)).toEqual(["No marble left the board."]);
  });
});
