// A connection that comes back by itself and loses nothing that was sent.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Connection } from "../src/client/connection";

class Socket {
  static readonly OPEN = 1;
  static made: Socket[] = [];
  readyState = 0;
  sent: { type: string; ref?: string }[] = [];
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;

  constructor(readonly url: string) {
    Socket.made.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  /** As browsers do on a dead link: `onclose` comes much later, if at all. */
  close(): void {
    this.readyState = 2;
  }

  /** The server, or the network, ends the connection. */
  drop(): void {
    this.readyState = 3;
    this.onclose?.();
  }

  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }

  say(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

describe("connection", () => {
  const on: boolean[] = [];
  const heard: string[] = [];
  let connection: Connection;
  let events: EventTarget;
  let page: EventTarget & { hidden: boolean };
  const last = () => Socket.made.at(-1) as Socket;
  const sentTypes = () => last().sent.map(({ type }) => type);
  const pings = () => sentTypes().filter((type) => type === "ping").length;

  beforeEach(() => {
    vi.useFakeTimers();
    Socket.made = [];
    on.length = 0;
    heard.length = 0;
    events = new EventTarget();
    page = Object.assign(new EventTarget(), { hidden: false });
    vi.stubGlobal("WebSocket", Socket);
    vi.stubGlobal("location", { protocol: "http:", host: "here" });
    vi.stubGlobal("window", globalThis);
    vi.stubGlobal("document", page);
    for (const name of ["addEventListener", "removeEventListener", "dispatchEvent"] as const) {
      vi.stubGlobal(name, events[name].bind(events));
    }
    connection = new Connection("/ws/games/x", {
      onMessage: ({ type }) => heard.push(type),
      onConnectionChange: (now) => on.push(now),
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
    expect(last().sent[0]).toMatchObject({ type: "hello", since: 7 });
  });

  it("keeps what is sent before it is open, and sends it then", () => {
    connection.send({ type: "play" });
    expect(last().sent).toEqual([]);
    last().open();
    expect(sentTypes()).toEqual(["hello", "play", "ping"]);
  });

  it("sends again after a loss what nobody acknowledged, and nothing else", () => {
    last().open();
    const kept = connection.send({ type: "play" });
    const done = connection.send({ type: "chat" });
    last().say({ type: "ack", ref: done, version: 8 });
    last().drop();
    expect(on.at(-1)).toBe(false);
    vi.advanceTimersByTime(1000);
    expect(Socket.made).toHaveLength(2);
    last().open();
    expect(last().sent.flatMap(({ type, ref }) => (type === "play" ? [ref] : []))).toEqual([kept]);
    expect(sentTypes()).not.toContain("chat");
  });

  it("waits longer from try to try, and never more than some seconds", () => {
    for (let k = 0; k < 12; k++) {
      last().drop();
      vi.advanceTimersByTime(7000);
    }
    expect(Socket.made).toHaveLength(13);
  });

  it("comes back no sooner after a refusal", () => {
    for (let k = 0; k < 6; k++) {
      last().open();
      last().say({ type: "error", ref: "", code: "too-many", message: "wait" });
      last().drop();
      vi.advanceTimersByTime(7000);
    }
    const before = Socket.made.length;
    last().open();
    last().say({ type: "error", ref: "", code: "too-many", message: "wait" });
    last().drop();
    vi.advanceTimersByTime(1000);
    expect(Socket.made).toHaveLength(before);
    vi.advanceTimersByTime(6000);
    last().open();
    last().say({ type: "pong", sent: 0, at: 0 });
    last().drop();
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

  /** Let time pass while the server answers each ping. */
  const answered = (ms: number) => {
    for (let passed = 0; passed < ms; passed += 1000) {
      vi.advanceTimersByTime(1000);
      last().say({ type: "pong", sent: 0, at: 0 });
    }
  };

  it("leaves a dead link within eight seconds, without waiting for its end", () => {
    last().open();
    answered(30_000);
    expect(Socket.made).toHaveLength(1);
    const dead = last();
    vi.advanceTimersByTime(8000);
    expect(Socket.made).toHaveLength(2);
    expect(on.at(-1)).toBe(false);
    last().open();
    last().say({ type: "pong", sent: 0, at: 0 });
    dead.drop();
    dead.say({ type: "chat" });
    expect(on.at(-1)).toBe(true);
    expect(heard).not.toContain("chat");
    expect(Socket.made).toHaveLength(2);
  });

  it("keeps a link on which nothing is said but answers to pings", () => {
    last().open();
    answered(120_000);
    expect(Socket.made).toHaveLength(1);
    expect(pings()).toBeGreaterThanOrEqual(40);
  });

  it("gives up a socket that never opens", () => {
    vi.advanceTimersByTime(17_000);
    expect(Socket.made).toHaveLength(2);
  });

  it("does not judge silence in a hidden page whose timers are slowed down", () => {
    last().open();
    last().say({ type: "pong", sent: 0, at: 0 });
    page.hidden = true;
    const start = Date.now();
    for (let minute = 1; minute <= 30; minute++) {
      // One tick a minute, after which the answer comes.
      vi.clearAllTimers();
      vi.setSystemTime(start + minute * 60_000);
      (connection as unknown as { tick(): void }).tick();
      last().say({ type: "pong", sent: 0, at: 0 });
    }
    expect(Socket.made).toHaveLength(1);
    expect(pings()).toBeGreaterThanOrEqual(30);
    // The last ping was answered, the next one isn't.
    for (const minute of [31, 32]) {
      vi.setSystemTime(start + minute * 60_000);
      (connection as unknown as { tick(): void }).tick();
    }
    expect(Socket.made).toHaveLength(2);
  });

  it("pings a hidden page's link less often, and still notices that it is dead", () => {
    last().open();
    page.hidden = true;
    const before = pings();
    answered(60_000);
    expect(pings() - before).toBeLessThanOrEqual(4);
    expect(Socket.made).toHaveLength(1);
    vi.advanceTimersByTime(27_000);
    expect(Socket.made).toHaveLength(2);
  });

  it.each(["visibilitychange", "pageshow", "online"])("asks for a sign of life on %s", (name) => {
    last().open();
    page.hidden = true;
    answered(20_000);
    const before = pings();
    page.hidden = false;
    (name === "visibilitychange" ? page : events).dispatchEvent(new Event(name));
    expect(pings()).toBe(before + 1);
    vi.advanceTimersByTime(2000);
    expect(Socket.made).toHaveLength(1);
    vi.advanceTimersByTime(3000);
    expect(Socket.made).toHaveLength(2);
  });

  it("opens again at once when the network is back", () => {
    last().open();
    last().drop();
    events.dispatchEvent(new Event("online"));
    expect(Socket.made).toHaveLength(2);
    // This one was begun on the network that is gone.
    events.dispatchEvent(new Event("online"));
    expect(Socket.made).toHaveLength(3);
    vi.advanceTimersByTime(10_000);
    expect(Socket.made).toHaveLength(3);
  });

  it("repeats a hello that was refused for the moment, less and less often", () => {
    const hellos = () => last().sent.filter(({ type }) => type === "hello");
    const refuse = (ref: string) =>
      last().say({ type: "error", ref, code: "unavailable", message: "no database" });
    last().open();
    refuse(hellos().at(-1)?.ref ?? "");
    expect(heard).toEqual([]);
    vi.advanceTimersByTime(1000);
    expect(hellos()).toHaveLength(2);
    refuse("");
    vi.advanceTimersByTime(1000);
    expect(hellos()).toHaveLength(3);
    last().say({ type: "state", game: {} });
    refuse("");
    vi.advanceTimersByTime(6000);
    expect(hellos()).toHaveLength(3);
    expect(heard).toContain("error");
  });

  it("asks for a reload when the server no longer speaks its protocol", () => {
    let asked = 0;
    events.addEventListener("outdated", () => asked++);
    last().open();
    last().say({ type: "error", ref: "", code: "reload", message: "reload" });
    vi.advanceTimersByTime(60_000);
    expect(asked).toBe(1);
    expect(Socket.made).toHaveLength(1);
  });

  it("stays away once it is closed", () => {
    connection.close();
    vi.advanceTimersByTime(60_000);
    expect(Socket.made).toHaveLength(1);
  });
});
