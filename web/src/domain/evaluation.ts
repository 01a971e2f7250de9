// A search's score as people read it: a chance of winning, or marbles ahead.

import type { Line } from "../../kernel/src/types";
import { number, t } from "./i18n";
import { sidesOf } from "./modes";
import type { Mode } from "./protocol";

export type Score = Pick<Line, "score" | "winIn">;

export function percent(chance: number): string {
  return number(chance, { style: "percent" });
}

/** A score in marbles; `sign` is 1 for the mover's view and -1 for the opponent's. */
export function scoreText({ score, winIn }: Score, sign: 1 | -1 = 1): string {
  if (winIn !== null) {
    const count = Math.abs(winIn);
    return winIn * sign > 0 ? t("wins in {count}", { count }) : t("loses in {count}", { count });
  }
  const marbles = (score * sign) / 100;
  return signed(marbles, 2);
}

/** A number with its sign and a number of decimals; zero counts as positive. */
export function signed(value: number, decimals: number): string {
  const options = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return `${value < 0 ? "−" : "+"}${number(Math.abs(value), options)}`;
}

/** The chances of all sides, from the mover's chance and those of the others. */
export function sideChances(
  mode: Mode,
  side: number,
  chance: number,
  others: readonly (number | null)[] = [],
): number[] {
  const sides = sidesOf(mode).map((_, index) => index);
  const weight = (index: number) => Math.max(0.001, others[index] ?? 1);
  const rest = sides.filter((index) => index !== side).reduce((sum, one) => sum + weight(one), 0);
  return sides.map((index) =>
    index === side ? chance : ((1 - chance) * weight(index)) / Math.max(rest, 0.001),
  );
}
