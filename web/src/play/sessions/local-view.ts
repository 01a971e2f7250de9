// The state of a local game from its stored form.

import type { Board } from "../../../kernel/src/board";
import type { GameState, MadeMove } from "../../domain/game-state";
import { sideOf, sidesOf } from "../../domain/modes";
import type { Ability, Colour, Outcome, Seat } from "../../domain/protocol";
import type { StoredGame } from "../../storage/games";
import { type Clocks, delayLeft, shows } from "./clocks";
import { pliesBack } from "./take-back";

export function viewOf(
  stored: StoredGame,
  board: Board,
  moves: readonly MadeMove[],
  clocks: Clocks,
  version: number,
): GameState {
  const outcome = stored.ended ?? (board.outcome as Outcome | null);
  const over = outcome !== null;
  const colours = stored.seats.map(({ colour }) => colour);
  const now = performance.now();
  const you = peopleOf(stored);
  const { control } = stored;
  return {
    id: stored.id,
    mode: stored.mode,
    sides: sidesOf(stored.mode),
    layout: stored.layout,
    rules: stored.rules,
    control,
    rated: false,
    listed: false,
    takebacks: true,
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
    delay_left: over ? 0 : delayLeft(clocks, control, now),
    at: Date.now(),
    offers: { draw: [], takeback: [], rematch: [], draw_agreed: [], takeback_agreed: [] },
    outcome,
    rematch: null,
    spectators: 0,
    chat: [],
    version,
    you,
    can: over ? ["rematch"] : abilities(stored, board, moves),
  };
}

/** How many plies a take-back would undo now. */
export function takeBackPlies(
  stored: StoredGame,
  board: Board,
  moves: readonly MadeMove[],
): number {
  const colours = stored.seats.map(({ colour }) => colour);
  const playing = colours.filter((colour) => !board.out.includes(colour));
  return pliesBack(moves, stored.left.at(-1)?.after ?? 0, peopleOf(stored), playing);
}

function peopleOf(stored: StoredGame): Colour[] {
  return stored.seats.filter(({ kind }) => kind === "person").map(({ colour }) => colour);
}

/** Has a side not moved yet, while nobody has left? */
function canAbort({ mode, left }: StoredGame, board: Board, moves: readonly MadeMove[]): boolean {
  const moved = new Set(moves.map(({ seat }) => sideOf(mode, seat)));
  const waits = (side: readonly Colour[], at: number) =>
    !moved.has(at) && side.some((colour) => !board.out.includes(colour));
  return left.length === 0 && sidesOf(mode).some(waits);
}

function abilities(stored: StoredGame, board: Board, moves: readonly MadeMove[]): Ability[] {
  const people = peopleOf(stored);
  if (people.every((colour) => board.out.includes(colour))) return [];
  return [
    ...(people.includes(board.turn) ? (["move"] as const) : []),
    canAbort(stored, board, moves) ? "abort" : "resign",
    ...(takeBackPlies(stored, board, moves) > 0 ? (["ask_takeback"] as const) : []),
    ...(people.length > 1 ? (["offer_draw"] as const) : []),
  ];
}

function seatOf(seat: StoredGame["seats"][number], out: readonly Colour[]): Seat {
  const { name = "" } = seat;
  return {
    ...seat,
    name,
    online: true,
    out: out.includes(seat.colour),
    rating: null,
    guest: false,
  };
}
