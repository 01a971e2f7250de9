// Texts that explain why a move was a mistake; the kernel finds the facts.

import type { Fault, Verdict } from "../../kernel/src/types";
import { t, tn } from "./i18n";

export function faultText({ code, count, cells: marbles }: Fault): string {
  const cells = marbles.join(", ");
  switch (code) {
    case "missed-win":
      return tn(
        "The game could have been won at once.",
        "The game could have been won in {count} moves.",
        count,
      );
    case "allowed-win":
      return tn("The opponent can win at once.", "The opponent can win in {count} moves.", count);
    case "missed-ejection":
      return tn(
        "The marble on {cells} could have been pushed off at once.",
        "The marble on {cells} could have been pushed off in {count} moves.",
        count,
        { cells },
      );
    case "allowed-ejection":
      return tn(
        "The marble on {cells} will be pushed off at once.",
        "The marble on {cells} will be pushed off in {count} moves.",
        count,
        { cells },
      );
    case "unsupported":
      return t("The marble on {cells} was left without support.", { cells });
    case "exposed":
      return tn(
        "The marble went to {cells}, where it can be pushed off.",
        "The marbles went to {cells}, where they can be pushed off.",
        count,
        { cells },
      );
    case "gave-up-pac":
      return t(
        "The pac of {count} against {count} was given up: the row at {cells} can be pushed.",
        { count, cells },
      );
    case "broke-group":
      return t("The group of {count} was broken up: {cells} got cut off.", { count, cells });
    case "left-centre":
      return tn(
        "The move went a step away from the centre.",
        "The move went away from the centre, {count} steps in all.",
        count,
      );
  }
}

export function verdictText(verdict: Verdict): string {
  const texts: Record<Verdict, string> = {
    good: t("Good move"),
    inaccuracy: t("Inaccuracy"),
    mistake: t("Mistake"),
    blunder: t("Blunder"),
  };
  return texts[verdict];
}
