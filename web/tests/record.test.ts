// Records in the page: what is read, edited and written stays what it was.

import { beforeAll, describe, expect, it } from "vitest";
import { clean } from "../src/record/comment";
import { errorText } from "../src/record/errors";
import { boardFor, positionFrom } from "../src/record/position";
import { readRecords } from "../src/record/reader";
import { newRecord, type GameRecord, type Referee } from "../src/record/record";
import type { Node } from "../src/record/tree";
import { writeRecord, writeRecords } from "../src/record/writer";
import { layouts, loadKernel, text } from "./kernel";

const START = "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0,0 0 1";
let referee: Referee;

beforeAll(async () => {
  referee = { kernel: await loadKernel(), layouts };
});

const club = () => text("../../tests/data/club.apgn");

/** A tree as plain values. */
function plain(node: Node): unknown {
  const { move, comment, opening, nags, clock, evaluation, outs, shapes, children } = node;
  return { move, comment, opening, nags, clock, evaluation, outs, shapes, next: children.map(plain) };
}

function read(text: string): GameRecord {
  const [record] = readRecords(text, referee);
  if (!record) throw new Error("nothing was read");
  return record;
}

function game(moves: string, tags = ""): string {
  return `[Event "?"]\n[Date "?"]\n[Black "?"]\n[White "?"]\n[Variant "standard"]\n[Result "*"]\n[Notation "Aba-Pro"]\n${tags}\n${moves}\n`;
}

function said(record: GameRecord): string[] {
  return record.errors.map(errorText);
}

describe("reading and writing", () => {
  it("reads a club's file without a fault and writes it so that it reads the same", () => {
    const records = readRecords(club(), referee);
    expect(records.flatMap(said)).toEqual([]);
    expect(records).toHaveLength(4);
    const again = readRecords(writeRecords(records, referee.kernel), referee);
    expect(again.flatMap(said)).toEqual([]);
    expect(again.map(({ root }) => plain(root))).toEqual(records.map(({ root }) => plain(root)));
  });

  it("keeps variations, marks, comments, clocks and evaluations where they belong", () => {
    const text = "{Hi} 1. a1b2 $1 {[%clk 0:09:58] [%eval -0.5] good} ({before} 1. a2b3 i9h8 (1... i5h5)) 1... i5h5 *";
    const { root, errors } = read(game(text));
    expect(errors).toEqual([]);
    const [first, other] = root.children;
    expect(root.comment).toBe("Hi");
    expect(first).toMatchObject({ move: "a1b2", nags: [1], clock: 598_000, evaluation: -0.5 });
    expect(first?.comment).toBe("good");
    expect(other).toMatchObject({ move: "a2b3", opening: "before" });
    expect(other?.children.map(({ move }) => move)).toEqual(["i9h8", "i5h5"]);
  });

  it("keeps what is drawn on the board", () => {
    const record = read(game("1. a1b2 {[%csl Ge5] [%cal Ga1b2] look} *"));
    const shapes = [{ from: "e5", to: null }, { from: "a1", to: "b2" }];
    expect(record.root.next?.shapes).toEqual(shapes);
    expect(read(writeRecord(record, referee.kernel)).root.next?.shapes).toEqual(shapes);
  });

  it.each([
    ["1. a1b2 2. i5h5 *", "2. should be 1..."],
    ["a1b2 *", "The move number 1. is missing."],
    ["1. a1b2 i5g5 *", "i5g5 is not a move"],
    ["1. a1b2 (1. a2b3 *", "A variation has no result"],
    ["1. a1b2 {open *", "A comment is not closed"],
    ["1. a1b2 ?!? *", "?!? is no mark"],
    ["1. a1b2", "The result is missing"],
    ["1. a1b2 1-0", "but the tag Result is *"],
    ["1. a1b2 {[%clk soon]} *", "[%clk soon] in a comment can't be read"],
  ])("says what is wrong in %s", (text, sentence) => {
    const record = read(game(text));
    expect(said(record).join()).toContain(sentence);
    expect(said(record).join()).toContain("Game 1, line");
  });

  it("keeps the moves before the first that can't be played", () => {
    const record = read(game("1. a1b2 i5h5 2. a1a2 *"));
    expect(record.root.line().map(({ move }) => move)).toEqual(["a1b2", "i5h5"]);
    expect(said(record).join()).toContain("2. a1a2");
  });

  it("reads on after a bad game", () => {
    const records = readRecords(`[Event "x"\n\n${game("1. a1b2 *")}`, referee);
    expect(records.map(({ errors }) => errors.length > 0)).toEqual([true, false]);
  });

  it("takes nothing from a text that is no record", () => {
    expect(readRecords("", referee)).toEqual([]);
    expect(readRecords("\0\x01 hello", referee)[0]?.errors.length).toBeGreaterThan(0);
  });

  it("lets a player of three leave, before a variation too", () => {
    const tags = '[Mode "three"]\n[Red "?"]\n';
    const text = game("1. a1b2 {[%out white]} (1. a2b3) *", tags).replace("standard", "three");
    const record = read(text);
    expect(said(record)).toEqual([]);
    expect(record.board(referee.kernel, record.root.next as Node).turn).toBe("red");
    expect(plain(read(writeRecord(record, referee.kernel)).root)).toEqual(plain(record.root));
  });
});

describe("editing", () => {
  const line = (record: GameRecord) => record.root.line().map(({ move }) => move);

  it("adds a move once, and others as variations", () => {
    const record = newRecord(referee, START);
    const board = record.board(referee.kernel, record.root);
    const first = record.root.add("a1b2", board);
    expect(record.root.add("a1b2", board)).toBe(first);
    record.root.add("a2b3", board);
    expect(line(record)).toEqual(["a1b2"]);
    expect(record.root.children).toHaveLength(2);
  });

  it("promotes and deletes", () => {
    const record = read(game("1. a1b2 (1. a2b3 i5h5 (1... i9h8)) 1... i5h5 *"));
    const deep = record.root.children[1]?.children[1] as Node;
    deep.promoteAll();
    expect(line(record)).toEqual(["a2b3", "i9h8"]);
    expect(deep.isPlayed).toBe(true);
    deep.remove();
    expect(line(record)).toEqual(["a2b3", "i5h5"]);
    expect(said(read(writeRecord(record, referee.kernel)))).toEqual([]);
  });

  it("says how many plies there are after the line was changed", () => {
    const record = read(game("1. a1b2 i5h5 *", '[Plies "2"]\n'));
    record.root.next?.next?.remove();
    expect(writeRecord(record, referee.kernel)).toContain('[Plies "1"]');
  });

  it("writes a comment that can be read, whatever somebody types", () => {
    const record = read(game("1. a1b2 *"));
    const first = record.root.next as Node;
    first.comment = 'nice} { [%clk oops] "x"\n[Event "y"] '.repeat(5);
    const again = read(writeRecord(record, referee.kernel));
    expect(said(again)).toEqual([]);
    expect(again.root.next?.comment).toBe(clean(first.comment));
  });
});

describe("positions", () => {
  it.each([
    ["ss1SS/sssSSS/1ss1SS1/8/9/8/1SS1ss1/SSSsss/SS1ss 0 0 b 0 1", "ww1bb/wwwbbb/1ww1bb1/8/9/8/1bb1ww1/bbbwww/bb1ww b 0,0 0 1"],
    ["5/6/7/8/1bbbww3/8/7/6/w4-4b5w w", "5/6/7/8/1bbbww3/8/7/6/w4 w 5,4 0 2"],
    ["0a12b123_1i56", "ww3/6/7/8/9/8/7/bbb3/bb3 b 1,0 0 1"],
    [START.replaceAll(" ", "_"), START],
  ])("reads %s", (text, ours) => {
    const position = positionFrom(text);
    expect(position).toBe(ours);
    expect(boardFor(referee.kernel, position).position).toBe(ours);
  });

  it.each([
    ["x", "This is not a position: x."],
    ["x b 0,0 0 1", "x is neither a marble"],
    ["5/6/7 b 0,0 0 1", "A board has nine rows, i down to a, not 3."],
    ["wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbbb b 0,0 0 1", "Row a has 5 cells, not 6."],
    ["qwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0,0 0 1", "q is neither"],
    ["bbbbb/bbbbbb/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0,0 0 1", "Black has 25 marbles; at most 14"],
    [START.replace(" b ", " r "), "letter r"],
    [START.replace(" 0 1", " 5 1"), "This is not a position"],
  ])("says what is wrong with %s", (text, sentence) => {
    let words = "";
    try {
      boardFor(referee.kernel, positionFrom(text));
    } catch (fault) {
      words = errorText(fault);
    }
    expect(words).toContain(sentence);
  });
});
