// Clocks of a game in the page.

import { describe, expect, it } from "vitest";
import { afterTakeback, type Clocks, delayLeft, shows, stopped } from "../src/play/sessions/clocks";
import type { Control } from "../src/domain/protocol";

const SUDDEN: Control = { kind: "sudden_death", ms: 6000 };
const FISCHER: Control = { kind: "fischer", ms: 60_000, increment_ms: 5000 };
const DELAY: Control = { kind: "delay", ms: 60_000, delay_ms: 3000 };

const running = (black: number, white: number): Clocks => ({
  left: { black, white },
  running: "black",
  since: 1000,
});

describe("clocks", () => {
  it("show nothing left when the flag has fallen", () => {
    const fallen = stopped(running(5300, 6000), SUDDEN, 1000 + 5300);
    expect(fallen).toMatchObject({ left: { black: 0, white: 6000 }, running: null });
    expect(shows(fallen, SUDDEN, "black", 99_000)).toBe(0);
    expect(stopped(running(5300, 6000), SUDDEN, 9_999_999).left.black).toBe(0);
  });

  it("stand where they were when the game ends otherwise", () => {
    expect(stopped(running(5000, 6000), SUDDEN, 3000).left.black).toBe(3000);
    expect(stopped({ left: {}, running: null, since: 0 }, { kind: "none" }, 5).left).toEqual({});
  });

  it("keep the time used when moves are taken back", () => {
    expect(afterTakeback(running(5000, 6000), SUDDEN, ["white"], 3000)).toEqual({
      black: 3000,
      white: 6000,
    });
  });

  it("give back what moves that are taken back have earned, and never more than there is", () => {
    const at = (black: number, white: number) =>
      afterTakeback(running(black, white), FISCHER, ["white", "black", "white"], 1000);
    expect(at(40_000, 50_000)).toEqual({ black: 35_000, white: 40_000 });
    expect(at(3000, 500)).toEqual({ black: 1000, white: 500 });
  });

  it("know how much of a turn is still free", () => {
    expect(delayLeft(running(1, 1), DELAY, 2000)).toBe(2000);
    expect(delayLeft(running(1, 1), DELAY, 9000)).toBe(0);
    expect(delayLeft(running(1, 1), SUDDEN, 2000)).toBe(0);
  });
});
