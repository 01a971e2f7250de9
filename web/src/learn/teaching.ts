// Course, rulebook and glossary: the data that page and terminal share, and its texts, of which
// only the reader's language is loaded.

import courseFile from "../../../src/sumito/teaching/course.json";
import figureFile from "../../../src/sumito/teaching/figures.json";
import rulebookFile from "../../../src/sumito/teaching/rulebook.json";
import wordFile from "../../../src/sumito/teaching/words.json";
import { type Language, language, loadWithLanguage } from "../domain/i18n";
import type { Mode } from "../domain/protocol";

interface Base {
  readonly id: string;
}
/** Play one of the wanted moves; `wrong` ones have an answer of their own. */
export interface PlayStep extends Base {
  readonly kind: "play";
  readonly position: string;
  readonly want: readonly string[];
  readonly wrong: readonly string[];
}
/** Try what can't be done, and read why. */
export interface AttemptStep extends Base {
  readonly kind: "attempt";
  readonly position: string;
  readonly attempt: readonly string[];
}
/** Point at a cell. */
export interface MarkStep extends Base {
  readonly kind: "mark";
  readonly position: string;
  readonly cells: readonly string[];
  readonly wrong: readonly string[];
}
/** Answer a question. */
export interface ChooseStep extends Base {
  readonly kind: "choose";
  readonly position: string;
  readonly right: number;
  readonly options: number;
}
/** Look at a position. */
export interface ShowStep extends Base {
  readonly kind: "show";
  readonly position: string;
  readonly moves: readonly string[];
}
/** The learner's first game. */
export interface GameStep extends Base {
  readonly kind: "game";
  readonly mode: Mode;
  readonly layout: string;
  readonly level: string;
}
export type Step = PlayStep | AttemptStep | MarkStep | ChooseStep | ShowStep | GameStep;

export interface Lesson {
  readonly id: string;
  readonly steps: readonly Step[];
}
export interface CoursePart {
  readonly id: string;
  readonly lessons: readonly Lesson[];
}

export const PARTS = courseFile.parts as unknown as readonly CoursePart[];
export const LESSONS: readonly Lesson[] = PARTS.flatMap(({ lessons }) => lessons);

/** One board of a figure: moves that arrows show, and moves that the rules refuse. */
export interface Figure {
  readonly position: string;
  readonly show?: readonly string[];
  readonly refuse?: readonly string[];
  /** Pushes that can't be where the row may move all the same: its front marble, the next cell. */
  readonly cross?: readonly string[];
  /** Texts on cells, as they stand or by their keys. */
  readonly labels?: readonly { readonly cell: string; readonly text: string }[];
  readonly lines?: readonly {
    readonly from: string;
    readonly to: string;
    readonly names: readonly string[];
  }[];
}
export const FIGURES = figureFile.figures as Readonly<Record<string, readonly Figure[]>>;

export interface Section {
  readonly id: string;
  readonly blocks: readonly { readonly text?: string; readonly figure?: string }[];
}
export const SECTIONS = rulebookFile.sections as readonly Section[];

export interface Word {
  readonly id: string;
  readonly example: string;
  /** Where it is seen in the example. */
  readonly cells: readonly string[];
}
export const WORD_LIST = wordFile.words as readonly Word[];

type Texts = Readonly<Record<string, string>>;
const FILES = import.meta.glob<Texts>("../../../src/sumito/teaching/texts/*.json", {
  import: "default",
});

/** The texts of a language; each is fetched once. */
export async function textsOf(wanted: Language): Promise<Texts> {
  const load = FILES[`../../../src/sumito/teaching/texts/${wanted}.json`];
  return load ? load() : {};
}

let texts: Texts = {};
let loadedLanguage: Language | null = null;

/** Fetch the texts in a language, if that isn't done. */
export async function loadTexts(wanted = language()): Promise<void> {
  if (loadedLanguage === wanted) return;
  texts = await textsOf(wanted);
  loadedLanguage = wanted;
}

loadWithLanguage(loadTexts);

/** A teaching text by its key. */
export function teachingText(key: string): string {
  return texts[key] ?? key;
}

/** A teaching text without its marks, for screen readers. */
export function plainText(text: string): string {
  return text.replaceAll("*", "");
}

/** Where the learner's first game begins. */
export const FIRST_GAME = FIGURES["belgian-daisy"]?.[0]?.position ?? "";

/** The position that shows best what a lesson is about. */
export function pictureOf({ steps }: Lesson): string {
  const first = steps.find((step) => step.kind !== "game");
  return first && "position" in first ? first.position : FIRST_GAME;
}
