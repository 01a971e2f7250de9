// What is done of the course.

import { progress } from "../storage/learning-progress";
import { LESSONS, type Lesson } from "./teaching";

/** A step's name in the learning progress and in its address. */
export function stepName(lesson: string, step: string): string {
  return `${lesson}/${step}`;
}

/** The number of steps of a lesson that are done. */
export function doneSteps({ id, steps }: Lesson): number {
  return steps.filter((step) => progress.has(stepName(id, step.id))).length;
}

/** The address of the first step that isn't done; null if all are. */
export function nextStep(): string | null {
  for (const { id, steps } of LESSONS) {
    const step = steps.find((one) => !progress.has(stepName(id, one.id)));
    if (step) return `/learn/${id}/${step.id}`;
  }
  return null;
}
