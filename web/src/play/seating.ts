// Assigns seats to the corners of the screen, close to their marbles.

import { coloursOf, edgeOf } from "../domain/modes";
import type { Colour, Mode } from "../domain/protocol";

export type Corner = "ul" | "ur" | "ll" | "lr";

/** The sides of the board have their corner; top and bottom take what is left beside them. */
const PLACES: readonly (readonly Corner[])[] = [
  ["lr", "ll"],
  ["lr"],
  ["ur"],
  ["ur", "ul"],
  ["ul"],
  ["ll"],
];

export function cornersOf(mode: Mode, turns: number): ReadonlyMap<Corner, Colour> {
  const choices = coloursOf(mode).map((colour) => ({
    colour,
    places: PLACES[(edgeOf(mode, colour) + turns) % 6] ?? [],
  }));
  const seated = new Map<Corner, Colour>();
  for (const { colour, places } of choices.sort((a, b) => a.places.length - b.places.length)) {
    const free = places.find((place) => !seated.has(place));
    if (free) seated.set(free, colour);
  }
  return seated;
}
