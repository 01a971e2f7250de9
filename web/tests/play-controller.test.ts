// The state of a board that is played on: what may be moved, what is said, and what is shown when.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Effect } from "../src/board/state";
import type { GameSession, Pending } from "../src/domain/game-session";
import { type GameState, gameOf, type MadeMove } from "../src/domain/game-state";
import type { Reason } from "../src/domain/reasons";
import { PlayController } from "../src/play/play-controller";
import { loadKernel } from "./kernel";

const kernel = await loadKernel();
const START = "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0,0 0 1";
const sounds = vi.hoisted(() => ({ refuse: vi.fn(), won: vi.fn(), over: vi.fn(), moved: vi.fn() }));
vi.mock("../src/ui/sounds", () => ({ sounds }));

/** A game of two after some moves, as the player of black follows it. */
function gameAfter(...names: string[]): GameState {
  const board = kernel.board(START);
  const moves = names.map((name, ply): MadeMove => {
    const seat = board.turn;
    return { ...board.push(name), ply, seat, nacre: name, clock: null };
  });
  const snapshot = { id: "g1", mode: "two", position: START, moves: [], legal: "", sides: [["black"], ["white"]] };
  return {
    ...gameOf(snapshot as never),
    ...{ start: START, position: board.position, moves, turn: board.turn, legal: board.legalMoves() },
    ...{ status: "playing", outcome: null, you: ["black"], clocks: null, can: [], proposals: [], chat: [] },
    seats: (["black", "white"] as const).map((colour) => ({ colour, kind: "person", name: colour })),
  } as unknown as GameState;
}

function opened(game: GameState | null = gameAfter()) {
  const session = Object.assign(new EventTarget(), {
    id: "g1",
    game,
    pending: null as Pending | null,
    receivedAt: 0,
    connected: true,
    elsewhere: false,
    play: vi.fn<(effect: Effect) => void>(),
    why: vi.fn<() => Promise<Reason>>(),
  });
  const rested = vi.fn();
  const play = new PlayController({ changed: vi.fn(), draw: async () => undefined, rested });
  play.session = session as unknown as GameSession;
  play.update();
  const effect = (move: string) =>
    session.game?.legal.find((one) => one.move === move) as Effect;
  /** The game goes on; every move is shown to its end. */
  const become = async (next: GameState) => {
    session.game = next;
    session.pending = null;
    play.update();
    await vi.waitFor(() => expect(play.isCaughtUp).toBe(true));
  };
  return { play, session, rested, effect, become };
}

const announced = () =>
  vi
    .mocked(dispatchEvent)
    .mock.calls.map(([event]) => event as CustomEvent<string>)
    .filter(({ type }) => type === "announce")
    .map(({ detail }) => detail);

beforeEach(async () => {
  vi.stubGlobal("dispatchEvent", vi.fn());
  for (const sound of Object.values(sounds)) sound.mockReset();
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
  vi.stubGlobal("document", { documentElement: { dataset: {} } });
  const { settings } = await import("../src/storage/preferences");
  settings.set({ confirm: false });
});

afterEach(() => vi.unstubAllGlobals());

describe("what may be moved", () => {
  it("is nothing until the game is known", () => {
    const { play } = opened(null);
    expect(play.view().legal).toEqual([]);
    expect(play.status).toBe("Loading…");
  });

  it("is the player's in their turn, and nothing in the past, after the end or in another tab", () => {
    const { play, session } = opened();
    expect(play.view().legal).toHaveLength(44);
    expect(play.view().hand).toEqual(["black"]);
    play.shown = 0;
    expect(play.view().legal).toEqual([]);
    play.shown = null;
    session.elsewhere = true;
    expect(play.view().legal).toEqual([]);
    session.elsewhere = false;
    session.game = { ...gameAfter(), status: "over" };
    expect(play.view().legal).toEqual([]);
  });

  it("is chosen ahead of the turn only in games with clocks", async () => {
    const { play, become } = opened();
    await become(gameAfter("a1b2"));
    expect(play.view()).toMatchObject({ ahead: false, hand: [], legal: [] });
    await become({ ...gameAfter("a1b2"), clocks: { black: 60_000, white: 60_000 } } as GameState);
    expect(play.view()).toMatchObject({ ahead: true, hand: ["black"], legal: [] });
  });
});

describe("a move", () => {
  it("is played at once, or proposed where its player wants to be asked", async () => {
    const { play, session, effect } = opened();
    play.choose(effect("a1b2"));
    expect(session.play).toHaveBeenCalledWith(effect("a1b2"));
    const { settings } = await import("../src/storage/preferences");
    settings.set({ confirm: true });
    play.choose(effect("a2b3"));
    expect(session.play).toHaveBeenCalledOnce();
    expect(play.unconfirmed?.move).toBe("a2b3");
    expect(play.view().legal).toEqual([]);
    play.cancel();
    expect(play.unconfirmed).toBeNull();
    play.choose(effect("a2b3"));
    play.confirm();
    expect(session.play).toHaveBeenLastCalledWith(effect("a2b3"));
  });

  it("is on the board before it is acknowledged", async () => {
    const { play, session, effect, become } = opened();
    session.pending = { effect: effect("a1b2"), ply: 0 };
    play.update();
    expect(play.view().marbles.get("b2")).toBe("black");
    expect(play.view().last?.move).toBe("a1b2");
    await become(gameAfter("a1b2"));
    expect(play.unconfirmed).toBeNull();
    expect(play.count).toBe(1);
  });

  it("that was chosen ahead is played when the turn comes, if it is legal by then", async () => {
    const { play, session, become } = opened(gameAfter("a1b2"));
    play.setPremove({ cells: ["a2"], direction: "NE" });
    await become(gameAfter("a1b2", "i9h8"));
    await vi.waitFor(() => expect(session.play).toHaveBeenCalled());
    expect(session.play.mock.lastCall?.[0].move).toBe("a2b3");
    expect(play.premove).toBeNull();
  });

  it("of others is shown again from the player's own last on", async () => {
    const { play, become, rested } = opened();
    expect(play.canReplay).toBe(false);
    await become(gameAfter("a1b2", "i9h8"));
    expect(play.canReplay).toBe(true);
    rested.mockClear();
    play.replay();
    expect(play.isCaughtUp).toBe(false);
    await vi.waitFor(() => expect(rested).toHaveBeenLastCalledWith(true));
    expect(play.count).toBe(2);
  });
});

describe("what is said", () => {
  it("is why the rules refuse a try", async () => {
    const { play, session } = opened();
    session.why.mockResolvedValue({ code: "four", values: {}, message: "" });
    await play.explain({ cells: ["c3"], direction: "E" });
    expect(play.message.text).toMatch(/^Four are too many/);
    expect(announced()).toEqual([play.message.text]);
    expect(sounds.refuse).toHaveBeenCalledOnce();
  });

  it("isn't an answer to a try that was followed by another", async () => {
    const { play, session, effect } = opened();
    let answer: (reason: Reason) => void = () => undefined;
    session.why.mockReturnValue(
      new Promise((resolve) => {
        answer = resolve;
      }),
    );
    const explained = play.explain({ cells: ["c3"], direction: "E" });
    play.choose(effect("a1b2"));
    answer({ code: "four", values: {}, message: "" });
    await explained;
    expect(play.message.text).toBe("");
  });

  it("asks for the player's own marbles first", () => {
    const { play } = opened();
    play.answerMiss({ kind: "empty", cell: "e5", cells: [] });
    expect(play.hint).toBe("Tap one of your marbles first.");
    play.answerMiss({ kind: "theirs", cell: "i9", cells: [] });
    expect(play.message.text).toContain("White's marble");
    play.selected(["a1"], 3);
    expect(play.message.text).toBe("");
    expect(play.hint).toContain("Tap an arrow");
  });

  it("is a refusal by the referee, until the game goes on", () => {
    const { play } = opened();
    play.onNotice({ kind: "refused", message: "It isn't your turn." });
    expect(play.message.text).toBe("It isn't your turn.");
    play.onNotice({ kind: "moved" });
    expect(play.message.text).toBe("");
  });

  it("is the result at the end, each side with its own sound", () => {
    for (const winner of ["black", "white"] as const) {
      const game = { ...gameAfter(), status: "over", outcome: { winner, reason: "flag" } };
      const { play } = opened(game as unknown as GameState);
      play.onNotice({ kind: "ended" });
      expect(announced().at(-1)).toBe(play.status);
    }
    expect([sounds.won.mock.calls.length, sounds.over.mock.calls.length]).toEqual([1, 1]);
  });

  it("is gone after a change of the language", () => {
    const { play } = opened();
    play.onNotice({ kind: "refused", message: "It isn't your turn." });
    play.selected(["a1"], 3);
    play.clearMessages();
    expect([play.message.text, play.hint]).toEqual(["", ""]);
  });

  it("names a move as it begins, but not in the past", () => {
    const { play, effect } = opened();
    play.moving(effect("a1b2"));
    expect(announced()).toEqual(["Black: a1b2"]);
    play.shown = 0;
    play.moving(effect("a1b2"));
    expect(announced()).toHaveLength(1);
    expect(sounds.moved).toHaveBeenCalledTimes(2);
    play.moving(null);
    expect(sounds.moved).toHaveBeenCalledTimes(2);
  });
});
