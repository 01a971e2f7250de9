// Decides which tab plays a local game: the one that holds the game's Web Lock. Other tabs follow,
// take over when it closes, and can ask for the lock. Without the Web Locks API (pages over plain
// http) every tab plays.

/** How long the holder may take to let go before the lock is stolen, in milliseconds. */
const PATIENCE = 1000;

export class GameLock {
  private isHeld = false;
  private closed = false;
  /** The request that holds the lock. */
  private owner: symbol | null = null;
  private release: () => void = () => undefined;
  private waiting: AbortController | null = null;
  private stealing = 0;
  private readonly name: string;
  private readonly asks: BroadcastChannel | null;

  /** `settle` finishes what is being written before the lock goes to another tab. */
  constructor(
    id: string,
    private readonly changed: (held: boolean) => void,
    private readonly settle: () => Promise<unknown>,
  ) {
    this.name = `sumito-game-${id}`;
    this.asks = navigator.locks ? new BroadcastChannel(this.name) : null;
    this.asks?.addEventListener("message", () => void this.letGo());
  }

  get held(): boolean {
    return this.isHeld;
  }

  /** Take the lock if it is free, else queue for it; resolves when that is decided. */
  open(): Promise<void> {
    if (!navigator.locks) {
      this.isHeld = true;
      return Promise.resolve();
    }
    return new Promise((decided) => {
      this.request({ ifAvailable: true }, (lock) => {
        decided();
        if (lock !== null) return this.hold();
        this.queue();
      });
    });
  }

  /** Have the game here: ask the tab that plays it, and don't wait for one that doesn't answer. */
  take(): void {
    if (this.isHeld || this.closed || !navigator.locks) return;
    this.asks?.postMessage("release");
    clearTimeout(this.stealing);
    this.stealing = window.setTimeout(() => {
      if (this.isHeld || this.closed) return;
      this.waiting?.abort();
      this.request({ steal: true }, () => this.hold());
    }, PATIENCE);
  }

  close(): void {
    this.closed = true;
    this.isHeld = false;
    clearTimeout(this.stealing);
    this.waiting?.abort();
    this.asks?.close();
    this.release();
  }

  private queue(): void {
    if (this.closed) return;
    this.waiting = new AbortController();
    this.request({ signal: this.waiting.signal }, () => this.hold());
  }

  private request(
    options: LockOptions,
    granted: (lock: Lock | null) => Promise<void> | undefined,
  ): void {
    const request = Symbol();
    const grant = (lock: Lock | null) => {
      if (lock !== null) this.owner = request;
      return granted(lock);
    };
    navigator.locks.request(this.name, options, grant).catch(() => {
      // Another tab stole the lock, unless this request was aborted while it waited.
      if (this.isHeld && this.owner === request) this.lose();
    });
  }

  /** Hold the lock until it is released or stolen, or the game is closed. */
  private hold(): Promise<void> {
    if (this.closed) return Promise.resolve();
    clearTimeout(this.stealing);
    return new Promise((resolve) => {
      this.release = resolve;
      this.isHeld = true;
      this.changed(true);
    });
  }

  private async letGo(): Promise<void> {
    if (!this.isHeld) return;
    this.isHeld = false;
    this.changed(false);
    await this.settle().catch(() => undefined);
    this.release();
    this.queue();
  }

  private lose(): void {
    this.isHeld = false;
    this.changed(false);
    this.queue();
  }
}
