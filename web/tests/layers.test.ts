// The contract of the layers fails on imports that it forbids.

import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import { expect, it } from "vitest";
import config from "../.dependency-cruiser.cjs";

/** The names of the rules that files, given by their paths and contents, violate. */
async function violations(files: Record<string, string>): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "layers-"));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const { output } = await cruise(["src"], {
    ...config.options,
    baseDir: folder,
    validate: true,
    ruleSet: { forbidden: config.forbidden },
  });
  return (output as ICruiseResult).summary.violations.map(({ rule }) => rule.name);
}

const EXPORTS = "export const one = 1;\n";
const importing = (path: string) => `import { one } from "${path}";\nexport const two = one;\n`;

it.each([
  ["a lower layer", "src/play/page.ts", "src/domain/modes.ts"],
  ["its own folder", "src/play/page.ts", "src/play/seats.ts"],
  ["a feature, by app", "src/app/home.ts", "src/play/page.ts"],
])("a file may import %s", async (_, from, to) => {
  expect(await violations({ [from]: importing(`../../${to}`), [to]: EXPORTS })).toEqual([]);
});

it.each([
  ["a higher layer", "src/domain/modes.ts", "src/storage/games.ts", "domain-imports-lower-layers-only"],
  ["a feature, by a layer", "src/ui/dialog.ts", "src/play/page.ts", "ui-imports-lower-layers-only"],
  ["another feature", "src/play/page.ts", "src/lobby/page.ts", "features-import-no-other-feature"],
  ["app, by a feature", "src/play/page.ts", "src/app/shell.ts", "features-import-no-other-feature"],
  ["anything, by the board", "src/board/state.ts", "src/domain/modes.ts", "board-stands-alone"],
  ["anything, outside of the layers", "src/else/what.ts", "src/domain/modes.ts", "every-file-in-a-layer"],
])("a file may not import %s", async (_, from, to, rule) => {
  const found = await violations({ [from]: importing(`../../${to}`), [to]: EXPORTS });
  expect(found).toContain(rule);
});

it("types count as imports, and imports in a circle are forbidden", async () => {
  const found = await violations({
    "src/domain/a.ts": 'import type { B } from "./b";\nexport interface A { b: B }\n',
    "src/domain/b.ts": 'import type { A } from "./a";\nexport interface B { a: A }\n',
  });
  expect(new Set(found)).toEqual(new Set(["no-cycles"]));
});
