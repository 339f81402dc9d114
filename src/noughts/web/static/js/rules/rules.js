// @ts-check
/** How to play: which rules are shown, and which kinds of games this browser has been told about. */

import { ask } from "../server/api.js";
import { attempt, redraw, state } from "../shell/app.js";
import { read, write } from "../shell/storage.js";

/**
 * The rules on the screen. A film: `step` plays its boards, those before it show their last one, those after it their first.
 * @typedef {object} Rules
 * @property {import("../board/panels.js").Game} game
 * @property {import("../server/types.d.ts").RulesAnswer} answer
 * @property {number} step the step that plays, or their number at the end
 * @property {number} board the board that it shows
 * @property {boolean} isPaused
 */

/** The kinds of games that were explained, or not wanted to be. */
const KNOWN = "noughts.rules";

/** Whether to offer an explanation: it is the first game of its kind. @param {{kind: string}} game */
export function isNew({ kind }) {
  return !known().includes(kind);
}

/** Offer no more explanation of games of this kind. @param {{kind: string}} game */
export function markKnown({ kind }) {
  if (!known().includes(kind)) write(KNOWN, [...known(), kind]);
  redraw();
}

/** @returns {string[]} */
function known() {
  return read(KNOWN, []);
}

/** Show how a game is played. @param {import("../board/panels.js").GameData} data */
export function openRules(data) {
  return attempt(async () => {
    const [game, answer] = await Promise.all([ask("game", { game: data }), ask("rules", { game: data })]);
    state.showsHelp = false;
    state.rules = { game, answer, step: 0, board: 0, isPaused: false };
    markKnown(game);
  });
}
