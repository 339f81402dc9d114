// @ts-check
/** The puzzle of the day, and the progress with puzzles that this browser remembers. */

import { ask } from "../server/api.js";
import { read, write } from "../shell/storage.js";
import { dateText, noProgress } from "./choice.js";

const PROGRESS = "noughts.puzzles";
/** In an address: the puzzle of the day. */
export const TODAY = "today";

/** @returns {import("./choice.js").Progress} */
export function readProgress() {
  return { ...noProgress(), ...read(PROGRESS, {}) };
}

/** @param {import("./choice.js").Progress} progress */
export function writeProgress(progress) {
  write(PROGRESS, progress);
}

/** Whether the first try at today's puzzle was right; undefined if there was none. */
export function resultOfToday() {
  return /** @type {boolean | undefined} */ (readProgress().daily[dateText(new Date())]);
}

/** Whether today's puzzle was solved after a wrong try or a look at the solution. */
export function isSolvedLate() {
  return readProgress().late === dateText(new Date());
}

/** Today's puzzle: the same for everyone. */
export function today() {
  return ask("daily_puzzle", { date: dateText(new Date()) });
}
