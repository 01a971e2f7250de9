// Records against the golden file that the Python library writes: the same tree, the same errors at
// the same lines, the same text written.

import { beforeAll, describe, expect, it } from "vitest";
import { RecordError } from "../src/record/errors";
import { readRecords } from "../src/record/reader";
import type { GameRecord, Referee } from "../src/record/record";
import type { Node } from "../src/record/tree";
import { writeRecord } from "../src/record/writer";
import { layouts, loadKernel, text } from "./kernel";

type Row = readonly [parent: number, move: string, fields?: Readonly<Record<string, unknown>>];

interface Game {
  readonly tags: Readonly<Record<string, string>>;
  readonly tree: readonly Row[];
  readonly errors: readonly (readonly [code: string, line: number])[];
  readonly start?: string;
  /** True where it is the text that was read. */
  readonly written?: string | true;
}

const CASES: readonly { text: string; games: Game[] }[] = JSON.parse(
  text("../../tests/data/golden/records.json"),
);
let referee: Referee;

beforeAll(async () => {
  referee = { kernel: await loadKernel(), layouts };
});

function treeOf(root: Node): Row[] {
  const nodes = [root, ...root.walk()];
  return nodes.map((node) => {
    const { comment, clock, evaluation, nags, outs, opening } = node;
    const fields = Object.entries({ comment, clock, evaluation, nags, outs, opening }).filter(
      ([, value]) => value !== null && value !== "" && !(Array.isArray(value) && !value.length),
    );
    const parent = node.parent ? nodes.indexOf(node.parent) : -1;
    return fields.length ? [parent, node.move, Object.fromEntries(fields)] : [parent, node.move];
  });
}

function plain(record: GameRecord, source: string): Game {
  const errors = record.errors.map(
    (fault): [string, number] => [fault.code, fault instanceof RecordError ? fault.place.line : 0],
  );
  const game = { tags: { ...record.tags }, tree: treeOf(record.root), errors };
  if (errors.length) return game;
  const written = writeRecord(record, referee.kernel);
  return { ...game, start: record.start, written: written === source ? true : written };
}

describe("records", () => {
  it.each(CASES.map((one, index) => [index + 1, one] as const))(
    "reads and writes case %i as Python does",
    (_, { text, games }) => {
      expect(readRecords(text, referee).map((record) => plain(record, text))).toEqual(games);
    },
  );
});
