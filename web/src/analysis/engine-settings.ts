// How somebody wants the engine beside the board, kept on this device.

export interface EngineWish {
  readonly on: boolean;
  readonly lines: number;
  readonly threat: boolean;
  readonly arrows: boolean;
  /** By the server's engine, where it is offered. */
  readonly deeper: boolean;
  /** The explorer is open. */
  readonly openings: boolean;
}

const KEPT = "sumito.look";
const DEFAULT: EngineWish = {
  on: true,
  lines: 3,
  threat: false,
  arrows: true,
  deeper: false,
  openings: false,
};

export function engineWish(): EngineWish {
  try {
    const kept = { ...DEFAULT, ...JSON.parse(localStorage.getItem(KEPT) ?? "{}") };
    const lines = Math.round(Number(kept.lines));
    return { ...kept, lines: lines >= 1 && lines <= 5 ? lines : DEFAULT.lines, threat: false };
  } catch {
    return DEFAULT;
  }
}

export function rememberEngine(wish: EngineWish): void {
  localStorage.setItem(KEPT, JSON.stringify(wish));
}
