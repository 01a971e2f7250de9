// Modes, levels, layouts and rematches against the golden file that the Python library writes.

import { describe, expect, it } from "vitest";
import { LEVELS, type Level, MODES as KERNEL_MODES } from "../kernel/src/types";
import { knowsOpenings, timeOf } from "../src/kernel/levels";
import { nextSeats } from "../src/storage/new-game";
import { coloursOf, LEVEL_IDS, MODES, orderOf, sideOf, sidesOf } from "../src/domain/modes";
import type { Colour, Mode } from "../src/domain/protocol";
import { layouts, text } from "./kernel";

type Case =
  | {
      about: "mode";
      mode: Mode;
      colours: Colour[];
      order: Colour[];
      sides: Colour[][];
      side_of: Record<Colour, Colour>;
    }
  | { about: "rematch"; mode: Mode; moves_to: Partial<Record<Colour, Colour>> }
  | { about: "layouts"; mode: Mode; default: string; starts: Record<string, [string, boolean]> }
  | { about: "time"; level: Level; left: number | null; ms: number }
  | { about: "levels"; names: Level[]; play_openings: Level[] };

const CASES: readonly Case[] = JSON.parse(text("../../tests/data/golden/tables.json"));

function of<About extends Case["about"]>(about: About): Extract<Case, { about: About }>[] {
  return CASES.filter((one): one is Extract<Case, { about: About }> => one.about === about);
}

describe("tables", () => {
  it("has the same modes", () => {
    expect(MODES).toEqual(of("mode").map(({ mode }) => mode));
    expect(KERNEL_MODES).toEqual(MODES);
  });

  it.each(of("mode"))("has the colours, sides and turns of $mode", (one) => {
    const { mode } = one;
    expect(coloursOf(mode)).toEqual(one.colours);
    expect(orderOf(mode)).toEqual(one.order);
    expect(sidesOf(mode)).toEqual(one.sides);
    const sides = one.colours.map((colour) => [colour, sidesOf(mode)[sideOf(mode, colour)]?.[0]]);
    expect(Object.fromEntries(sides)).toEqual(one.side_of);
  });

  it.each(of("rematch"))("moves the players of $mode to the same seats", ({ mode, moves_to }) => {
    const seats = coloursOf(mode).map((colour) => ({ colour, was: colour }));
    const moved = nextSeats(seats).map(({ colour, was }) => [was, colour]);
    expect(Object.fromEntries(moved)).toEqual(moves_to);
  });

  it.each(of("layouts"))("has the layouts of $mode, the default first", (one) => {
    const known = layouts(one.mode);
    expect(known[0]?.id).toBe(one.default);
    const starts = known.map(({ id, position, fair }) => [id, [position, fair]]);
    expect(Object.fromEntries(starts)).toEqual(one.starts);
  });

  it("has the same levels", () => {
    const [levels] = of("levels");
    expect(LEVELS).toEqual(levels?.names);
    expect(LEVEL_IDS).toEqual(levels?.names);
    expect(LEVELS.filter(knowsOpenings)).toEqual(levels?.play_openings);
  });

  it.each(of("time"))("lets $level think as long with $left ms left", ({ level, left, ms }) => {
    expect(timeOf(level, left ?? undefined)).toBeCloseTo(ms, 4);
  });
});
