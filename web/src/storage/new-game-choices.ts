// What was chosen in the dialog for a new game, for the next time.

import type { Mode } from "../domain/protocol";

const KEPT = "sumito.wish";

export interface Choices {
  mode: Mode;
  layout: string;
  level: number;
  colour: string;
  clock: string;
  purpose: string;
}

export function rememberChoices(choices: Choices): void {
  localStorage.setItem(KEPT, JSON.stringify(choices));
}

export function lastChoices(): Partial<Choices> {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "{}");
  } catch {
    return {};
  }
}
