// Judges a learner's answer, with the same keys as `sumito.teaching.judge`.

import type { Board } from "../../kernel/src/board";
import type { AttemptStep, ChooseStep, MarkStep, PlayStep } from "./teaching";

const OTHER = "course.other";

export interface Answer {
  /** The key of its text; null where the rules say why not. */
  readonly key: string | null;
  readonly done: boolean;
}

/** The answer to a move, legal or not. */
export function judgeMove(
  step: PlayStep | AttemptStep,
  base: string,
  move: string,
  legal: boolean,
  board: Board,
): Answer {
  if (step.kind === "attempt") {
    if (legal) return { key: OTHER, done: false };
    return refusedAlike(step, move, board)
      ? { key: `${base}.done`, done: true }
      : { key: null, done: false };
  }
  if (step.want.includes(move)) return { key: `${base}.done`, done: true };
  if (step.wrong.includes(move)) return { key: `${base}.wrong.${move}`, done: false };
  return { key: legal ? OTHER : null, done: false };
}

/** Whatever the rules refuse for the same reason teaches the same. */
function refusedAlike({ attempt }: AttemptStep, move: string, board: Board): boolean {
  const code = board.why(move)?.code;
  return attempt.some((wanted) => wanted === move || board.why(wanted)?.code === code);
}

export function judgeMark(step: MarkStep, base: string, cell: string): Answer {
  if (step.cells.includes(cell)) return { key: `${base}.done`, done: true };
  return { key: step.wrong.includes(cell) ? `${base}.wrong.${cell}` : OTHER, done: false };
}

export function judgeChoice(step: ChooseStep, base: string, option: number): Answer {
  return { key: `${base}.answer.${option}`, done: option === step.right };
}
