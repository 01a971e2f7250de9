// How many plies a take-back undoes in a local game, as in
// `sumito.server.game.abilities.taking_back`.

import type { Colour } from "../../domain/protocol";

/**
 * How many plies a take-back undoes: the last one where people have all seats still in the game,
 * else all from the last that a person made. 0 if there is none to take back; what was played
 * before somebody left stands.
 */
export function pliesBack(
  moves: readonly { readonly seat: Colour }[],
  settled: number,
  people: readonly Colour[],
  playing: readonly Colour[],
): number {
  const open = moves.slice(settled);
  if (open.length > 0 && playing.every((colour) => people.includes(colour))) return 1;
  const last = open.map(({ seat }) => people.includes(seat)).lastIndexOf(true);
  return last < 0 ? 0 : open.length - last;
}
