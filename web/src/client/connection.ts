// A WebSocket that reconnects by itself. It greets with the last version it knows and resends
// commands that were not acknowledged; the server applies each `ref` once.

import { chosenLanguage } from "../domain/i18n";
import type { Frame } from "../domain/protocol";

const FIRST_WAIT = 250;
const LONGEST_WAIT = 5000;
const TICK = 1000;
const PING_EVERY = 3000;
const SILENCE = 7000;
/** A hidden page pings less often, to save battery. */
const PING_EVERY_HIDDEN = 15_000;
const SILENCE_HIDDEN = 25_000;
/** How long a new socket may take to open. */
const OPENING = 15_000;
/** After waking up, an answer must come within this time. */
const WAKING = 3000;
/** Browsers slow down the timers of hidden pages; after such a gap, silence means nothing. */
const THROTTLED = 3000;
/** The codes of refusals after which the same hello may succeed. */
const TEMPORARY = ["unavailable", "busy", "too-many"];

export interface Listener {
  onMessage(message: Frame): void;
  onConnectionChange(on: boolean): void;
  hello(): object;
}

export class Connection {
  private socket: WebSocket | null = null;
  private readonly unacknowledged = new Map<string, object>();
  private wait = FIRST_WAIT;
  private closed = false;
  private receivedAt = 0;
  private pingedAt = 0;
  /** Whether a message was received since the last ping. */
  private answered = true;
  private tickedAt = Date.now();
  private reopening = 0;
  private greeting = 0;
  /** The ref of a hello that hasn't been answered yet: it isn't acknowledged, but may be refused. */
  private helloRef: string | null = null;
  private readonly ticking: number;
  private readonly wake = (event: Event) => this.wakeUp(event.type === "online");

  constructor(
    private readonly path: string,
    private readonly listener: Listener,
  ) {
    this.open();
    this.ticking = window.setInterval(() => this.tick(), TICK);
    addEventListener("online", this.wake);
    addEventListener("pageshow", this.wake);
    document.addEventListener("visibilitychange", this.wake);
  }

  close(): void {
    this.closed = true;
    clearInterval(this.ticking);
    clearTimeout(this.reopening);
    clearTimeout(this.greeting);
    removeEventListener("online", this.wake);
    removeEventListener("pageshow", this.wake);
    document.removeEventListener("visibilitychange", this.wake);
    this.detach();
  }

  /** Send a command until it is acknowledged or refused; returns its ref. */
  send(message: object): string {
    const ref = newRef();
    const whole = { ...message, ref };
    this.unacknowledged.set(ref, whole);
    this.put(whole);
    return ref;
  }

  greet(): void {
    clearTimeout(this.greeting);
    this.helloRef = newRef();
    this.put({ type: "hello", ref: this.helloRef, ...this.listener.hello() });
  }

  private open(): void {
    clearTimeout(this.reopening);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const address = `${scheme}://${location.host}${this.path}?language=${chosenLanguage()}`;
    const socket = new WebSocket(address);
    this.socket = socket;
    this.receivedAt = Date.now();
    socket.onopen = () => {
      this.receivedAt = Date.now();
      this.greet();
      for (const message of this.unacknowledged.values()) this.put(message);
      this.ping();
    };
    socket.onmessage = ({ data }) => this.receive(JSON.parse(data));
    socket.onclose = () => this.lost();
  }

  private receive(message: Frame): void {
    this.receivedAt = Date.now();
    this.answered = true;
    // A refusal is no reason to come back sooner.
    if (message.type !== "error") this.wait = FIRST_WAIT;
    if (message.type === "ping") this.put({ type: "pong", sent: message.sent });
    if (message.type === "error" && message.code === "reload") {
      this.outdated();
      return;
    }
    if (message.type === "error" && this.refusesHello(message)) {
      clearTimeout(this.greeting);
      this.greeting = window.setTimeout(() => this.greet(), this.nextWait());
      return;
    }
    if (!["error", "ping", "pong"].includes(message.type)) this.helloRef = null;
    this.listener.onConnectionChange(true);
    if ("ref" in message && message.ref) this.unacknowledged.delete(message.ref);
    this.listener.onMessage(message);
  }

  /** A refusal without a ref may be for any message, so also for the hello. */
  private refusesHello({ ref, code }: { ref: string; code: string }): boolean {
    if (this.helloRef === null || !TEMPORARY.includes(code)) return false;
    return ref === this.helloRef || !ref;
  }

  /** The server no longer speaks this page's protocol: only a reload helps. */
  private outdated(): void {
    this.close();
    this.listener.onConnectionChange(false);
    dispatchEvent(new Event("outdated"));
  }

  private lost(): void {
    this.detach();
    if (this.closed) return;
    this.listener.onConnectionChange(false);
    this.reopening = window.setTimeout(() => this.open(), this.nextWait());
  }

  /** Longer from try to try, and not the same for everybody after a restart of the server. */
  private nextWait(): number {
    const wait = this.wait * (0.7 + Math.random() * 0.6);
    this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
    return wait;
  }

  /** Leave a socket that may be dead; its `onclose` could take a minute to come. */
  private reopen(): void {
    this.detach();
    this.listener.onConnectionChange(false);
    this.open();
  }

  private detach(): void {
    const { socket } = this;
    this.socket = null;
    clearTimeout(this.greeting);
    if (socket === null) return;
    socket.onopen = null;
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
  }

  private get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  private tick(): void {
    const now = Date.now();
    const gap = now - this.tickedAt;
    this.tickedAt = now;
    if (this.socket === null) return;
    if (gap > THROTTLED) {
      // Messages are received even while timers sleep: a ping of long ago must have its answer.
      if (!this.answered && now - this.pingedAt > SILENCE_HIDDEN) this.reopen();
      else this.expectAnswer(SILENCE);
    } else if (now - this.receivedAt > this.patience()) {
      this.reopen();
    } else if (now - this.pingedAt >= (document.hidden ? PING_EVERY_HIDDEN : PING_EVERY)) {
      this.ping();
    }
  }

  private patience(): number {
    if (!this.isOpen) return OPENING;
    return document.hidden ? SILENCE_HIDDEN : SILENCE;
  }

  /** The page is visible again, or the network is back. */
  private wakeUp(networkChanged: boolean): void {
    if (this.closed || (document.hidden && !networkChanged)) return;
    this.tickedAt = Date.now();
    if (this.socket === null || (networkChanged && !this.isOpen)) {
      this.detach();
      this.open();
    } else if (this.isOpen) {
      this.expectAnswer(WAKING);
    }
  }

  /** Ask for a sign of life; silence is judged by the visible page's limit from now on. */
  private expectAnswer(within: number): void {
    this.receivedAt = Date.now() - SILENCE + within;
    this.ping();
  }

  private ping(): void {
    this.pingedAt = Date.now();
    this.answered = false;
    this.put({ type: "ping", sent: performance.now() });
  }

  private put(message: object): void {
    if (this.isOpen) this.socket?.send(JSON.stringify(message));
  }
}

function newRef(): string {
  return crypto.randomUUID?.() ?? String(Math.random()).slice(2);
}
