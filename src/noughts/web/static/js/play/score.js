// @ts-check
/** The score against the computer, kept in this browser for every game and level. */

import { read, write } from "../shell/storage.js";

/**
 * @typedef {import("./phase.js").Play} Play
 * @typedef {"won" | "drawn" | "lost"} Result
 * @typedef {Record<Result, number>} Score
 */

const SCORES = "noughts.scores";

/** The game and the level that a score belongs to. @param {Pick<Play, "game" | "players">} play */
function seriesOf({ game, players }) {
  const { level } = players.X.kind === "engine" ? players.X : players.O;
  return `${game.id} ${level}`;
}

/** @returns {Record<string, Score>} */
function scores() {
  return read(SCORES, {});
}

/** The score of the person against the level that plays. @param {Play} play @returns {Score} */
export function scoreOf(play) {
  return scores()[seriesOf(play)] ?? { won: 0, drawn: 0, lost: 0 };
}

/** Count a result once more, or once less. @param {Play} play @param {Result} result @param {1 | -1} by */
export function addToScore(play, result, by) {
  const score = scoreOf(play);
  write(SCORES, { ...scores(), [seriesOf(play)]: { ...score, [result]: Math.max(0, score[result] + by) } });
}

/** Begin the score against this level at zero. @param {Play} play */
export function clearScore(play) {
  const { [seriesOf(play)]: _, ...others } = scores();
  write(SCORES, others);
}
