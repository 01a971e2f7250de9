// An animated GIF: one palette for all frames, and of each frame only what has changed.

export class Gif {
  private readonly bytes: number[] = [];
  private readonly palette = new Map<number, number>();
  private before: Uint8Array | null = null;

  constructor(
    private readonly width: number,
    private readonly height: number,
  ) {}

  /** Take over the colours of a frame; call it for frames that have all colours, before `add`. */
  learn(pixels: Uint8ClampedArray): void {
    const counts = new Map<number, number>();
    for (let k = 0; k < pixels.length; k += 4) {
      const colour = coarse(pixels, k);
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
    const common = [...counts].sort((one, other) => other[1] - one[1]);
    for (const [colour] of common) {
      if (this.palette.size >= 255) break;
      if (!this.palette.has(colour)) this.palette.set(colour, this.palette.size);
    }
  }

  /** Show a frame for some hundredths of a second. */
  add(pixels: Uint8ClampedArray, delay: number): void {
    if (this.before === null) this.header();
    const now = this.indexed(pixels);
    const box = this.changed(now);
    this.bytes.push(0x21, 0xf9, 4, 0x04, ...word(delay), 0, 0);
    this.bytes.push(0x2c, ...word(box.x), ...word(box.y), ...word(box.w), ...word(box.h), 0);
    const part = new Uint8Array(box.w * box.h);
    for (let y = 0; y < box.h; y++) {
      const from = (box.y + y) * this.width + box.x;
      part.set(now.subarray(from, from + box.w), y * box.w);
    }
    this.compress(part);
    this.before = now;
  }

  finish(): Uint8Array<ArrayBuffer> {
    this.bytes.push(0x3b);
    return new Uint8Array(this.bytes);
  }

  private header(): void {
    this.bytes.push(...text("GIF89a"), ...word(this.width), ...word(this.height), 0xf7, 0, 0);
    const colours = [...this.palette.keys()];
    for (let k = 0; k < 256; k++) {
      const colour = colours[k] ?? 0;
      this.bytes.push(colour >> 16, (colour >> 8) & 255, colour & 255);
    }
    // Again and again.
    this.bytes.push(0x21, 0xff, 11, ...text("NETSCAPE2.0"), 3, 1, 0, 0, 0);
  }

  private indexed(pixels: Uint8ClampedArray): Uint8Array {
    const found = new Uint8Array(this.width * this.height);
    for (let k = 0; k < found.length; k++) {
      const colour = coarse(pixels, 4 * k);
      let index = this.palette.get(colour);
      if (index === undefined) {
        index = this.nearest(colour);
        this.palette.set(colour, index);
      }
      found[k] = index;
    }
    return found;
  }

  private nearest(colour: number): number {
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    for (const [known, index] of this.palette) {
      const away =
        ((colour >> 16) - (known >> 16)) ** 2 +
        (((colour >> 8) & 255) - ((known >> 8) & 255)) ** 2 +
        ((colour & 255) - (known & 255)) ** 2;
      if (away < least) [best, least] = [index, away];
    }
    return best;
  }

  private changed(now: Uint8Array): { x: number; y: number; w: number; h: number } {
    const { before, width, height } = this;
    if (before === null) return { x: 0, y: 0, w: width, h: height };
    let [left, right, top, bottom] = [width, 0, height, 0];
    for (let k = 0; k < now.length; k++) {
      if (now[k] === before[k]) continue;
      const x = k % width;
      const y = (k - x) / width;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
    if (left > right) return { x: 0, y: 0, w: 1, h: 1 };
    return { x: left, y: top, w: right - left + 1, h: bottom - top + 1 };
  }

  /** LZW with codes that grow from 9 to 12 bits, in blocks of at most 255 bytes. */
  private compress(pixels: Uint8Array): void {
    const CLEAR = 256;
    const END = 257;
    const out: number[] = [];
    let held = 0;
    let bits = 0;
    let size = 9;
    let next = END + 1;
    let table = new Map<number, number>();
    const put = (code: number) => {
      held |= code << bits;
      bits += size;
      while (bits >= 8) {
        out.push(held & 255);
        held >>>= 8;
        bits -= 8;
      }
    };
    put(CLEAR);
    let prefix = pixels[0] ?? 0;
    for (let k = 1; k < pixels.length; k++) {
      const pixel = pixels[k] as number;
      const key = (prefix << 8) | pixel;
      const known = table.get(key);
      if (known !== undefined) {
        prefix = known;
        continue;
      }
      put(prefix);
      prefix = pixel;
      if (next === 4096) {
        put(CLEAR);
        size = 9;
        next = END + 1;
        table = new Map();
      } else {
        if (next === 1 << size) size++;
        table.set(key, next++);
      }
    }
    put(prefix);
    put(END);
    if (bits > 0) out.push(held & 255);
    this.bytes.push(8);
    for (let k = 0; k < out.length; k += 255) {
      const block = out.slice(k, k + 255);
      this.bytes.push(block.length, ...block);
    }
    this.bytes.push(0);
  }
}

/** A colour in five bits a channel, so that smooth edges don't fill the palette. */
function coarse(pixels: Uint8ClampedArray, at: number): number {
  const channel = (k: number) => {
    const value = (pixels[at + k] as number) & 0xf8;
    return value | (value >> 5);
  };
  return (channel(0) << 16) | (channel(1) << 8) | channel(2);
}

function word(value: number): [number, number] {
  return [value & 255, (value >> 8) & 255];
}

function text(value: string): number[] {
  return [...value].map((letter) => letter.charCodeAt(0));
}
