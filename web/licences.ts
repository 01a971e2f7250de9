// Writes licences.txt beside the bundle: the licences of all packages whose code is in it, and files
// with those of what is compiled in.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

export function licences(files: string[] = []): Plugin {
  return {
    name: "sumito-licences",
    apply: "build",
    generateBundle(_options, bundle) {
      const folders = new Set<string>();
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        for (const module of chunk.moduleIds) {
          const folder = packageFolder(module);
          if (folder !== undefined) folders.add(folder);
        }
      }
      const texts = files.map((file) => readFileSync(file, "utf8"));
      const source = [...[...folders].sort().map(notice), ...texts].join("\n");
      this.emitFile({ type: "asset", fileName: "licences.txt", source });
    },
  };
}

// The folder of the package that a module belongs to, unless it is ours.
export function packageFolder(module: string): string | undefined {
  return /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module.replaceAll("\\", "/"))?.[1];
}

// A package's name and licence text. A package without one may not be bundled.
export function notice(folder: string): string {
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    name: string;
    version: string;
    license?: string;
  };
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  if (file === undefined) throw new Error(`${about.name} has no file with its licence`);
  const text = readFileSync(join(folder, file), "utf8").trim();
  const head = `${about.name} ${about.version} (${about.license ?? "see below"})`;
  return `${head}\n${"=".repeat(head.length)}\n\n${text}\n`;
}
