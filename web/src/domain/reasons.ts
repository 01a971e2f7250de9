// Why a move is illegal, in words a child understands.

import type { Board } from "../../kernel/src/board";
import { step } from "../board/geometry";
import type { Attempt, Miss } from "../board/state";
import { t } from "./i18n";
import { colourName } from "./modes";
import type { Colour } from "./protocol";

/** A broken rule: its code, what the sentence needs, and the sentence of the implementation that has the rules. */
export interface Reason {
  readonly code: string;
  readonly values: Readonly<Record<string, string | number>>;
  readonly message: string;
}

export type Term = "pac" | "sumito" | "side-step" | "rim";

/** The sentence of a reason; `*stars*` mark the term that is explained further. */
export interface ReasonText {
  readonly text: string;
  readonly term?: Term;
  /** The section of the rulebook that says so. */
  readonly section?: string | undefined;
}

/** Where the rulebook page has the rule of each reason. */
const SECTIONS: Record<string, string> = {
  four: "moving",
  "no-row": "moving",
  occupied: "moving",
  "own-rim": "ejecting",
  alone: "no-push",
  blocked: "no-push",
  pac: "pac",
  outnumbered: "sumito",
  "partner-rear": "teams",
  "partner-only": "teams",
  "partner-side-step": "teams",
  "empty-cell": "turn",
  "not-yours": "turn",
};

export function reasonText({ code, values, message }: Reason): ReasonText {
  const plain = sentences(values)[code];
  // Without the values there would be holes in the sentence.
  if (plain === undefined || /\{\w+\}/.test(plain.text)) return { text: message };
  return { ...plain, section: SECTIONS[code] };
}

function sentences(values: Reason["values"]): Record<string, ReasonText> {
  return {
    four: { text: t("Four are too many: at most three marbles move at once.") },
    "own-rim": {
      text: t("{cell} is at the *rim*: you can't push your own marble off the board.", values),
      term: "rim",
    },
    alone: {
      text: t("One marble alone can't push: it takes two against one, a *sumito*.", values),
      term: "sumito",
    },
    pac: {
      text: t("{own} against {opposing} is a stand-off, called *pac*: nobody can push.", values),
      term: "pac",
    },
    outnumbered: {
      text: t("{own} against {opposing}: for a *sumito* your row must be the longer one.", values),
      term: "sumito",
    },
    blocked: {
      text: t("There is no room to push: {cell} behind the marbles is taken.", values),
    },
    occupied: {
      text: t("{cell} is taken, and a *side-step* needs free holes.", values),
      term: "side-step",
    },
    "partner-rear": {
      text: t("The marble at the back must be yours; {cell} is your partner's.", values),
    },
    "partner-only": { text: t("Your partner's marbles move only together with one of yours.") },
    "partner-side-step": {
      text: t("{cell} is your partner's: only your own marbles may side-step here.", values),
    },
    "empty-cell": { text: t("There is no marble on {cell}.", values) },
    "not-yours": {
      text: t("{cell} is {colour}'s marble, and it isn't {colour}'s turn.", {
        ...values,
        ...("owner" in values ? { colour: colourName(values.owner as Colour) } : {}),
      }),
    },
    "no-row": { text: t("These marbles don't form a row of one, two or three.") },
    "game-over": { text: t("The game is over.") },
  };
}

/** Beyond the rim there is nothing that a referee could be asked about. */
export function offBoard({ cells, direction }: Attempt): Reason | null {
  const cell = cells.find((one) => step(one, direction) === null);
  return cell ? { code: "own-rim", values: { cell }, message: "" } : null;
}

/** Why a row can't go that way, by the kernel's rules. */
export function whyIllegal(board: Board, attempt: Attempt): Reason {
  const move = board.moveOf(attempt.cells, attempt.direction);
  const why = move === null ? null : board.why(move);
  return offBoard(attempt) ?? { code: "no-row", values: {}, ...why, message: "" };
}

/** What to say about a touch that can't be meant. */
export function missText(
  { kind, cell, cells }: Miss,
  marble: Colour | null,
  mine: readonly Colour[],
): string {
  const colour = marble ? colourName(marble) : "";
  switch (kind) {
    case "far":
      return t("{cell} is too far: marbles move one hole at a time.", { cell });
    case "ambiguous":
      return t("Two ways lead there. Tap one of the arrows.");
    case "between":
      return t("That was between two directions. Drag straight along a line, or tap an arrow.");
    case "theirs":
      if (cells.length > 0) {
        return t("{cell} is {colour}'s, and your row doesn't point at it.", { cell, colour });
      }
      return mine.length > 0
        ? t("That is {colour}'s marble. Yours are {own}.", {
            colour,
            own: mine.map(colourName).join(" + "),
          })
        : t("That is {colour}'s marble.", { colour });
    case "empty":
      return t("Tap one of your marbles first.");
  }
}
