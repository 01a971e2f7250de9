// What the rulebooks leave open and players may agree on: fields of the dialog, and their answers.

import { html, nothing, type TemplateResult } from "lit";
import { t } from "../../domain/i18n";
import { isTeam } from "../../domain/modes";
import type { Mode, RuleOptions } from "../../domain/protocol";
import { switchField } from "../../ui/form-controls";

const MOVE_LIMITS = [50, 100, 200, 300];

/** `talks`: whether the players write to each other at all. */
export function openQuestions(mode: Mode, talks: boolean): TemplateResult {
  return html`<label class="field"
      ><span>${t("A player who can't move")}</span
      ><select name="stuck">
        ${stuckAnswers(mode).map(([value, text]) => html`<option value=${value}>${text}</option>`)}
      </select></label
    >
    <label class="field"
      ><span>${t("Limit of moves")}</span
      ><select name="ply_limit">
        <option value="">${t("No limit")}</option>
        ${MOVE_LIMITS.map((plies) => html`<option value=${plies}>${plies}</option>`)}
      </select></label
    >
    ${
      isTeam(mode)
        ? html`${switchField(t("Only one's own marbles may side-step"), false, { name: "own_sidestep" })}
          ${talks ? switchField(t("Partners may write to each other"), false, { name: "team_talk" }) : nothing}`
        : nothing
    }`;
}

function stuckAnswers(mode: Mode): [string, string][] {
  const [loses, passes] = [t("loses"), t("is passed over")];
  const others: [string, string] = mode === "two" ? ["passes", passes] : ["loses", loses];
  return [["by-mode", mode === "two" ? loses : passes], others, ["draws", t("the game is a draw")]];
}

/** The answers that differ from the usual ones. */
export function ruleOptionsOf(form: FormData): RuleOptions {
  const stuck = String(form.get("stuck") ?? "by-mode");
  const limit = Number(form.get("ply_limit") ?? 0);
  return {
    ...(stuck === "by-mode" ? {} : { stuck }),
    ...(limit > 0 ? { ply_limit: limit } : {}),
    ...(form.get("own_sidestep") === "on" ? { partner_sidestep: "none" } : {}),
    ...(form.get("team_talk") === "on" ? { team_talk: "free" } : {}),
  };
}
