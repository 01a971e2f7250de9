// The tags of a record: which must be there, in what order, and what they mean for the game.

import type { Layout } from "../../kernel/src/layouts";
import { RULEBOOK, type Rules, TOURNAMENT } from "../../kernel/src/types";
import { COLOURS, type Colour } from "../board/state";
import { coloursOf, MODES, sidesOf } from "../modes";
import type { Mode } from "../protocol";
import { Fault } from "./faults";
import { modeOf, positionFrom, withTurn } from "./position";

export type Tags = Readonly<Record<string, string>>;

export const MANDATORY = ["Event", "Date", "Black", "White", "Variant", "Result", "Notation"];
const ORDER = [
  ...["Event", "Date", "Black", "White", "Red", "Blue", "Variant", "Result", "Notation"],
  ...["Mode", "Rules", "SetUp", "Position", "Termination", "Plies", "Source"],
  ...["BlackElo", "WhiteElo", "TimeControl", "Annotator"],
];

/** The names that files use where they differ from the ids of our layouts. */
const VARIANTS: Readonly<Record<string, string>> = {
  alien: "alien-attack",
  belgian: "belgian-daisy",
  centrifugeuse: "centrifuge",
  dutch_daisy: "dutch-daisy",
  german_daisy: "german-daisy",
  snakes_variant: "snakes-variation",
  swiss_daisy: "swiss-daisy",
  the_wall: "the-wall",
};

const TAG = /^\[([A-Za-z]\w*)[ \t]+"((?:[^"\\]|\\["\\])*)"[ \t]*\][ \t]*$/;

export function readTag(line: string): [string, string] {
  const found = TAG.exec(line);
  if (!found) throw new Fault("tag", { text: line.slice(0, 60) });
  return [found[1] ?? "", (found[2] ?? "").replace(/\\(.)/g, "$1")];
}

export function writeTags(tags: Tags): string[] {
  const known = ORDER.filter((name) => name in tags);
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

function need(tags: Tags, name: string): string {
  const value = tags[name];
  if (value === undefined) throw new Fault("tag-missing", { tag: name });
  return value;
}

export function modeTag(tags: Tags): Mode {
  const text = tags.Mode ?? "two";
  const mode = MODES.find((one) => one === text);
  if (!mode) throw new Fault("tag-value", { tag: "Mode", text });
  return mode;
}

export function notationTag(tags: Tags): "aba-pro" | "nacre" | "playstrategy" {
  const text = need(tags, "Notation");
  const found = (["aba-pro", "nacre", "playstrategy"] as const).find(
    (one) => one === text.toLowerCase(),
  );
  if (!found) throw new Fault("tag-value", { tag: "Notation", text });
  return found;
}

const OPTIONS: Readonly<Record<string, keyof Rules | "first" | null>> = {
  win_at: "winAt",
  repetition: "repetition",
  ply_limit: "plyLimit",
  stuck: "stuck",
  partner_sidestep: "partnerSideStep",
  first: "first",
  leave_three: null,
  leave_teams: null,
  team_talk: null,
};

/** The rule set, and who begins in three and four. */
export function rulesTag(tags: Tags): { rules: Rules; first: Colour } {
  const text = tags.Rules ?? "rulebook";
  if (text === "rulebook") return { rules: RULEBOOK, first: "black" };
  if (text === "tournament") return { rules: TOURNAMENT, first: "black" };
  const rules: Record<string, string | number> = {};
  for (const word of text.split(" ")) {
    const [name = "", value = ""] = word.split("=");
    const key = OPTIONS[name];
    if (key === undefined || value === "")
      throw new Fault("tag-value", { tag: "Rules", text: word });
    if (key !== null) rules[key] = /^\d+$/.test(value) ? Number(value) : value;
  }
  const { first = "black", ...rest } = rules;
  return { rules: rest as Rules, first: COLOURS.find((one) => one === first) ?? "black" };
}

/** Where the game begins; where Variant and Position disagree, Position holds. */
export function startTag(tags: Tags, layouts: (mode: Mode) => readonly Layout[]): string {
  const mode = modeTag(tags);
  const variant = need(tags, "Variant");
  const text = tags.Position;
  if (text !== undefined) {
    const position = positionFrom(text);
    if (modeOf(position) !== mode) throw new Fault("tag-value", { tag: "Mode", text: mode });
    return position;
  }
  if (tags.SetUp === "1" || variant === "custom") throw new Fault("tag-position");
  const id = VARIANTS[variant] ?? variant;
  const layout = layouts(mode).find((one) => one.id === id);
  if (!layout) throw new Fault("tag-variant", { text: variant });
  return mode === "two" ? layout.position : withTurn(layout.position, rulesTag(tags).first);
}

/** The tags that tell where a game begins. */
export function startTags(position: string, layouts: readonly Layout[]): Record<string, string> {
  const mode = modeOf(position);
  const modeTags: Record<string, string> = mode === "two" ? {} : { Mode: mode };
  const layout = layouts.find((one) => one.position === position);
  if (layout) {
    const name = Object.keys(VARIANTS).find((one) => VARIANTS[one] === layout.id) ?? layout.id;
    return { ...modeTags, Variant: name };
  }
  return { ...modeTags, Variant: "custom", SetUp: "1", Position: position };
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
