// The package: a kernel whose parts lie beside this file, in a browser or in Node.

import { type Build, fastestBuild, Kernel, type Port, type Sources } from "./kernel.js";
import { type Layout, type LayoutFile, layoutsOf } from "./layouts.js";
import type { Mode } from "./types.js";

export { Board } from "./board.js";
export { Kernel, type Port, type Sources } from "./kernel.js";
export type { Layout } from "./layouts.js";
export { type Bench, Search } from "./search.js";
export * from "./types.js";

const FILES: Record<Build, string> = {
  relaxed: "kernel-relaxed.wasm",
  simd: "kernel.wasm",
  plain: "kernel-plain.wasm",
};

const inNode =
  typeof (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node ===
  "string";

/** Load the kernel. `base` is the folder of its parts, if they don't lie beside this file. */
export function load(base: string | URL = new URL("./", import.meta.url)): Promise<Kernel> {
  const bytes = (name: string) => fetchBytes(new URL(name, base));
  const sources: Sources = {
    wasm: async () => WebAssembly.compile(await bytes(FILES[fastestBuild()])),
    network: () => bytes("network.bin"),
    worker: () => (inNode ? nodeWorker(base) : webWorker(base)),
  };
  return Kernel.load(sources);
}

/** The start positions of a mode. */
export async function layouts(
  mode: Mode = "two",
  base: string | URL = new URL("./", import.meta.url),
): Promise<Layout[]> {
  const text = new TextDecoder().decode(await fetchBytes(new URL("layouts.json", base)));
  return layoutsOf(JSON.parse(text) as LayoutFile, mode);
}

async function fetchBytes(url: URL): Promise<ArrayBuffer> {
  if (url.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    const file = await readFile(url);
    return file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength) as ArrayBuffer;
  }
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} can't be fetched: ${answer.status}`);
  return answer.arrayBuffer();
}

function webWorker(base: string | URL): Port {
  return new Worker(new URL("worker.js", base), { type: "module" }) as unknown as Port;
}

/** A worker thread with the manners of a browser's worker. */
async function nodeWorker(base: string | URL): Promise<Port> {
  const { Worker } = await import("node:worker_threads");
  const thread = new Worker(new URL("worker-node.js", base));
  thread.unref(); // nobody should have to close it before a program can end
  const port: Port = {
    postMessage: (message) => thread.postMessage(message),
    onmessage: null,
    onerror: null,
    terminate: () => void thread.terminate(),
  };
  thread.on("message", (data) => port.onmessage?.({ data }));
  thread.on("error", ({ message }) => port.onerror?.({ message }));
  return port;
}
