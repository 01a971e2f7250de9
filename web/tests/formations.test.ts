// Which of the players' terms are named on a board.

import { beforeAll, describe, expect, it } from "vitest";
import { load } from "../kernel/src/index";
import type { Kernel } from "../kernel/src/kernel";
import { formationsOn } from "../src/ui/formations";

let kernel: Kernel;

beforeAll(async () => {
  kernel = await load(new URL("../kernel/dist/", import.meta.url));
});

const wordsOn = (position: string, all: boolean) =>
  formationsOn(kernel.board(position), all).map(({ word, cells }) => `${word} ${cells.join(" ")}`);

describe("formations on a board", () => {
  it("leave out what is everywhere, unless all are wanted", () => {
    const facing = "5/6/7/8/3bw4/8/7/6/5 b 0,0 0 1";
    expect(wordsOn(facing, false)).toEqual(["singleton e4", "singleton e5"]);
    expect(wordsOn(facing, true)).toContain("pac e4 e5");
  });

  it("name a group and one lance of a row of four, if all are wanted", () => {
    const row = "5/6/7/8/2bbbb3/8/7/6/4w b 0,0 0 1";
    expect(wordsOn(row, false)).toEqual(["singleton a5"]);
    expect(wordsOn(row, true)).toEqual(["singleton a5", "lance e3 e4 e5", "group e3 e4 e5 e6"]);
  });

  it("name a lance alone once", () => {
    const lance = "5/6/7/8/2bbb4/8/7/6/4w b 0,0 0 1";
    expect(wordsOn(lance, true)).toEqual(["lance e3 e4 e5", "singleton a5"]);
  });

  it("do not warn of a det: it is an advantage for the player that left it", () => {
    const [det] = formationsOn(kernel.board("5/6/7/3bb3/3bwb3/3bb3/3b3/6/5 b 0,0 0 1"), false);
    expect(det).toMatchObject({ word: "det", cells: ["e5"], tone: "calm" });
  });
});
