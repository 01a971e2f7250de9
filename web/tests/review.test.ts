// A review that is stopped keeps what was searched to the end, and nothing else.

import { describe, expect, it } from "vitest";
import type { Search } from "../kernel/src/search";
import type { Line } from "../kernel/src/types";
import { newRecord, type GameRecord } from "../src/record/record";
import { type PositionReview, runReview } from "../src/review/review";
import { layouts, loadKernel } from "./kernel";

const kernel = await loadKernel();
const referee = { kernel, layouts };

const LINE: Line = { ...({} as Line), move: "a1b2", pv: ["a1b2"], score: 10, winIn: null };

function game(mode: "two" | "three", moves: readonly string[]): GameRecord {
  const start = layouts(mode)[0]?.position ?? "";
  const record = newRecord(referee, start);
  const board = record.board(kernel, record.root);
  let node = record.root;
  for (const move of moves) {
    node = node.add(move, board);
    board.push(move);
  }
  return record;
}

/** Answers each search in turn, after `before` was called with its number. */
function fakeSearch(before: (count: number) => void): Search {
  let count = 0;
  const start = async () => {
    before(count++);
    return [LINE];
  };
  return { start } as unknown as Search;
}

describe("looking through a game", () => {
  const record = game("two", ["a1b2", "i9h8"]);

  it("looks at every position", async () => {
    const told: number[] = [];
    const search = fakeSearch(() => undefined);
    const { signal } = new AbortController();
    const positions = await runReview(kernel, search, record, [], signal, ({ length }) => told.push(length));
    expect(positions).toHaveLength(3);
    expect(told).toEqual([1, 2, 3]);
  });

  it.each([0, 1, 2])("drops the look during which it was stopped: number %d", async (stopped) => {
    const told: (readonly PositionReview[])[] = [];
    const stop = new AbortController();
    const search = fakeSearch((count) => {
      if (count === stopped) stop.abort();
    });
    const positions = await runReview(kernel, search, record, [], stop.signal, (found) => told.push([...found]));
    expect(positions).toHaveLength(stopped);
    expect(told).toHaveLength(stopped);
  });

  it("starts no search once it is stopped", async () => {
    const stop = new AbortController();
    stop.abort();
    let searches = 0;
    const search = fakeSearch(() => searches++);
    expect(await runReview(kernel, search, record, [], stop.signal, () => undefined)).toEqual([]);
    expect(searches).toBe(0);
  });

  it("doesn't search the played move of three after a stop", async () => {
    const stop = new AbortController();
    const counted: number[] = [];
    const search = fakeSearch((count) => {
      counted.push(count);
      stop.abort();
    });
    const [, another = ""] = game("three", []).board(kernel, game("three", []).root).legalMoves().map(({ move }) => move);
    const three = game("three", [another]);
    expect(await runReview(kernel, search, three, [], stop.signal, () => undefined)).toEqual([]);
    expect(counted).toEqual([0]);
  });
});
