// What belongs beside the compiled files: the network and the layouts, as the Python package has
// them. The kernel itself is built by `make kernel`.

import { access, copyFile } from "node:fs/promises";

const dist = new URL("./dist/", import.meta.url);
const data = new URL("../../src/sumito/data/", import.meta.url);

for (const name of ["network.bin", "layouts.json"]) {
  await copyFile(new URL(name, data), new URL(name, dist));
}
for (const name of ["kernel.wasm", "kernel-relaxed.wasm", "kernel-plain.wasm"]) {
  await access(new URL(name, dist)).catch(() => {
    throw new Error(`${name} is missing: run make kernel first`);
  });
}
