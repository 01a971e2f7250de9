// The record of a game in this page, in the community's APGN.

import type { Game } from "../games/game";
import { colourName, sideOf } from "../modes";
import type { Colour } from "../protocol";

const TERMINATIONS: Record<string, string> = { resigned: "resignation", flag: "time forfeit" };

export function apgn(game: Game): string {
  const date = new Date(game.created_at).toISOString().slice(0, 10).replaceAll("-", ".");
  const result = resultOf(game);
  const tags: [string, string][] = [
    ["Event", "Sumito"],
    ["Date", date],
    ...game.seats.slice(0, 2).map((seat): [string, string] => [title(seat.colour), nameOf(seat)]),
    ["Variant", game.layout],
    ["Result", result],
    ["Notation", "Aba-Pro"],
    ...game.seats.slice(2).map((seat): [string, string] => [title(seat.colour), nameOf(seat)]),
    ...(game.mode === "two" ? [] : [["Mode", game.mode] as [string, string]]),
    ["Plies", String(game.moves.length)],
    ...(game.outcome
      ? [
          ["Termination", TERMINATIONS[game.outcome.reason] ?? game.outcome.reason] as [
            string,
            string,
          ],
        ]
      : []),
  ];
  const head = tags.map(([name, value]) => `[${name} "${value.replace(/["\\]/g, "")}"]`);
  const players = game.seats.length;
  const text = game.moves.map(({ move }, n) =>
    n % players ? move : `${n / players + 1}. ${move}`,
  );
  return `${head.join("\n")}\n\n${wrap([...text, result].join(" "))}\n\n`;
}

function title(colour: Colour): string {
  return colour[0]?.toUpperCase() + colour.slice(1);
}

function nameOf({ kind, level, colour, name }: Game["seats"][number]): string {
  return kind === "computer" ? `Computer (${level})` : name || colourName(colour);
}

function resultOf({ mode, outcome, seats }: Game): string {
  if (!outcome || outcome.reason === "aborted") return "*";
  const sides = mode === "three" ? seats.length : 2;
  const winner = outcome.winner === null ? null : sideOf(mode, outcome.winner);
  if (winner === null) return sides === 2 ? "1/2-1/2" : Array(sides).fill("1/3").join("-");
  return Array.from({ length: sides }, (_, side) => (side === winner ? 1 : 0)).join("-");
}

function wrap(text: string): string {
  return text.replace(/(.{1,78})(?: |$)/g, "$1\n").trimEnd();
}

export function download(game: Game): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([apgn(game)], { type: "text/plain" }));
  link.download = `sumito-${game.id}.apgn`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
