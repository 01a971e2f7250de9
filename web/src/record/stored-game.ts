// The record of a local game, and its file in APGN.

import { t } from "../domain/i18n";
import { colourName, levelName } from "../domain/modes";
import { type StoredGame, type StoredSeat, store } from "../storage/games";
import { replayGame } from "../storage/replay";
import { type GameRecord, newRecord, type Referee } from "./record";
import { resultOf, title } from "./tags";
import { writeRecord } from "./writer";

const TERMINATIONS: Record<string, string> = { resigned: "resignation", flag: "time forfeit" };

/** A game as it was played here, players who left and clocks with it. */
export function recordOf(stored: StoredGame, referee: Referee): GameRecord {
  const { board } = replayGame(referee.kernel, stored);
  const { mode, outcome, moves } = stored;
  const record = newRecord(referee, stored.start, {
    Event: "Sumito",
    Date: new Date(stored.createdAt).toISOString().slice(0, 10).replaceAll("-", "."),
    ...Object.fromEntries(stored.seats.map((seat) => [title(seat.colour), nameOf(seat)])),
    ...rulesTags(stored),
    Result: resultOf(mode, outcome, board.out),
    Plies: String(moves.length),
    ...(outcome ? { Termination: TERMINATIONS[outcome.reason] ?? outcome.reason } : {}),
  });
  const at = record.board(referee.kernel, record.root);
  const leave = (after: number, node = record.root) => {
    for (const { colour } of stored.left.filter((one) => one.after === after)) {
      at.leave(colour);
      node.outs.push(colour);
    }
  };
  let node = record.root;
  leave(0);
  moves.forEach(({ move, clock }, index) => {
    node = node.add(move, at);
    node.clock = clock;
    at.push(move);
    leave(index + 1, node);
  });
  return record;
}

function rulesTags({ rules }: StoredGame): Record<string, string> {
  const options = [
    rules.win_at === 6 ? "" : `win_at=${rules.win_at}`,
    rules.repetition ? `repetition=${rules.repetition}` : "",
    rules.ply_limit ? `ply_limit=${rules.ply_limit}` : "",
    rules.stuck === "by-mode" ? "" : `stuck=${rules.stuck}`,
    rules.partner_sidestep === "any" ? "" : `partner_sidestep=${rules.partner_sidestep}`,
  ].filter((one) => one !== "");
  if (options.length === 0) return {};
  return { Rules: options.join(" ") === "repetition=3" ? "tournament" : options.join(" ") };
}

function nameOf({ kind, level, colour, name }: StoredSeat): string {
  if (kind !== "computer") return name || colourName(colour);
  return t("Computer ({level})", { level: levelName(level ?? "friendly") });
}

/** Give a text to the person as a file. */
export function saveText(text: string, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export async function download(id: string): Promise<void> {
  const { referee } = await import("./referee");
  const [stored, judge] = await Promise.all([store.get(id), referee()]);
  if (stored) saveText(writeRecord(recordOf(stored, judge), judge.kernel), `sumito-${id}.apgn`);
}
