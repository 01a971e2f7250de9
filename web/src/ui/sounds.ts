// Synthesised sounds of the board's materials: stone on wood, a roll, a drop. Phones vibrate a
// little with them.

import type { Effect } from "../board/state";
import { settings } from "../storage/preferences";

let context: AudioContext | null = null;
let master: GainNode | null = null;

function ready(): { audio: AudioContext; out: GainNode } | null {
  const { sound, volume } = settings.now;
  if (!sound || volume === 0) return null;
  context ??= new AudioContext();
  master ??= new GainNode(context);
  master.connect(context.destination);
  // Ears hear loudness in steps, not in sums.
  master.gain.value = volume ** 2 * 1.6;
  // Browsers allow no sound before the first touch.
  if (context.state === "suspended") void context.resume();
  return { audio: context, out: master };
}

function noise(audio: AudioContext, length: number, fade: number): AudioBufferSourceNode {
  const buffer = audio.createBuffer(1, audio.sampleRate * length, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let k = 0; k < samples.length; k++) {
    samples[k] = (Math.random() * 2 - 1) * Math.exp((-fade * k) / samples.length);
  }
  return new AudioBufferSourceNode(audio, { buffer });
}

/** Stone on wood: a click of the stone and the wood that answers lower. */
function knock(pitch: number, after: number, loudness: number): void {
  const way = ready();
  if (way === null) return;
  const { audio, out } = way;
  const start = audio.currentTime + after;
  for (const [frequency, Q, strength] of [
    [pitch, 6, 4],
    [pitch * 0.31, 9, 5],
  ] as const) {
    const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency, Q });
    const gain = new GainNode(audio, { gain: loudness * strength });
    const source = noise(audio, 0.11, 26);
    source.connect(filter).connect(gain).connect(out);
    source.start(start);
  }
}

/** A marble that rolls: dull noise that swells and goes. */
function roll(after: number, length: number, loudness: number): void {
  const way = ready();
  if (way === null) return;
  const { audio, out } = way;
  const start = audio.currentTime + after;
  const filter = new BiquadFilterNode(audio, { type: "lowpass", frequency: 520, Q: 2 });
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loudness, start + length * 0.4);
  gain.gain.linearRampToValueAtTime(0, start + length);
  const source = noise(audio, length, 0);
  source.connect(filter).connect(gain).connect(out);
  source.start(start);
}

function tone(pitch: number, after: number, length: number, loudness: number): void {
  const way = ready();
  if (way === null) return;
  const { audio, out } = way;
  const start = audio.currentTime + after;
  const wave = new OscillatorNode(audio, { type: "sine", frequency: pitch });
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loudness, start + 0.02);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  wave.connect(gain).connect(out);
  wave.start(start);
  wave.stop(start + length);
}

function tremble(pattern: number | number[]): void {
  if (!settings.now.haptics) return;
  // Before the first touch browsers refuse, and complain about the try.
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern);
}

export const sounds = {
  move: () => {
    roll(0, 0.2, 0.05);
    knock(1500, 0.2, 0.5);
    tremble(8);
  },
  push: () => {
    knock(1900, 0.02, 0.5);
    roll(0.03, 0.2, 0.09);
    knock(1300, 0.22, 0.5);
    tremble(16);
  },
  eject: () => {
    knock(1900, 0.02, 0.6);
    roll(0.1, 0.5, 0.1);
    for (let k = 0; k < 4; k++)
      knock(1700 - k * 240, 0.42 + k * 0.1 - k * k * 0.009, 0.4 - k * 0.08);
    tremble([20, 60, 30]);
  },
  /** The sound of what a move did. */
  moved: ({ ejected, pushed }: Pick<Effect, "ejected" | "pushed">) => {
    if (ejected) sounds.eject();
    else if (pushed.length > 0) sounds.push();
    else sounds.move();
  },
  refuse: () => tremble([12, 40, 12]),
  low: () => tone(880, 0, 0.12, 0.12),
  turn: () => tone(660, 0, 0.25, 0.08),
  won: () => {
    [523, 659, 784, 1047].forEach((pitch, k) => {
      tone(pitch, k * 0.13, 0.6, 0.14);
    });
    tremble([30, 60, 30, 60, 60]);
  },
  over: () => {
    [440, 392].forEach((pitch, k) => {
      tone(pitch, k * 0.18, 0.6, 0.1);
    });
  },
};
