// A game at the server: an event that got lost is asked for.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { OnlineGame } from "../src/games/online";

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
  let game: OnlineGame;

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("WebSocket", Socket);
    vi.stubGlobal("location", { protocol: "http:", host: "here" });
    vi.stubGlobal("window", globalThis);
    vi.stubGlobal("addEventListener", () => undefined);
    vi.stubGlobal("removeEventListener", () => undefined);
    game = new OnlineGame("g");
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
    expect(Socket.last.sent).toEqual([{ type: "hello", since: 3, heard: 0 }]);
  });

  it("asks for what it missed when an event comes too early", () => {
    Socket.last.say({ type: "event", version: 5, event: { type: "ended" }, patch: {} });
    expect(Socket.last.sent).toEqual([{ type: "hello", since: 3, heard: 0 }]);
    expect(game.game?.version).toBe(3);
  });
});
