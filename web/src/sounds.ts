// Sounds made on the spot: marbles are short knocks of filtered noise, a fall is a row of them.

import { settings } from "./settings";

let context: AudioContext | null = null;

function ready(): AudioContext | null {
  if (!settings.now.sound) return null;
  context ??= new AudioContext();
  // Browsers keep sound off until the first touch; then it wakes by itself.
  if (context.state === "suspended") void context.resume();
  return context;
}

function knock(pitch: number, after: number, loudness: number): void {
  const audio = ready();
  if (audio === null) return;
  const start = audio.currentTime + after;
  const length = 0.09;
  const noise = audio.createBuffer(1, audio.sampleRate * length, audio.sampleRate);
  const samples = noise.getChannelData(0);
  for (let k = 0; k < samples.length; k++) {
    samples[k] = (Math.random() * 2 - 1) * Math.exp((-28 * k) / samples.length);
  }
  const source = new AudioBufferSourceNode(audio, { buffer: noise });
  const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency: pitch, Q: 5 });
  const gain = new GainNode(audio, { gain: loudness * 4 });
  source.connect(filter).connect(gain).connect(audio.destination);
  source.start(start);
}

function tone(pitch: number, after: number, length: number, loudness: number): void {
  const audio = ready();
  if (audio === null) return;
  const start = audio.currentTime + after;
  const wave = new OscillatorNode(audio, { type: "sine", frequency: pitch });
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.linearRampToValueAtTime(loudness, start + 0.02);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  wave.connect(gain).connect(audio.destination);
  wave.start(start);
  wave.stop(start + length);
}

export const sounds = {
  move: () => knock(1500, 0, 0.5),
  push: () => {
    knock(900, 0, 0.7);
    knock(1300, 0.06, 0.5);
  },
  eject: () => {
    knock(900, 0, 0.7);
    for (let k = 0; k < 6; k++) knock(2100 - k * 220, 0.2 + k * k * 0.028, 0.4 - k * 0.05);
  },
  low: () => tone(880, 0, 0.12, 0.12),
  won: () => {
    [523, 659, 784].forEach((pitch, k) => {
      tone(pitch, k * 0.13, 0.6, 0.14);
    });
  },
  over: () => {
    [440, 349].forEach((pitch, k) => {
      tone(pitch, k * 0.18, 0.6, 0.12);
    });
  },
};
