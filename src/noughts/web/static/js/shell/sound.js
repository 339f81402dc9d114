// @ts-check
/** Short sounds, like a marimba's, synthesised here; silent unless asked for. */

import { state } from "./app.js";

/** @type {AudioContext | null} */
let audio = null;
/** The notes of each sound: pitch in hertz, and when it begins, in seconds. @type {Record<string, [number, number][]>} */
const SOUNDS = {
  X: [[659.3, 0]],
  O: [[440, 0]],
  note: [[880, 0]],
  win: [
    [440, 0],
    [554.4, 0.09],
    [659.3, 0.18],
    [880, 0.27],
  ],
  loss: [
    [392, 0],
    [329.6, 0.14],
    [261.6, 0.28],
  ],
  draw: [
    [440, 0],
    [440, 0.16],
  ],
};
/** The partials of a bar of wood: multiple of the pitch, loudness, seconds until it has died away. */
const PARTIALS = [
  [1, 0.2, 0.42],
  [3.9, 0.05, 0.12],
  [9.2, 0.015, 0.05],
];
const ATTACK_SECONDS = 0.004;

/** @typedef {"X" | "O" | "win" | "loss" | "draw" | "note"} Sound */

/** @param {Sound} what */
export function sound(what) {
  if (!state.prefs.sound) return;
  audio ??= new AudioContext();
  for (const [pitch, after] of SOUNDS[what]) strike(audio, pitch, audio.currentTime + after);
}

/**
 * The sound of an end, for a player or for a spectator.
 * @param {import("../server/types.d.ts").OutcomeAnswer} outcome @param {import("../server/types.d.ts").Side | null} viewer
 */
export function soundEnd(outcome, viewer) {
  sound(!outcome.winner ? "draw" : viewer && outcome.winner !== viewer ? "loss" : "win");
}

/** @param {AudioContext} context @param {number} pitch @param {number} from */
function strike(context, pitch, from) {
  for (const [multiple, loudness, seconds] of PARTIALS) {
    const [tone, gain] = [context.createOscillator(), context.createGain()];
    tone.frequency.value = pitch * multiple;
    gain.gain.setValueAtTime(0, from);
    gain.gain.linearRampToValueAtTime(loudness, from + ATTACK_SECONDS);
    gain.gain.exponentialRampToValueAtTime(0.0001, from + seconds);
    tone.connect(gain).connect(context.destination);
    tone.start(from);
    tone.stop(from + seconds);
  }
}
