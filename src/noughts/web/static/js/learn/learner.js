// @ts-check
/** A learner that is trained on the server by self-play, and the curve of its results. */

import { ask } from "../server/api.js";
import { errorText, redraw } from "../shell/app.js";
import { isAborted } from "../server/tasks.js";

/**
 * @typedef {import("../server/types.d.ts").LearningPoint} Point
 * @typedef {{algorithm: "q_learning" | "td_learning", game: string, playthroughs: number, exploration: number}} Options
 *
 * @typedef {object} Learner
 * @property {Options} options
 * @property {(import("../server/types.d.ts").LearningAnswer & {options: Options}) | null} found the curve, and the options it belongs to
 * @property {boolean} isBusy
 * @property {AbortController} asked
 * @property {import("../shell/app.js").Failure | null} failed
 *
 * The band of a result in the chart: its lower and its upper edge, as shares of all results.
 * @typedef {{name: "wins" | "draws" | "losses", lower: number[], upper: number[]}} Band
 */

/** @returns {Learner} */
export function newLearner() {
  return {
    options: { algorithm: "q_learning", game: "3x3", playthroughs: 20000, exploration: 0.3 },
    found: null,
    isBusy: false,
    asked: new AbortController(),
    failed: null,
  };
}

/** Train a learner with the chosen options. @param {Learner} learner */
export async function train(learner) {
  learner.asked.abort();
  const mine = (learner.asked = new AbortController());
  const options = { ...learner.options };
  Object.assign(learner, { isBusy: true, failed: null });
  redraw();
  try {
    const found = await ask("learn", options, { signal: mine.signal });
    if (!mine.signal.aborted) learner.found = { ...found, options };
  } catch (error) {
    if (!isAborted(error)) learner.failed = { text: errorText(error), retry: () => train(learner) };
  }
  if (mine === learner.asked) learner.isBusy = false;
  redraw();
}

/** The results stacked, losses at the bottom. @param {readonly Point[]} curve @returns {Band[]} */
export function bandsOf(curve) {
  const share = (/** @type {Point} */ point, /** @type {number} */ part) =>
    part / (point.wins + point.draws + point.losses);
  const edges = [
    curve.map(() => 0),
    curve.map((point) => share(point, point.losses)),
    curve.map((point) => share(point, point.losses + point.draws)),
    curve.map(() => 1),
  ];
  const names = /** @type {const} */ (["losses", "draws", "wins"]);
  return names.map((name, at) => ({ name, lower: edges[at], upper: edges[at + 1] }));
}

/** A curve in words: its first point and its last. @param {readonly Point[]} curve */
export function curveText(curve) {
  const ends = new Set([curve[0], curve[curve.length - 1]]);
  return [...ends].map(pointText).join(" ");
}

/** @param {Point} point */
function pointText({ playthroughs, wins, draws, losses }) {
  return `After ${playthroughs.toLocaleString("en")} games: ${wins} wins, ${draws} draws, ${losses} losses.`;
}
