// The kernel as the tests load it: from its files, and without a search.

import { readFileSync } from "node:fs";
import { hasSimd, Kernel } from "../kernel/src/kernel";
import { type LayoutFile, layoutsOf } from "../kernel/src/layouts";

/** A file, named from this folder. */
export const file = (path: string) => readFileSync(new URL(path, import.meta.url).pathname);

/** A text file. */
export const text = (path: string) => new TextDecoder().decode(file(path));

export function loadKernel(): Promise<Kernel> {
  const wasm = file(`../kernel/dist/${hasSimd() ? "kernel" : "kernel-plain"}.wasm`);
  const none = () => Promise.reject(new Error("no search here"));
  return Kernel.load({
    wasm: () => WebAssembly.compile(wasm as BufferSource),
    network: none,
    worker: none,
  });
}

const layoutFile: LayoutFile = JSON.parse(text("../../src/sumito/data/layouts.json"));

export const layouts = (mode: Parameters<typeof layoutsOf>[1]) => layoutsOf(layoutFile, mode);
