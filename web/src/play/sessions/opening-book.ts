// The opening book of the strongest levels: moves of about equal score that a long search found,
// so that their games vary. `sumito.openings` describes the file; it is fetched on demand.

import openingsFile from "../../../../src/sumito/data/openings.txt?url";
import type { Board } from "../../../kernel/src/board";
import { fetchFile } from "../../domain/errors";
import { layouts } from "../../kernel/loader";
import type { StoredGame } from "../../storage/games";

/** A reply to the moves so far, the same for the same seed; null if none is known. */
export async function drawn(game: StoredGame, board: Board, seed: number): Promise<string | null> {
  const layout = (await layouts(game.mode)).find(({ id }) => id === game.layout);
  if (layout?.position !== game.start) return null;
  const name = game.mode === "two" ? game.layout : `${game.layout} ${game.mode}`;
  const legal = new Set(board.legalMoves().map(({ move }) => move));
  const replies = repliesTo(openingsOf(await text(), name), board.moves);
  const known = replies.filter((move) => legal.has(move));
  return known[thrown(seed, board.moves.length) % known.length] ?? null;
}

/** A die for each ply of a game. */
function thrown(seed: number, ply: number): number {
  return Math.imul(seed ^ Math.imul(ply + 1, 0x9e3779b1), 0x85ebca6b) >>> 16;
}

let loading: Promise<string> | null = null;

function text(): Promise<string> {
  loading ??= fetchFile(openingsFile)
    .then((answer) => answer.text())
    .catch((error) => {
      loading = null; // the network may be back next time
      throw error;
    });
  return loading;
}

/** The entry of a layout: its symmetries, and its replies. */
export interface Openings {
  readonly symmetry: string;
  readonly lines: readonly string[];
}

export function openingsOf(file: string, layout: string): Openings {
  const head = `${layout}: `;
  const block = file.split(/\r?\n\r?\n/).find((one) => one.startsWith(head)) ?? head;
  const [facts = "", ...lines] = block.slice(head.length).trimEnd().split(/\r?\n/);
  return { symmetry: facts.split(" ")[0] ?? "", lines };
}

/** The replies to the moves from a layout's start, or to their image under a symmetry. */
export function repliesTo({ symmetry, lines }: Openings, moves: readonly string[]): string[] {
  const found = new Set<string>();
  for (const carried of [(move: string) => move, (move: string) => image(move, symmetry)]) {
    const start = moves.map((move) => `${carried(move)} `).join("");
    const line = lines.find((one) => one.startsWith(start) && /[+-]/.test(one[start.length] ?? ""));
    const [, ...replies] = line?.slice(start.length).split(" ") ?? [];
    for (const reply of replies) found.add(carried(reply.split("-")[0] ?? ""));
  }
  return [...found];
}

/** A move turned or mirrored; the symmetries of layouts are their own inverses. */
export function image(move: string, symmetry: string): string {
  const [, mirrored = "", turns = ""] = /^(mirror|turn)(\d)$/.exec(symmetry) ?? [];
  const carried = (move.match(/../g) ?? []).map((cell) => {
    // Steps from the centre e5: x along E, y along NW.
    let [x, y] = [Number(cell[1]) - 5, cell.charCodeAt(0) - E];
    if (mirrored === "mirror") x = y - x;
    for (let n = 0; n < Number(turns); n++) [x, y] = [x - y, x];
    return [x, y] as const;
  });
  const [first, last, target] = carried;
  if (!first || !last) return move;
  if (!target) return name(first) + name(last);
  // A side-step is named by its lower end, the other end, and where the lower end goes.
  if (name(first) < name(last)) return name(first) + name(last) + name(target);
  const step = [target[0] - first[0], target[1] - first[1]] as const;
  return name(last) + name(first) + name([last[0] + step[0], last[1] + step[1]]);
}

const E = "e".charCodeAt(0);

function name([x, y]: readonly [number, number]): string {
  return String.fromCharCode(y + E) + (x + 5);
}
