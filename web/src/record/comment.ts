// Comments of a record: running text, and commands in square brackets for clocks, evaluations,
// players who leave, and drawings on the board. Unknown commands stay in the text.

import { CELLS } from "../board/geometry";
import { COLOURS, type Colour } from "../board/state";
import { BLANKS, stripped, UNWRITABLE } from "./characters";
import { InputError } from "./errors";
import type { Node, Shape } from "./tree";

export interface Comment {
  readonly text: string;
  readonly clock: number | null;
  readonly evaluation: number | null;
  readonly outs: readonly Colour[];
  readonly shapes: readonly Shape[];
}

const COMMAND = /\[%(clk|eval|out|csl|cal)(?![\p{L}\p{N}_])([^[\]]*)\]/gu;
const CLOCK = /^(\d{1,4}):([0-5]\d):([0-5]\d)(?:\.(\d{1,3}))?$/;
const EVALUATION = /^([+-]?\d{1,9}(?:\.\d{1,400})?)(?:,\d{1,4})?$/;

export function readComment(source: string): Comment {
  let clock: number | null = null;
  let evaluation: number | null = null;
  const outs: Colour[] = [];
  const shapes: Shape[] = [];
  const text = source.replace(COMMAND, (whole, command: string, value: string) => {
    const argument = stripped(value);
    if (command === "clk" && clock === null) clock = readClock(argument, whole);
    else if (command === "eval" && evaluation === null) {
      const found = EVALUATION.exec(argument) ?? unreadable("evaluation", whole);
      evaluation = Number(found[1]);
    } else if (command === "out") {
      outs.push(COLOURS.find((one) => one === argument) ?? unreadable("out-colour", whole));
    } else if (command === "csl" || command === "cal") shapes.push(...readShapes(argument));
    else unreadable("command-twice", whole);
    return " ";
  });
  return { text: checked(text), clock, evaluation, outs, shapes };
}

/** Running text with single blanks; a `Fault` names what no comment can hold. */
function checked(source: string): string {
  const text = stripped(source.replace(BLANKS, " "));
  if (/[{}]/.test(text)) unreadable("comment-brace", text);
  const character = UNWRITABLE.exec(text);
  if (character) unreadable("comment-character", character[0]);
  const command = /\[%(clk|eval|out)(?![\p{L}\p{N}_])/u.exec(text);
  if (command) unreadable("comment-command", command[0]);
  return text;
}

/** Running text with single blanks, without what no comment can hold. */
export function clean(text: string): string {
  const plain = text
    .replace(new RegExp(UNWRITABLE, "gu"), " ")
    .replace(/[{}]/g, "")
    .replace(/\[%(clk|eval|out|csl|cal)(?![\p{L}\p{N}_])/gu, "[")
    .replace(BLANKS, " ");
  return stripped(plain);
}

function unreadable(code: string, text: string): never {
  throw new InputError(code, { text });
}

function readClock(text: string, whole: string): number {
  const found = CLOCK.exec(text) ?? unreadable("clock", whole);
  const [hours = 0, minutes = 0, seconds = 0] = found.slice(1, 4).map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + Number((found[4] ?? "").padEnd(3, "0"));
}

/** As other programs write them: a letter for the colour, then one cell or two. */
function readShapes(text: string): Shape[] {
  return text.split(",").flatMap((one) => {
    const [, from = "", to] = /^\s*[A-Z]([a-i][1-9])([a-i][1-9])?\s*$/.exec(one) ?? [];
    const known = CELLS.includes(from) && (to === undefined || CELLS.includes(to));
    return known ? [{ from, to: to ?? null }] : [];
  });
}

/** The whole comment after a move, commands first. */
export function writeComment(node: Node): string {
  const rings = node.shapes.filter(({ to }) => to === null).map(({ from }) => `G${from}`);
  const arrows = node.shapes.filter(({ to }) => to !== null).map(({ from, to }) => `G${from}${to}`);
  return [
    node.clock === null ? "" : `[%clk ${clockText(node.clock)}]`,
    node.evaluation === null ? "" : `[%eval ${evaluationText(node.evaluation)}]`,
    ...node.outs.map((colour) => `[%out ${colour}]`),
    rings.length ? `[%csl ${rings.join(",")}]` : "",
    arrows.length ? `[%cal ${arrows.join(",")}]` : "",
    clean(node.comment),
  ]
    .filter((part) => part !== "")
    .join(" ");
}

function clockText(clock: number): string {
  const whole = Math.floor(clock / 1000);
  const two = (value: number) => String(value).padStart(2, "0");
  const ms = clock % 1000;
  const fraction = ms ? `.${String(ms).padStart(3, "0")}`.replace(/0+$/, "") : "";
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}${fraction}`;
}

/** The shortest digits that read back as the same number, never with an exponent. */
function evaluationText(value: number): string {
  const sign = Object.is(value, -0) || value < 0 ? "-" : "";
  const [digits = "", exponent = "0"] = String(Math.abs(value)).split("e");
  if (exponent === "0") return `${sign}${digits}${digits.includes(".") ? "" : ".0"}`;
  const plain = digits.replace(".", "");
  return `${sign}0.${"0".repeat(-Number(exponent) - 1)}${plain}`;
}
