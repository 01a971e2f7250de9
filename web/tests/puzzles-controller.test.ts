// The puzzle page's state: what a solved and a missed puzzle do in training and in runs.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { PuzzleStanding } from "../src/domain/protocol";
import type { Puzzle } from "../src/puzzles/shipped";

const LIST: readonly Puzzle[] = Array.from({ length: 60 }, (_, n) => ({
  id: `p${n}`,
  mode: n % 10 === 0 ? "three" : "two",
  position: "",
  line: ["a1b2"],
  goal: n % 2 === 0 ? "eject" : "win",
  in: 1,
  themes: n % 3 === 0 ? ["quiet"] : [],
  rating: 600 + 20 * n,
}));

const server = {
  account: null as string | null,
  standing: null as PuzzleStanding | null,
  submitted: [] as { id: string; tried: readonly string[] }[],
};

vi.mock("../src/puzzles/results-sync", () => ({
  fetchStanding: async () => server.standing,
  knownAccount: () => server.account,
  submitResult: async (id: string, tried: readonly string[]) => {
    server.submitted.push({ id, tried });
    return { rating: 1040 };
  },
}));
vi.mock("../src/puzzles/shipped", async (original) => ({
  ...(await original<typeof import("../src/puzzles/shipped")>()),
  puzzles: async () => LIST,
}));

async function opened(path: string, query = "") {
  const { PuzzlesController } = await import("../src/puzzles/puzzles-controller");
  const changed = vi.fn();
  const puzzles = new PuzzlesController(changed);
  await puzzles.load();
  puzzles.open(path, query);
  return puzzles;
}

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-19T12:00:00") });
  const stored = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
  Object.assign(server, { account: null, standing: null, submitted: [] });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("training", () => {
  it("rates the first try on this device, and the same puzzle only once", async () => {
    const puzzles = await opened("train");
    const first = puzzles.puzzle;
    puzzles.recordMiss(["a1b2"]);
    expect(puzzles.ratingChange).toBeLessThan(0);
    expect(puzzles.isOver).toBe(false);
    const { rating } = puzzles;
    puzzles.recordSolved(false, ["a1b2"]);
    expect(puzzles.rating).toBe(rating);
    expect(puzzles.isOver).toBe(true);
    puzzles.next();
    expect(puzzles.puzzle).not.toBe(first);
    expect(puzzles.ratingChange).toBeNull();
    expect(server.submitted).toEqual([]);
  });

  it("sets puzzles of the kind and mode that were asked for", async () => {
    const puzzles = await opened("train", "kind=quiet&mode=three");
    for (let n = 0; n < 5; n++) {
      expect(puzzles.puzzle?.themes).toContain("quiet");
      expect(puzzles.puzzle?.mode).toBe("three");
      puzzles.next();
    }
    expect(puzzles.ofKind("quiet", "").length).toBeGreaterThan(puzzles.ofKind("quiet", "three").length);
    expect(puzzles.modes).toEqual(["two", "three"]);
  });

  it("restarts when the only puzzle of a kind is set again", async () => {
    const puzzles = await opened("p3");
    const { round, puzzle } = puzzles;
    puzzles.next();
    expect(puzzles.puzzle).toBe(puzzle);
    expect(puzzles.round).toBe(round + 1);
  });

  it("has no puzzle for an unknown address", async () => {
    expect((await opened("p999")).puzzle).toBeNull();
    expect((await opened("")).run).toBeNull();
  });

  it("submits the first try to the account and shows its rating", async () => {
    server.account = "ann";
    server.standing = { rating: 1000 } as PuzzleStanding;
    const puzzles = await opened("train");
    await puzzles.loadStanding();
    expect(puzzles.rating).toBe(1000);
    puzzles.recordSolved(true, ["a1b2", "c3d4"]);
    expect(puzzles.ratingChange).toBeNull();
    await vi.advanceTimersByTimeAsync(0);
    expect(server.submitted).toEqual([{ id: puzzles.puzzle?.id, tried: ["a1b2", "c3d4"] }]);
    expect(puzzles.rating).toBe(1040);
    expect(puzzles.ratingChange).toBe(40);
  });
});

describe("the puzzle of the day", () => {
  it("is ticked off once it is solved", async () => {
    const puzzles = await opened("daily");
    puzzles.recordSolved(false, []);
    expect(puzzles.progress.daily).toBe("2026-11-19");
  });
});

describe("a streak", () => {
  it("goes on after each solved puzzle and ends with the first miss", async () => {
    const puzzles = await opened("streak");
    const seen = new Set([puzzles.puzzle?.id]);
    for (let n = 0; n < 3; n++) {
      puzzles.recordSolved(true, []);
      await vi.advanceTimersByTimeAsync(700);
      seen.add(puzzles.puzzle?.id);
    }
    expect(seen.size).toBe(4);
    puzzles.recordMiss([]);
    expect(puzzles.isOver).toBe(true);
    expect(puzzles.count).toBe(3);
    expect(puzzles.best).toBe(3);
    puzzles.restart();
    expect([puzzles.count, puzzles.isOver, puzzles.best]).toEqual([0, false, 3]);
  });
});

describe("a storm", () => {
  it("lasts three minutes and ends by itself", async () => {
    const puzzles = await opened("storm");
    expect(puzzles.secondsLeft).toBe(180);
    puzzles.recordSolved(true, []);
    await vi.advanceTimersByTimeAsync(179_000);
    expect(puzzles.isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1200);
    expect(puzzles.isOver).toBe(true);
    expect(puzzles.best).toBe(1);
  });

  it("takes ten seconds for a miss and sets another puzzle", async () => {
    const puzzles = await opened("storm");
    const { puzzle } = puzzles;
    puzzles.recordMiss([]);
    expect(puzzles.secondsLeft).toBe(170);
    await vi.advanceTimersByTimeAsync(700);
    expect(puzzles.puzzle).not.toBe(puzzle);
    expect(puzzles.isOver).toBe(false);
  });

  it("sets nothing more once the page is left", async () => {
    const puzzles = await opened("storm");
    puzzles.recordSolved(true, []);
    const { puzzle } = puzzles;
    puzzles.stop();
    await vi.advanceTimersByTimeAsync(200_000);
    expect(puzzles.puzzle).toBe(puzzle);
    expect(puzzles.isOver).toBe(false);
  });
});
