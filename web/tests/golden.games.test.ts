// What people may do in a game of this page, against the golden file that the Python library writes.

import { beforeAll, describe, expect, it } from "vitest";
import type { Kernel } from "../kernel/src/kernel";
import type { StoredGame } from "../src/storage/games";
import { takeBackPlies, viewOf } from "../src/play/sessions/local-view";
import { replayGame } from "../src/storage/replay";
import { coloursOf } from "../src/domain/modes";
import type { Colour, Mode } from "../src/domain/protocol";
import { loadKernel, text } from "./kernel";

interface Case {
  readonly mode: Mode;
  readonly people: readonly Colour[];
  readonly start: string;
  readonly moves: readonly string[];
  readonly left: readonly (readonly [Colour, number])[];
  readonly can: readonly string[];
  readonly back: number;
}

const CASES: readonly Case[] = JSON.parse(text("../../tests/data/golden/games.json"));
let kernel: Kernel;

beforeAll(async () => {
  kernel = await loadKernel();
});

function stored({ mode, people, start, moves, left }: Case): StoredGame {
  return {
    id: "g",
    mode,
    layout: "standard",
    rules: {
      preset: "rulebook",
      win_at: 6,
      repetition: null,
      ply_limit: null,
      stuck: "by-mode",
      partner_sidestep: "any",
      leave_three: "out",
      leave_teams: "loses",
      team_talk: "none",
      first: "black",
    },
    control: { kind: "none" },
    seats: coloursOf(mode).map((colour) => ({
      colour,
      kind: people.includes(colour) ? "person" : "computer",
      level: people.includes(colour) ? null : "friendly",
    })),
    start,
    moves: moves.map((move) => ({ move, clock: null })),
    left: left.map(([colour, after]) => ({ colour, after })),
    ended: null,
    position: start,
    outcome: null,
    createdAt: 0,
    changedAt: 0,
    serverId: null,
  };
}

describe("games", () => {
  it.each(CASES.map((one, index) => [index + 1, one] as const))("allows the same in %i", (_, one) => {
    const game = stored(one);
    const { board, moves } = replayGame(kernel, game);
    const clocks = { left: {}, running: null, since: 0 };
    expect([...viewOf(game, board, moves, clocks, 1).can].sort()).toEqual(one.can);
    expect(takeBackPlies(game, board, moves)).toBe(one.back);
  });
});
