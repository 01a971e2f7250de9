// The state of the dialog for a new game: choices that fit each other, and the game made of them.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { NewGameController } from "../src/lobby/new-game/controller";
import type { Mode } from "../src/domain/protocol";
import { layouts } from "./kernel";

const FORM = {
  custom: { minutes: 5, seconds: 0, extra: "fischer" },
  rules: "rulebook",
  options: {},
  goal: 6,
  rated: false,
  listed: false,
  friendly: false,
} as const;
const created = { locally: vi.fn(), atServer: vi.fn() };

vi.mock("../src/storage/new-game", () => ({
  createLocalGame: async (...terms: unknown[]) => {
    created.locally(...terms);
    return "local-1";
  },
}));
vi.mock("../src/client/api", () => ({
  api: { createGame: (terms: unknown) => created.atServer(terms) },
}));

async function opened(purpose: "computer" | "here" | "friends" | "open") {
  const game = new NewGameController(vi.fn(), async (mode: Mode) => layouts(mode));
  game.open(purpose);
  await vi.waitFor(() => expect(game.layouts.length).toBeGreaterThan(0));
  return game;
}

beforeEach(() => {
  const items = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
  });
  vi.stubGlobal("dispatchEvent", vi.fn());
  created.locally.mockReset();
  created.atServer.mockReset().mockResolvedValue({ game: { id: "g1" } });
});

afterEach(() => vi.unstubAllGlobals());

describe("a new game", () => {
  it("against the computer needs no server, and its choices are remembered", async () => {
    const game = await opened("computer");
    game.set({ level: 2, clock: "10", colour: "white" });
    expect(await game.create(FORM)).toBe("local-1");
    expect(created.atServer).not.toHaveBeenCalled();
    const next = new NewGameController(vi.fn());
    expect([next.level, next.clock, next.colour]).toEqual([2, "10", "white"]);
  });

  it("gives the names at one screen on, and no names against the computer", async () => {
    const names = { black: "Ada", white: "Bela" };
    for (const purpose of ["here", "computer"] as const) {
      const game = await opened(purpose);
      game.set({ names });
      await game.create(FORM);
      expect(created.locally.mock.lastCall?.[1]).toEqual(purpose === "here" ? names : {});
    }
  });

  it("for friends is made at the server, and this device remembers it", async () => {
    const game = await opened("friends");
    game.set({ clock: "custom" });
    expect(await game.create({ ...FORM, rated: true, friendly: true })).toBe("g1");
    expect(created.atServer.mock.lastCall?.[0]).toMatchObject({
      control: { kind: "sudden_death", ms: 300_000 },
      rated: true,
      takebacks: true,
    });
    expect(localStorage.getItem("sumito.created-games")).toBe('["g1"]');
  });

  it("says why it couldn't be made, and can be tried again", async () => {
    const game = await opened("open");
    created.atServer.mockRejectedValueOnce(new Error("Too many requests."));
    const first = game.create(FORM);
    expect(game.isReady).toBe(false);
    expect(await first).toBeNull();
    expect(game.problem).toBe("Too many requests.");
    expect(game.isReady).toBe(true);
    expect(await game.create(FORM)).toBe("g1");
    expect(game.problem).toBe("");
  });
});

describe("the choices", () => {
  it("follow the mode: its layouts, and a colour that it has", async () => {
    const game = await opened("computer");
    await game.setMode("teams");
    game.set({ colour: "blue" });
    expect(game.layouts.map(({ id }) => id)).toContain(game.layout);
    const changing = game.setMode("two");
    expect([game.colour, game.layout]).toEqual(["black", "standard"]);
    await changing;
    expect(game.isReady).toBe(true);
  });

  it("show the layouts of the mode that was chosen last", async () => {
    const game = await opened("computer");
    await Promise.all([game.setMode("teams"), game.setMode("three")]);
    expect(game.layouts).toEqual(layouts("three"));
  });

  it("are for a rated game only with a clock", async () => {
    const game = await opened("friends");
    expect(game.canBeRated).toBe(false);
    game.set({ clock: "15" });
    expect(game.canBeRated).toBe(true);
  });

  it("can't begin from the moment at which lots are being drawn", async () => {
    const ready: boolean[] = [];
    const game = new NewGameController(
      () => ready.push(game.isReady),
      async () => [],
    );
    game.layout = "standard";
    const drawn = game.drawLots(async () => undefined);
    expect(ready).toEqual([false]);
    await drawn;
    expect(ready).toEqual([false, true]);
  });

  it("wait until the lots are drawn", async () => {
    const game = await opened("here");
    game.set({ names: { black: "Ada", white: "Bela" } });
    await game.drawLots(async (shuffle) => {
      shuffle();
      expect(game.isReady).toBe(false);
    });
    expect(game.isReady).toBe(true);
    expect(Object.values(game.names).sort()).toEqual(["Ada", "Bela"]);
  });
});
