// Converts position texts of other programs to our own; the kernel then checks them. Read are
// Sumito's text, PlayStrategy's, APGN's and KAA's, and ours as it is in an address.

import type { Board } from "../../kernel/src/board";
import type { Kernel } from "../../kernel/src/kernel";
import { KernelError, type Rules } from "../../kernel/src/types";
import { COLOURS, type Colour, type Marbles, readMarbles } from "../board/state";
import { coloursOf, MODES, sidesOf } from "../domain/modes";
import type { Mode } from "../domain/protocol";
import { InputError } from "./errors";
import { type Form, readPosition, rowsOf } from "./position-text";

export { positionTag, readPosition, rowsOf } from "./position-text";

const LETTERS: Readonly<Record<Colour, string>> = { black: "b", white: "w", red: "r", blue: "u" };

/** A position as its parts, for the editor. */
export interface Setup {
  readonly mode: Mode;
  readonly marbles: Marbles;
  readonly turn: Colour;
  readonly captured: readonly number[];
  readonly quiet: number;
  readonly ply: number;
}

/** Any known form of position text as ours; a `Fault` says what is wrong. */
export function positionFrom(input: string): string {
  const text = input.trim().replace(/^\[\w+\s+"(.*)"\]$/, "$1");
  if (/^\d[a-i1-9]*_\d[a-i1-9]*$/.test(text)) return readPosition(text, "kaa");
  const fields = (text.includes("/") ? text.replaceAll("_", " ") : text).split(/\s+/);
  return readPosition(fields.join(" "), formOf(fields));
}

function formOf(fields: readonly string[]): Form {
  if (fields.length === 2) return "apgn";
  return fields.length === 6 && /^\d+$/.test(fields[1] ?? "") ? "playstrategy" : "sumito";
}

export function setupText({ mode, marbles, turn, captured, quiet, ply }: Setup): string {
  const fields = [rowsOf(marbles), LETTERS[turn], captured.join(","), quiet, ply];
  return [...fields, ...(mode === "two" ? [] : [mode])].join(" ");
}

export function modeOf(position: string): Mode {
  return MODES.find((mode) => mode === position.split(" ")[5]) ?? "two";
}

export function turnOf(position: string): Colour {
  const letter = position.split(" ")[1];
  return COLOURS.find((colour) => LETTERS[colour] === letter) ?? "black";
}

export function setupOf(position: string): Setup {
  const mode = modeOf(position);
  const [, , captured = "", quiet, ply] = position.split(" ");
  return {
    mode,
    marbles: readMarbles(position),
    turn: turnOf(position),
    captured: sidesOf(mode).map((_, side) => Number(captured.split(",")[side]) || 0),
    quiet: Number(quiet) || 0,
    ply: Number(ply) || 1,
  };
}

/** The same with another player to move. */
export function withTurn(position: string, turn: Colour): string {
  const fields = position.split(" ");
  fields[1] = LETTERS[turn];
  return fields.join(" ");
}

/** A position for an address, without blanks. */
export function inAddress(position: string): string {
  return position.replaceAll(" ", "_");
}

/** A board; a `Fault` says in words what is wrong with the text. */
export function boardFor(kernel: Kernel, position: string, rules: Rules = {}): Board {
  try {
    return kernel.board(position, rules);
  } catch (error) {
    if (!(error instanceof KernelError)) throw error;
    readPosition(position, "sumito");
    throw new InputError("position", { message: error.message });
  }
}

const MOST: Readonly<Record<Mode, number>> = { two: 14, three: 11, teams: 9, "teams-double": 9 };

export function countFault({ mode, marbles }: Pick<Setup, "mode" | "marbles">): InputError | null {
  for (const colour of COLOURS) {
    const count = [...marbles.values()].filter((one) => one === colour).length;
    const most = coloursOf(mode).includes(colour) ? MOST[mode] : 0;
    if (count > most) return new InputError("too-many-marbles", { colour, count, most });
  }
  return null;
}
