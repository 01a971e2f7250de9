// The settings of the engine beside the analysis board, in localStorage.

export interface EngineSettings {
  readonly on: boolean;
  readonly lines: number;
  readonly threat: boolean;
  readonly arrows: boolean;
  /** By the server's engine, where it is offered. */
  readonly useServer: boolean;
  /** The explorer is open. */
  readonly openings: boolean;
}

const STORAGE_KEY = "sumito.engine";
const DEFAULT: EngineSettings = {
  on: true,
  lines: 3,
  threat: false,
  arrows: true,
  useServer: false,
  openings: false,
};

export function loadEngineSettings(): EngineSettings {
  try {
    const stored = { ...DEFAULT, ...JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}") };
    const lines = Math.round(Number(stored.lines));
    return { ...stored, lines: lines >= 1 && lines <= 5 ? lines : DEFAULT.lines, threat: false };
  } catch {
    return DEFAULT;
  }
}

export function saveEngineSettings(settings: EngineSettings): void {
  localStorage.setItem(STORAGE_KEY, JSON.stringify(settings));
}
