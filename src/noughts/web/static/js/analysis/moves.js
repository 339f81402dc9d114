// @ts-check
/** Steps through the tree of an analysis, and changes to it. */

import { ask } from "../server/api.js";
import { notify, offerUndo, state } from "../shell/app.js";
import { requestFor, settleAnalysis, tryCell, visit } from "./analysis.js";
import * as tree from "./tree.js";

/**
 * @typedef {import("../server/types.d.ts").Candidate} Candidate
 * @typedef {import("./tree.js").Branch} Branch
 */

/** The branch on the board, or the one whose position is being fetched. */
function present() {
  return state.analysis?.heading ?? state.analysis?.here;
}

export function back() {
  const here = present();
  return here?.parent ? visit(here.parent) : notify("this is the start", "error");
}

export function forward() {
  const here = present();
  return here?.kids.length ? visit(here.kids[0]) : notify("this is the end of the line", "error");
}

/** Go to the variation before or after this one. @param {1 | -1} by */
export function otherVariation(by) {
  const here = present();
  if (here && (here.parent?.kids.length ?? 0) > 1) visit(tree.beside(here, by));
}

/** Go to the position after `ply` moves of the line on the board. @param {number} ply */
export function visitPly(ply) {
  const analysis = state.analysis;
  const to = analysis && tree.lineThrough(analysis.here)[ply];
  if (to) visit(to);
}

/** Play a move that was typed. @param {string} text */
export async function tryText(text) {
  const analysis = state.analysis;
  if (!analysis) return;
  const { here } = analysis;
  const request = requestFor(analysis, here);
  const found = await ask("position", { ...request, moves: [...request.moves, text] }, { isTyped: true });
  // The board has changed since the move was typed.
  if (state.analysis !== analysis || analysis.here !== here) return;
  return tryCell(/** @type {number} */ (found.last_cell));
}

/** Play the best move that the engine has found. */
export function playBest() {
  const best = state.analysis?.lines[0];
  return best ? tryCell(best.cell) : notify("the engine has no move yet", "error");
}

/**
 * Add a line of the engine to the tree and show the position after its first moves.
 * @param {Candidate} line @param {number} [moves]
 */
export function keepLine(line, moves = 1) {
  const analysis = state.analysis;
  if (!analysis) return;
  tree.grow(analysis.here, line.cells);
  visit(/** @type {Branch} */ (tree.find(analysis.here, line.cells.slice(0, moves))), true);
}

/** Remove a branch and everything after it from the tree; this can be undone for a few seconds. @param {Branch} what */
export function prune(what) {
  const place = what.parent?.kids.indexOf(what) ?? 0;
  visit(tree.prune(what));
  const undo = () => {
    tree.restore(what, place);
    visit(what);
  };
  offerUndo("the moves are deleted", { undo, several: "deletions of moves" });
}

/** Move a variation one place up. @param {Branch} what */
export function raise(what) {
  tree.raise(what);
  settleAnalysis();
}

/** Make a variation the main line where it branches off. @param {Branch} what */
export function promote(what) {
  tree.promote(what);
  settleAnalysis();
}

/** Write a comment on the position on the board. @param {string} text */
export function comment(text) {
  const analysis = state.analysis;
  if (!analysis) return;
  analysis.here.comment = text;
  settleAnalysis();
}
