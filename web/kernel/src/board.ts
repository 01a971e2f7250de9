// A board with its past: everything one can ask of the rules, answered at once.

import type { Kernel } from "./kernel.js";
import { type Memory, type Reader, wrong } from "./memory.js";
import {
  CELLS,
  type Cell,
  COLOURS,
  type Colour,
  DIRECTIONS,
  type Direction,
  type Effect,
  FAULTS,
  type Fault,
  type Formation,
  KernelError,
  MODES,
  type Mode,
  NOTATIONS,
  type Notation,
  type Outcome,
  REASONS,
  type Refusal,
  type Rules,
  WORDS,
  type Word,
} from "./types.js";

const PARTNER = ["any", "none"] as const;
const STUCK = ["by-mode", "loses", "draws", "passes"] as const;

/** A board as a worker can make it again. */
export interface BoardState {
  readonly position: string;
  readonly rules: Rules;
  readonly moves: readonly number[];
}

/** Boards that are forgotten give their memory back. */
const forgotten = new FinalizationRegistry<{ memory: Memory; at: number }>(({ memory, at }) =>
  memory.ask("board_free", at),
);

interface Facts {
  readonly mode: Mode;
  readonly turn: Colour;
  readonly quiet: number;
  readonly ply: number;
  readonly out: readonly Colour[];
  readonly occurrences: number;
  readonly outcome: Outcome | null;
  readonly captured: readonly number[];
}

export class Board {
  /** Where it lies in the kernel's memory, for the kernel's own worker. */
  readonly address: number;
  private start: string;
  private readonly played: number[] = [];
  private known: Facts | null = null;

  /** Use `kernel.board`. */
  constructor(
    private readonly kernel: Kernel,
    private readonly memory: Memory,
    position: string,
    readonly rules: Rules,
  ) {
    this.start = position;
    this.address = memory.ask("board_new", memory.write(position), ...optionsOf(rules));
    if (this.address === 0) {
      const message = memory.readText(memory.ask("out_text_size"));
      throw new KernelError(message, { code: "position", values: { message } });
    }
    forgotten.register(this, { memory, at: this.address });
  }

  /** The position as a text that `kernel.board` reads. */
  get position(): string {
    return this.memory.readText(this.memory.ask("board_text", this.address));
  }

  get mode(): Mode {
    return this.facts().mode;
  }
  /** The colour to move. */
  get turn(): Colour {
    return this.facts().turn;
  }
  /** How many marbles each side has ejected. */
  get captured(): readonly number[] {
    return this.facts().captured;
  }
  /** Plies since the last ejection. */
  get quiet(): number {
    return this.facts().quiet;
  }
  /** The number of the coming ply, from 1. */
  get ply(): number {
    return this.facts().ply;
  }
  /** Players who left and are passed over. */
  get out(): readonly Colour[] {
    return this.facts().out;
  }
  /** How often this position has stood since the last ejection. */
  get occurrences(): number {
    return this.facts().occurrences;
  }
  /** How the game ended, or null while it goes on. */
  get outcome(): Outcome | null {
    return this.facts().outcome;
  }
  /** The moves played, as far back as they can be taken back. */
  get moves(): readonly string[] {
    return this.played.map((index) => this.kernel.nameOf(index));
  }

  /** Every legal move with what it does; none once the game is over. */
  legalMoves(): Effect[] {
    const numbers = this.memory.readNumbers(this.memory.ask("board_legal", this.address));
    const effects: Effect[] = [];
    while (!numbers.done) effects.push(this.effectFrom(numbers));
    return effects;
  }

  /** What a legal move does; a `KernelError` says why it isn't legal. */
  effect(move: string): Effect {
    const numbers = this.memory.readNumbers(
      this.memory.ask("board_effect", this.address, this.kernel.indexOf(move)),
    );
    if (numbers.done) throw refused(move, this.why(move));
    return this.effectFrom(numbers);
  }

  /** Play a move; a `KernelError` says why it isn't legal. */
  push(move: string): Effect {
    const effect = this.effect(move);
    this.memory.ask("board_push", this.address, effect.index);
    this.played.push(effect.index);
    this.known = null;
    return effect;
  }

  /** Take the last move back; returns its name. */
  pop(): string {
    const last = this.played.pop();
    if (last === undefined) wrong("no-move", "there is no move to take back");
    this.memory.ask("board_pop", this.address);
    this.known = null;
    return this.kernel.nameOf(last);
  }

  /** A player leaves: turns pass over them, their marbles stay. Can't be taken back. */
  leave(colour: Colour): void {
    if (!this.memory.ask("board_leave", this.address, COLOURS.indexOf(colour))) {
      wrong("colour", `${colour} can't leave and let the others play on`, { colour });
    }
    this.known = null;
    this.played.length = 0;
    this.start = this.position;
  }

  /** Which rule forbids a move, or null. */
  why(move: string): Refusal | null {
    const refusal = this.memory.readText(
      this.memory.ask("board_why", this.address, this.kernel.indexOf(move)),
    );
    return refusal === "" ? null : JSON.parse(refusal);
  }

  /** The move of a hand that takes these marbles and goes that way, legal or not. */
  moveOf(cells: readonly Cell[], direction: Direction): string | null {
    const numbers = cells.map((cell) => CELLS.indexOf(cell));
    if (numbers.includes(-1)) return null;
    const way = DIRECTIONS.indexOf(direction);
    const index = this.memory.ask("move_of", this.memory.writeNumbers(numbers), way);
    return index < 0 ? null : this.kernel.nameOf(index);
  }

  /** Read a legal move; a `KernelError` says why it isn't one. */
  read(text: string, notation: Notation = "aba-pro"): string {
    const size = this.memory.write(text);
    const index = this.memory.ask("board_read", this.address, size, numberOf(NOTATIONS, notation));
    if (index >= 0) return this.kernel.nameOf(index);
    throw refused(text, JSON.parse(this.memory.readText(this.memory.ask("out_text_size"))));
  }

  /** Write a legal move. */
  write(move: string, notation: Notation = "aba-pro"): string {
    const { index } = this.effect(move);
    const length = this.memory.ask(
      "board_write",
      this.address,
      index,
      numberOf(NOTATIONS, notation),
    );
    return this.memory.readText(length);
  }

  /** Every formation on the board, or those of some words. */
  formations(...words: readonly Word[]): Formation[] {
    const wanted = (words.length ? words : WORDS).map((word) => numberOf(WORDS, word));
    const bits = wanted.reduce((set, word) => set | (1 << word), 0);
    const numbers = this.memory.readNumbers(
      this.memory.ask("board_formations", this.address, bits),
    );
    const found: Formation[] = [];
    while (!numbers.done) found.push(this.formationFrom(numbers));
    return found;
  }

  /**
   * Why a move here was a mistake, the most telling first: `better` is the line to be preferred,
   * `punishment` the play expected after the move. A `KernelError` names a move that isn't legal.
   */
  faults(move: string, better: readonly string[], punishment: readonly string[] = []): Fault[] {
    const [played = -1, ...after] = this.playable([move, ...punishment]);
    this.memory.writeNumbers([...this.playable(better), ...after]);
    const sizes = [better.length, punishment.length];
    const numbers = this.memory.readNumbers(
      this.memory.ask("board_faults", this.address, played, ...sizes),
    );
    const found: Fault[] = [];
    while (!numbers.done) {
      found.push({
        code: of(FAULTS, numbers.next()),
        count: numbers.next(),
        cells: cellsFrom(numbers),
      });
    }
    return found;
  }

  /** The numbers of moves that can be played one after another. */
  private playable(line: readonly string[]): number[] {
    const trial = this.copy();
    return line.map((move) => trial.push(move).index);
  }

  /** A board of its own with the same past. */
  copy(): Board {
    const twin = new Board(this.kernel, this.memory, this.start, this.rules);
    for (const index of this.played) {
      this.memory.ask("board_push", twin.address, index);
      twin.played.push(index);
    }
    return twin;
  }

  /** For the kernel's worker. */
  state(): BoardState {
    return { position: this.start, rules: this.rules, moves: [...this.played] };
  }

  private facts(): Facts {
    this.known ??= this.readFacts();
    return this.known;
  }

  private readFacts(): Facts {
    const numbers = this.memory.readNumbers(this.memory.ask("board_facts", this.address));
    const mode = of(MODES, numbers.next());
    const turn = of(COLOURS, numbers.next());
    const quiet = numbers.next();
    const ply = numbers.next();
    const bits = numbers.next();
    const occurrences = numbers.next();
    const reason = numbers.next();
    const winner = numbers.next();
    return {
      mode,
      turn,
      quiet,
      ply,
      out: COLOURS.filter((_, colour) => bits & (1 << colour)),
      occurrences,
      outcome:
        reason === 0 ? null : { winner: colourFrom(winner), reason: of(REASONS, reason - 1) },
      captured: numbers.list(),
    };
  }

  private effectFrom(numbers: Reader): Effect {
    const index = numbers.next();
    return {
      move: this.kernel.nameOf(index),
      index,
      direction: of(DIRECTIONS, numbers.next()),
      ejected: colourFrom(numbers.next()),
      moved: cellsFrom(numbers),
      pushed: cellsFrom(numbers),
    };
  }

  private formationFrom(numbers: Reader): Formation {
    const word = of(WORDS, numbers.next());
    const colour = of(COLOURS, numbers.next());
    const shape = of(WORDS, numbers.next()) as "lance" | "arc" | "shield";
    const row = numbers.next();
    const direction = of(DIRECTIONS, numbers.next());
    const behind = numbers.next();
    const playable = numbers.next() === 1;
    const cells = cellsFrom(numbers);
    const moves = numbers.list().map((index) => this.kernel.nameOf(index));
    return {
      word,
      colour,
      cells,
      ...(word === "triple" ? { shape } : {}),
      ...(word === "sumito" || word === "pac" ? { row, direction } : {}),
      ...(word === "sumito"
        ? { behind: behind < 0 ? null : of(CELLS, behind), playable, moves }
        : {}),
    };
  }
}

function optionsOf(rules: Rules): number[] {
  const { winAt = 6, repetition = 0, plyLimit = 0 } = rules;
  const { partnerSideStep = "any", stuck = "by-mode" } = rules;
  const whole = (name: string, value: number, least: number) => {
    if (Number.isInteger(value) && value >= least && value < 2 ** 31) return value;
    return wrong("rules", `${name} is a whole number from ${least} on, not ${value}`);
  };
  if (repetition === 1) wrong("rules", "repetition is 0 for never, or at least 2");
  return [
    whole("winAt", winAt, 1),
    whole("repetition", repetition, 0),
    whole("plyLimit", plyLimit, 0),
    numberOf(PARTNER, partnerSideStep),
    numberOf(STUCK, stuck),
  ];
}

function refused(move: string, refusal: Refusal | null): KernelError {
  const why = refusal ?? { code: "invalid-move", values: {} };
  return new KernelError(`${move}: ${why.code}`, why);
}

function of<T>(words: readonly T[], number: number): T {
  const word = words[number];
  if (word === undefined) throw new Error(`the kernel returned ${number}, which names nothing`);
  return word;
}

function numberOf<T extends string>(words: readonly T[], word: T): number {
  const number = words.indexOf(word);
  if (number < 0) wrong("option", `'${word}' is none of ${words.join(", ")}`);
  return number;
}

function colourFrom(number: number): Colour | null {
  return number < 0 ? null : of(COLOURS, number);
}

function cellsFrom(numbers: Reader): Cell[] {
  return numbers.list().map((cell) => of(CELLS, cell));
}
