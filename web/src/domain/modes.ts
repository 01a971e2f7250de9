// Modes, sides and seats. Edges count counter-clockwise from the bottom.

import { t } from "./i18n";
import type { Colour, Mode, SeatSummary } from "./protocol";

interface Facts {
  readonly sides: readonly (readonly Colour[])[];
  readonly edges: Partial<Record<Colour, number>>;
  readonly order: readonly Colour[];
}

const FOUR: Facts = {
  sides: [
    ["black", "red"],
    ["white", "blue"],
  ],
  edges: { black: 0, white: 5, red: 3, blue: 2 },
  order: ["black", "white", "red", "blue"],
};

const FACTS: Record<Mode, Facts> = {
  two: { sides: [["black"], ["white"]], edges: { black: 0, white: 3 }, order: ["black", "white"] },
  three: {
    sides: [["black"], ["white"], ["red"]],
    edges: { black: 0, white: 4, red: 2 },
    order: ["black", "white", "red"],
  },
  teams: FOUR,
  "teams-double": { ...FOUR, order: ["black", "red", "white", "blue"] },
};

export const MODES = Object.keys(FACTS) as Mode[];

export function coloursOf(mode: Mode): Colour[] {
  return Object.keys(FACTS[mode].edges) as Colour[];
}

/** In which order they move. */
export function orderOf(mode: Mode): readonly Colour[] {
  return FACTS[mode].order;
}

export function sidesOf(mode: Mode): readonly (readonly Colour[])[] {
  return FACTS[mode].sides;
}

export function sideOf(mode: Mode, colour: Colour): number {
  return FACTS[mode].sides.findIndex((side) => side.includes(colour));
}

export function edgeOf(mode: Mode, colour: Colour): number {
  return FACTS[mode].edges[colour] ?? 0;
}

/** How far to turn the board so that a colour sits at the bottom. */
export function turnsFor(mode: Mode, colour: Colour): number {
  return (6 - edgeOf(mode, colour)) % 6;
}

export function modeName(mode: Mode): string {
  return {
    two: t("Two players"),
    three: t("Three players"),
    teams: t("Two teams"),
    "teams-double": t("Two teams, double turns"),
  }[mode];
}

export function modeNote(mode: Mode): string {
  return {
    two: t("Black against White."),
    three: t("Everyone for themselves: the first to eject six wins."),
    teams: t("Black and Red against White and Blue, taking turns one by one."),
    "teams-double": t("Black and Red against White and Blue; partners move one after the other."),
  }[mode];
}

export function colourName(colour: Colour): string {
  return { black: t("Black"), white: t("White"), red: t("Red"), blue: t("Blue") }[colour];
}

export function sideName(mode: Mode, first: Colour): string {
  const [one = first, other] = FACTS[mode].sides[sideOf(mode, first)] ?? [first];
  if (other === undefined) return colourName(one);
  return t("{one} and {other}", { one: colourName(one), other: colourName(other) });
}

/** Whether the sides are teams of two players. */
export function isTeam(mode: Mode): boolean {
  return mode.startsWith("teams");
}

/** From a first game to full strength. */
export const LEVEL_IDS: readonly string[] = [
  "newcomer",
  "gentle",
  "friendly",
  "casual",
  "steady",
  "keen",
  "strong",
  "expert",
  "master",
  "champion",
];

export function levelName(level: string): string {
  const names: Record<string, string> = {
    newcomer: t("Newcomer"),
    gentle: t("Gentle"),
    friendly: t("Friendly"),
    casual: t("Casual"),
    steady: t("Steady"),
    keen: t("Keen"),
    strong: t("Strong"),
    expert: t("Expert"),
    master: t("Master"),
    champion: t("Champion"),
  };
  return names[level] ?? level;
}

/** The name of the person on a seat; of a reader with several seats, the colour. */
export function seatName(seat: SeatSummary, you: readonly Colour[] = []): string {
  if (you.includes(seat.colour)) return you.length === 1 ? t("You") : colourName(seat.colour);
  if (seat.kind === "computer") {
    return t("Computer ({level})", { level: levelName(seat.level ?? "friendly") });
  }
  if (seat.kind === "open") return t("Open seat");
  return seat.name || t("Guest");
}
