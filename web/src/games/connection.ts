// A WebSocket that comes back by itself. It says hello with the last version it knows, and sends
// again what was never acknowledged; the server takes each `ref` once.

import type { Frame } from "../protocol";
import { language } from "../words";

const FIRST_WAIT = 250;
const LONGEST_WAIT = 5000;
const PING_EVERY = 10_000;
const SILENCE = 25_000;

export interface Listener {
  heard(message: Frame): void;
  connected(on: boolean): void;
  hello(): object;
}

export class Connection {
  private socket: WebSocket | null = null;
  private readonly unacknowledged = new Map<string, object>();
  private wait = FIRST_WAIT;
  private closed = false;
  private heardAt = 0;
  private timer = 0;
  private readonly pinging: number;
  private readonly retry = () => this.reconnectNow();

  constructor(
    private readonly path: string,
    private readonly listener: Listener,
  ) {
    this.open();
    this.pinging = window.setInterval(() => this.ping(), PING_EVERY);
    window.setTimeout(() => this.ping(), 1000);
    addEventListener("online", this.retry);
  }

  close(): void {
    this.closed = true;
    clearInterval(this.pinging);
    clearTimeout(this.timer);
    removeEventListener("online", this.retry);
    this.socket?.close();
  }

  /** Send a command until it is acknowledged or refused; returns its ref. */
  send(message: object): string {
    const ref = crypto.randomUUID?.() ?? String(Math.random()).slice(2);
    const whole = { ...message, ref };
    this.unacknowledged.set(ref, whole);
    this.put(whole);
    return ref;
  }

  greet(): void {
    this.put({ type: "hello", ...this.listener.hello() });
  }

  private open(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const address = `${scheme}://${location.host}${this.path}?language=${language()}`;
    const socket = new WebSocket(address);
    this.socket = socket;
    // A link may be slow to open; silence counts from here.
    this.heardAt = Date.now();
    socket.onopen = () => {
      this.heardAt = Date.now();
      this.greet();
      for (const message of this.unacknowledged.values()) this.put(message);
    };
    socket.onmessage = ({ data }) => this.receive(JSON.parse(data));
    socket.onclose = () => {
      if (this.socket === socket) this.lost();
    };
  }

  private receive(message: Frame): void {
    this.heardAt = Date.now();
    // A refusal is no reason to come back sooner.
    if (message.type !== "error") this.wait = FIRST_WAIT;
    if (message.type === "ping") this.put({ type: "pong", sent: message.sent });
    this.listener.connected(true);
    if ("ref" in message && message.ref) this.unacknowledged.delete(message.ref);
    this.listener.heard(message);
  }

  private lost(): void {
    this.socket = null;
    if (this.closed) return;
    this.listener.connected(false);
    // Not all at once after a restart.
    this.timer = window.setTimeout(() => this.open(), this.wait * (0.7 + Math.random() * 0.6));
    this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
  }

  private reconnectNow(): void {
    if (this.socket !== null || this.closed) return;
    clearTimeout(this.timer);
    this.open();
  }

  private ping(): void {
    if (this.socket === null) return;
    if (Date.now() - this.heardAt > SILENCE) this.socket.close();
    else this.put({ type: "ping", sent: performance.now() });
  }

  private put(message: object): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
}
