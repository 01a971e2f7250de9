// A game in a list: a little board, its players, and its state.

import { html, nothing, type TemplateResult } from "lit";
import { controlName, outcomeLine } from "../domain/game-texts";
import { locale, t } from "../domain/i18n";
import { modeName, seatName } from "../domain/modes";
import type { Summary } from "../domain/protocol";
import { personName } from "./person-name";
import { littleBoard, littleMarble } from "./pictures";

/** A game of this browser may carry why the server refused to keep it. */
export function gameRow(
  game: Summary & { readonly refused?: string | null },
  action: string,
): TemplateResult {
  return html`<li>
    <a class="game-row" href=${addressOf(game)}>
      ${littleBoard(game.position)}
      <span class="players"
        >${game.seats.map(
          (seat) =>
            html`<span>${littleMarble(seat.colour)} ${personName(seatName(seat), seat.guest)}${seat.rating ? html` <small>${Math.round(seat.rating)}</small>` : ""}</span>`,
        )}</span
      >
      <span class="about"
        >${modeName(game.mode)} · ${controlName(game.control)}${
          game.rated ? html` · <b class="rated">${t("rated")}</b>` : ""
        }<br />${standing(game)}${
          game.refused
            ? html`<br />${t("Not saved to your account: {reason}", { reason: game.refused })}`
            : nothing
        }</span
      >
      <span class="action">${action}</span>
    </a>
  </li>`;
}

/** Imported games have no page; they are opened on the analysis board. */
function addressOf({ id, imported }: Summary): string {
  return imported ? `/analysis?game=${id}` : `/g/${id}`;
}

function standing(game: Summary): string {
  const when = new Date(game.created_at).toLocaleDateString(locale());
  if (game.outcome) return `${outcomeLine(game.mode, game.outcome)} · ${when}`;
  if (game.status === "waiting") return `${t("Waiting for players.")} · ${when}`;
  return `${t("Moves: {count}", { count: game.moves })} · ${when}`;
}
