// The review page's state: a run that goes on where it was stopped, and tries at turning points.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Search } from "../kernel/src/search";
import type { Limits, Line } from "../kernel/src/types";
import { newRecord } from "../src/record/record";
import { Study } from "../src/record/study";
import { ReviewController } from "../src/review/review-controller";
import { layouts, loadKernel } from "./kernel";

const MISSED = "5/6/7/8/4bbbww/8/7/bbb1ww/5 b 2,2 0 1"; // e5e6 ejects; b1c2 gives that away
const GAME = ["b1c2", "b6c6", "e5e6"];

const loaded = await loadKernel();
const judging = { kernel: loaded, layouts };
const searches: Limits[] = [];
/** What a search answers; `let` each test decide. */
let answer: (limits: Limits) => Promise<Line[]>;
const cache = new Map<string, readonly unknown[]>();

vi.mock("../src/kernel/loader", () => ({ kernel: async () => loaded, layouts: (mode: "two") => layouts(mode) }));
vi.mock("../src/record/referee", () => ({ referee: async () => judging }));
vi.mock("../src/record/sources", () => ({
  gameRecord: async (id: string) => {
    if (id !== "g1") throw new Error("There is no such game");
    return game();
  },
}));
vi.mock("../src/review/review-cache", () => ({
  keyOf: () => "key",
  cachedReview: async () => cache.get("key") ?? [],
  cacheReview: async (_: string, positions: readonly unknown[]) => cache.set("key", positions),
}));

const line = (move: string, score: number): Line => ({
  ...({} as Line),
  ...{ move, pv: [move], score, winIn: null },
});

function game() {
  const record = newRecord(judging, MISSED);
  const board = record.board(loaded, record.root);
  let node = record.root;
  for (const move of GAME) {
    node = node.add(move, board);
    board.push(move);
  }
  return record;
}

/** Scores that make the first move a blunder: e5e6 wins, then the opponent stands well. */
async function asPlayed(limits: Limits): Promise<Line[]> {
  const count = searches.filter(({ moves }) => !moves).length;
  if (limits.moves) return [line(limits.moves[0] ?? "", limits.moves[0] === "b1b2" ? 795 : -800)];
  return [count === 1 ? line("e5e6", 800) : line(GAME[count - 1] ?? "e5e6", 400)];
}

function controller() {
  const changed = vi.fn();
  return { review: new ReviewController(changed), changed };
}

async function reviewed() {
  const found = controller();
  await found.review.load("g1");
  await vi.waitFor(() => expect(found.review.running).toBe(false));
  return found;
}

beforeEach(() => {
  searches.length = 0;
  cache.clear();
  answer = asPlayed;
  vi.spyOn(Study, "lastOpened").mockResolvedValue(null);
  vi.stubGlobal("dispatchEvent", vi.fn());
  vi.spyOn(loaded, "search").mockImplementation(
    () =>
      ({
        start: async (_: unknown, limits: Limits) => {
          searches.push(limits);
          return answer(limits);
        },
        stop: () => undefined,
        close: () => undefined,
      }) as unknown as Search,
  );
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("a review", () => {
  it("searches every position, judges the moves and caches what it found", async () => {
    const { review, changed } = await reviewed();
    expect(review.positions).toHaveLength(GAME.length + 1);
    expect(review.progress).toBe(1);
    expect(review.judged.map(({ node }) => node.move)).toEqual(GAME);
    expect(review.turningPoints.map(({ ply }) => ply)).toContain(1);
    const [black] = review.summaries();
    expect(black?.seat).toBe("black");
    expect(black?.counts.blunder).toBeGreaterThan(0);
    await vi.waitFor(() => expect(cache.get("key")).toHaveLength(GAME.length + 1));
    expect(changed).toHaveBeenCalled();
  });

  it("searches only what is not cached", async () => {
    await reviewed();
    const all = searches.length;
    await reviewed();
    expect(searches).toHaveLength(all);
  });

  it("goes on after a stop with the position it was at, while the stopped search still ends", async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    answer = async (limits) => {
      if (searches.length === 1) await held;
      return asPlayed(limits);
    };
    const { review } = controller();
    await review.load("g1");
    await vi.waitFor(() => expect(searches).toHaveLength(1));
    review.stop();
    expect(review.running).toBe(false);
    void review.run();
    release();
    await vi.waitFor(() => expect(review.progress).toBe(1));
    expect(review.positions).toHaveLength(GAME.length + 1);
    await vi.waitFor(() => expect(review.running).toBe(false));
  });

  it("says why there is nothing to review", async () => {
    const { review } = controller();
    await review.load("g2");
    expect(review.failed).toBe("There is no such game");
    await review.load("");
    expect(review.failed).toBe("There are no moves to review.");
    expect(review.record).toBeNull();
  });

  it("keeps to the game that was asked for last", async () => {
    const { review } = controller();
    await Promise.all([review.load("g1"), review.load("g2")]);
    expect(review.record).toBeNull();
    expect(review.failed).not.toBe("");
  });

  it("walks within the game", async () => {
    const { review } = await reviewed();
    review.show(99);
    expect(review.at).toBe(GAME.length);
    review.show(-1);
    expect(review.at).toBe(0);
    const { board } = review;
    expect(review.board).toBe(board);
    review.show(1);
    expect(review.board).not.toBe(board);
    expect(review.shownMove?.node.move).toBe("b1c2");
  });

  it("shows a better move only once it is revealed", async () => {
    const { review } = await reviewed();
    const [point] = review.turningPoints;
    if (!point) throw new Error("no turning point");
    review.show(point.ply - 1);
    expect(review.annotations().map(({ kind }) => kind)).toEqual(["played"]);
    review.reveal(point, true);
    expect(review.annotations().map(({ kind }) => kind)).toEqual(["best", "played"]);
    review.reveal(point, false);
    expect(review.annotations().map(({ kind }) => kind)).toEqual(["played"]);
  });
});

describe("a try at a turning point", () => {
  const effect = (review: ReviewController, move: string) => {
    const found = review.board?.legalMoves().find((one) => one.move === move);
    if (!found) throw new Error(`${move} isn't legal`);
    return found;
  };

  async function trying() {
    const { review } = await reviewed();
    const [point] = review.turningPoints;
    if (!point) throw new Error("no turning point");
    review.try(point);
    expect(review.at).toBe(point.ply - 1);
    return review;
  }

  it("accepts the engine's move without a search", async () => {
    const review = await trying();
    const before = searches.length;
    expect(await review.answer(effect(review, "e5e6"))).toBe("better");
    expect(searches).toHaveLength(before);
    expect(review.trying).toBeNull();
    expect(review.tried?.move).toBe("e5e6");
  });

  it("accepts another move that loses hardly more, and no worse one", async () => {
    const review = await trying();
    expect(await review.answer(effect(review, "b1a1"))).toBe("worse");
    expect(review.trying).not.toBeNull();
    expect(review.tried).toBeNull();
    expect(await review.answer(effect(review, "b1b2"))).toBe("better");
  });

  it("knows the move of the game", async () => {
    const review = await trying();
    expect(await review.answer(effect(review, "b1c2"))).toBe("same");
  });

  it("says nothing of a try that was left", async () => {
    const review = await trying();
    const answered = review.answer(effect(review, "b1a1"));
    review.show(2);
    expect(await answered).toBeNull();
    expect(review.at).toBe(2);
  });

  it("interrupts a run and lets it go on afterwards", async () => {
    cache.clear();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    answer = async (limits) => {
      if (!limits.moves && searches.length === 3) await held;
      return asPlayed(limits);
    };
    const { review } = controller();
    await review.load("g1");
    await vi.waitFor(() => expect(searches).toHaveLength(3));
    const [point] = review.turningPoints;
    if (!point) throw new Error("no turning point");
    review.try(point);
    const answered = review.answer(effect(review, "b1a1"));
    expect(review.running).toBe(false);
    release();
    expect(await answered).toBe("worse");
    await vi.waitFor(() => expect(review.positions).toHaveLength(GAME.length + 1));
  });
});
