// @ts-check
/** Typed and pasted text: moves, a position string, or the text of a file. */

import { ask } from "../server/api.js";
import { notify, state } from "../shell/app.js";
import { requestFor, settleAnalysis, visit } from "./analysis.js";
import { isTrying } from "./guide.js";
import { tryText } from "./moves.js";
import { openPlaythrough } from "./saved_analyses.js";
import { child, grow, treeOf } from "./tree.js";

/** @typedef {import("./tree.js").Branch} Branch */

/**
 * Read a text: moves are added to those on the board, a position or the text of a file takes the place of the analysis.
 * @param {string} text
 */
export async function readText(text) {
  const analysis = state.analysis;
  if (!analysis) return;
  const { here, guide } = analysis;
  if (guide && isTrying(guide)) return tryText(text);
  const { kind, plays } = await ask("import", { text, board: requestFor(analysis, here) }, { isTyped: true });
  // The board has changed since the text was typed.
  if (state.analysis !== analysis || analysis.here !== here) return;
  const [play] = plays;
  if (kind !== "moves") {
    await openPlaythrough(play);
    return notify(kind === "position" ? "the position is on the board" : "the file is on the board");
  }
  join(analysis.root, treeOf(play));
  await visit(grow(analysis.root, play.cells), true);
  settleAnalysis();
}

/** Add the branches of another tree. @param {Branch} to @param {Branch} from */
function join(to, from) {
  const left = [[to, from]];
  for (let next = left.pop(); next; next = left.pop()) {
    const [into, other] = next;
    into.comment ||= other.comment;
    for (const kid of other.kids) left.push([child(into, /** @type {number} */ (kid.move)), kid]);
  }
}
