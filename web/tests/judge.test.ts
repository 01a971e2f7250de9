// Every step of the course answers as it should, by the rules of the kernel that the page carries.

import { beforeAll, describe, expect, it } from "vitest";
import { load } from "../kernel/src/index";
import type { Kernel } from "../kernel/src/kernel";
import { judgeChoice, judgeMark, judgeMove } from "../src/learn/judge";
import { LESSONS, textsOf } from "../src/learn/teaching";

const STEPS = LESSONS.flatMap(({ id, steps }) =>
  steps.map((step) => ({ step, base: `lesson.${id}.${step.id}` })),
);

let kernel: Kernel;
let texts: Readonly<Record<string, string>>;

beforeAll(async () => {
  kernel = await load(new URL("../kernel/dist/", import.meta.url));
  texts = await textsOf("en");
});

describe.each(STEPS)("$base", ({ step, base }) => {
  it("says what is to be done", () => {
    expect(texts[`${base}.task`]).toBeTruthy();
  });

  if (step.kind === "play") {
    it("accepts the wanted moves alone, and answers every other one", () => {
      const board = kernel.board(step.position);
      const legal = board.legalMoves().map(({ move }) => move);
      expect(legal).toEqual(expect.arrayContaining([...step.want]));
      for (const move of new Set([...legal, ...step.wrong])) {
        const { key, done } = judgeMove(step, base, move, legal.includes(move), board);
        expect(done).toBe(step.want.includes(move));
        expect(texts[key ?? ""]).toBeTruthy();
        if (step.wrong.includes(move)) expect(key).toBe(`${base}.wrong.${move}`);
      }
    });
  }
  if (step.kind === "attempt") {
    it("wants what the rules refuse", () => {
      const board = kernel.board(step.position);
      for (const move of step.attempt) {
        expect(board.why(move)).not.toBeNull();
        const answer = judgeMove(step, base, move, false, board);
        expect(answer).toEqual({ key: `${base}.done`, done: true });
      }
      for (const { move } of board.legalMoves()) {
        expect(judgeMove(step, base, move, true, board).done).toBe(false);
      }
    });
  }
  if (step.kind === "mark") {
    it("wants one of its cells", () => {
      for (const cell of [...step.cells, ...step.wrong, "a1"]) {
        const { key, done } = judgeMark(step, base, cell);
        expect(done).toBe(step.cells.includes(cell));
        expect(texts[key ?? ""]).toBeTruthy();
      }
    });
  }
  if (step.kind === "choose") {
    it("has an answer to every option, and one that is right", () => {
      const answers = Array.from({ length: step.options }, (_, n) => judgeChoice(step, base, n));
      expect(answers.filter(({ done }) => done)).toHaveLength(1);
      for (const { key } of answers) expect(texts[key ?? ""]).toBeTruthy();
    });
  }
});
