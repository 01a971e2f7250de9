// Position texts of other programs, turned into our own; the kernel then says whether a game could
// stand so. Read are Sumito's text, PlayStrategy's, APGN's and KAA's, and ours as an address has it.

import type { Board } from "../../kernel/src/board";
import type { Kernel } from "../../kernel/src/kernel";
import { KernelError, type Rules } from "../../kernel/src/types";
import { CELLS, type Cell } from "../board/geometry";
import { COLOURS, type Colour, type Marbles, readMarbles } from "../board/state";
import { coloursOf, MODES, sidesOf } from "../modes";
import type { Mode } from "../protocol";
import { Fault } from "./faults";

const ROWS = "ihgfedcba";
const LETTERS: Readonly<Record<Colour, string>> = { black: "b", white: "w", red: "r", blue: "u" };

/** A position as its parts, for those who put one together. */
export interface Setup {
  readonly mode: Mode;
  readonly marbles: Marbles;
  readonly turn: Colour;
  readonly captured: readonly number[];
  readonly quiet: number;
  readonly ply: number;
}

/** Any known form of position text as ours; a `Fault` says what is wrong. */
export function positionFrom(given: string): string {
  const text = given.trim().replace(/^\[\w+\s+"(.*)"\]$/, "$1");
  if (/^\d[a-i1-9]*_\d[a-i1-9]*$/.test(text)) return fromKaa(text);
  const fields = (text.includes("/") ? text.replaceAll("_", " ") : text).split(/\s+/);
  if (fields.length === 2) return fromApgn(fields[0] ?? "", fields[1] ?? "");
  if (fields.length === 6 && /^\d+$/.test(fields[1] ?? "")) return fromPlayStrategy(fields);
  return fields.join(" ");
}

function fromApgn(board: string, turn: string): string {
  const [rows = "", lost = "0b0w"] = board.split("-");
  const found = /^(\d{1,2})b(\d{1,2})w$/.exec(lost);
  if (!found) throw new Fault("position", { message: lost });
  return `${rows} ${turn} ${Number(found[2])},${Number(found[1])} 0 ${turn === "w" ? 2 : 1}`;
}

function fromPlayStrategy([rows = "", black, white, turn, quiet, number]: string[]): string {
  const ours = rows.replaceAll("S", "b").replaceAll("s", "w");
  const ply = 2 * Number(number) - 1 + (turn === "w" ? 1 : 0);
  return `${ours} ${turn} ${black},${white} ${quiet} ${ply}`;
}

function fromKaa(text: string): string {
  const marbles = new Map<Cell, Colour>();
  const lost = text.split("_").map((half, side) => {
    for (const [, row, digits] of half.slice(1).matchAll(/([a-i])([1-9]+)/g)) {
      for (const digit of digits ?? "") marbles.set(`${row}${digit}`, COLOURS[side] as Colour);
    }
    return Number(half[0]);
  });
  return `${rowsOf(marbles)} b ${lost[1]},${lost[0]} 0 1`;
}

export function rowsOf(marbles: Marbles): string {
  return [...ROWS]
    .map((row) =>
      CELLS.filter((cell) => cell.startsWith(row))
        .map((cell) => LETTERS[marbles.get(cell) as Colour] ?? ".")
        .join("")
        .replace(/\.+/g, (gap) => String(gap.length)),
    )
    .join("/");
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

/** As an address has it: no blanks. */
export function inAddress(position: string): string {
  return position.replaceAll(" ", "_");
}

/** A board; a `Fault` says in words what is wrong with the text. */
export function boardFor(kernel: Kernel, position: string, rules: Rules = {}): Board {
  try {
    return kernel.board(position, rules);
  } catch (error) {
    if (!(error instanceof KernelError)) throw error;
    throw faultOf(position) ?? new Fault("position", { message: error.message });
  }
}

/** The usual faults, in the reader's words; the kernel knows the rest. */
function faultOf(position: string): Fault | null {
  const [board = "", turn = ""] = position.split(" ");
  const rows = board.split("/");
  if (rows.length !== ROWS.length) return new Fault("rows", { count: rows.length });
  for (const [at, row] of rows.entries()) {
    const name = ROWS[at] as string;
    const letter = /[^bwru1-9]/.exec(row)?.[0];
    if (letter) return new Fault("letter", { letter });
    const count = [...row].reduce((sum, one) => sum + (Number(one) || 1), 0);
    const cells = CELLS.filter((cell) => cell.startsWith(name)).length;
    if (count !== cells) return new Fault("row-length", { row: name, cells, count });
  }
  const mode = modeOf(position);
  const colours = coloursOf(mode);
  if (!colours.some((colour) => LETTERS[colour] === turn)) return new Fault("turn", { text: turn });
  return countFault(setupOf(position));
}

const MOST: Readonly<Record<Mode, number>> = { two: 14, three: 11, teams: 9, "teams-double": 9 };

export function countFault({ mode, marbles }: Pick<Setup, "mode" | "marbles">): Fault | null {
  for (const colour of COLOURS) {
    const count = [...marbles.values()].filter((one) => one === colour).length;
    const most = coloursOf(mode).includes(colour) ? MOST[mode] : 0;
    if (count > most) return new Fault("too-many", { colour, count, most });
  }
  return null;
}
