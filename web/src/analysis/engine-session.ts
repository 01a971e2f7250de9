// The engine beside the analysis board: searches the shown position until another is shown.
// Results are published at most ten times a second, to keep the page responsive.

import type { Board } from "../../kernel/src/board";
import type { Search } from "../../kernel/src/search";
import type { Line } from "../../kernel/src/types";
import type { Colour } from "../board/state";
import { engineError } from "../domain/errors";
import { sideChances } from "../domain/evaluation";
import { orderOf, sideOf, sidesOf } from "../domain/modes";
import type { Mode } from "../domain/protocol";
import { kernel } from "../kernel/loader";
import { withTurn } from "../record/position";
import { analyseOnServer } from "./server-engine";

/** The search begins after a delay, so that stepping through a game starts none. */
const SEARCH_DELAY_MS = 150;
const UPDATE_INTERVAL_MS = 100;
const MAX_SEARCH_MS = 180_000;
/** The limit of a first search, and of that for the other players' chances among three. */
const QUICK_SEARCH_NODES = 20_000;

/** A line with the chance of the player who makes its first move. */
export interface JudgedLine extends Line {
  readonly chance: number;
}

export interface EngineResult {
  /** Whose moves the lines begin with. */
  readonly turn: Colour;
  readonly lines: readonly JudgedLine[];
  /** The chance of each side. */
  readonly chances: readonly number[];
  readonly isThreat: boolean;
  /** Found by the server's engine. */
  readonly isFromServer: boolean;
}

export interface SearchOptions {
  readonly lines: number;
  /** What if it were the other's turn? */
  readonly threat: boolean;
  /** By the server's engine, if it can be had. */
  readonly useServer: boolean;
}

/** Dispatches `change` when there is more to say. */
export class EngineSession extends EventTarget {
  result: EngineResult | null = null;
  /** The board that is searched: for a threat, with another player to move. */
  analysedBoard: Board | null = null;
  /** What went wrong, if the engine can't be had. */
  failed = "";
  private search: Search | null = null;
  private delayTimer: ReturnType<typeof setTimeout> | undefined;
  private publishTimer: ReturnType<typeof setTimeout> | undefined;
  private round = 0;
  private serverRequest: AbortController | null = null;

  /** Search a board; with null, nothing. */
  analyse(board: Board | null, options: SearchOptions): void {
    clearTimeout(this.delayTimer);
    const round = ++this.round;
    this.search?.stop();
    this.serverRequest?.abort();
    this.result = null;
    this.publish();
    if (board === null || board.outcome !== null) return;
    this.delayTimer = setTimeout(() => {
      this.run(board, options, round).catch((error) => {
        if (round !== this.round) return;
        this.failed = engineError(error).message;
        this.publish();
      });
    }, SEARCH_DELAY_MS);
  }

  close(): void {
    clearTimeout(this.delayTimer);
    clearTimeout(this.publishTimer);
    this.round++;
    this.serverRequest?.abort();
    this.search?.close();
    this.search = null;
  }

  private async run(board: Board, options: SearchOptions, round: number): Promise<void> {
    const loaded = await kernel();
    if (round !== this.round) return;
    this.search ??= loaded.search({ hashMb: 32 });
    const mode = board.mode as Mode;
    const analysedBoard = options.threat ? loaded.board(threatOf(board), board.rules) : board;
    if (analysedBoard.outcome !== null) return;
    this.analysedBoard = analysedBoard;
    const others = mode === "three" ? await this.quickChances(board, round) : [];
    if (round !== this.round) return;
    this.failed = "";
    const turn = analysedBoard.turn as Colour;
    const onLines = (lines: readonly Line[], isFromServer = false) => {
      const judged = lines.map((line) => ({ ...line, chance: loaded.chance(line, mode) }));
      const [best] = judged;
      if (round !== this.round || !best) return;
      const chances = sideChances(mode, sideOf(mode, turn), best.chance, others);
      this.result = { turn, lines: judged, chances, isThreat: options.threat, isFromServer };
      this.publish();
    };
    const shared = { lines: options.lines, analysis: true };
    if (options.useServer) {
      // Something to see at once; and should the server go away, the page's engine is there.
      onLines(await this.search.start(analysedBoard, { ...shared, nodes: QUICK_SEARCH_NODES }));
      if (round !== this.round) return;
      this.serverRequest = new AbortController();
      const request = { position: analysedBoard.position, lines: options.lines };
      const onServerLines = (lines: readonly Line[]) => onLines(lines, true);
      if (
        (await analyseOnServer(request, onServerLines, this.serverRequest.signal)) ||
        round !== this.round
      )
        return;
    }
    onLines(await this.search.start(analysedBoard, { ...shared, time: MAX_SEARCH_MS }, onLines));
  }

  /** Each player's chance among three, if it were their turn. */
  private async quickChances(board: Board, round: number): Promise<(number | null)[]> {
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
          ? await this.search.start(seen, { nodes: QUICK_SEARCH_NODES, analysis: true })
          : [];
      found.push(best ? loaded.chance(best, mode) : null);
    }
    return found;
  }

  private publish(): void {
    if (this.publishTimer) return;
    this.publishTimer = setTimeout(() => {
      this.publishTimer = undefined;
      this.dispatchEvent(new Event("change"));
    }, UPDATE_INTERVAL_MS);
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
