// Every text a person sees goes through `t`. Texts are written in English; other languages come
// from the gettext catalogue that page and server share, one small file per language.

export const LANGUAGES = { en: "English", de: "Deutsch", nl: "Nederlands", fr: "Français" };
export type Language = keyof typeof LANGUAGES;

const FILES = import.meta.glob<Record<string, string>>("./words/*.json", { import: "default" });

let catalogue: Record<string, string> = {};
let spoken: Language = "en";

export function language(): Language {
  return spoken;
}

/** The language with its country, if the browser has one, for dates. */
export function locale(): string {
  return navigator.languages.find((code) => code.startsWith(spoken)) ?? spoken;
}

/** The first language of the browser that we speak. */
export function preferred(): Language {
  const codes = navigator.languages.map((code) => code.slice(0, 2));
  return (codes.find((code) => code in LANGUAGES) as Language | undefined) ?? "en";
}

export async function speak(wanted: Language): Promise<void> {
  const load = FILES[`./words/${wanted}.json`];
  catalogue = load ? await load() : {};
  spoken = wanted;
  document.documentElement.lang = wanted;
  dispatchEvent(new Event("language"));
}

/** A text in the reader's language, `{names}` filled in. */
export function t(text: string, values: Record<string, string | number> = {}): string {
  const said = catalogue[text] || text;
  return said.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}
