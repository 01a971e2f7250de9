// Translations: every text a person sees goes through `t`, `tn` (with a plural) or `tc` (with a
// context). Texts are written in English; other languages come from the gettext catalogue that
// page and server share, one JSON file per language.

export const LANGUAGES = { en: "English", de: "Deutsch", nl: "Nederlands", fr: "Français" };
export type Language = keyof typeof LANGUAGES;

type Values = Record<string, string | number>;
/** Translations by English text; of a text with a plural, all forms in gettext's order. */
type Catalogue = Record<string, string | readonly string[]>;

const FILES = import.meta.glob<Catalogue>("./catalogues/*.json", { import: "default" });
const CATEGORIES: readonly Intl.LDMLPluralRule[] = ["zero", "one", "two", "few", "many", "other"];
/** Stands between context and text, as in gettext. */
const CONTEXT_END = "\u0004";

let catalogue: Catalogue = {};
let current: Language = "en";
let requested: Language | null = null;
const extraLoaders: ((wanted: Language) => Promise<void>)[] = [];

/** The language of the page. */
export function language(): Language {
  return current;
}

/** The language that the page has or will have as soon as its catalogue is loaded. */
export function chosenLanguage(): Language {
  return requested ?? preferred();
}

/** The language with its country, if the browser has one, for dates and numbers. */
export function locale(): string {
  return readerLanguages().find((code) => code.startsWith(current)) ?? current;
}

/** The first language of the browser that we speak. */
export function preferred(): Language {
  const codes = readerLanguages().map((code) => code.slice(0, 2));
  return (codes.find((code) => code in LANGUAGES) as Language | undefined) ?? "en";
}

/** Have more texts than the catalogue loaded before the page changes its language. */
export function loadWithLanguage(load: (wanted: Language) => Promise<void>): void {
  extraLoaders.push(load);
}

/** Change the language; dispatches `language` when its texts are there. */
export async function setLanguage(wanted: Language): Promise<void> {
  requested = wanted;
  const load = FILES[`./catalogues/${wanted}.json`];
  const [loaded] = await Promise.all([
    load ? load() : {},
    ...extraLoaders.map((one) => one(wanted)),
  ]);
  if (requested !== wanted) return; // another one has been chosen meanwhile
  useCatalogue(wanted, loaded);
  document.documentElement.lang = wanted;
  dispatchEvent(new Event("language"));
}

/** Take texts from a catalogue from now on. */
export function useCatalogue(wanted: Language, texts: Catalogue): void {
  current = wanted;
  catalogue = texts;
}

/** A text in the reader's language, `{names}` filled in. */
export function t(text: string, values: Values = {}): string {
  return fill(one(text) ?? text, values);
}

/** A text with a singular and a plural: the count decides, and fills in `{count}`. */
export function tn(singular: string, plural: string, count: number, values: Values = {}): string {
  const forms = catalogue[singular];
  const known = Array.isArray(forms) ? forms : [];
  const form = known[pluralIndex(current, count, known.length)];
  return fill(form || (count === 1 ? singular : plural), { count, ...values });
}

/** A text that means something else in another context, where it is translated otherwise. */
export function tc(context: string, text: string, values: Values = {}): string {
  return fill(one(context + CONTEXT_END + text) ?? text, values);
}

/** A number as the reader writes it. */
export function number(value: number, options: Intl.NumberFormatOptions = {}): string {
  // Numbers of four digits stay whole: ratings, years.
  return new Intl.NumberFormat(locale(), { useGrouping: "min2", ...options }).format(value);
}

/** Several names as the reader lists them: "a, b and c". */
export function listed(names: readonly string[]): string {
  return new Intl.ListFormat(locale(), { type: "conjunction" }).format(names);
}

/** The browser's languages, the most wanted first; none outside of a browser. */
function readerLanguages(): readonly string[] {
  return globalThis.navigator?.languages ?? [];
}

function one(key: string): string | null {
  const text = catalogue[key];
  return (Array.isArray(text) ? text[0] : (text as string | undefined)) || null;
}

function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name] ?? whole;
    return typeof value === "number" ? number(value) : value;
  });
}

/** Which plural form goes with a count: gettext has them in the order of the categories. */
function pluralIndex(current: Language, count: number, forms: number): number {
  const rules = new Intl.PluralRules(current);
  const used = rules.resolvedOptions().pluralCategories;
  const order = CATEGORIES.filter((category) => used.includes(category));
  return Math.min(order.indexOf(rules.select(count)), forms - 1);
}
