// A game at the server: an event that got lost is asked for.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { OnlineSession } from "../src/play/sessions/online";
import { timeLeft } from "../src/domain/clock-time";
import { PROTOCOL } from "../src/domain/protocol";

const START = "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0,0 0 1";
const STATE = {
  type: "state",
  game: {
    id: "g",
    mode: "two",
    sides: [["black"], ["white"]],
    start: START,
    position: START,
    turn: "black",
    ply: 1,
    moves: [],
    seats: [],
    chat: [],
    version: 3,
    you: ["black"],
    can: ["move"],
    legal: "",
  },
};

const HELLO = { type: "hello", since: 3, heard: 0, protocol: PROTOCOL };

class Socket {
  static readonly OPEN = 1;
  static last: Socket;
  readyState = 1;
  sent: object[] = [];
  onopen: () => void = () => undefined;
  onclose: () => void = () => undefined;
  onmessage: (event: { data: string }) => void = () => undefined;

  constructor() {
    Socket.last = this;
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(): void {}

  say(message: object): void {
    this.onmessage({ data: JSON.stringify(message) });
  }
}

describe("a game at the server", () => {
  let game: OnlineSession;

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("WebSocket", Socket);
    vi.stubGlobal("location", { protocol: "http:", host: "here" });
    vi.stubGlobal("window", globalThis);
    vi.stubGlobal("document", new EventTarget());
    vi.stubGlobal("addEventListener", () => undefined);
    vi.stubGlobal("removeEventListener", () => undefined);
    game = new OnlineSession("g");
    Socket.last.onopen();
    Socket.last.say(STATE);
    Socket.last.sent = [];
  });

  afterEach(() => {
    game.close();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("asks for what it missed when more is acknowledged than it has heard of", () => {
    Socket.last.say({ type: "ack", ref: "r", version: 3 });
    expect(Socket.last.sent).toEqual([]);
    Socket.last.say({ type: "ack", ref: "s", version: 4 });
    expect(Socket.last.sent).toMatchObject([HELLO]);
  });

  it("asks for what it missed when an event comes too early", () => {
    Socket.last.say({ type: "event", version: 5, event: { type: "ended" }, patch: {} });
    expect(Socket.last.sent).toMatchObject([HELLO]);
    expect(game.game?.version).toBe(3);
  });

  describe("with clocks", () => {
    const clocks = { black: 300_000, white: 300_000 };
    const left = () => game.game && timeLeft(game.game, "black", game.receivedAt);
    const say = (version: number, type: string, patch: object) =>
      Socket.last.say({ type: "event", version, event: { type, seat: "white" }, patch });

    beforeEach(() => {
      const control = { kind: "sudden_death", ms: 300_000 };
      const state = { ...STATE.game, version: 4, control, clocks, delay_left: 0 };
      Socket.last.say({ type: "state", game: state });
    });

    it("lets the clock run on through events that tell nothing of it", () => {
      vi.advanceTimersByTime(60_000);
      expect(left()).toBe(240_000);
      say(5, "draw_offered", { offers: { draw: ["white"], takeback: [], rematch: [] } });
      say(6, "draw_declined", { offers: { draw: [], takeback: [], rematch: [] } });
      say(7, "went_away", {});
      say(8, "came_back", {});
      expect(left()).toBe(240_000);
      vi.advanceTimersByTime(1000);
      expect(left()).toBe(239_000);
    });

    it("takes over the clocks of an event that has them", () => {
      vi.advanceTimersByTime(60_000);
      say(5, "resumed", { clocks: { black: 270_000, white: 300_000 } });
      expect(left()).toBe(270_000);
    });

    it("gives a turn's delay once, also after a reload in the middle of it", () => {
      const control = { kind: "delay", ms: 300_000, delay_ms: 5000 };
      const state = { ...STATE.game, version: 5, control, clocks };
      Socket.last.say({ type: "state", game: { ...state, delay_left: 2000 } });
      vi.advanceTimersByTime(3000);
      expect(left()).toBe(299_000);
    });
  });

  it("forgets what it asked when it is acknowledged", () => {
    game.callFlag();
    const { ref } = Socket.last.sent.at(-1) as { ref: string };
    Socket.last.say({ type: "ack", ref, version: 3 });
    expect((game as unknown as { questions: Map<string, unknown> }).questions.size).toBe(0);
  });
});
