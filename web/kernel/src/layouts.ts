// Start positions, from the one file of layouts that all of Sumito reads.

import { CELLS, COLOURS, type Colour, type Mode } from "./types.js";

interface Entry {
  readonly name: string;
  readonly fair?: boolean;
  readonly black: string;
  readonly white: string;
  readonly red?: string;
  readonly blue?: string;
}

/** The contents of `layouts.json`. */
export interface LayoutFile {
  readonly two: Readonly<Record<string, Entry>>;
  readonly three: Readonly<Record<string, Entry>>;
  readonly teams: Readonly<Record<string, Entry>>;
}

export interface Layout {
  readonly id: string;
  readonly name: string;
  readonly fair: boolean;
  /** The start as a position text. */
  readonly position: string;
}

/** The layouts of a mode. */
export function layoutsOf(file: LayoutFile, mode: Mode): Layout[] {
  // The double turn changes the order of play, not the start.
  const entries = file[mode === "teams-double" ? "teams" : mode];
  return Object.entries(entries).map(([id, entry]) => ({
    id,
    name: entry.name,
    fair: entry.fair ?? true,
    position: startOf(mode, entry),
  }));
}

function startOf(mode: Mode, entry: Entry): string {
  const letters = new Map<string, string>();
  for (const colour of COLOURS) {
    for (const cell of entry[colour]?.split(" ") ?? []) letters.set(cell, letterOf(colour));
  }
  const rows = [..."ihgfedcba"].map((row) =>
    CELLS.filter((cell) => cell.startsWith(row))
      .map((cell) => letters.get(cell) ?? ".")
      .join("")
      .replace(/\.+/g, (gap) => String(gap.length)),
  );
  const captured = mode === "three" ? "0,0,0" : "0,0";
  const fields = [rows.join("/"), "b", captured, "0", "1"];
  return [...fields, ...(mode === "two" ? [] : [mode])].join(" ");
}

function letterOf(colour: Colour): string {
  return { black: "b", white: "w", red: "r", blue: "u" }[colour];
}
