// The game page's state: which game it follows, when its result appears, and what may be done.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Effect } from "../src/board/state";
import type { GameSession, Notice } from "../src/domain/game-session";
import type { GameState } from "../src/domain/game-state";
import { GamePageController } from "../src/play/game-page-controller";
import { openOnGamePage } from "../src/play/handoff";

const api = vi.hoisted(() => ({ join: vi.fn() }));
vi.mock("../src/client/api", () => ({ api }));
vi.mock("../src/domain/navigation", () => ({ go: () => undefined }));

const LEGAL = [{ move: "a1b2" }, { move: "a1a2b1" }] as unknown as readonly Effect[];
const person = (colour: string) => ({ colour, kind: "person", name: colour });
const GAME = {
  id: "g1",
  status: "playing",
  turn: "black",
  you: ["black"],
  listed: false,
  legal: LEGAL,
  moves: [{ move: "x" }, { move: "y" }],
  seats: [person("black"), person("white")],
  chat: [],
  can: ["chat"],
} as unknown as GameState;

class FakeSession extends EventTarget {
  readonly close = vi.fn();
  readonly play = vi.fn();
  readonly take = vi.fn();
  elsewhere = false;

  constructor(
    readonly id: string,
    public game: GameState | null = { ...GAME, id },
  ) {
    super();
  }

  notify(notice: Notice): void {
    this.dispatchEvent(new CustomEvent("notice", { detail: notice }));
  }
}

async function opened(game: Partial<GameState> = {}) {
  const sessions: FakeSession[] = [];
  const on = { changed: vi.fn(), yourTurn: vi.fn(), rematch: vi.fn() };
  const page = new GamePageController(on, (id) => {
    const session = new FakeSession(id, { ...GAME, id, ...game });
    sessions.push(session);
    return session as unknown as GameSession;
  });
  await page.open("g1");
  return { page, on, sessions, session: sessions[0] as FakeSession };
}

beforeEach(() => vi.stubGlobal("dispatchEvent", vi.fn()));
afterEach(() => vi.unstubAllGlobals());

describe("the game page", () => {
  it("follows one game at a time", async () => {
    const { page, on, sessions, session } = await opened();
    page.show(1);
    await page.open("g2");
    expect(session.close).toHaveBeenCalledOnce();
    expect(page.game?.id).toBe("g2");
    expect(page.shown).toBeNull();
    on.changed.mockClear();
    session.notify({ kind: "ended" });
    session.dispatchEvent(new Event("change"));
    expect(on.changed).not.toHaveBeenCalled();
    expect(page.result).toBe("none");
    page.close();
    expect(sessions[1]?.close).toHaveBeenCalledOnce();
  });

  it("takes over a game that was begun on another page", async () => {
    const { page, sessions } = await opened();
    const begun = new FakeSession("g3");
    openOnGamePage(begun as unknown as GameSession);
    await page.open("g3");
    expect(page.session).toBe(begun);
    expect(sessions).toHaveLength(1);
  });

  it("closes a game that is ready only after another was asked for", async () => {
    let release: (session: GameSession) => void = () => undefined;
    const slow = new Promise<GameSession>((resolve) => {
      release = resolve;
    });
    const on = { changed: vi.fn(), yourTurn: vi.fn(), rematch: vi.fn() };
    const fast = new FakeSession("g2");
    const page = new GamePageController(on, (id) =>
      id === "local-1" ? slow : (fast as unknown as GameSession),
    );
    const opening = page.open("local-1");
    await page.open("g2");
    const late = new FakeSession("local-1");
    release(late as unknown as GameSession);
    await opening;
    expect(late.close).toHaveBeenCalledOnce();
    expect(page.session).toBe(fast);
  });

  it("shows a result once the last move was seen to its end", async () => {
    const { page, session } = await opened();
    page.rested(true);
    expect(page.result).toBe("none");
    session.notify({ kind: "ended" });
    page.rested(false);
    expect(page.result).toBe("waiting");
    page.rested(true);
    expect(page.result).toBe("shown");
    page.startReplay();
    expect([page.result, page.shown, page.tab]).toEqual(["none", 0, "moves"]);
  });

  it("leaves the past when something happens in one's own game, and only then", async () => {
    const own = await opened();
    own.page.show(1);
    own.session.notify({ kind: "other" });
    expect(own.page.shown).toBeNull();
    for (const game of [{ you: [] }, { status: "over" }] as Partial<GameState>[]) {
      const { page, session } = await opened(game);
      page.show(1);
      session.notify({ kind: "other" });
      expect(page.shown).toBe(1);
    }
  });

  it("tells players of their turn and leads them to a rematch", async () => {
    const { page, on, session } = await opened();
    const moved = (seat: string) =>
      session.notify({ kind: "moved", effect: { seat } as unknown as NonNullable<Notice["effect"]> });
    expect(page.isYourTurn).toBe(true);
    moved("black");
    expect(on.yourTurn).not.toHaveBeenCalled();
    moved("white");
    expect(on.yourTurn).toHaveBeenCalledOnce();
    const rematch = { kind: "other", event: { type: "rematch", id: "g9" } } as unknown as Notice;
    session.notify(rematch);
    expect(on.rematch).toHaveBeenCalledWith("g9");
    const watching = await opened({ you: [] });
    watching.session.notify(rematch);
    expect(watching.on.rematch).not.toHaveBeenCalled();
    expect(watching.page.isYourTurn).toBe(false);
  });
});

describe("a typed move", () => {
  it("is played by any of its names", async () => {
    const { page, session } = await opened();
    expect(page.type(" A1-B2 ")).toBeNull();
    expect(session.play).toHaveBeenLastCalledWith(LEGAL[0]);
    expect(page.type("a2a1b2")).toBeNull();
    expect(session.play).toHaveBeenLastCalledWith(LEGAL[1]);
  });

  it("is answered when it is none, or the turn is another's", async () => {
    const { page, session } = await opened();
    expect(page.type("a1a3")).toMatch(/is not a move/);
    expect(page.type("c3c4")).toMatchObject({ cells: ["c3"] });
    const other = await opened({ turn: "white" });
    expect(other.page.type("a1b2")).toBe("It isn't your turn.");
    expect(session.play).not.toHaveBeenCalled();
  });

  it("is offered to players of a running game in this tab", async () => {
    expect((await opened()).page.mayType).toBe(true);
    expect((await opened({ you: [] })).page.mayType).toBe(false);
    expect((await opened({ status: "over" })).page.mayType).toBe(false);
    const { page, session } = await opened();
    session.elsewhere = true;
    expect(page.mayType).toBe(false);
  });
});

describe("an invitation", () => {
  const seats = [person("black"), { ...person("white"), kind: "open" }, { ...person("red"), kind: "open" }];
  const waiting = { status: "waiting", you: [], seats } as unknown as Partial<GameState>;

  it("is open for those who have its key, and for a certain seat if it names one", async () => {
    const { page } = await opened(waiting);
    expect(page.invitation("")).toBeNull();
    expect(page.invitation("?key=k")).toEqual({ seats: ["white", "red"], key: "k" });
    expect(page.invitation("?key=k&seat=red")).toEqual({ seats: ["red"], key: "k" });
    expect((await opened({ ...waiting, listed: true })).page.invitation("")).not.toBeNull();
    expect((await opened({ ...waiting, you: ["black"] })).page.invitation("?key=k")).toBeNull();
    expect((await opened()).page.invitation("?key=k")).toBeNull();
  });

  it("is accepted with a seat and a name", async () => {
    const { page, session } = await opened(waiting);
    api.join.mockResolvedValue(GAME);
    await page.join("red", "Ada", "k");
    expect(api.join).toHaveBeenLastCalledWith("g1", { seat: "red", key: "k", name: "Ada" });
    expect(session.take).toHaveBeenCalledWith(GAME);
    await page.join("red", "", undefined);
    expect(api.join).toHaveBeenLastCalledWith("g1", { seat: "red" });
  });
});

describe("the chat", () => {
  it("is there to read, or to write to somebody else, and counts what is new", async () => {
    const { page, session } = await opened();
    expect(page.hasChat).toBe(true);
    page.openTab("chat");
    expect(page.isChatShown).toBe(true);
    page.markChatRead();
    session.game = { ...GAME, chat: [{}, {}] } as unknown as GameState;
    expect(page.unreadCount).toBe(2);
    page.markChatRead();
    expect(page.unreadCount).toBe(0);
    expect((await opened({ can: [] })).page.hasChat).toBe(false);
    expect((await opened({ you: ["black", "white"] })).page.hasChat).toBe(false);
  });

});

describe("a coach", () => {
  it("helps only against computers in this browser", async () => {
    const { page } = await opened();
    expect(page.mayBeCoached).toBe(false);
    const seats = [person("black"), { ...person("white"), kind: "computer" }];
    const local = await opened({ id: "local-1", seats } as unknown as Partial<GameState>);
    expect(local.page.mayBeCoached).toBe(true);
  });
});
