// Writes the service worker beside the built page: which files there are, and a version that
// changes when any of them does.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin, ResolvedConfig } from "vite";

export function serviceWorker(source: string): Plugin {
  let config: ResolvedConfig;
  return {
    name: "sumito-service-worker",
    apply: "build",
    configResolved(resolved) {
      config = resolved;
    },
    closeBundle() {
      const out = join(config.root, config.build.outDir);
      const files = readdirSync(out, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name !== "sw.js")
        .map((entry) => join(entry.parentPath, entry.name).slice(out.length + 1))
        .map((name) => name.replaceAll("\\", "/"))
        .sort();
      const digest = createHash("sha256");
      for (const file of files) digest.update(file).update(readFileSync(join(out, file)));
      const script = readFileSync(join(config.root, source), "utf8")
        .replace("__VERSION__", digest.digest("hex").slice(0, 12))
        .replace("__FILES__", JSON.stringify(files));
      writeFileSync(join(out, "sw.js"), script);
    },
  };
}
