// The choices last made in the dialog for a new game, in localStorage.

import type { Mode } from "../domain/protocol";

const STORAGE_KEY = "sumito.new-game";

export interface Choices {
  mode: Mode;
  layout: string;
  level: number;
  colour: string;
  clock: string;
  purpose: string;
}

export function rememberChoices(choices: Choices): void {
  localStorage.setItem(STORAGE_KEY, JSON.stringify(choices));
}

export function lastChoices(): Partial<Choices> {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}");
  } catch {
    return {};
  }
}
