// A connection that comes back by itself and loses nothing that was sent.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Connection } from "../src/games/connection";

class Socket {
  static readonly OPEN = 1;
  static made: Socket[] = [];
  readyState = 0;
  sent: { type: string; ref?: string }[] = [];
  onopen: () => void = () => undefined;
  onclose: () => void = () => undefined;
  onmessage: (event: { data: string }) => void = () => undefined;

  constructor(readonly url: string) {
    Socket.made.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(): void {
    this.readyState = 3;
    this.onclose();
  }

  open(): void {
    this.readyState = 1;
    this.onopen();
  }

  say(message: object): void {
    this.onmessage({ data: JSON.stringify(message) });
  }
}

describe("connection", () => {
  const on: boolean[] = [];
  let connection: Connection;
  const last = () => Socket.made.at(-1) as Socket;

  beforeEach(() => {
    vi.useFakeTimers();
    Socket.made = [];
    on.length = 0;
    vi.stubGlobal("WebSocket", Socket);
    vi.stubGlobal("location", { protocol: "http:", host: "here" });
    vi.stubGlobal("window", globalThis);
    vi.stubGlobal("addEventListener", () => undefined);
    vi.stubGlobal("removeEventListener", () => undefined);
    connection = new Connection("/ws/games/x", {
      heard: () => undefined,
      connected: (now) => on.push(now),
      hello: () => ({ since: 7 }),
    });
  });

  afterEach(() => {
    connection.close();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("says hello with what it knows", () => {
    last().open();
    expect(last().sent[0]).toEqual({ type: "hello", since: 7 });
  });

  it("keeps what is sent before it is open, and sends it then", () => {
    connection.send({ type: "play" });
    expect(last().sent).toEqual([]);
    last().open();
    expect(last().sent.map(({ type }) => type)).toEqual(["hello", "play"]);
  });

  it("sends again after a loss what nobody acknowledged, and nothing else", () => {
    last().open();
    const kept = connection.send({ type: "play" });
    const done = connection.send({ type: "chat" });
    last().say({ type: "ack", ref: done, version: 8 });
    last().close();
    expect(on.at(-1)).toBe(false);
    vi.advanceTimersByTime(1000);
    expect(Socket.made).toHaveLength(2);
    last().open();
    expect(last().sent.slice(1).map(({ ref }) => ref)).toEqual([kept]);
  });

  it("waits longer from try to try, and never more than some seconds", () => {
    for (let k = 0; k < 12; k++) {
      last().close();
      vi.advanceTimersByTime(7000);
    }
    expect(Socket.made).toHaveLength(13);
  });

  it("comes back no sooner after a refusal", () => {
    for (let k = 0; k < 6; k++) {
      last().open();
      last().say({ type: "error", ref: "", code: "too-many", message: "wait" });
      last().close();
      vi.advanceTimersByTime(7000);
    }
    const before = Socket.made.length;
    last().open();
    last().say({ type: "error", ref: "", code: "too-many", message: "wait" });
    last().close();
    vi.advanceTimersByTime(1000);
    expect(Socket.made).toHaveLength(before);
    vi.advanceTimersByTime(6000);
    last().open();
    last().say({ type: "pong", sent: 0, at: 0 });
    last().close();
    vi.advanceTimersByTime(1000);
    expect(Socket.made).toHaveLength(before + 2);
  });

  it("answers the server's ping at once", () => {
    last().open();
    last().say({ type: "ping", sent: 99 });
    expect(last().sent.at(-1)).toEqual({ type: "pong", sent: 99 });
  });

  it("gives a slow link time to open", () => {
    vi.advanceTimersByTime(12_000);
    expect(Socket.made).toHaveLength(1);
    expect(last().readyState).toBe(0);
  });

  it("stays away once it is closed", () => {
    connection.close();
    vi.advanceTimersByTime(60_000);
    expect(Socket.made).toHaveLength(1);
  });
});
