// The reader's preferences, in localStorage.

import type { Language } from "../domain/i18n";

export const BOARDS = ["beech", "walnut", "slate"] as const;
export type BoardTheme = (typeof BOARDS)[number];
export const MARBLE_SETS = ["polished", "glass", "stone"] as const;
export type MarbleSet = (typeof MARBLE_SETS)[number];

export interface Settings {
  language: Language | null;
  theme: "system" | "light" | "dark";
  sound: boolean;
  coordinates: boolean;
  letters: boolean;
  confirm: boolean;
  /** Highlight formations: what the players have words for. */
  formations: boolean;
  /** Highlight groups, lances within them and single marbles that face each other, too. */
  allFormations: boolean;
  /** Have a coach beside games against the computer. */
  coach: boolean;
  /** Whether the computer pauses before its moves. */
  pace: "natural" | "none";
  board: BoardTheme;
  marbles: MarbleSet;
  /** From 0 to 1. */
  volume: number;
  haptics: boolean;
  /** Notify the reader of their turn while the page is hidden. */
  notify: boolean;
  /** Upload each game of this browser to the account when it ends. */
  uploadGames: boolean;
  notation: "aba-pro" | "nacre";
  name: string;
}

const DEFAULTS: Settings = {
  language: null,
  theme: "system",
  sound: true,
  coordinates: true,
  letters: false,
  confirm: false,
  formations: false,
  allFormations: false,
  coach: false,
  pace: "natural",
  board: "beech",
  marbles: "polished",
  volume: 0.7,
  haptics: true,
  notify: false,
  uploadGames: false,
  notation: "aba-pro",
  name: "",
};
const KEY = "sumito.settings";

class PreferenceStore extends EventTarget {
  private values = read();

  get now(): Settings {
    return this.values;
  }

  set(change: Partial<Settings>): void {
    this.values = { ...this.values, ...change };
    localStorage.setItem(KEY, JSON.stringify(this.values));
    applyTheme();
    this.dispatchEvent(new Event("change"));
  }
}

function read(): Settings {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return DEFAULTS;
  }
}

export const settings = new PreferenceStore();

/** Apply the chosen theme to the document. */
export function applyTheme(): void {
  const { theme, board, marbles } = settings.now;
  const { dataset } = document.documentElement;
  dataset.theme = theme;
  dataset.board = board;
  dataset.marbles = marbles;
}
