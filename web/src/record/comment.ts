// What a comment holds: running text, and commands in square brackets for clocks, evaluations,
// players who leave, and what is drawn on the board. Commands that we don't know stay in the text.

import { CELLS } from "../board/geometry";
import { COLOURS, type Colour } from "../board/state";
import { Fault } from "./faults";
import type { Node, Shape } from "./tree";

export interface Comment {
  readonly text: string;
  readonly clock: number | null;
  readonly evaluation: number | null;
  readonly outs: readonly Colour[];
  readonly shapes: readonly Shape[];
}

const COMMAND = /\[%(clk|eval|out|csl|cal)\b([^[\]]*)\]/g;
const CLOCK = /^(\d{1,4}):([0-5]\d):([0-5]\d)(?:\.(\d{1,3}))?$/;
const EVALUATION = /^([+-]?\d{1,9}(?:\.\d{1,400})?)(?:,\d{1,4})?$/;

export function readComment(said: string): Comment {
  let clock: number | null = null;
  let evaluation: number | null = null;
  const outs: Colour[] = [];
  const shapes: Shape[] = [];
  const text = said.replace(COMMAND, (whole, command: string, given: string) => {
    const argument = given.trim();
    if (command === "clk" && clock === null) clock = readClock(argument, whole);
    else if (command === "eval" && evaluation === null) {
      evaluation = Number(EVALUATION.exec(argument)?.[1] ?? unreadable(whole));
    } else if (command === "out") {
      outs.push(COLOURS.find((colour) => colour === argument) ?? unreadable(whole));
    } else if (command === "csl" || command === "cal") shapes.push(...readShapes(argument));
    else unreadable(whole);
    return " ";
  });
  return { text: clean(text), clock, evaluation, outs, shapes };
}

/** Running text with single blanks, without what no comment can hold. */
export function clean(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they would break a line
      .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]/gu, " ")
      .replace(/[{}]/g, "")
      .replace(/\[%(clk|eval|out|csl|cal)\b/g, "[")
      .replace(/\s+/g, " ")
      .trim()
  );
}

function unreadable(text: string): never {
  throw new Fault("comment-command", { text });
}

function readClock(text: string, whole: string): number {
  const found = CLOCK.exec(text) ?? unreadable(whole);
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

/** Everything that is said after a move, commands first. */
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

function evaluationText(value: number): string {
  const text = String(value);
  return text.includes("e") ? value.toFixed(9) : text;
}
