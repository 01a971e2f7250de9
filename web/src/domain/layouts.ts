// Names of start positions, and their groups.

import { t } from "./i18n";
import type { Layout } from "./protocol";

const CLASSICS = [
  "standard",
  "belgian-daisy",
  "german-daisy",
  "alien-attack",
  "the-wall",
  "pyramid",
];

/** The name in the reader's language; one that the page doesn't know keeps its own. */
export function layoutName({ id, name }: Pick<Layout, "id" | "name">): string {
  const names: Record<string, string> = {
    standard: t("Standard"),
    "belgian-daisy": t("Belgian Daisy"),
    "german-daisy": t("German Daisy"),
    "dutch-daisy": t("Dutch Daisy"),
    "swiss-daisy": t("Swiss Daisy"),
    "french-daisy": t("French Daisy"),
    "irish-daisy": t("Irish Daisy"),
    "scottish-daisy": t("Scottish Daisy"),
    "austrian-daisy": t("Austrian Daisy"),
    "korean-daisy": t("Korean Daisy"),
    "true-daisy": t("The True Daisy"),
    domination: t("Domination"),
    "domination-vs-daisy": t("Domination vs Daisy"),
    "alien-attack": t("Alien Attack"),
    aliening: t("Aliening"),
    alitration: t("Alitration"),
    infiltration: t("Infiltration"),
    infiltralien: t("Infiltralien"),
    pyramid: t("Pyramid"),
    "the-wall": t("The Wall"),
    "face-to-face": t("Face to Face"),
    fujiyama: t("Fujiyama"),
    snakes: t("Snakes"),
    "snakes-variation": t("Snakes (variation)"),
    atomouche: t("Atomouche"),
    centrifuge: t("Centrifuge"),
    alliances: t("Alliances"),
    "six-nine": t("6/9"),
    anglattack: t("Anglattack"),
    spider: t("Spider"),
    buttonhole: t("Buttonhole"),
    "crossed-hearts": t("Crossed Hearts"),
    corners: t("Corners"),
    crown: t("Crown"),
    cross: t("Cross"),
    checkerboard: t("Checkerboard"),
    "defence-or-attack": t("Defence or Attack"),
    duel: t("Duel"),
    star: t("Star"),
    horseshoes: t("Horseshoes"),
    snowflake: t("Snowflakes"),
    forcing: t("Forcing"),
    fracture: t("Fracture"),
    "king-cake": t("French King Cake"),
    tinsels: t("Tinsels"),
    intimidation: t("Intimidation"),
    "im-a-robot": t("I'm a Robot"),
    labyrinth: t("Labyrinth"),
    mosaic: t("Mosaic"),
    windmill: t("Windmill"),
    "food-mill": t("Food Mill"),
    "mquorric-1": t("Mquorric 1"),
    neko: t("Neko"),
    octopus: t("Octopus"),
    "april-fish": t("April Fish"),
    wheel: t("Wheel"),
    oath: t("Oath"),
    slaloms: t("Slaloms"),
    trench: t("Trench"),
    "xmas-star": t("Xmas Star"),
    "coffee-or-milk": t("Café ou Lait"),
    wrestlers: t("Wrestlers"),
    deckchairs: t("Deckchairs"),
    cobras: t("Cobras"),
    "the-arrow": t("The Arrow"),
    sibe: t("Sibe"),
    three: t("Three players"),
    teams: t("Four players, two teams"),
  };
  return names[id] ?? name;
}

export interface Group {
  readonly title: string;
  readonly layouts: readonly Layout[];
}

/** The layouts that match a search, in groups; empty groups are left out. */
export function grouped(layouts: readonly Layout[], wanted: string): Group[] {
  const sought = plain(wanted);
  const fitting = layouts.filter((layout) =>
    [layoutName(layout), layout.name].some((name) => plain(name).includes(sought)),
  );
  const isClassic = ({ id }: Layout) => CLASSICS.includes(id);
  const isDaisy = ({ id }: Layout) => id.endsWith("daisy") && !CLASSICS.includes(id);
  const groups = [
    { title: t("Classics"), layouts: fitting.filter(isClassic) },
    { title: t("Daisies"), layouts: fitting.filter(isDaisy) },
    {
      title: t("Equal for both sides"),
      layouts: fitting.filter((one) => one.fair && !isClassic(one) && !isDaisy(one)),
    },
    {
      title: t("Uneven"),
      layouts: fitting.filter((one) => !one.fair && !isClassic(one) && !isDaisy(one)),
    },
  ];
  return groups.filter((group) => group.layouts.length > 0);
}

/** Without accents and capitals. */
function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
}
