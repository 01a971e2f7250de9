// Converts the rules of a game to those of the kernel.

import type { Rules } from "../../kernel/src/types";
import type * as protocol from "../domain/protocol";

export function rulesOf(rules: protocol.Rules): Rules {
  return {
    winAt: rules.win_at,
    repetition: rules.repetition ?? 0,
    plyLimit: rules.ply_limit ?? 0,
    partnerSideStep: rules.partner_sidestep as "any" | "none",
    stuck: rules.stuck as "by-mode" | "loses" | "draws" | "passes",
  };
}
