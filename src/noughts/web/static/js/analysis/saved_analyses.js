// @ts-check
/** Analyses saved in this browser, by hand. The one on the board is remembered without asking, see analysis.js. */

import { attempt, notify, offerUndo, state } from "../shell/app.js";
import { keptOf, openKept, requestFor } from "./analysis.js";
import { api } from "../server/api.js";
import { saveText } from "../play/files.js";
import { storedList } from "../shell/storage.js";
import { commentsOn, lineThrough } from "./tree.js";

/**
 * @typedef {{id: number, title: string, when: string, kept: import("./analysis.js").Kept}} Study
 */

const MAX_STUDIES = 50;

/** The saved analyses. */
export const studies = storedList("noughts.studies", (/** @type {Study} */ study) => study.id, MAX_STUDIES);

/** Save the analysis on the board. */
export function keepStudy() {
  const analysis = state.analysis;
  if (!analysis) return;
  const now = new Date();
  const [title, kept] = [analysis.game.title, keptOf(analysis)];
  studies.add({ id: now.getTime(), title, when: now.toLocaleString(), kept });
  notify("the analysis is saved in this browser");
}

/** Save the line on the board, with its comments, as a file. */
export async function saveLine() {
  const analysis = state.analysis;
  if (!analysis) return;
  const line = lineThrough(analysis.here);
  await attempt(async () => {
    const options = {
      tags: analysis.names,
      comments: commentsOn(line),
      format: /** @type {const} */ ("ngn"),
      result: null,
    };
    const file = await api.export(requestFor(analysis, line[line.length - 1]), options);
    saveText(file.text, file.filename);
    notify(`saved as ${file.filename}`);
  });
}

/** @param {Study} study */
export function openStudy(study) {
  attempt(() => openKept(study.kept));
}

/** Delete a saved analysis; this can be undone for a few seconds. @param {Study} study */
export function removeStudy(study) {
  offerUndo(`${study.title} is deleted`, { undo: studies.remove(study), several: "analyses are deleted" });
}
