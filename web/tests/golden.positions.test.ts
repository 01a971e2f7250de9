// Position texts and the names of moves against the golden file that the Python library writes.

import { beforeAll, describe, expect, it } from "vitest";
import type { Kernel } from "../kernel/src/kernel";
import type { Notation } from "../kernel/src/types";
import { InputError } from "../src/record/errors";
import type { Form } from "../src/record/position-text";
import { readPosition } from "../src/record/position";
import { startTags } from "../src/record/tags";
import { layouts, loadKernel, text } from "./kernel";
import { modeOf } from "../src/record/position";

interface Read {
  readonly text: string;
  readonly form: Form;
  readonly position?: string;
  /** The tag Position of a record that begins here. */
  readonly tag?: string | null;
  readonly error?: readonly [code: string, column: number | null];
}

interface Named {
  readonly position: string;
  readonly move: string;
  readonly names: Readonly<Record<Notation, string>>;
}

const CASES: readonly (Read | Named)[] = JSON.parse(
  text("../../tests/data/golden/positions.json"),
);
let kernel: Kernel;

beforeAll(async () => {
  kernel = await loadKernel();
});

function readAs(given: string, form: Form): Partial<Read> {
  try {
    const position = readPosition(given, form);
    const { Position: tag = null } = startTags(position, layouts(modeOf(position)));
    return { position, tag };
  } catch (fault) {
    if (!(fault instanceof InputError)) throw fault;
    return { error: [fault.code, (fault.values.column as number | undefined) ?? null] };
  }
}

describe("positions", () => {
  it.each(CASES.filter((one) => "form" in one))("reads $form $text", (one) => {
    expect({ text: one.text, form: one.form, ...readAs(one.text, one.form) }).toEqual(one);
    const accepted = () => kernel.board(one.text).position;
    if (one.form !== "sumito") return;
    if (one.error) expect(accepted).toThrow();
    else expect(accepted()).toBe(one.position);
  });

  it.each(CASES.filter((one) => "move" in one))("names $move", ({ position, move, names }) => {
    const board = kernel.board(position);
    for (const [notation, name] of Object.entries(names) as [Notation, string][]) {
      expect(board.write(move, notation)).toBe(name);
      expect(board.read(name, notation)).toBe(move);
    }
  });
});
