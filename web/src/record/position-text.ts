// Position texts of four programs, checked field by field as in the Python library: an
// `InputError` has the same code and the same column.

import { CELLS, type Cell } from "../board/geometry";
import type { Colour } from "../board/state";
import { coloursOf, MODES, sidesOf } from "../domain/modes";
import type { Mode } from "../domain/protocol";
import { BLANK } from "./characters";
import { InputError, type Values } from "./errors";

export type Form = "sumito" | "playstrategy" | "apgn" | "kaa";

const ROWS = "ihgfedcba";
const LETTERS: Readonly<Record<Colour, string>> = { black: "b", white: "w", red: "r", blue: "u" };
const MOST: Readonly<Record<Mode, number>> = { two: 14, three: 11, teams: 9, "teams-double": 9 };
const LARGEST_START = 15;
const MOST_CAPTURED = 61;
const MOST_PLIES = 1_000_000;
const NUMBER = /^(?:0|[1-9]\d{0,6})$/;
const INNER_BLANK = new RegExp(`[${BLANK}]`);

/** The parts of a position; the marbles by letter. */
interface Parts {
  readonly rows: string;
  readonly marbles: ReadonlyMap<string, readonly Cell[]>;
  readonly turn: Colour;
  readonly captured: readonly number[];
  readonly quiet: number;
  readonly ply: number;
  readonly mode: Mode;
  readonly out: string;
}

/** A text in one of the forms as our own; a `Fault` says what is wrong and in which column. */
export function readPosition(text: string, form: Form): string {
  const parts = { sumito: ours, playstrategy, apgn, kaa }[form](text);
  check(parts);
  const { rows, turn, captured, quiet, ply, mode, out } = parts;
  const fields = [rows, LETTERS[turn], captured.join(","), quiet, ply];
  if (mode !== "two") fields.push(mode);
  if (out !== "") fields.push(`out:${out}`);
  return fields.join(" ");
}

function wrong(code: string, message: string, values: Values = {}): never {
  throw new InputError(code, { message, ...values });
}

/** The fields of a text between single blanks, each with the column where it starts. */
function fieldsOf(text: string, least: number, most: number): { text: string; column: number }[] {
  const texts = text.split(" ");
  if (texts.length > most) texts.splice(most, texts.length, texts.slice(most).join(" "));
  let column = 1;
  const fields = texts.map((field) => {
    const at = column;
    column += [...field].length + 1;
    return { text: field, column: at };
  });
  for (const field of fields.slice(0, most)) {
    if (field.text === "" || INNER_BLANK.test(field.text)) {
      wrong("blanks", text, { column: field.column });
    }
  }
  if (fields.length < least) wrong("fields-missing", text, { column: column - 1 });
  if (fields.length > most) {
    wrong("fields-too-many", fields[most]?.text ?? "", { column: fields[most]?.column ?? 0 });
  }
  return fields;
}

function numberIn(field: { text: string; column: number } | undefined, least = 0): number {
  const { text = "", column = 1 } = field ?? {};
  if (!NUMBER.test(text) || Number(text) < least) wrong("number", text, { column, text });
  return Number(text);
}

function turnIn(field: { text: string; column: number } | undefined, mode: Mode): Colour {
  const { text = "", column = 1 } = field ?? {};
  const found = coloursOf(mode).find((colour) => LETTERS[colour] === text);
  return found ?? wrong("turn", text, { text, column });
}

function rowsIn(text: string, letters: string): ReadonlyMap<string, readonly Cell[]> {
  const marbles = new Map<string, Cell[]>([...letters].map((letter) => [letter, []]));
  let column = 1;
  const rows = text.split("/");
  for (const [at, name] of [...ROWS].entries()) {
    const row = rows[at];
    if (row === undefined) break;
    const cells = CELLS.filter((cell) => cell.startsWith(name));
    readRow(row, name, cells, column, marbles);
    column += [...row].length + 1;
  }
  if (rows.length !== ROWS.length) {
    wrong("rows", text, { count: rows.length, column: column - 1 });
  }
  return marbles;
}

function readRow(
  text: string,
  row: string,
  cells: readonly Cell[],
  start: number,
  marbles: Map<string, Cell[]>,
): void {
  const characters = [...text];
  const count = characters.reduce((sum, one) => sum + (/[1-9]/.test(one) ? Number(one) : 1), 0);
  let filled = 0;
  let before = "";
  for (const [offset, letter] of characters.entries()) {
    const column = start + offset;
    const isGap = /^[1-9]$/.test(letter);
    const width = isGap ? Number(letter) : 1;
    const colour = marbles.get(letter);
    if (!isGap && !colour) wrong("letter", text, { letter, column });
    if (filled + width > cells.length) {
      wrong("row-too-long", text, { row, cells: cells.length, count, column });
    }
    if (isGap && /^[1-9]$/.test(before)) wrong("numbers-side-by-side", text, { column });
    colour?.push(cells[filled] as Cell);
    filled += width;
    before = letter;
  }
  if (filled < cells.length) {
    const column = start + characters.length;
    wrong("row-too-short", text, { row, cells: cells.length, count, column });
  }
}

// The forms.

function ours(text: string): Parts {
  const fields = fieldsOf(text, 5, 7);
  const [rows, turn, captured, quiet, ply, named, left] = fields;
  const mode = named ? MODES.find((one) => one === named.text) : "two";
  if (!mode) return wrong("mode", named?.text ?? "", { column: named?.column ?? 1 });
  let column = captured?.column ?? 1;
  const counts = (captured?.text ?? "").split(",").map((count) => {
    const value = numberIn({ text: count, column });
    column += [...count].length + 1;
    return value;
  });
  const letters = coloursOf(mode).map((colour) => LETTERS[colour]);
  return {
    rows: rows?.text ?? "",
    marbles: rowsIn(rows?.text ?? "", letters.join("")),
    turn: turnIn(turn, mode),
    captured: counts,
    quiet: numberIn(quiet),
    ply: numberIn(ply, 1),
    mode,
    out: left ? outIn(left, letters) : "",
  };
}

function outIn({ text, column }: { text: string; column: number }, known: string[]): string {
  const letters = text.startsWith("out:") ? text.slice(4) : "";
  const order = [...letters].map((letter) => "bwru".indexOf(letter));
  const rises = order.every((place, at) => at === 0 || place > (order[at - 1] as number));
  // One letter that is no colour's stands in order too.
  const repeats = new Set(letters).size !== [...letters].length;
  if (letters === "" || !rises || repeats) wrong("out", text, { column });
  if (![...letters].every((letter) => known.includes(letter))) {
    wrong("out-not-in-mode", text, { column });
  }
  return letters;
}

function firstPly(turn: Colour, number = 1): number {
  return 2 * number - 1 + (turn === "white" ? 1 : 0);
}

function apgn(text: string): Parts {
  const [board, field] = fieldsOf(text, 2, 2);
  const [rows = ""] = (board?.text ?? "").split("-", 1);
  const lost = board?.text.slice(rows.length) ?? "";
  const found = /^-(0|[1-9]\d?)b(0|[1-9]\d?)w$/.exec(lost);
  if (lost !== "" && !found) wrong("lost", lost.slice(1), { column: [...rows].length + 2 });
  const turn = turnIn(field, "two");
  return {
    rows,
    marbles: rowsIn(rows, "bw"),
    turn,
    captured: [Number(found?.[2] ?? 0), Number(found?.[1] ?? 0)],
    quiet: 0,
    ply: firstPly(turn),
    mode: "two",
    out: "",
  };
}

function playstrategy(text: string): Parts {
  const [board, black, white, field, quiet, number] = fieldsOf(text, 6, 6);
  const turn = turnIn(field, "two");
  const marbles = rowsIn(board?.text ?? "", "Ss");
  return {
    rows: (board?.text ?? "").replaceAll("S", "b").replaceAll("s", "w"),
    marbles: new Map([...marbles].map(([letter, cells]) => [letter === "S" ? "b" : "w", cells])),
    turn,
    captured: [numberIn(black), numberIn(white)],
    quiet: numberIn(quiet),
    ply: firstPly(turn, numberIn(number, 1)),
    mode: "two",
    out: "",
  };
}

function kaa(text: string): Parts {
  const halves = text.split("_");
  if (halves.length !== 2) wrong("halves", text);
  const marbles = new Map<string, Cell[]>();
  let column = 1;
  const lost = halves.map((half, side) => {
    const taken = kaaHalf(half, column);
    marbles.set("bw".charAt(side), taken);
    column += [...half].length + 1;
    return Number(half[0]);
  });
  const byCell = new Map<Cell, Colour>();
  for (const [letter, cells] of marbles) {
    const colour = letter === "b" ? "black" : "white";
    for (const cell of cells) byCell.set(cell, colour);
  }
  return {
    rows: rowsOf(byCell),
    marbles,
    turn: "black",
    captured: [lost[1] ?? 0, lost[0] ?? 0],
    quiet: 0,
    ply: 1,
    mode: "two",
    out: "",
  };
}

function kaaHalf(half: string, start: number): Cell[] {
  if (!/^\d(?!\d)/.test(half)) wrong("lost", half, { column: start });
  const taken: Cell[] = [];
  let column = start + 1;
  for (const [all, row, digits = ""] of half.slice(1).matchAll(/([a-i])([1-9]+)|./gsu)) {
    if (row === undefined) wrong("row", all, { column });
    for (const [offset, digit] of [...digits].entries()) {
      const cell = `${row}${digit}`;
      const at = column + 1 + offset;
      if (!CELLS.includes(cell)) wrong("not-a-cell", cell, { column: at });
      if (taken.includes(cell)) wrong("two-on-a-cell", cell, { column: at });
      taken.push(cell);
    }
    column += [...all].length;
  }
  return taken;
}

export function rowsOf(marbles: ReadonlyMap<Cell, Colour>): string {
  return [...ROWS]
    .map((row) =>
      CELLS.filter((cell) => cell.startsWith(row))
        .map((cell) => LETTERS[marbles.get(cell) as Colour] ?? ".")
        .join("")
        .replace(/\.+/g, (gap) => String(gap.length)),
    )
    .join("/");
}

// What a game could come to.

function check({ marbles, turn, captured, quiet, ply, mode, out }: Parts): void {
  const colours = coloursOf(mode);
  if (out !== "") {
    if (mode === "two") wrong("out-of-two", `out:${out}`);
    if (out.length === colours.length) wrong("all-out", `out:${out}`);
    if (out.includes(LETTERS[turn])) wrong("turn-out", `out:${out}`);
  }
  if (captured.length !== sidesOf(mode).length) wrong("captured-counts", captured.join(","));
  if (quiet >= ply) wrong("quiet-too-large", String(quiet));
  if (Math.max(...captured) > MOST_CAPTURED || ply > MOST_PLIES) {
    wrong("count-too-large", String(Math.max(...captured)));
  }
  const taken = new Set<Cell>();
  for (const cell of [...marbles.values()].flat()) {
    if (taken.has(cell)) wrong("two-on-a-cell", cell);
    taken.add(cell);
  }
  const counts = colours.map((colour) => marbles.get(LETTERS[colour])?.length ?? 0);
  const most = mostMarbles(mode, counts, captured);
  for (const [at, count] of counts.entries()) {
    const colour = colours[at] as Colour;
    if (count > most) wrong("too-many-marbles", LETTERS[colour], { colour, count, most });
  }
}

/** A 15th marble belongs only to a game in which both began with 15. */
function mostMarbles(mode: Mode, counts: readonly number[], captured: readonly number[]): number {
  if (mode !== "two") return MOST[mode];
  const [black = 0, white = 0] = counts;
  const [byBlack = 0, byWhite = 0] = captured;
  const larger = Math.min(black + byWhite, white + byBlack) >= LARGEST_START;
  return larger ? LARGEST_START : MOST.two;
}

/** The text of the tag Position: APGN's form, or ours where that would lose something. */
export function positionTag(position: string): string {
  const [rows = "", turn = "", captured = "", quiet, ply, mode] = position.split(" ");
  if (mode !== undefined) return position;
  const [byBlack = "0", byWhite = "0"] = captured.split(",");
  const lost = byBlack === "0" && byWhite === "0" ? "" : `-${byWhite}b${byBlack}w`;
  const isFresh = quiet === "0" && ply === (turn === "w" ? "2" : "1");
  const fits = byBlack.length <= 2 && byWhite.length <= 2;
  return isFresh && fits ? `${rows}${lost} ${turn}` : position;
}
