// The kernel as the tests load it: from its files, and without a search.

import { readFileSync } from "node:fs";
import { type Build, fastestBuild, Kernel } from "../kernel/src/kernel";
import { type LayoutFile, layoutsOf } from "../kernel/src/layouts";

/** A file, named from this folder. */
export const file = (path: string) => readFileSync(new URL(path, import.meta.url).pathname);

/** A text file. */
export const text = (path: string) => new TextDecoder().decode(file(path));

const FILES: Record<Build, string> = {
  relaxed: "kernel-relaxed",
  simd: "kernel",
  plain: "kernel-plain",
};

export function loadKernel(): Promise<Kernel> {
  const wasm = file(`../kernel/dist/${FILES[fastestBuild()]}.wasm`);
  const none = () => Promise.reject(new Error("no search here"));
  return Kernel.load({
    wasm: () => WebAssembly.compile(wasm as BufferSource),
    network: none,
    worker: none,
  });
}

const layoutFile: LayoutFile = JSON.parse(text("../../src/sumito/data/layouts.json"));

export const layouts = (mode: Parameters<typeof layoutsOf>[1]) => layoutsOf(layoutFile, mode);
