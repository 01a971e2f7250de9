// The terms of a game from what its dialog was told, and the lots for names.

import { describe, expect, it } from "vitest";
import { LEVEL_IDS } from "../src/domain/modes";
import { ruleOptionsOf } from "../src/lobby/new-game/open-questions";
import {
  controlOf,
  type GameChoices,
  shuffleNames,
  toNewGame,
} from "../src/lobby/new-game/terms";
import { rulesFor } from "../src/storage/new-game";

const CHOICES: GameChoices = {
  purpose: "computer",
  mode: "two",
  layout: "standard",
  level: 2,
  colour: "black",
  clock: "none",
  custom: { minutes: 0, seconds: 0, extra: "fischer" },
  rules: "rulebook",
  options: {},
  goal: 6,
  rated: false,
  listed: false,
  friendly: false,
  names: {},
};

describe("a new game's terms", () => {
  it("have the reader's colour and a computer of the level", () => {
    const terms = toNewGame({ ...CHOICES, colour: "white", level: 2 });
    expect(terms.seats).toEqual({
      black: { kind: "computer", level: LEVEL_IDS[2] },
      white: { kind: "me" },
    });
    expect(terms).toMatchObject({ win_at: null, takebacks: null, draw_lots: false, mode: "two" });
  });

  it("name those at one screen, and give the first colour to the first player", () => {
    const names = { black: "Ada", white: "  Bela ", red: " " };
    const terms = toNewGame({ ...CHOICES, purpose: "here", mode: "three", colour: "lots", names });
    expect(terms.seats).toEqual({
      black: { kind: "me" },
      white: { kind: "here", name: "Bela" },
      red: { kind: "here" },
    });
    expect(terms.draw_lots).toBe(false);
  });

  it("leave seats open for friends, and have lots drawn where that is wanted", () => {
    const terms = toNewGame({ ...CHOICES, purpose: "friends", colour: "lots", friendly: true, goal: 3 });
    expect(terms.seats).toEqual({ black: { kind: "me" }, white: { kind: "open" } });
    expect(terms).toMatchObject({ draw_lots: true, takebacks: true, win_at: 3 });
  });
});

describe("what the rulebooks leave open", () => {
  const answered = (answers: Record<string, string>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(answers)) form.set(name, value);
    return ruleOptionsOf(form);
  };

  it("stays with the preset where nothing else is chosen", () => {
    const options = answered({ stuck: "by-mode", ply_limit: "" });
    expect(options).toEqual({});
    expect(toNewGame({ ...CHOICES, options }).rules).toBe("rulebook");
  });

  it("is part of the rules where it is chosen", () => {
    const form = { stuck: "draws", ply_limit: "100", own_sidestep: "on", team_talk: "on" };
    const terms = toNewGame({ ...CHOICES, rules: "tournament", options: answered(form) });
    expect(terms.rules).toEqual({
      preset: "tournament",
      stuck: "draws",
      ply_limit: 100,
      partner_sidestep: "none",
      team_talk: "free",
    });
    expect(rulesFor(terms)).toMatchObject({ repetition: 3, ply_limit: 100, stuck: "draws" });
  });
});

describe("a new game's clock", () => {
  const custom = { minutes: 0.5, seconds: 2.5, extra: "delay" } as const;

  it("is one of the usual, or none", () => {
    expect(controlOf("none", custom)).toEqual({ kind: "none" });
    expect(controlOf("15", custom)).toEqual({ kind: "sudden_death", ms: 900_000 });
  });

  it("has an increment or a delay if it is one's own, and neither without seconds", () => {
    expect(controlOf("custom", custom)).toEqual({ kind: "delay", ms: 30_000, delay_ms: 2500 });
    expect(controlOf("custom", { ...custom, extra: "fischer" })).toEqual({
      kind: "fischer",
      ms: 30_000,
      increment_ms: 2500,
    });
    expect(controlOf("custom", { ...custom, seconds: 0 })).toEqual({ kind: "sudden_death", ms: 30_000 });
  });
});

describe("lots for names", () => {
  const colours = ["black", "white", "red"] as const;

  it("give each name to one colour", () => {
    const drawn = shuffleNames({ black: "Ada", white: "Bela", red: "Carl" }, colours);
    expect(Object.keys(drawn)).toEqual([...colours]);
    expect(Object.values(drawn).sort()).toEqual(["Ada", "Bela", "Carl"]);
  });

  it("follow the random numbers", () => {
    const names = { black: "Ada", white: "Bela", red: "Carl" };
    expect(shuffleNames(names, colours, () => 0)).toEqual({ black: "Bela", white: "Carl", red: "Ada" });
    expect(shuffleNames(names, colours, () => 0.99)).toEqual(names);
  });
});
