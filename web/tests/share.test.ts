// A film of a game is a GIF that programs can read.

import { describe, expect, it } from "vitest";
import { Gif } from "../src/share/gif";

/** Unpack the frames of a GIF with one palette of 256 colours. */
function frames(bytes: Uint8Array): { x: number; y: number; w: number; h: number; pixels: number[] }[] {
  const word = (at: number) => (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
  let at = 13 + 3 * 256;
  const found = [];
  while (bytes[at] !== 0x3b) {
    if (bytes[at] === 0x21) {
      at += 2;
      while (bytes[at] !== 0) at += (bytes[at] as number) + 1;
      at++;
      continue;
    }
    const [x, y, w, h] = [word(at + 1), word(at + 3), word(at + 5), word(at + 7)];
    at += 11;
    const data: number[] = [];
    while (bytes[at] !== 0) {
      const length = bytes[at] as number;
      data.push(...bytes.slice(at + 1, at + 1 + length));
      at += length + 1;
    }
    at++;
    found.push({ x, y, w, h, pixels: inflate(data) });
  }
  return found;
}

function inflate(data: number[]): number[] {
  const out: number[] = [];
  let table: number[][] = [];
  let [size, bit, before] = [9, 0, null as number[] | null];
  const reset = () => {
    table = Array.from({ length: 258 }, (_, k) => [k]);
    size = 9;
    before = null;
  };
  reset();
  for (;;) {
    let code = 0;
    for (let k = 0; k < size; k++, bit++) {
      code |= (((data[bit >> 3] as number) >> (bit & 7)) & 1) << k;
    }
    if (code === 257) return out;
    if (code === 256) {
      reset();
      continue;
    }
    const entry = table[code] ?? [...(before ?? []), (before ?? [])[0] as number];
    out.push(...entry);
    if (before && table.length < 4096) table.push([...before, entry[0] as number]);
    if (table.length === 1 << size && size < 12) size++;
    before = entry;
  }
}

function picture(width: number, height: number, colour: (k: number) => number): Uint8ClampedArray {
  const pixels = new Uint8ClampedArray(4 * width * height);
  for (let k = 0; k < width * height; k++) {
    const value = colour(k);
    pixels.set([value & 0xf8, (value * 7) & 0xf8, (value * 13) & 0xf8, 255], 4 * k);
  }
  return pixels;
}

describe("gif", () => {
  it("gives back every pixel of a picture that fills the code table many times", () => {
    const [width, height] = [130, 110];
    const noisy = picture(width, height, (k) => (k * k * 31 + k * 17) % 97);
    const gif = new Gif(width, height);
    gif.learn(noisy);
    gif.add(noisy, 50);
    const [first] = frames(gif.finish());
    expect(first?.pixels).toHaveLength(width * height);
    const plain = picture(width, height, () => 40);
    const second = new Gif(width, height);
    second.learn(noisy);
    second.learn(plain);
    second.add(noisy, 1);
    second.add(plain, 1);
    expect(frames(second.finish())[1]?.pixels.every((one, _, all) => one === all[0])).toBe(true);
  });

  it("stores only what has changed", () => {
    const before = picture(40, 30, () => 8);
    const after = picture(40, 30, (k) => (k === 5 * 40 + 7 ? 90 : 8));
    const gif = new Gif(40, 30);
    gif.learn(before);
    gif.learn(after);
    gif.add(before, 10);
    gif.add(after, 10);
    expect(frames(gif.finish())[1]).toMatchObject({ x: 7, y: 5, w: 1, h: 1 });
  });
});
