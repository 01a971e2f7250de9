// The players' words on the board: what stands there, lit up with its name, and what a push is
// called. The kernel sees the formations; this chooses those worth a name and says it.

import type { Board } from "../../kernel/src/board";
import type { Formation } from "../../kernel/src/types";
import { type Effect, isInLine, type Light } from "../board/state";
import { t } from "../words";

/** Words that are lit up. A triple is called by its shape; groups and rows are everywhere. */
const LIT = ["det", "sumito", "pac", "block", "triple", "pair", "singleton"] as const;
export type LitWord = (typeof LIT)[number] | "lance" | "arc" | "shield";

const TONES: Record<LitWord, Light["tone"]> = {
  det: "danger",
  singleton: "danger",
  sumito: "good",
  pac: "calm",
  block: "firm",
  triple: "firm",
  lance: "firm",
  arc: "firm",
  shield: "firm",
  pair: "calm",
};

export function wordName(word: LitWord): string {
  return {
    det: t("Det"),
    singleton: t("Singleton"),
    sumito: t("Sumito"),
    pac: t("Pac"),
    block: t("Block"),
    triple: t("Triple"),
    lance: t("Lance"),
    arc: t("Arc"),
    shield: t("Shield"),
    pair: t("Pair"),
  }[word];
}

/** A formation that is lit up, and the word it goes by. */
export interface Named extends Light {
  readonly word: LitWord;
}

/** What is worth a name on a board; a det is not called a singleton too. */
export function namedOn(board: Board): Named[] {
  const found = board
    .formations(...LIT)
    .filter(({ word, playable }) => playable !== false || word !== "sumito");
  const dets = new Set(found.filter(({ word }) => word === "det").map(({ cells }) => cells[0]));
  return found
    .filter(({ word, cells }) => word !== "singleton" || !dets.has(cells[0]))
    .map((formation) => named(formation));
}

function named(formation: Formation): Named {
  const { cells, row } = formation;
  const word = (formation.shape ?? formation.word) as LitWord;
  const meeting = row !== undefined;
  const numbers = meeting ? ` ${Math.min(3, row)}–${Math.min(3, cells.length - row)}` : "";
  return { word, cells, line: meeting, tone: TONES[word], name: wordName(word) + numbers };
}

/** What a push is called as it happens; nothing for a move that pushes nothing. */
export function pushName({ moved, pushed, ejected }: Effect): string {
  if (pushed.length === 0) return "";
  const values = { own: moved.length, opposing: pushed.length };
  return ejected
    ? t("Sumito {own} against {opposing}, and off the board!", values)
    : t("Sumito {own} against {opposing}!", values);
}

/** What any move is called. */
export function moveName(effect: Effect): string {
  if (effect.pushed.length > 0) return pushName(effect);
  return isInLine(effect) ? t("An in-line move.") : t("A side-step.");
}
