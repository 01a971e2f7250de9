// What a person has chosen for themselves, kept on this device.

import type { Language } from "./words";

export interface Settings {
  language: Language | null;
  theme: "system" | "light" | "dark";
  sound: boolean;
  coordinates: boolean;
  letters: boolean;
  confirm: boolean;
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
  notation: "aba-pro",
  name: "",
};
const KEY = "sumito.settings";

class Kept extends EventTarget {
  private values = read();

  get now(): Settings {
    return this.values;
  }

  set(change: Partial<Settings>): void {
    this.values = { ...this.values, ...change };
    localStorage.setItem(KEY, JSON.stringify(this.values));
    showTheme();
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

export const settings = new Kept();

const dark = matchMedia("(prefers-color-scheme: dark)");
dark.addEventListener("change", showTheme);

export function showTheme(): void {
  const { theme } = settings.now;
  const shown = theme === "system" ? (dark.matches ? "dark" : "light") : theme;
  document.documentElement.dataset.theme = shown;
}
