// What the kernel is asked and what it answers, as plain values.

export const COLOURS = ["black", "white", "red", "blue"] as const;
export type Colour = (typeof COLOURS)[number];

export const MODES = ["two", "three", "teams", "teams-double"] as const;
export type Mode = (typeof MODES)[number];

export const DIRECTIONS = ["E", "NE", "NW", "W", "SW", "SE"] as const;
export type Direction = (typeof DIRECTIONS)[number];

export const NOTATIONS = ["aba-pro", "nacre", "playstrategy"] as const;
export type Notation = (typeof NOTATIONS)[number];

/** From a first game to full strength. */
export const LEVELS = [
  "newcomer",
  "gentle",
  "friendly",
  "casual",
  "steady",
  "keen",
  "strong",
  "expert",
  "master",
  "champion",
] as const;
export type Level = (typeof LEVELS)[number];

/** The 61 cells as people read them: a1, a2 … i9. */
export const CELLS: readonly string[] = [..."abcdefghi"].flatMap((row, n) => {
  const first = Math.max(1, n - 3);
  const last = Math.min(9, n + 5);
  return Array.from({ length: last - first + 1 }, (_, k) => `${row}${first + k}`);
});
export type Cell = string;

/** The rulebook's rules, and an option for each question it leaves open. */
export interface Rules {
  /** How many ejections win; six. */
  readonly winAt?: number;
  /** The occurrence of a position at which the game is a draw; 0, the default: never. */
  readonly repetition?: number;
  /** The ply after which more ejections win and equal ones draw; 0, the default: no limit. */
  readonly plyLimit?: number;
  /** May a partner's marbles go along in a side-step? */
  readonly partnerSideStep?: "any" | "none";
  /** What befalls a player who can't move; by mode, two lose and more pass. */
  readonly stuck?: "by-mode" | "loses" | "draws" | "passes";
}

export const RULEBOOK: Rules = {};
/** The third occurrence of a position is a draw. */
export const TOURNAMENT: Rules = { repetition: 3 };

/** What a move does: the rear or lower end of `moved` comes first, the nearest of `pushed`. */
export interface Effect {
  /** The move's Aba-Pro name. */
  readonly move: string;
  /** Its number, 0 to 1271, the same in every Sumito. */
  readonly index: number;
  readonly direction: Direction;
  readonly moved: readonly Cell[];
  readonly pushed: readonly Cell[];
  /** The colour of the marble that leaves the board; it stood on the last pushed cell. */
  readonly ejected: Colour | null;
}

/** Why something isn't allowed: a stable code, and what its sentence names. */
export interface Refusal {
  readonly code: string;
  readonly values: Readonly<Record<string, string | number>>;
}

export const REASONS = ["ejected", "last-in", "no-move", "repetition", "ply-limit"] as const;

export interface Outcome {
  /** The winning side by its first colour, or null for a draw. */
  readonly winner: Colour | null;
  readonly reason: (typeof REASONS)[number];
}

export const WORDS = [
  "singleton",
  "pair",
  "triple",
  "group",
  "lance",
  "arc",
  "shield",
  "block",
  "sumito",
  "pac",
  "det",
] as const;
/** A word of the players for what stands on the board. */
export type Word = (typeof WORDS)[number];

export interface Formation {
  readonly word: Word;
  readonly colour: Colour;
  /** In reading order; where rows meet, along the line from the rear of the colour's row. */
  readonly cells: readonly Cell[];
  /** Of a triple. */
  readonly shape?: "lance" | "arc" | "shield";
  /** Of a sumito or a pac: how many of the cells are the side's own row, and where it looks. */
  readonly row?: number;
  readonly direction?: Direction;
  /** Of a sumito: the cell behind the opposing row, or null for the rim. */
  readonly behind?: Cell | null;
  readonly playable?: boolean;
  /** The moves that push here once it is playable, the shortest row first. */
  readonly moves?: readonly string[];
}

export const FAULTS = [
  "missed-win",
  "allowed-win",
  "missed-ejection",
  "allowed-ejection",
  "unsupported",
  "exposed",
  "gave-up-pac",
  "broke-group",
  "left-centre",
] as const;

/** Why a move was a mistake. */
export interface Fault {
  readonly code: (typeof FAULTS)[number];
  /**
   * Of wins and ejections: with which move of the side that gains. Of a pac: how many stood against
   * each other; of a group: its marbles; of the centre: steps away from it. Else: how many marbles.
   */
  readonly count: number;
  /** Opposing marbles where they stand before the move, the player's own where they stand after. */
  readonly cells: readonly Cell[];
}

/** What a move is called by the chance of winning it loses. */
export const VERDICTS = ["good", "inaccuracy", "mistake", "blunder"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** When a search stops: whatever is reached first. None at all: when told to. */
export interface Limits {
  readonly depth?: number;
  readonly nodes?: number;
  /** Milliseconds. */
  readonly time?: number;
  /** What the clock of the player to move shows, in milliseconds. */
  readonly clock?: {
    readonly remaining: number;
    readonly increment?: number;
    readonly moves?: number;
  };
  /** How many lines, best first. */
  readonly lines?: number;
  readonly level?: Level;
  /** Of a weak level's errors: the same seed errs the same way. */
  readonly seed?: number;
  /** Choose among these alone. */
  readonly moves?: readonly string[];
  /** A draw counts as even; else the player to move would rather play on. */
  readonly analysis?: boolean;
}

/** A move with its score and the play expected after it. */
export interface Line {
  readonly move: string;
  /** For the player to move, in hundredths of a marble. */
  readonly score: number;
  /** Plies to a certain win, negative to a certain loss, null if neither is in sight. */
  readonly winIn: number | null;
  readonly depth: number;
  readonly selectiveDepth: number;
  readonly nodes: number;
  /** Milliseconds since the search began. */
  readonly time: number;
  readonly pv: readonly string[];
}

/** What was wrong, for the program that asked. */
export class KernelError extends Error {
  constructor(
    message: string,
    readonly refusal: Refusal,
  ) {
    super(message);
    this.name = "KernelError";
  }

  get code(): string {
    return this.refusal.code;
  }
}
