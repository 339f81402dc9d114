// @ts-check
/** Analyses that the person has saved in this browser. The one on the board is saved automatically, see analysis.js. */

import { attempt, notify, offerUndo, state } from "../shell/app.js";
import { keptOf, openKept, requestFor } from "./analysis.js";
import { ask } from "../server/api.js";
import { saveText } from "../play/files.js";
import { storedList } from "../shell/storage.js";
import { commentsOn, lineThrough } from "./tree.js";

/**
 * @typedef {{id: number, title: string, when: string, kept: import("./analysis.js").Kept}} SavedAnalysis
 */

const MAX_SAVED = 50;

/** The saved analyses. */
export const savedAnalyses = storedList("noughts.studies", (/** @type {SavedAnalysis} */ one) => one.id, MAX_SAVED);

/** Save the analysis on the board. */
export function saveAnalysis() {
  const analysis = state.analysis;
  if (!analysis) return;
  const now = new Date();
  const [title, kept] = [analysis.game.title, keptOf(analysis)];
  savedAnalyses.add({ id: now.getTime(), title, when: now.toLocaleString(), kept });
  notify("the analysis is saved in this browser");
}

/** Save the line on the board, with its comments, as a file. */
export async function saveLine() {
  const analysis = state.analysis;
  if (!analysis) return;
  const line = lineThrough(analysis.here);
  await attempt(async () => {
    const request = requestFor(analysis, line[line.length - 1]);
    const file = await ask("export", { ...request, tags: analysis.names, comments: commentsOn(line) });
    saveText(file.text, file.filename);
    notify(`saved as ${file.filename}`);
  });
}

/** @param {SavedAnalysis} saved */
export function openSaved(saved) {
  attempt(() => openKept(saved.kept));
}

/** Delete a saved analysis; this can be undone for a few seconds. @param {SavedAnalysis} saved */
export function deleteSaved(saved) {
  offerUndo(`${saved.title} is deleted`, { undo: savedAnalyses.remove(saved), several: "analyses are deleted" });
}
