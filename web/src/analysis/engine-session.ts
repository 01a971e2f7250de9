// The engine beside a board: it looks at what is shown, deeper and deeper, until something else is.
// What it finds is told at most ten times a second, so that the page stays quick.

import type { Board } from "../../kernel/src/board";
import type { Search } from "../../kernel/src/search";
import type { Line } from "../../kernel/src/types";
import type { Colour } from "../board/state";
import { engineError } from "../domain/errors";
import { shares } from "../domain/evaluation";
import { orderOf, sideOf, sidesOf } from "../domain/modes";
import type { Mode } from "../domain/protocol";
import { kernel } from "../kernel/loader";
import { withTurn } from "../record/position";
import { lookDeeper } from "./server-engine";

/** Between a position that is shown and the search of it: who walks through a game starts none. */
const PATIENCE = 150;
const TELL_EVERY = 100;
const LONGEST = 180_000;
/** How far a first look goes, and that into the other players' chances among three. */
const GLANCE = 20_000;

/** A line with the chance of the player who makes its first move. */
export interface JudgedLine extends Line {
  readonly chance: number;
}

export interface Insight {
  /** Whose moves the lines begin with. */
  readonly turn: Colour;
  readonly lines: readonly JudgedLine[];
  /** The chance of each side. */
  readonly chances: readonly number[];
  readonly isThreat: boolean;
  /** Found by the server's engine. */
  readonly isDeeper: boolean;
}

export interface Wanted {
  readonly lines: number;
  /** What if it were the other's turn? */
  readonly threat: boolean;
  /** By the server's engine, if it can be had. */
  readonly deeper: boolean;
}

/** Dispatches `change` when there is more to say. */
export class LiveEngine extends EventTarget {
  insight: Insight | null = null;
  /** The board that is looked at: for a threat, with another player to move. */
  looked: Board | null = null;
  /** What went wrong, if the engine can't be had. */
  failed = "";
  private search: Search | null = null;
  private waiting = 0;
  private telling = 0;
  private round = 0;
  private asking: AbortController | null = null;

  /** Look at a board, or at none. */
  look(board: Board | null, wanted: Wanted): void {
    clearTimeout(this.waiting);
    const round = ++this.round;
    this.search?.stop();
    this.asking?.abort();
    this.insight = null;
    this.tell();
    if (board === null || board.outcome !== null) return;
    this.waiting = window.setTimeout(() => {
      this.run(board, wanted, round).catch((error) => {
        if (round !== this.round) return;
        this.failed = engineError(error).message;
        this.tell();
      });
    }, PATIENCE);
  }

  close(): void {
    clearTimeout(this.waiting);
    clearTimeout(this.telling);
    this.round++;
    this.asking?.abort();
    this.search?.close();
    this.search = null;
  }

  private async run(board: Board, wanted: Wanted, round: number): Promise<void> {
    const loaded = await kernel();
    if (round !== this.round) return;
    this.search ??= loaded.search({ hashMb: 32 });
    const mode = board.mode as Mode;
    const looked = wanted.threat ? loaded.board(threatOf(board), board.rules) : board;
    if (looked.outcome !== null) return;
    this.looked = looked;
    const others = mode === "three" ? await this.glance(board, round) : [];
    if (round !== this.round) return;
    this.failed = "";
    const turn = looked.turn as Colour;
    const heard = (lines: readonly Line[], isDeeper = false) => {
      const judged = lines.map((line) => ({ ...line, chance: loaded.chance(line, mode) }));
      const [best] = judged;
      if (round !== this.round || !best) return;
      const chances = shares(mode, sideOf(mode, turn), best.chance, others);
      this.insight = { turn, lines: judged, chances, isThreat: wanted.threat, isDeeper };
      this.tell();
    };
    const shared = { lines: wanted.lines, analysis: true };
    if (wanted.deeper) {
      // Something to see at once; and should the server go away, the page's engine is there.
      heard(await this.search.start(looked, { ...shared, nodes: GLANCE }));
      if (round !== this.round) return;
      this.asking = new AbortController();
      const look = { position: looked.position, lines: wanted.lines };
      const told = (lines: readonly Line[]) => heard(lines, true);
      if ((await lookDeeper(look, told, this.asking.signal)) || round !== this.round) return;
    }
    heard(await this.search.start(looked, { ...shared, time: LONGEST }, heard));
  }

  /** How each of three would stand if it were their turn. */
  private async glance(board: Board, round: number): Promise<(number | null)[]> {
    const mode = board.mode as Mode;
    const loaded = await kernel();
    const found: (number | null)[] = [];
    for (const [colour] of sidesOf(mode)) {
      if (!colour || !this.search || round !== this.round || board.out.includes(colour)) {
        found.push(colour && board.out.includes(colour) ? 0 : null);
        continue;
      }
      const seen = loaded.board(withTurn(board.position, colour), board.rules);
      const [best] =
        seen.outcome === null
          ? await this.search.start(seen, { nodes: GLANCE, analysis: true })
          : [];
      found.push(best ? loaded.chance(best, mode) : null);
    }
    return found;
  }

  private tell(): void {
    if (this.telling) return;
    this.telling = window.setTimeout(() => {
      this.telling = 0;
      this.dispatchEvent(new Event("change"));
    }, TELL_EVERY);
  }
}

/** The position as it would be if the next opponent were to move. */
function threatOf(board: Board): string {
  const mode = board.mode as Mode;
  const order = orderOf(mode);
  const turn = board.turn as Colour;
  const at = order.indexOf(turn);
  const next = order.map((_, step) => order[(at + step + 1) % order.length] as Colour);
  const other = next.find(
    (one) => sideOf(mode, one) !== sideOf(mode, turn) && !board.out.includes(one),
  );
  return withTurn(board.position, other ?? turn);
}
