// The tags of a record: which are required, in what order, and what they mean for the game.

import type { Board } from "../../kernel/src/board";
import type { Layout } from "../../kernel/src/layouts";
import { RULEBOOK, type Rules, TOURNAMENT } from "../../kernel/src/types";
import { COLOURS, type Colour } from "../board/state";
import { coloursOf, MODES, sidesOf } from "../domain/modes";
import type { Mode } from "../domain/protocol";
import { UNWRITABLE } from "./characters";
import { InputError } from "./errors";
import { modeOf, positionTag, readPosition, withTurn } from "./position";

export type Tags = Readonly<Record<string, string>>;

export const MANDATORY = ["Event", "Date", "Black", "White", "Variant", "Result", "Notation"];
const ORDER = [
  ...["Event", "Date", "Black", "White", "Red", "Blue", "Variant", "Result", "Notation"],
  ...["Mode", "Rules", "SetUp", "Position", "Termination", "Plies", "Source"],
  ...["BlackElo", "WhiteElo", "TimeControl", "Annotator"],
];

/** The names that files use where they differ from the ids of our layouts. */
const VARIANTS: ReadonlyMap<string, string> = new Map([
  ["alien", "alien-attack"],
  ["belgian", "belgian-daisy"],
  ["centrifugeuse", "centrifuge"],
  ["dutch_daisy", "dutch-daisy"],
  ["german_daisy", "german-daisy"],
  ["snakes_variant", "snakes-variation"],
  ["swiss_daisy", "swiss-daisy"],
  ["the_wall", "the-wall"],
]);

const TAG = /^\[([A-Za-z]\w*)[ \t]+"((?:[^"\\]|\\["\\])*)"[ \t]*\][ \t]*$/;
const COUNT = /^(?:0|[1-9]\d{0,6})$/;
const LONGEST_TAG = 10_000;
const CUSTOM = "custom";

export function readTag(line: string): [string, string] {
  if ([...line.slice(0, 2 * LONGEST_TAG + 2)].length > LONGEST_TAG) {
    throw new InputError("tag-too-long", { text: line.slice(0, 60) });
  }
  const found = TAG.exec(line);
  if (!found) throw new InputError("tag", { text: line.slice(0, 60) });
  const [name, value] = [found[1] ?? "", (found[2] ?? "").replace(/\\(["\\])/g, "$1")];
  const character = UNWRITABLE.exec(value);
  if (character) throw new InputError("tag-character", { tag: name, text: character[0] });
  return [name, value];
}

export function writeTags(tags: Tags): string[] {
  const known = ORDER.filter((name) => Object.hasOwn(tags, name));
  const others = Object.keys(tags).filter((name) => !ORDER.includes(name));
  return [...known, ...others].map((name) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they would break a line
    const plain = (tags[name] ?? "").replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, " ");
    return `[${name} "${plain.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"]`;
  });
}

export function title(colour: Colour): string {
  return colour.charAt(0).toUpperCase() + colour.slice(1);
}

/** A tag's own value: `constructor` may be the name of a tag. */
export function tagValue(tags: Tags, name: string): string | undefined {
  return Object.hasOwn(tags, name) ? tags[name] : undefined;
}

function need(tags: Tags, name: string): string {
  const value = tagValue(tags, name);
  if (value === undefined) throw new InputError("tag-missing", { tag: name });
  return value;
}

export function modeTag(tags: Tags): Mode {
  const text = tagValue(tags, "Mode") ?? "two";
  const mode = MODES.find((one) => one === text);
  if (!mode) throw new InputError("mode", { tag: "Mode", text });
  return mode;
}

export function notationTag(tags: Tags): "aba-pro" | "nacre" | "playstrategy" {
  const text = need(tags, "Notation");
  const found = (["aba-pro", "nacre", "playstrategy"] as const).find(
    (one) => one === text.toLowerCase(),
  );
  if (!found) throw new InputError("notation", { tag: "Notation", text });
  return found;
}

/** What each option may be: one of some words, or a number from some least one on. */
const OPTIONS = new Map<string, readonly string[] | number>([
  ["win_at", 1],
  ["repetition", 2],
  ["ply_limit", 1],
  ["stuck", ["by-mode", "loses", "draws", "passes"]],
  ["partner_sidestep", ["any", "none"]],
  ["first", COLOURS],
  ["leave_three", ["out", "ends"]],
  ["leave_teams", ["loses", "partner"]],
  ["team_talk", ["none", "free"]],
]);

/** The rule set, and who begins in three and four. */
export function rulesTag(tags: Tags): { rules: Rules; first: Colour } {
  const text = tagValue(tags, "Rules") ?? "rulebook";
  if (text === "rulebook") return { rules: RULEBOOK, first: "black" };
  if (text === "tournament") return { rules: TOURNAMENT, first: "black" };
  const options = new Map<string, string>();
  for (const word of text.split(" ")) {
    const at = word.indexOf("=");
    const name = at < 0 ? word : word.slice(0, at);
    const value = at < 0 ? "" : word.slice(at + 1);
    if (!OPTIONS.has(name) || options.has(name) || value === "") {
      throw new InputError("rules-text", { tag: "Rules", text: word });
    }
    options.set(name, value);
  }
  for (const isNumber of [false, true]) {
    for (const [name, known] of OPTIONS) {
      const value = options.get(name);
      if (value === undefined || isNumber !== (typeof known === "number")) continue;
      const error = { tag: "Rules", text: `${name}=${value}` };
      if (typeof known !== "number") {
        if (!known.includes(value)) throw new InputError("rules-option", error);
      } else if (!COUNT.test(value) || Number(value) < known)
        throw new InputError("rules-number", error);
    }
  }
  const number = (name: string) => (options.has(name) ? Number(options.get(name)) : undefined);
  const rules = {
    winAt: number("win_at"),
    repetition: number("repetition"),
    plyLimit: number("ply_limit"),
    stuck: options.get("stuck"),
    partnerSideStep: options.get("partner_sidestep"),
  };
  const entries = Object.entries(rules).filter(([, value]) => value !== undefined);
  return {
    rules: Object.fromEntries(entries) as Rules,
    first: COLOURS.find((one) => one === options.get("first")) ?? "black",
  };
}

/** Where the game begins; where Variant and Position disagree, Position holds. */
export function startTag(tags: Tags, layouts: (mode: Mode) => readonly Layout[]): string {
  const mode = modeTag(tags);
  const variant = need(tags, "Variant");
  const setup = tagValue(tags, "SetUp") ?? "0";
  const text = tagValue(tags, "Position");
  const wrongSetup = new InputError("tag-setup", { tag: "SetUp", text: setup });
  if (setup !== "0" && setup !== "1") throw wrongSetup;
  if (text !== undefined) {
    if (variant === CUSTOM && setup !== "1") throw wrongSetup;
    const position = readPosition(text, text.split(" ").length < 3 ? "apgn" : "sumito");
    if (modeOf(position) !== mode)
      throw new InputError("tag-position-mode", { tag: "Mode", text: mode });
    return position;
  }
  if (setup === "1" || variant === CUSTOM) throw new InputError("tag-position");
  const { first } = rulesTag(tags);
  const id = VARIANTS.get(variant) ?? variant;
  const layout = layouts(mode).find((one) => one.id === id);
  if (!layout || (mode !== "two" && !coloursOf(mode).includes(first))) {
    throw new InputError("tag-variant", { text: variant });
  }
  return mode === "two" ? layout.position : withTurn(layout.position, first);
}

/** How many moves the game has by its tags. */
export function pliesTag(tags: Tags): number | null {
  const text = tagValue(tags, "Plies");
  if (text === undefined) return null;
  if (!COUNT.test(text)) throw new InputError("tag-plies", { tag: "Plies", text });
  return Number(text);
}

/** The result, if it is one that the mode can have. */
export function resultTag(tags: Tags): string {
  const mode = modeTag(tags);
  const result = need(tags, "Result");
  const shares = result.split("-");
  const each = (known: string) => shares.every((share) => known.split(" ").includes(share));
  const count = (share: string) => shares.filter((one) => one === share).length;
  const good =
    shares.length === sidesOf(mode).length &&
    ((each("0 1") && count("1") === 1) || (each("0 1/2") && count("1/2") >= 2));
  if (result !== "*" && !good) throw new InputError("tag-result", { tag: "Result", text: result });
  return result;
}

/** A result may come from beyond the board, but it can't contradict it. */
export function checkResult(result: string, board: Board): void {
  if (result === "*") return;
  const mode = board.mode as Mode;
  const error = (code: string) => new InputError(code, { tag: "Result", text: result });
  if (board.outcome !== null) {
    if (result !== resultOf(mode, board.outcome, board.out)) throw error("result-and-board");
    return;
  }
  const eliminated = sidesOf(mode).map((side) =>
    side.every((colour) => board.out.includes(colour)),
  );
  const drawn = eliminated.map((out) => (out ? "0" : "1/2")).join("-");
  const winner = result.split("-").indexOf("1");
  if (result !== drawn && (winner < 0 || eliminated[winner])) throw error("result-of-out");
}

/** What is wrong with the tags, each with the tag it lies in. */
export function* checkTags(
  tags: Tags,
  layouts: (mode: Mode) => readonly Layout[],
): Generator<[string, InputError]> {
  const start: [string, () => unknown] = [
    Object.hasOwn(tags, "Position") ? "Position" : "Variant",
    () => startTag(tags, layouts),
  ];
  const checks: [string, () => unknown][] = [
    ...MANDATORY.map((name): [string, () => unknown] => [name, () => need(tags, name)]),
    ["Mode", () => modeTag(tags)],
    ["Mode", () => coloursOf(modeTag(tags)).map((colour) => need(tags, title(colour)))],
    ["Rules", () => rulesTag(tags)],
    ["Result", () => resultTag(tags)],
    ["Notation", () => notationTag(tags)],
    start,
    ["Plies", () => pliesTag(tags)],
  ];
  const reported = new Set<string>();
  for (const [name, check] of checks) {
    try {
      check();
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      // A mode that isn't one leaves nothing to say about the rest.
      const key = JSON.stringify([error.code, error.values]);
      if (!reported.has(key)) yield [name, error];
      reported.add(key);
    }
  }
  let furthest = -1;
  for (const tag of Object.keys(tags).filter((name) => MANDATORY.includes(name))) {
    const place = MANDATORY.indexOf(tag);
    if (place < furthest) yield [tag, new InputError("tag-order", { tag })];
    furthest = Math.max(furthest, place);
  }
}

/** The tags of the start position. */
export function startTags(position: string, layouts: readonly Layout[]): Record<string, string> {
  const mode = modeOf(position);
  const modeTags: Record<string, string> = mode === "two" ? {} : { Mode: mode };
  const layout = layouts.find((one) => one.position === position);
  if (layout) {
    const [name = layout.id] = [...VARIANTS].find(([, id]) => id === layout.id) ?? [];
    return { ...modeTags, Variant: name };
  }
  return { ...modeTags, Variant: CUSTOM, SetUp: "1", Position: positionTag(position) };
}

/** The result as records write it; those who are out have no share in a draw. */
export function resultOf(
  mode: Mode,
  outcome: { readonly winner: Colour | null; readonly reason: string } | null,
  out: readonly Colour[] = [],
): string {
  if (outcome === null || outcome.reason === "aborted") return "*";
  return sidesOf(mode)
    .map((side) => {
      if (outcome.winner !== null) return side[0] === outcome.winner ? "1" : "0";
      return side.every((colour) => out.includes(colour)) ? "0" : "1/2";
    })
    .join("-");
}

/** Who plays, for a list: "Ann – Ben". */
export function playersOf(tags: Tags): string {
  const mode = MODES.find((one) => one === tags.Mode) ?? "two";
  return coloursOf(mode)
    .map((colour) => tags[title(colour)] ?? "?")
    .join(" – ");
}
