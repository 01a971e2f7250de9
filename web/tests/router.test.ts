// Addresses of the page, also broken ones.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

describe("addresses", () => {
  beforeEach(() => {
    vi.stubGlobal("location", { pathname: "/", search: "", hash: "" });
  });
  afterEach(() => vi.unstubAllGlobals());

  it("lead nowhere when they can't be read, instead of throwing", async () => {
    const { route } = await import("../src/app/router");
    expect(route("/players/%E0%A4%A")).toEqual({ page: "missing" });
    expect(route("/players/")).toEqual({ page: "missing" });
    expect(route("/players/Bj%C3%B6rn")).toEqual({ page: "player", name: "Björn" });
  });
});
