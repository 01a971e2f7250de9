// Finished games of this browser are handed over one by one; a refused one doesn't stop the others.

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { uploadGame, uploadAllGames } from "../src/storage/upload";
import { summaries } from "../src/storage/game-list";
import { type StoredGame, store } from "../src/storage/games";
import type { FinishedGame } from "../src/domain/protocol";
import { layouts, text } from "./kernel";

const STANDARD = layouts("two")[0]?.position ?? "";
const EDITED = "9/8/7/6/bbb1wwww1/6/7/8/9 b 0,0 0 1";

function game(id: string, changedAt: number, change: Partial<StoredGame> = {}): StoredGame {
  return {
    id,
    mode: "two",
    layout: "standard",
    rules: {
      preset: "rulebook",
      win_at: 6,
      repetition: null,
      ply_limit: null,
      stuck: "by-mode",
      partner_sidestep: "any",
      leave_three: "out",
      leave_teams: "loses",
      team_talk: "none",
      first: "black",
    },
    control: { kind: "none" },
    seats: [
      { colour: "black", kind: "person", level: null },
      { colour: "white", kind: "computer", level: "friendly" },
    ],
    start: STANDARD,
    moves: [{ move: "a1b2", clock: null }],
    left: [],
    ended: { winner: "white", reason: "resigned", by: "black" },
    position: STANDARD,
    outcome: { winner: "white", reason: "resigned", by: "black" },
    createdAt: 1,
    changedAt,
    serverId: null,
    ...change,
  };
}

/** What the server answers to each game, by its id. */
let answers: Record<string, () => Response>;
let asked: FinishedGame[];

beforeEach(() => {
  answers = {};
  asked = [];
  vi.stubGlobal("dispatchEvent", () => true); // Node stores nothing, and there is no page to tell
  vi.stubGlobal("fetch", async (url: string, options?: RequestInit) => {
    if (!url.startsWith("/api/")) return new Response(text("../../src/sumito/data/layouts.json"));
    const body = JSON.parse(String(options?.body)) as FinishedGame;
    asked.push(body);
    const answer = answers[body.ref];
    return answer ? answer() : Response.json({ id: `kept-${body.ref}` }, { status: 201 });
  });
});

afterEach(async () => {
  for (const { id } of await store.all()) await store.remove(id);
  vi.unstubAllGlobals();
});

const refuse = (status: number) => () =>
  Response.json({ error: { code: "not-over", message: "It isn't over." } }, { status });

it("sends the position of a game that began elsewhere than its layout", async () => {
  await store.put(game("edited", 1, { start: EDITED }));
  await store.put(game("usual", 2));
  expect(await uploadAllGames()).toBe(2);
  const starts = Object.fromEntries(asked.map(({ ref, game }) => [ref, game.start]));
  expect(starts).toEqual({ edited: EDITED, usual: null });
  expect((await store.get("edited"))?.serverId).toBe("kept-edited");
});

it.each([400, 409, 413, 422])("goes on after a refusal with status %d and remembers it", async (status) => {
  answers.bad = refuse(status);
  await store.put(game("good", 1));
  await store.put(game("bad", 2));
  expect(await uploadAllGames()).toBe(1);
  expect((await store.get("good"))?.serverId).toBe("kept-good");
  const shown = (await summaries()).map(({ id, refused }) => [id, refused]);
  expect(shown).toEqual([
    ["bad", "It isn't over."],
    ["good", null],
  ]);
  asked = [];
  expect(await uploadAllGames()).toBe(0);
  expect(asked).toEqual([]);
});

it.each([429, 500, 503])("tries again later after status %d", async (status) => {
  answers.one = refuse(status);
  await store.put(game("one", 1));
  await expect(uploadAllGames()).rejects.toThrow();
  expect((await store.get("one"))?.refused).toBeUndefined();
  answers = {};
  expect(await uploadAllGames()).toBe(1);
});

it("offers a refused game again when its player asks", async () => {
  answers.one = refuse(422);
  await store.put(game("one", 1));
  await uploadAllGames();
  answers = {};
  expect(await uploadGame("one")).toBe("kept-one");
  expect(await store.get("one")).not.toHaveProperty("refused");
});

it("doesn't hand over a game that is unknown, going on, or called off", async () => {
  await store.put(game("going", 1, { outcome: null, ended: null }));
  await store.put(game("off", 2, { outcome: { winner: null, reason: "aborted", by: null } }));
  expect(await uploadAllGames()).toBe(0);
  for (const id of ["going", "off", "none", ""]) await expect(uploadGame(id)).rejects.toThrow();
  expect(asked).toEqual([]);
});
