// @ts-check
/** Short notes for moves, made here; silent unless asked for. */

import { state } from "./app.js";

/** @type {AudioContext | null} */
let audio = null;
/** @type {Record<string, number[]>} */
const NOTES = { X: [392], O: [294], end: [392, 494, 587], note: [330] };
const LENGTH = 0.14;

/** @param {"X" | "O" | "end" | "note"} what */
export function sound(what) {
  if (!state.prefs.sound) return;
  audio ??= new AudioContext();
  NOTES[what].forEach((pitch, at) => note(/** @type {AudioContext} */ (audio), pitch, at * LENGTH));
}

/** @param {AudioContext} context @param {number} pitch @param {number} after */
function note(context, pitch, after) {
  const [tone, loudness, from] = [context.createOscillator(), context.createGain(), context.currentTime + after];
  tone.type = "triangle";
  tone.frequency.value = pitch;
  loudness.gain.setValueAtTime(0, from);
  loudness.gain.linearRampToValueAtTime(0.15, from + 0.01);
  loudness.gain.exponentialRampToValueAtTime(0.001, from + LENGTH);
  tone.connect(loudness).connect(context.destination);
  tone.start(from);
  tone.stop(from + LENGTH);
}
