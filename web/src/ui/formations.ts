// The players' terms on the board: highlights formations with their names, and names pushes. The
// kernel finds the formations; this chooses those worth a name.

import { html, type TemplateResult } from "lit";
import type { Board } from "../../kernel/src/board";
import type { Formation } from "../../kernel/src/types";
import { type Effect, type Highlight, isInLine, type Marbles } from "../board/state";
import { isLocal } from "../domain/game-ids";
import type { GameState } from "../domain/game-state";
import { t } from "../domain/i18n";
import { sidesOf } from "../domain/modes";
import type { Mode } from "../domain/protocol";
import { settings } from "../storage/preferences";
import { icon } from "./icon";

/** Words that are lit up. A triple is called by its shape. */
const LIT = ["det", "sumito", "pac", "block", "triple", "pair", "singleton"] as const;
/** These are everywhere, and lit up only for those who ask for all. */
const EVERYWHERE = ["lance", "group"] as const;
export type FormationName = (typeof LIT)[number] | (typeof EVERYWHERE)[number] | "arc" | "shield";

const TONES: Record<FormationName, Highlight["tone"]> = {
  det: "calm",
  singleton: "danger",
  sumito: "good",
  pac: "calm",
  block: "firm",
  triple: "firm",
  lance: "firm",
  arc: "firm",
  shield: "firm",
  pair: "calm",
  group: "calm",
};

export function wordName(word: FormationName): string {
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
    group: t("Group"),
  }[word];
}

/** A formation that is lit up, and the word it goes by. */
export interface Named extends Highlight {
  readonly word: FormationName;
}

/**
 * What is worth a name on a board: a det is no singleton too, of blocks one each is enough, and of
 * two rows that push the same the longer counts. Single marbles that face each other, groups and
 * the lances within them are everywhere, and named only if `all` are wanted.
 */
export function formationsOn(board: Board, all = settings.now.allFormations): Named[] {
  const found = board.formations(...LIT, ...(all ? EVERYWHERE : []));
  const dets = new Set(found.filter(({ word }) => word === "det").map(({ cells }) => cells[0]));
  const worthy = found
    .filter((one) => one.word !== "singleton" || !dets.has(one.cells[0]))
    .filter((one) => one.word !== "pac" || all || one.cells.length > 2)
    .filter((one) => one.word !== "sumito" || (one.playable && isStrongest(one, found)))
    .filter((one) => one.word !== "block" || one === firstLike(one, found))
    .filter((one) => one.word !== "group" || one.cells.length > 3);
  return withoutOverlaps(worthy)
    .sort((one, other) => rank(one) - rank(other))
    .map((formation) => named(formation));
}

/** Of lances that share marbles, and those that are triples, one name is enough. */
function withoutOverlaps(found: readonly Formation[]): Formation[] {
  const taken = new Set(
    found.filter(({ word }) => word === "triple").flatMap(({ cells }) => cells),
  );
  return found.filter(({ word, cells }) => {
    if (word !== "lance") return true;
    if (cells.some((cell) => taken.has(cell))) return false;
    for (const cell of cells) taken.add(cell);
    return true;
  });
}

/** What matters most gets its name first. */
function rank({ word }: Formation): number {
  return ([...LIT, ...EVERYWHERE] as readonly string[]).indexOf(word);
}

function firstLike(one: Formation, found: readonly Formation[]): Formation | undefined {
  return found.find(({ word, colour }) => word === one.word && colour === one.colour);
}

function isStrongest(one: Formation, found: readonly Formation[]): boolean {
  const pushed = ({ cells, row = 0 }: Formation) => cells.slice(row).sort().join();
  const rivals = found.filter((other) => other.playable && pushed(other) === pushed(one));
  return (
    rivals.every(({ row = 0 }) => row <= (one.row ?? 0)) &&
    rivals.find((other) => other.row === one.row) === one
  );
}

function named(formation: Formation): Named {
  const { cells, row } = formation;
  const word = (formation.shape ?? formation.word) as FormationName;
  const meeting = row !== undefined;
  const numbers = meeting ? ` ${Math.min(3, row)}–${Math.min(3, cells.length - row)}` : "";
  return { word, cells, line: meeting, tone: TONES[word], name: wordName(word) + numbers };
}

/** The same from the marbles alone, once the kernel is there. */
export async function formationsAmong(marbles: Marbles, mode: Mode): Promise<Named[]> {
  const [{ kernel }, { rowsOf }] = await Promise.all([
    import("../kernel/loader"),
    import("../record/position"),
  ]);
  const nobody = sidesOf(mode).map(() => 0);
  return formationsOn((await kernel()).board(`${rowsOf(marbles)} b ${nobody} 0 1 ${mode}`));
}

/** Whether formations may be highlighted: not while one plays others over the network. */
export function mayShowFormations(game: GameState): boolean {
  return isLocal(game.id) || game.status === "over" || game.you.length === 0;
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
  if (effect.moved.length === 1) return t("A move of one marble.");
  return isInLine(effect) ? t("An in-line move.") : t("A side-step.");
}

/** A button that switches the highlighting of formations. */
export function formationsSwitch(): TemplateResult {
  const { formations } = settings.now;
  return html`<button
    class="quiet round formations-switch"
    aria-pressed=${formations}
    aria-label=${t("Name the formations")}
    title=${t("Name the formations")}
    @click=${() => settings.set({ formations: !formations })}
  >
    ${icon("words")}
  </button>`;
}
