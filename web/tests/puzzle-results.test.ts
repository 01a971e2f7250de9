// Results of puzzles that were solved without a network are told when there is one again, once, to
// the account that solved them.

import { beforeEach, describe, expect, it, vi } from "vitest";
import { knownAccount, fetchStanding, submitResult } from "../src/puzzles/results-sync";

interface Server {
  account: string | null;
  up: boolean;
  told: string[];
}

const kept = new Map<string, string>();
let server: Server;

function answer(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), { status });
}

beforeEach(() => {
  kept.clear();
  server = { account: "ann", up: true, told: [] };
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  vi.stubGlobal("fetch", async (path: string, asked?: RequestInit) => {
    if (!server.up) throw new TypeError("no network");
    if (path === "/api/me") {
      return answer({ id: server.account ?? "guest", account: server.account && {} });
    }
    const puzzle = /^\/api\/puzzles\/(\w+)\/results$/.exec(path)?.[1];
    if (puzzle === "unknown") return answer({ error: { code: "x", message: "x" } }, 404);
    if (puzzle) server.told.push(`${server.account} ${puzzle} ${asked?.body}`);
    return answer({ rating: 1000 + server.told.length });
  });
});

describe("results without a network", () => {
  it("are told in their order as soon as there is one, and once", async () => {
    await fetchStanding();
    server.up = false;
    expect(await fetchStanding()).toBeNull();
    expect(await submitResult("p1", ["a1b2"])).toBeNull();
    expect(await submitResult("unknown", [])).toBeNull();
    expect(await submitResult("p2", [])).toBeNull();
    server.up = true;
    expect(await fetchStanding()).toMatchObject({ rating: 1002 });
    await fetchStanding();
    expect(server.told).toEqual(['ann p1 {"moves":[1]}', 'ann p2 {"moves":[]}']);
  });

  it("wait for the account that they belong to", async () => {
    await fetchStanding();
    server.up = false;
    await submitResult("p1", ["a1b2"]);
    server = { account: null, up: true, told: [] };
    expect(await fetchStanding()).toBeNull();
    expect(knownAccount()).toBeNull();
    expect(await submitResult("p3", [])).toBeNull();
    server.account = "ben";
    await fetchStanding();
    expect(server.told).toEqual([]);
    server.account = "ann";
    await fetchStanding();
    expect(server.told).toEqual(['ann p1 {"moves":[1]}']);
  });

  it("are told at once, each once, when several come together", async () => {
    await fetchStanding();
    const both = await Promise.all([submitResult("p1", ["a1b2"]), submitResult("p2", [])]);
    await fetchStanding();
    expect(both[0]).toEqual(both[1]);
    expect(server.told).toHaveLength(2);
  });
});
