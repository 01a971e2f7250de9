// Clocks against the golden file that the Python library writes.

import { describe, expect, it } from "vitest";
import {
  afterMove,
  type Clocks,
  delayLeft,
  flagged,
  shows,
  startLeft,
  stopped,
} from "../src/play/sessions/clocks";
import { COLOURS } from "../src/board/state";
import type { Control } from "../src/domain/protocol";
import { text } from "./kernel";

interface Step {
  readonly do: "start" | "press" | "stop" | "look";
  readonly seat: number;
  readonly at: number;
  readonly later: number;
  /** Null where nobody counts the time. */
  readonly left: readonly (number | null)[];
  readonly free: number;
  readonly flagged: readonly boolean[];
}

const CASES: readonly { control: Control; seats: number; steps: readonly Step[] }[] = JSON.parse(
  text("../../tests/data/golden/clocks.json"),
);

function after(clocks: Clocks, control: Control, { do: what, seat, at }: Step): Clocks {
  const colour = COLOURS[seat] as (typeof COLOURS)[number];
  if (what === "start") return { ...clocks, running: colour, since: at };
  if (what === "stop") return stopped(clocks, control, at);
  if (what === "look") return clocks;
  const left = { ...clocks.left, [colour]: afterMove(clocks, control, colour, at) };
  return { left, running: null, since: at };
}

describe("clocks", () => {
  it.each(CASES.map((one, index) => [index + 1, one.control, one] as const))(
    "show in case %i (%o) what Python's show",
    (_, control, { seats, steps }) => {
      const colours = COLOURS.slice(0, seats);
      let clocks: Clocks = { left: startLeft(control, colours), running: null, since: 0 };
      for (const step of steps) {
        clocks = after(clocks, control, step);
        const now = step.later;
        expect({
          left: colours.map((one) =>
            control.kind === "none" ? null : shows(clocks, control, one, now),
          ),
          free: delayLeft(clocks, control, now),
          flagged: colours.map((one) => flagged(clocks, control, one, now)),
        }).toEqual({ left: step.left, free: step.free, flagged: step.flagged });
      }
    },
  );
});
