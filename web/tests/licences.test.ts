import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { notice, packageFolder } from "../licences.ts";

test("a module belongs to the innermost package that it lies in", () => {
  expect(packageFolder("/web/node_modules/lit/index.js")).toBe("/web/node_modules/lit");
  expect(packageFolder("/w/node_modules/a/node_modules/@lit/b/c.js")).toBe(
    "/w/node_modules/a/node_modules/@lit/b",
  );
  expect(packageFolder("C:\\web\\node_modules\\uqr\\dist\\index.js")).toBe(
    "C:/web/node_modules/uqr",
  );
  expect(packageFolder("/web/src/main.ts")).toBeUndefined();
});

test("a notice names the package and gives its licence whole", () => {
  const lit = notice("node_modules/lit");
  expect(lit).toMatch(/^lit \d+\.\d+\.\d+ \(BSD-3-Clause\)\n=+\n\nBSD 3-Clause License\n/);
  expect(lit).toContain("Copyright (c) 2017 Google LLC");
  expect(notice("node_modules/uqr")).toContain("MIT License");
});

test("a package without a licence is refused", () => {
  const folder = mkdtempSync(join(tmpdir(), "licences-"));
  writeFileSync(join(folder, "package.json"), '{ "name": "bare", "version": "1.0.0" }');
  expect(() => notice(folder)).toThrow("bare has no file with its licence");
});
