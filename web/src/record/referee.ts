// Loads the kernel together with all start positions: reading records and positions needs both.

import type { Layout } from "../../kernel/src/layouts";
import { MODES } from "../domain/modes";
import type { Mode } from "../domain/protocol";
import { kernel, layouts } from "../kernel/loader";
import type { Referee } from "./record";

export async function referee(): Promise<Referee> {
  const [loaded, ...lists] = await Promise.all([kernel(), ...MODES.map((mode) => layouts(mode))]);
  const known = new Map<Mode, readonly Layout[]>(
    MODES.map((mode, index) => [mode, lists[index] ?? []]),
  );
  return { kernel: loaded, layouts: (mode) => known.get(mode) ?? [] };
}
