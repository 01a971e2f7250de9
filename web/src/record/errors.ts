// Errors in a record or a position text: a code with values, and its sentence for people.

import { t } from "../domain/i18n";
import { colourName, modeName } from "../domain/modes";
import type { Colour, Mode } from "../domain/protocol";
import { reasonText } from "../domain/reasons";

export type Values = Readonly<Record<string, string | number>>;

export class InputError extends Error {
  constructor(
    readonly code: string,
    readonly values: Values = {},
  ) {
    super(code);
  }
}

/** Where in a file something is wrong. */
export interface Place {
  readonly game: number;
  readonly line: number;
  /** The move's number and its text, where it is a move. */
  readonly label?: string;
  readonly move?: string;
}

export class RecordError extends InputError {
  constructor(
    fault: InputError,
    readonly place: Place,
  ) {
    super(fault.code, fault.values);
  }
}

export function errorText(fault: unknown): string {
  if (!(fault instanceof InputError)) return fault instanceof Error ? fault.message : String(fault);
  const { code, values } = fault;
  const own = sentences(values);
  const message = own["invalid-move"] ?? code;
  const what = own[code] ?? reasonText({ code, values, message }).text.replaceAll("*", "");
  if (!(fault instanceof RecordError)) return what;
  const { game, line, label, move } = fault.place;
  const at = move
    ? t("Game {game}, line {line}, {move}:", { game, line, move: `${label ?? ""} ${move}`.trim() })
    : t("Game {game}, line {line}:", { game, line });
  return `${at} ${what}`;
}

/** Codes that share a sentence; for programs they are the ones of the Python library. */
const WRONG_TAG = [
  ...["mode", "notation", "rules-text", "rules-option", "rules-number", "tag-character"],
  ...["tag-result", "tag-setup", "tag-plies", "tag-position-mode"],
  ...["plies-differ", "result-and-board", "result-of-out"],
];
const WRONG_COMMENT = [
  ...["clock", "clock-twice", "evaluation", "evaluation-twice", "out-colour", "command-twice"],
  ...["comment-before-move", "comment-brace", "comment-character", "comment-command"],
];
const WRONG_POSITION = [
  ...["position", "blanks", "fields-missing", "fields-too-many", "number", "halves", "lost"],
  ...["numbers-side-by-side", "row", "not-a-cell", "two-on-a-cell", "out", "out-not-in-mode"],
  ...["out-of-two", "all-out", "turn-out", "captured-counts", "quiet-too-large"],
  "count-too-large",
];
const CANNOT_LEAVE = ["out-place", "out-already", "out-too-late", "cannot-leave"];

function sameFor(codes: readonly string[], sentence: string): Record<string, string> {
  return Object.fromEntries(codes.map((code) => [code, sentence]));
}

function sentences(values: Values): Readonly<Record<string, string>> {
  const known = {
    ...values,
    ...("colour" in values ? { colour: colourName(values.colour as Colour) } : {}),
    ...("mode" in values ? { mode: modeName(values.mode as Mode) } : {}),
  };
  const wrongTag = t("The tag {tag} can't be {text}.", known);
  const wrongComment = t("{text} in a comment can't be read.", known);
  const wrongRow = t("Row {row} has {cells} cells, not {count}.", known);
  const wrongPosition = t("This is not a position: {message}.", known);
  const cannotLeave = t("{colour} can't leave the game here.", known);
  return {
    // Records.
    ...sameFor(WRONG_TAG, wrongTag),
    ...sameFor(WRONG_COMMENT, wrongComment),
    ...sameFor(WRONG_POSITION, wrongPosition),
    ...sameFor(CANNOT_LEAVE, cannotLeave),
    "tag-too-long": t("{text} is not a tag.", known),
    tag: t("{text} is not a tag.", known),
    "tag-twice": t("The tag {tag} stands twice.", known),
    "tag-missing": t("The tag {tag} is missing.", known),
    "tag-order": t("The tag {tag} comes too late.", known),
    "tag-variant": t(
      "No start position is called {text}; another start needs a tag Position.",
      known,
    ),
    "tag-position": t("The tag Position is missing.", known),
    "number-wrong": t("{text} should be {right}", known),
    "no-number": t("The move number {right} is missing.", known),
    "number-without-move": t("{text} has no move.", known),
    "invalid-move": t("{text} is not a move.", known),
    annotation: t("{text} is no mark; there are ! ? !! ?? !? ?! and $0 to $255.", known),
    "annotation-place": t("{text} stands after the move it judges.", known),
    "variation-place": t("A variation stands after the move it replaces."),
    "variation-depth": t("Variations nest deeper than {most}.", known),
    "variation-end": t("A variation ends with a move."),
    "variation-result": t("A variation has no result."),
    "open-variation": t("A variation is not closed: ) is missing."),
    "close-variation": t("A ) closes no variation."),
    "open-comment": t("A comment is not closed."),
    "close-comment": t("A } closes no comment."),
    "after-result": t("Nothing follows the result, but here is {text}.", known),
    "no-result": t("The result is missing at the end of the moves."),
    "result-differs": t("The moves end with {text}, but the tag Result is {tag}.", known),
    empty: t("There is no game in it."),
    // Positions.
    rows: t("A board has nine rows, i down to a, not {count}.", known),
    "row-too-long": wrongRow,
    "row-too-short": wrongRow,
    letter: t("{letter} is neither a marble nor a number of empty cells.", known),
    "too-many-marbles": t("{colour} has {count} marbles; at most {most} are allowed.", known),
    "no-marbles": t("{colour} has no marbles.", known),
    turn: t("Nobody in this mode has the letter {text}.", known),
  };
}
