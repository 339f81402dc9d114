// @ts-check
/** Analyses saved in this browser, by hand. The one on the board is remembered without asking, see analysis.js. */

import { attempt, notify, redraw, state } from "./app.js";
import { keptOf, openKept, requestFor } from "./analysis.js";
import { api } from "./api.js";
import { saveText } from "./files.js";
import { read, write } from "./storage.js";
import { commentsOn, lineThrough } from "./tree.js";

/**
 * @typedef {{id: number, title: string, when: string, kept: import("./analysis.js").Kept}} Study
 */

const STUDIES = "noughts.studies";
const MAX_STUDIES = 50;

/** The saved analyses, newest first. @returns {Study[]} */
export function studies() {
  return read(STUDIES, /** @type {Study[]} */ ([]));
}

/** Save the analysis on the board. */
export function keepStudy() {
  const analysis = state.analysis;
  if (!analysis) return;
  const now = new Date();
  const study = { id: now.getTime(), title: analysis.game.title, when: now.toLocaleString(), kept: keptOf(analysis) };
  write(STUDIES, [study, ...studies()].slice(0, MAX_STUDIES));
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
  const before = studies();
  write(
    STUDIES,
    before.filter(({ id }) => id !== study.id),
  );
  const restore = () => {
    write(STUDIES, before);
    redraw();
  };
  notify(`${study.title} is deleted`, "note", { label: "Undo", run: restore });
}
