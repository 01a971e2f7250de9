// Openings in the page: the file that Python reads, read again, with the images of its lines.

import { beforeAll, expect, it } from "vitest";
import type { Kernel } from "../kernel/src/kernel";
import type { Mode } from "../kernel/src/types";
import { image, openingsOf, repliesTo } from "../src/play/sessions/opening-book";
import { layouts, loadKernel, text } from "./kernel";

const file = text("../../src/sumito/data/openings.txt");
let kernel: Kernel;

beforeAll(async () => {
  kernel = await loadKernel();
});

it("knows a reply to every first move of every fair layout, and all of them are legal", () => {
  for (const mode of ["two", "three", "teams", "teams-double"] satisfies Mode[]) {
    for (const { id, fair, position } of layouts(mode)) {
      if (!fair) continue;
      const name = mode === "two" ? id : `${id} ${mode}`;
      const board = kernel.board(position);
      const legal = () => board.legalMoves().map(({ move }) => move);
      const openings = openingsOf(file, name);
      const firsts = repliesTo(openings, []);
      expect(firsts.length).toBeGreaterThan(0);
      expect(legal()).toEqual(expect.arrayContaining(firsts));
      for (const first of legal()) {
        board.push(first);
        const replies = repliesTo(openings, [first]);
        expect(replies.length, `${name} ${first}`).toBeGreaterThan(0);
        const there = new Set(legal());
        expect(replies.filter((move) => !there.has(move))).toEqual([]);
        board.pop();
      }
    }
  }
}, 60_000);

it("turns and mirrors moves as Python does", () => {
  expect(image("a1b2", "turn3")).toBe("i9h8");
  expect(image("c3c5d4", "turn3")).toBe("g5g7f4");
  expect(image("a1b2", "turn0")).toBe("a1b2");
  for (const { move } of kernel.board(layouts("two")[0]?.position ?? "").legalMoves()) {
    for (const symmetry of ["turn3", "mirror0", "mirror1", "mirror5"]) {
      expect(image(image(move, symmetry), symmetry)).toBe(move);
    }
  }
});

it("knows nothing of other layouts and later plies", () => {
  expect(repliesTo(openingsOf(file, "nowhere"), [])).toEqual([]);
  expect(repliesTo(openingsOf("", "standard"), [])).toEqual([]);
  const later = ["a1b2", "i9h8", "a2b3", "i8h7"];
  expect(repliesTo(openingsOf(file, "standard"), later)).toEqual([]);
});
