// The 1,272 moves by their number, in the order of the Python library, and what one does to the
// marbles on a board. No rules: the server says which moves are legal, this says what they mean.

import { CELLS, type Cell, DIRECTIONS, type Direction, step } from "../board/geometry";
import type { Colour, Effect, Marbles } from "../board/state";

interface NumberedMove {
  readonly name: string;
  readonly direction: Direction;
  /** In line, the rear cell alone; of a side-step, the cells from the lower end. */
  readonly cells: readonly Cell[];
}

const LONGEST = 3;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

function inLine(): NumberedMove[] {
  return CELLS.flatMap((rear) =>
    DIRECTIONS.flatMap((direction) => {
      const front = step(rear, direction);
      return front === null ? [] : [{ name: rear + front, direction, cells: [rear] }];
    }),
  );
}

function sideSteps(): NumberedMove[] {
  const axes = DIRECTIONS.slice(0, 3);
  return CELLS.flatMap((first) =>
    axes.flatMap((axis, number) =>
      [2, 3].flatMap((length) => {
        const cells = line(first, axis, length);
        return cells.length < length ? [] : besides(cells, number);
      }),
    ),
  );
}

function besides(cells: readonly Cell[], axis: number): NumberedMove[] {
  const [first, last] = [cells[0] as Cell, cells.at(-1) as Cell];
  return DIRECTIONS.filter((_, number) => number % 3 !== axis).flatMap((direction) => {
    const landing = step(first, direction);
    const fits = cells.every((cell) => step(cell, direction) !== null);
    return landing !== null && fits ? [{ name: first + last + landing, direction, cells }] : [];
  });
}

function line(from: Cell, direction: Direction, length: number): Cell[] {
  const cells = Array.from({ length }, (_, count) => step(from, direction, count));
  return cells.filter((cell) => cell !== null);
}

export const MOVES: readonly NumberedMove[] = [...inLine(), ...sideSteps()];
const NUMBERS = new Map(MOVES.map(({ name }, index) => [name, index]));

/** The number of a move by its name. */
export function numberOf(name: string): number {
  return NUMBERS.get(name) ?? -1;
}

/** The numbers in a text of two letters a move. */
export function unpack(text: string): number[] {
  return Array.from({ length: text.length / 2 }, (_, at) => {
    const [high, low] = [text[2 * at] as string, text[2 * at + 1] as string];
    return ALPHABET.indexOf(high) * 64 + ALPHABET.indexOf(low);
  });
}

/** What a legal move does here; in line, it takes along the marbles ahead of it. */
export function effectOf(index: number, marbles: Marbles, friends: readonly Colour[]): Effect {
  const { name: move, direction, cells } = MOVES[index] as NumberedMove;
  if (cells.length > 1) return { move, direction, moved: cells, pushed: [], ejected: null };
  const ahead = line(cells[0] as Cell, direction, 2 * LONGEST);
  const isFriend = (cell: Cell) => friends.includes(marbles.get(cell) as Colour);
  const moved = ahead.slice(
    0,
    upTo(ahead, (cell) => isFriend(cell)),
  );
  const rest = ahead.slice(moved.length);
  const pushed = rest.slice(
    0,
    upTo(rest, (cell) => marbles.has(cell)),
  );
  const last = pushed.at(-1);
  const falls = last !== undefined && step(last, direction) === null;
  return { move, direction, moved, pushed, ejected: falls ? (marbles.get(last) ?? null) : null };
}

function upTo<T>(list: readonly T[], holds: (one: T) => boolean): number {
  const end = list.findIndex((one) => !holds(one));
  return end < 0 ? list.length : end;
}
