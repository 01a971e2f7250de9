// Hints during play: what is on a cell, and what to do with the selected row.

import { type Colour, isInLine, movesOf, type View } from "../board/state";
import { t } from "../domain/i18n";
import { colourName } from "../domain/modes";

/** A cell, for screen readers. */
export function describeCell(cell: string, colour: Colour | null): string {
  return colour
    ? t("{cell}, {colour} marble", { cell, colour: colourName(colour) })
    : t("{cell}, empty", { cell });
}

/** What can be done with the selected row; empty if nothing is selected. */
export function selectionHint(cells: readonly string[], ways: number, view: View): string {
  if (cells.length === 0) return "";
  if (view.ahead) return t("Tap where it should go when your turn comes.");
  if (ways === 0 && cells.length === 1) {
    return t("It has no free way. Tap the last marble of a row to take all of it.");
  }
  if (ways === 0) return t("This row has no free way. Try another one.");
  if (cells.length === 1) return t("Tap an arrow to move, or another marble to take the row.");
  const sideways = movesOf(cells, view.legal).some((effect) => !isInLine(effect));
  return sideways ? t("Tap an arrow: along the row, or sideways.") : t("Tap an arrow.");
}
