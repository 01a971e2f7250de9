// The puzzles that come with the page, fetched once, and the texts about their goals and kinds.

import { fetchFile } from "../domain/errors";
import { t, tc, tn } from "../domain/i18n";
import type { Mode } from "../domain/protocol";

export interface Puzzle {
  readonly id: string;
  readonly mode: Mode;
  readonly position: string;
  /** The moves of the solver's side and the replies, in turn. */
  readonly line: readonly string[];
  readonly goal: "eject" | "win" | "save" | "only" | "hold";
  /** How many moves of the solver's side the line has. */
  readonly in: number;
  readonly themes: readonly string[];
  readonly rating: number;
}

const FILES = import.meta.glob<string>("../../../src/sumito/puzzles/puzzles.json", {
  query: "?url",
  import: "default",
});

let loading: Promise<readonly Puzzle[]> | null = null;

/** All of them, the easiest first. */
export function puzzles(): Promise<readonly Puzzle[]> {
  loading ??= fetched().catch((error) => {
    loading = null; // the network may be back next time
    throw error;
  });
  return loading;
}

async function fetched(): Promise<readonly Puzzle[]> {
  const [file] = Object.values(FILES);
  if (!file) return [];
  const answer = await fetchFile(await file());
  const list = (await answer.json()) as Puzzle[];
  return list.sort((one, other) => one.rating - other.rating);
}

export function goalName({ goal, in: count }: Puzzle): string {
  switch (goal) {
    case "eject":
      return tn("Eject a marble.", "Eject a marble in {count} moves.", count);
    case "win":
      return tn("Win at once.", "Win in {count} moves.", count);
    case "save":
      return t("Save your marble.");
    case "only":
      return t("Stay ahead: one move does it.");
    case "hold":
      return t("Keep the balance: one move does it.");
  }
}

/** Kinds of puzzles to choose from: goals and themes. */
export function kindName(kind: string): string {
  const names: Record<string, string> = {
    eject: t("Eject"),
    win: t("Win"),
    save: tc("puzzle", "Save"),
    only: t("Stay ahead"),
    hold: t("Keep the balance"),
    "2v1": t("Two against one"),
    "3v1": t("Three against one"),
    "3v2": t("Three against two"),
    "side-step": t("Side-step"),
    quiet: t("Quiet move"),
    pac: t("Break a pac"),
    corner: t("In the corner"),
    det: t("Det"),
    sacrifice: t("Sacrifice"),
    counter: t("Counter-attack"),
    retreat: t("Retreat"),
  };
  return names[kind] ?? kind.replaceAll("-", " ");
}

export function isOfKind(puzzle: Puzzle, kind: string): boolean {
  return puzzle.goal === kind || puzzle.themes.includes(kind);
}

/** The puzzle of a day, the same for everybody. */
export function daily(list: readonly Puzzle[], day: string): Puzzle | null {
  const two = list.filter(({ mode }) => mode === "two").sort((a, b) => (a.id < b.id ? -1 : 1));
  const number = [...day].reduce(
    (sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003,
    17,
  );
  return two[number % Math.max(1, two.length)] ?? null;
}

/** Today's date in the reader's time zone, as YYYY-MM-DD. */
export function today(now = new Date()): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
