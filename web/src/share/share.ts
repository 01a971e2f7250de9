// Shares a game: as a link, as a picture, or as a film of all its moves.

import type { Marbles } from "../board/state";
import { isLocal } from "../domain/game-ids";
import type { GameState } from "../domain/game-state";
import { marblesAfter } from "../domain/history";
import { turnsFor } from "../domain/modes";
import { copy } from "../ui/copy-link";
import { Gif } from "./gif";
import { canvas, draw, paintNow } from "./picture";

const FILM_SCALE = 0.8;
/** Hundredths of a second. */
const FRAME = 70;
const LAST_FRAME = 300;

/** A game of this browser is uploaded first, so that others can open it. */
export async function shareLink(game: GameState): Promise<void> {
  const id = isLocal(game.id)
    ? await (await import("../storage/upload")).uploadGame(game.id)
    : game.id;
  const url = `${location.origin}/g/${id}`;
  if (navigator.share) await navigator.share({ url, title: "Sumito" }).catch(() => undefined);
  else await copy(url);
}

export function sharePicture(game: GameState, count: number): Promise<void> {
  return sharePosition(marblesAfter(game, count), viewOf(game), `sumito-${game.id}-${count}`);
}

/** A position as a picture. */
export async function sharePosition(marbles: Marbles, turns: number, name: string): Promise<void> {
  const context = canvas(2);
  draw(context, marbles, turns, paintNow());
  const blob = await new Promise<Blob | null>((resolve) => {
    (context.canvas as HTMLCanvasElement).toBlob(resolve, "image/png");
  });
  if (blob) await hand(blob, `${name}.png`);
}

export async function shareFilm(game: GameState, progress: (part: number) => void): Promise<void> {
  const bytes = await film(game, progress);
  await hand(new Blob([bytes], { type: "image/gif" }), `sumito-${game.id}.gif`);
}

/** A line of positions as a film. */
export async function shareLine(
  frames: readonly Marbles[],
  turns: number,
  name: string,
): Promise<void> {
  const bytes = await filmOf(frames, turns, () => undefined);
  await hand(new Blob([bytes], { type: "image/gif" }), `${name}.gif`);
}

/** All positions of a game, one after the other. */
export function film(
  game: GameState,
  progress: (part: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const frames = Array.from({ length: game.moves.length + 1 }, (_, count) =>
    marblesAfter(game, count),
  );
  return filmOf(frames, viewOf(game), progress);
}

async function filmOf(
  frames: readonly Marbles[],
  turns: number,
  progress: (part: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const context = canvas(FILM_SCALE);
  const { width, height } = context.canvas;
  const paint = paintNow();
  const gif = new Gif(width, height);
  const last = frames.length - 1;
  const frame = (count: number) => {
    draw(context, frames[count] as Marbles, turns, paint);
    return context.getImageData(0, 0, width, height).data;
  };
  gif.learn(frame(0));
  gif.learn(frame(last));
  for (let count = 0; count <= last; count++) {
    gif.add(frame(count), count === last ? LAST_FRAME : FRAME);
    progress(count / Math.max(1, last));
    // Let the page render and react.
    if (count % 4 === 0) await new Promise((resolve) => setTimeout(resolve));
  }
  return gif.finish();
}

function viewOf(game: GameState): number {
  const [own] = game.you;
  return own ? turnsFor(game.mode, own) : 0;
}

/** To another app where the device has a way for that, else as a download. */
async function hand(blob: Blob, name: string): Promise<void> {
  const file = new File([blob], name, { type: blob.type });
  if (matchMedia("(pointer: coarse)").matches && navigator.canShare?.({ files: [file] })) {
    await navigator.share({ files: [file] }).catch(() => undefined);
    return;
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
