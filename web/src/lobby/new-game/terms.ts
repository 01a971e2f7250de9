// The terms of a new game from what was chosen in its dialog.

import { coloursOf, LEVEL_IDS } from "../../domain/modes";
import type {
  Colour,
  Control,
  Mode,
  NewGame,
  Preset,
  RuleOptions,
  Seating,
} from "../../domain/protocol";

/** "open" is an invitation to everyone in the lobby. */
export type Purpose = "computer" | "here" | "friends" | "open";
export type ClockChoice = "none" | "10" | "15" | "custom";
export type PlayerNames = Partial<Record<Colour, string>>;

/** A custom clock: minutes, and seconds added after each move or free before it. */
export interface CustomClock {
  readonly minutes: number;
  readonly seconds: number;
  readonly extra: "fischer" | "delay";
}

export interface GameChoices {
  readonly purpose: Purpose;
  readonly mode: Mode;
  readonly layout: string;
  /** An index of `LEVEL_IDS`. */
  readonly level: number;
  readonly colour: Colour | "lots";
  readonly clock: ClockChoice;
  readonly custom: CustomClock;
  readonly rules: Preset;
  /** What differs from the preset. */
  readonly options: RuleOptions;
  readonly goal: number;
  readonly rated: boolean;
  readonly listed: boolean;
  readonly friendly: boolean;
  readonly names: PlayerNames;
}

export const DEFAULT_GOAL = 6;

export function toNewGame(choices: GameChoices): NewGame {
  const { mode, layout, rules, options, rated, listed, friendly, goal, purpose, colour } = choices;
  return {
    mode,
    layout,
    rules: Object.keys(options).length === 0 ? rules : { preset: rules, ...options },
    control: controlOf(choices.clock, choices.custom),
    seats: seatsOf(choices),
    rated,
    listed,
    takebacks: friendly || null,
    win_at: goal === DEFAULT_GOAL ? null : goal,
    draw_lots: purpose !== "here" && colour === "lots",
  };
}

export function controlOf(clock: ClockChoice, custom: CustomClock): Control {
  if (clock === "none") return { kind: "none" };
  if (clock !== "custom") return { kind: "sudden_death", ms: Number(clock) * 60_000 };
  const ms = Math.round(custom.minutes * 60_000);
  const extra = Math.round(custom.seconds * 1000);
  if (extra === 0) return { kind: "sudden_death", ms };
  return custom.extra === "delay"
    ? { kind: "delay", ms, delay_ms: extra }
    : { kind: "fischer", ms, increment_ms: extra };
}

/** The maker takes their colour, or the first where lots are drawn later or all sit at one screen. */
function seatsOf({
  purpose,
  mode,
  colour,
  level,
  names,
}: GameChoices): Partial<Record<Colour, Seating>> {
  const colours = coloursOf(mode);
  const own = purpose === "here" || colour === "lots" ? colours[0] : colour;
  const others: Record<Purpose, Seating> = {
    computer: { kind: "computer", level: LEVEL_IDS[level] ?? "friendly" },
    here: { kind: "here" },
    friends: { kind: "open" },
    open: { kind: "open" },
  };
  return Object.fromEntries(
    colours.map((one) => [
      one,
      one === own ? { kind: "me" } : named(others[purpose], names[one]?.trim()),
    ]),
  );
}

function named(seat: Seating, name: string | undefined): Seating {
  return seat.kind === "here" && name ? { ...seat, name } : seat;
}

/** The names in a random order, each beside a colour. */
export function shuffleNames(
  names: PlayerNames,
  colours: readonly Colour[],
  random: () => number = Math.random,
): PlayerNames {
  const list = colours.map((colour) => names[colour] ?? "");
  for (let k = list.length - 1; k > 0; k--) {
    const other = Math.floor(random() * (k + 1));
    [list[k], list[other]] = [list[other] ?? "", list[k] ?? ""];
  }
  return Object.fromEntries(colours.map((colour, k) => [colour, list[k] ?? ""]));
}
