// The analysis board's state: what is opened, what is stored, and what the engine is asked.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AnalysisController } from "../src/analysis/analysis-controller";
import type { EngineSession } from "../src/analysis/engine-session";
import type { Analysis } from "../src/storage/analyses";
import { layouts, loadKernel } from "./kernel";

const loaded = await loadKernel();
const judging = { kernel: loaded, layouts };
const stored = new Map<string, Analysis>();
const server = { offered: false };

vi.mock("../src/record/referee", () => ({ referee: async () => judging }));
vi.mock("../src/analysis/server-engine", () => ({ isServerEngineOffered: async () => server.offered }));
vi.mock("../src/storage/analyses", () => {
  let ids = 0;
  return {
    newId: () => `id${++ids}`,
    analyses: {
      put: async (analysis: Analysis) => {
        stored.set(analysis.id, analysis);
        return analysis;
      },
      get: async (id: string) => stored.get(id) ?? null,
    },
  };
});

const TAGS = '[Event "?"]\n[Date "?"]\n[Black "Ada"]\n[White "Bela"]\n[Variant "standard"]\n';
const RECORD = `${TAGS}[Result "*"]\n[Notation "Aba-Pro"]\n\n1. a1b2 i9h8 *\n`;

function opened() {
  const engine = Object.assign(new EventTarget(), {
    analyse: vi.fn(),
    close: vi.fn(),
    result: null as object | null,
    analysedBoard: null as object | null,
  });
  const on = { changed: vi.fn(), moved: vi.fn(), edited: vi.fn() };
  const analysis = new AnalysisController(on, engine as unknown as EngineSession);
  const searched = () => engine.analyse.mock.lastCall ?? [];
  return { analysis, engine, on, searched };
}

/** An analysis board that shows a record of two moves. */
async function withRecord() {
  const found = opened();
  await found.analysis.load("");
  expect(await found.analysis.openText(RECORD)).toBe(true);
  return found;
}

const toasts = () =>
  vi
    .mocked(dispatchEvent)
    .mock.calls.map(([event]) => (event as CustomEvent<string>).detail);

beforeEach(() => {
  stored.clear();
  server.offered = false;
  const items = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
  });
  vi.stubGlobal("dispatchEvent", vi.fn());
});

afterEach(() => vi.unstubAllGlobals());

describe("the analysis board", () => {
  it("begins with the usual start, and searches it", async () => {
    const { analysis, searched } = opened();
    await analysis.load("");
    expect(analysis.study?.record.root.next).toBeNull();
    expect(searched()).toEqual([
      analysis.study?.board,
      { lines: 3, threat: false, useServer: false },
    ]);
  });

  it("shows on the next visit what was opened last", async () => {
    const { analysis } = await withRecord();
    analysis.study?.toEnd();
    analysis.close();
    const next = opened().analysis;
    await next.load("");
    expect(next.study?.record.tags.Black).toBe("Ada");
    expect(next.study?.node.move).toBe("i9h8");
  });

  it("counts what is shown, and forgets what was said of another position", async () => {
    const { analysis, on } = await withRecord();
    const { version } = analysis;
    on.moved.mockClear();
    analysis.study?.forward();
    expect(analysis.version).toBe(version + 1);
    expect(on.moved).toHaveBeenCalledOnce();
    expect(on.edited).toHaveBeenCalledOnce(); // by opening, not by stepping
    analysis.study?.comment("A quiet start");
    expect(on.edited).toHaveBeenCalledTimes(2);
  });

  it("says so when a text can't be read, and keeps what is shown", async () => {
    const { analysis } = await withRecord();
    const { study } = analysis;
    expect(await analysis.openText("nonsense")).toBe(false);
    expect(analysis.study).toBe(study);
    expect(toasts()).toHaveLength(1);
  });

  it("warns of games with errors by their number", async () => {
    const { analysis } = opened();
    await analysis.load("");
    await analysis.openText(RECORD.replace("i9h8", "a1a9"));
    expect(toasts()[0]).toMatch(/^1 game has errors; the first: /);
    expect(analysis.study?.record.root.line()).toHaveLength(1);
  });

  it("stores the reader's own analysis before another is opened, and finds it again", async () => {
    const { analysis } = await withRecord();
    analysis.study?.toEnd();
    analysis.study?.comment("Mine");
    const id = analysis.study?.analysis ?? "";
    analysis.openNew();
    await vi.waitFor(() => expect(stored.get(id)?.text).toContain("Mine"));
    expect(analysis.study?.analysis).toBeNull();
    expect(await analysis.openAnalysis(id)).toBe(true);
    expect(analysis.study?.node.comment).toBe("Mine");
    expect(await analysis.openAnalysis("unknown")).toBe(false);
    expect(toasts()).toEqual(["This analysis can't be opened."]);
  });

  it("listens to the shown study alone", async () => {
    const { analysis, on } = await withRecord();
    const { study } = analysis;
    analysis.openNew();
    on.moved.mockClear();
    study?.toEnd();
    expect(on.moved).not.toHaveBeenCalled();
  });
});

describe("the engine beside it", () => {
  it("searches nothing while it is off or the page is hidden", async () => {
    const { analysis, searched } = await withRecord();
    analysis.setVisible(false);
    expect(searched()[0]).toBeNull();
    analysis.setVisible(true);
    expect(searched()[0]).toBe(analysis.study?.board);
    analysis.updateEngineSettings({ on: false });
    expect(searched()[0]).toBeNull();
  });

  it("uses the server's engine only where it is offered", async () => {
    const { analysis, searched } = await withRecord();
    analysis.updateEngineSettings({ useServer: true });
    expect(searched()[1]).toMatchObject({ useServer: false });
    server.offered = true;
    await analysis.open();
    expect(searched()[1]).toMatchObject({ useServer: true });
  });

  it("stores its settings, and opens the explorer without another search", async () => {
    const { analysis, engine } = await withRecord();
    analysis.updateEngineSettings({ lines: 5 });
    engine.analyse.mockClear();
    analysis.showOpenings(true);
    expect(engine.analyse).not.toHaveBeenCalled();
    expect(opened().analysis.engineSettings).toMatchObject({ lines: 5, openings: true });
  });

  it("draws arrows for the first three variations, and none that the position doesn't allow", async () => {
    const { analysis, engine } = opened();
    await analysis.load("");
    const moves = (analysis.study?.board.legalMoves() ?? []).map(({ move }) => move);
    const lines = [...moves.slice(0, 2), "i9h9", ...moves.slice(2, 4)].map((move) => ({ move }));
    engine.result = { lines, chances: [0.6, 0.4], isThreat: false };
    expect(analysis.annotations().map(({ kind }) => kind)).toEqual(["best", "good"]);
    expect(analysis.chances).toEqual([0.6, 0.4]);
    engine.result = { lines, chances: [0.6, 0.4], isThreat: true };
    engine.analysedBoard = analysis.study?.board ?? null;
    expect(analysis.annotations().map(({ kind }) => kind)).toEqual(["threat"]);
    expect(analysis.chances).toBeNull();
    analysis.updateEngineSettings({ arrows: false });
    analysis.study?.draw({ from: "e5", to: null });
    expect(analysis.annotations()).toEqual([{ kind: "ring", from: "e5" }]);
  });

  it("gives a game that is over to its winner", async () => {
    const { analysis } = opened();
    await analysis.load("");
    await analysis.openText("wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbb1 w 6,0 0 2");
    expect(analysis.chances).toEqual([1, 0]);
  });
});
