// One request for the reader's session, however many parts of the page want to know who reads.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const requests: string[] = [];
let account: string | null;

function me(): object {
  return { id: account ?? "g1", name: account ?? "Guest 1", account: account && { name: account, ratings: {} }, language: "en" };
}

async function answer(path: string, { method = "GET" }: RequestInit = {}): Promise<Response> {
  requests.push(`${method} ${path}`);
  if (path === "/api/accounts") account = "ann";
  if (path === "/api/session") account = method === "POST" ? "ann" : null;
  if (path === "/api/me/learned") return Response.json({ steps: [] });
  if (path.startsWith("/api/puzzles")) return Response.json({ rating: 1000 });
  return Response.json(me());
}

/** The page's modules afresh, as after a reload, with what asks who the reader is. */
async function page() {
  vi.resetModules();
  const { userSession } = await import("../src/client/session");
  const { syncProgress } = await import("../src/learn/progress-sync");
  const { fetchStanding } = await import("../src/puzzles/results-sync");
  const { startSession } = await import("../src/app/session");
  userSession.addEventListener("change", () => void fetchStanding());
  startSession();
  syncProgress();
  await Promise.all([userSession.load(), fetchStanding()]);
  return userSession;
}

const asked = () => requests.filter((one) => one === "GET /api/me").length;
const settled = () => new Promise((resolve) => setTimeout(resolve));

beforeEach(() => {
  requests.length = 0;
  account = null;
  const stored = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
  vi.stubGlobal("fetch", vi.fn(answer));
  vi.stubGlobal("BroadcastChannel", undefined); // pages of earlier tests are no other tabs
});

afterEach(() => vi.unstubAllGlobals());

describe("the reader's session", () => {
  it("is asked for once at the start", async () => {
    const session = await page();
    expect(session.me?.name).toBe("Guest 1");
    expect(asked()).toBe(1);
  });

  it("is not asked for again by signing up, out and in", async () => {
    const session = await page();
    await session.register("ann", "a long password");
    await settled();
    expect(session.me?.account?.name).toBe("ann");
    await session.logOut();
    await settled();
    expect(session.me?.account).toBeNull();
    await session.logIn("ann", "a long password");
    await settled();
    expect(session.me?.account?.name).toBe("ann");
    expect(asked()).toBe(1);
  });

  it("keeps the answer to signing up when a request from before comes later", async () => {
    const session = await page();
    let release: (body: object) => void = () => undefined;
    const late = new Promise<object>((resolve) => {
      release = resolve;
    });
    const guest = me();
    vi.mocked(fetch).mockImplementationOnce(async () => Response.json(await late));
    const refreshed = session.refresh();
    await session.register("ann", "a long password");
    release(guest);
    expect((await refreshed)?.account?.name).toBe("ann");
    expect(session.me?.account?.name).toBe("ann");
  });

  it("can be asked for again after a failure", async () => {
    vi.resetModules();
    const { userSession } = await import("../src/client/session");
    vi.mocked(fetch).mockRejectedValueOnce(new TypeError("no network"));
    await expect(userSession.load()).rejects.toThrow();
    expect((await userSession.load())?.name).toBe("Guest 1");
  });
});
