// Loads the kernel, its network and the start positions, each on first use and once.

import layoutFile from "../../../src/sumito/data/layouts.json?url";
import networkFile from "../../../src/sumito/data/network.bin?url";
import simdFile from "../../kernel/dist/kernel.wasm?url";
import plainFile from "../../kernel/dist/kernel-plain.wasm?url";
import relaxedFile from "../../kernel/dist/kernel-relaxed.wasm?url";
import { type Build, fastestBuild, Kernel, type Port, type Sources } from "../../kernel/src/kernel";
import { type Layout, type LayoutFile, layoutsOf } from "../../kernel/src/layouts";
import { fetchFile, PageError } from "../domain/errors";
import type { Mode } from "../domain/protocol";

const FILES: Record<Build, string> = {
  relaxed: relaxedFile,
  simd: simdFile,
  plain: plainFile,
};

const sources: Sources = {
  wasm: async () => compiled(await fetchFile(FILES[fastestBuild()])),
  network: async () => (await fetchFile(networkFile)).arrayBuffer(),
  worker: () =>
    new Worker(new URL("./worker.ts", import.meta.url), { type: "module" }) as unknown as Port,
};

/** Compile while it arrives, or afterwards from hosts that don't know what WebAssembly is. */
async function compiled(answer: Response): Promise<WebAssembly.Module> {
  if (answer.headers.get("Content-Type") === "application/wasm") {
    return WebAssembly.compileStreaming(answer);
  }
  return WebAssembly.compile(await answer.arrayBuffer());
}

let loading: Promise<Kernel> | null = null;

/** The kernel; raise `PageError` if it can't be fetched or can't run here. */
export function kernel(): Promise<Kernel> {
  loading ??= load().catch((error) => {
    loading = null; // the network may be back next time
    throw error;
  });
  return loading;
}

/** Raise `PageError`: "no-engine" if this browser can't compile or start WebAssembly. */
async function load(): Promise<Kernel> {
  if (typeof WebAssembly === "undefined") throw new PageError("no-engine");
  try {
    return await Kernel.load(sources);
  } catch (cause) {
    throw cause instanceof PageError ? cause : new PageError("no-engine", { cause });
  }
}

let layoutsLoading: Promise<LayoutFile> | null = null;

/** The start positions of a mode, without asking a server. */
export async function layouts(mode: Mode): Promise<Layout[]> {
  layoutsLoading ??= fetchFile(layoutFile)
    .then((answer) => answer.json() as Promise<LayoutFile>)
    .catch((error) => {
      layoutsLoading = null;
      throw error;
    });
  return layoutsOf(await layoutsLoading, mode);
}
