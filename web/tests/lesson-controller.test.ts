// The state of a lesson's step: what each answer does, and where the next step is.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LESSONS, type Step } from "../src/learn/teaching";
import { loadKernel } from "./kernel";

const kernel = await loadKernel();
const started = vi.hoisted(() => vi.fn());
vi.mock("../src/storage/new-game", () => ({
  createLocalGame: async (terms: unknown) => {
    started(terms);
    return "local-1";
  },
}));

/** A lesson and a step of a kind; the first of the course. */
function find<Kind extends Step["kind"]>(kind: Kind) {
  for (const lesson of LESSONS) {
    const step = lesson.steps.find((one) => one.kind === kind);
    if (step) return { lesson, step: step as Extract<Step, { kind: Kind }> };
  }
  throw new Error(`no step of kind ${kind}`);
}

/** A step to play one certain move, and another legal one. */
function strict() {
  for (const lesson of LESSONS) {
    for (const step of lesson.steps) {
      if (step.kind !== "play") continue;
      const moves = kernel.board(step.position).legalMoves();
      const other = moves.find(({ move }) => !step.want.includes(move));
      if (other) return { lesson, step, other };
    }
  }
  throw new Error("every step wants any move");
}

async function opened(lesson: string, step = "", position = "") {
  vi.resetModules();
  const { LessonController } = await import("../src/learn/lesson-controller");
  const { progress } = await import("../src/storage/learning-progress");
  const board = { rules: position ? kernel.board(position) : null, reset: vi.fn() };
  const wrong = vi.fn();
  const current = new LessonController({ changed: vi.fn(), board: () => board, wrong });
  current.open(lesson, step);
  return { current, board, wrong, progress };
}

beforeEach(() => {
  vi.useFakeTimers();
  const items = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
  });
  vi.stubGlobal("dispatchEvent", vi.fn());
  vi.stubGlobal("document", { documentElement: { dataset: {} } });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a step to play", () => {
  it("is done by a wanted move", async () => {
    const { lesson, step } = find("play");
    const { current, board, progress } = await opened(lesson.id, step.id, step.position);
    const effect = board.rules?.effect(step.want[0] ?? "");
    if (!effect) throw new Error("no move is wanted");
    current.judgeLegalMove(effect);
    expect(current.done).toBe(true);
    expect(current.answer).toBe(`lesson.${lesson.id}.${step.id}.done`);
    expect(progress.has(`${lesson.id}/${step.id}`)).toBe(true);
  });

  it("lets any other legal move stand for a moment", async () => {
    const { lesson, step, other } = strict();
    const { current, board } = await opened(lesson.id, step.id, step.position);
    current.judgeLegalMove(other);
    expect(current.done).toBe(false);
    expect(current.answer).not.toBe("");
    expect(board.reset).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1000);
    expect(board.reset).toHaveBeenCalledOnce();
  });

  it("resets no board after the learner went on", async () => {
    const { lesson, step, other } = strict();
    const { current, board } = await opened(lesson.id, step.id, step.position);
    current.judgeLegalMove(other);
    current.open(lesson.id, lesson.steps[1]?.id ?? "");
    vi.advanceTimersByTime(1000);
    expect(board.reset).not.toHaveBeenCalled();
    expect(current.answer).toBe("");
  });

  it("says why the rules refuse a try, also one beyond the rim", async () => {
    const { lesson, step } = find("play");
    const { current } = await opened(lesson.id, step.id, step.position);
    const reason = { code: "off-board", values: {}, message: "That leaves the board." };
    current.judgeRefusal({ move: null, reason });
    expect(current.answer).not.toBe("");
    expect(current.done).toBe(false);
  });
});

describe("other steps", () => {
  it("want a cell, and mark the one that was pointed at", async () => {
    const { lesson, step } = find("mark");
    const { current, wrong } = await opened(lesson.id, step.id, step.position);
    current.judgeCell("zz");
    expect(current.highlights[0]).toMatchObject({ cells: ["zz"], tone: "danger" });
    expect(wrong).toHaveBeenCalledOnce();
    current.judgeCell(step.cells[0] ?? "");
    expect(current.highlights[0]?.tone).toBe("good");
    expect(current.done).toBe(true);
    current.hint("ignored by now");
    expect(current.answer).not.toBe("ignored by now");
    current.restart();
    expect([current.done, current.answer, current.highlights.length]).toEqual([false, "", 0]);
  });

  it("want the right option", async () => {
    const { lesson, step } = find("choose");
    const { current, wrong } = await opened(lesson.id, step.id, step.position);
    current.judgeOption((step.right + 1) % step.options);
    expect(current.done).toBe(false);
    expect(wrong).toHaveBeenCalledOnce();
    current.judgeOption(step.right);
    expect(current.done).toBe(true);
  });

  it("are done by looking where that is all", async () => {
    const { lesson, step } = find("show");
    const { current, progress } = await opened(lesson.id, step.id);
    expect(current.isReady).toBe(true);
    expect(progress.has(`${lesson.id}/${step.id}`)).toBe(false);
    current.leave();
    expect(progress.has(`${lesson.id}/${step.id}`)).toBe(true);
  });

  it("start the first game with a coach", async () => {
    const { lesson, step } = find("game");
    const { current, progress } = await opened(lesson.id, step.id);
    expect(await current.startGame(step)).toBe("local-1");
    expect(started.mock.lastCall?.[0]).toMatchObject({ mode: step.mode, layout: step.layout });
    expect(progress.has(`${lesson.id}/${step.id}`)).toBe(true);
    expect(localStorage.getItem("sumito.settings")).toContain('"coach":true');
  });
});

describe("the way through the course", () => {
  it("leads through every step of every lesson, and back to the course", async () => {
    const [first] = LESSONS;
    const { current } = await opened(first?.id ?? "", first?.steps[0]?.id);
    let count = 1;
    while (current.next !== "/learn") {
      const [, , lesson = "", step = ""] = current.next.split("/");
      current.open(lesson, step);
      count++;
    }
    expect(count).toBe(LESSONS.reduce((sum, { steps }) => sum + steps.length, 0));
  });

  it("begins a lesson with the first step that isn't done", async () => {
    const lesson = LESSONS[0];
    const { current, progress } = await opened(lesson?.id ?? "");
    expect(current.step).toEqual(lesson?.steps[0]);
    progress.add(`${lesson?.id}/${lesson?.steps[0]?.id}`);
    expect(current.step).toEqual(lesson?.steps[1]);
  });

  it("knows when there is no such lesson or step", async () => {
    expect((await opened("nonsense")).current.lesson).toBeUndefined();
    expect((await opened(LESSONS[0]?.id ?? "", "nonsense")).current.step).toBeUndefined();
  });
});
