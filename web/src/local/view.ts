// A stored game as the parts of the page want to see it.

import type { Board } from "../../kernel/src/board";
import type { Kernel } from "../../kernel/src/kernel";
import { RULEBOOK, type Rules, TOURNAMENT } from "../../kernel/src/types";
import type { Colour, Game, Moved, Outcome, Seat } from "../protocol";
import { type Clocks, shows } from "./clocks";
import type { StoredGame } from "./store";

export function rulesOf({ preset, win_at }: StoredGame["rules"]): Rules {
  return { ...(preset === "rulebook" ? RULEBOOK : TOURNAMENT), winAt: win_at };
}

/** The stored moves played through by the rules, with what each did. */
export function boardOf(
  kernel: Kernel,
  stored: StoredGame,
): { board: Board; moves: readonly Moved[] } {
  const board = kernel.board(stored.start, rulesOf(stored.rules));
  const moves: Moved[] = [];
  const leave = (after: number) => {
    for (const { colour } of stored.left.filter((one) => one.after === after)) board.leave(colour);
  };
  stored.moves.forEach(({ move, clock }, index) => {
    leave(index);
    const { turn: seat, ply } = board;
    const nacre = board.write(move, "nacre");
    moves.push({ ...board.push(move), ply, seat, nacre, clock });
  });
  leave(stored.moves.length);
  return { board, moves };
}

export function viewOf(
  stored: StoredGame,
  board: Board,
  moves: readonly Moved[],
  clocks: Clocks,
  version: number,
): Game {
  const outcome = stored.ended ?? (board.outcome as Outcome | null);
  const over = outcome !== null;
  const colours = stored.seats.map(({ colour }) => colour);
  const now = performance.now();
  const { control } = stored;
  return {
    id: stored.id,
    mode: stored.mode,
    layout: stored.layout,
    rules: stored.rules,
    control,
    rated: false,
    listed: false,
    created_at: stored.createdAt,
    status: over ? "over" : "playing",
    seats: stored.seats.map((seat) => seatOf(seat, board.out)),
    start: stored.start,
    position: board.position,
    turn: over ? null : board.turn,
    captured: board.captured,
    ply: board.ply,
    moves,
    legal: over ? [] : board.legalMoves(),
    clocks:
      control.kind === "none"
        ? null
        : Object.fromEntries(
            colours.map((colour) => [colour, shows(clocks, control, colour, now)]),
          ),
    running: over ? null : clocks.running,
    at: Date.now(),
    offers: { draw: [], takeback: [] },
    outcome,
    claimable: [],
    rematch: null,
    spectators: 0,
    chat: [],
    version,
    you: stored.seats.filter(({ kind }) => kind === "person").map(({ colour }) => colour),
  };
}

function seatOf(seat: StoredGame["seats"][number], out: readonly Colour[]): Seat {
  const person = seat.kind === "person";
  return {
    ...seat,
    name: null,
    online: true,
    you: person,
    out: out.includes(seat.colour),
    rating: null,
  };
}
