// A solver's rating goes where results say, and the day's puzzle is everybody's.

import { describe, expect, it } from "vitest";
import { choose, climb, rated } from "../src/puzzles/progress";
import { daily, type Puzzle } from "../src/puzzles/shipped";

const puzzle = (id: string, rating: number, mode: Puzzle["mode"] = "two"): Puzzle => ({
  id,
  mode,
  position: "",
  line: ["a1b2"],
  goal: "eject",
  in: 1,
  themes: [],
  rating,
});
const list = Array.from({ length: 100 }, (_, n) => puzzle(`p${n}`, 400 + 20 * n));
const fresh = { rating: 1000, deviation: 350 };

describe("the rating", () => {
  it("rises by a solved puzzle, more by a hard one, and falls by a missed one", () => {
    const easy = rated(fresh, 600, true).rating;
    const hard = rated(fresh, 1600, true).rating;
    expect(easy).toBeGreaterThan(1000);
    expect(hard).toBeGreaterThan(easy);
    expect(rated(fresh, 1000, false).rating).toBeLessThan(1000);
  });

  it("becomes surer, and comes to rest at the strength of the solver", () => {
    let state = fresh;
    for (let n = 0; n < 400; n++) {
      const given = 1000 + ((n * 37) % 1000);
      state = rated(state, given, given < 1500);
    }
    expect(state.deviation).toBeLessThan(80);
    expect(Math.abs(state.rating - 1500)).toBeLessThan(120);
  });
});

describe("the choice", () => {
  it("is near the solver's rating and new", () => {
    const done = { p30: true };
    const state = { rating: 1000, deviation: 50, done, history: [], streak: 0, storm: 0, daily: "" };
    const found = Array.from({ length: 50 }, (_, n) => choose(list, state, null, () => n / 50));
    expect(found.every((one) => one && Math.abs(one.rating - 1000) <= 100)).toBe(true);
    expect(found.some((one) => one?.id === "p30")).toBe(false);
    expect(choose([], state)).toBeNull();
  });

  it("of a day is the same whatever the order of the list", () => {
    const other = [...list].reverse();
    expect(daily(list, "2026-11-16")?.id).toBe(daily(other, "2026-11-16")?.id);
    const days = Array.from({ length: 30 }, (_, n) => daily(list, `2026-11-${n}`)?.id);
    expect(new Set(days).size).toBeGreaterThan(15);
    expect(daily([], "2026-11-16")).toBeNull();
  });

  it("doesn't repeat the puzzle that was just shown, unless it is the only one", () => {
    const state = { rating: 1000, deviation: 50, done: {}, history: [], streak: 0, storm: 0, daily: "" };
    const [one = null, two] = list;
    const pair = list.slice(0, 2);
    const found = Array.from({ length: 20 }, (_, n) => choose(pair, state, one, () => n / 20));
    expect(new Set(found)).toEqual(new Set([two]));
    expect(choose(list.slice(0, 1), state, one)).toBe(one);
    const done = Object.fromEntries(pair.map(({ id }) => [id, true]));
    expect(choose(pair, { ...state, done }, one)).toBe(two);
  });

  it("of a run gets harder, and nothing is repeated while others are left", () => {
    const seen = new Set<string>();
    const ratings = [];
    for (let count = 0; count < list.length; count++) {
      const next = climb(list, count, seen, () => 0.99);
      expect(next && seen.has(next.id)).toBe(false);
      seen.add(next?.id ?? "");
      ratings.push(next?.rating ?? 0);
    }
    expect(seen.size).toBe(list.length);
    expect(ratings[0]).toBeLessThan(ratings[20] ?? 0);
    expect(climb(list, 99, seen)).not.toBeNull();
    expect(climb(list.slice(0, 1), 7, new Set(["p0"]))).toBe(list[0]);
    expect(climb([], 0, new Set())).toBeNull();
  });

  it("of a run that makes no progress is another puzzle each time", () => {
    const seen = new Set<string>();
    for (let n = 0; n < list.length; n++) seen.add(climb(list, 0, seen)?.id ?? "");
    expect(seen.size).toBe(list.length);
  });
});
