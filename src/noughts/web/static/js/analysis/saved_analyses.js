// @ts-check
/** Analyses that the person has saved in this browser. The one on the board is saved automatically, see analysis.js. */

import { attempt, notify, offerUndo, state } from "../shell/app.js";
import { keptOf, openAnalysis, openKept, requestFor } from "./analysis.js";
import { ask } from "../server/api.js";
import { saveText } from "../play/files.js";
import { storedList } from "../shell/storage.js";
import { commentsOn, lineThrough, pack, treeOf, variationsOf } from "./tree.js";

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

/** Save all moves, variations and comments as a file. @param {"ngn" | "sgf"} format */
export async function saveTree(format) {
  const analysis = state.analysis;
  if (!analysis) return;
  const { root, names } = analysis;
  const line = lineThrough(root);
  await attempt(async () => {
    const request = requestFor(analysis, line[line.length - 1]);
    const more = { tags: names, comments: commentsOn(line), variations: variationsOf(root), format };
    const file = await ask("export", { ...request, ...more });
    saveText(file.text, file.filename);
    notify(`saved as ${file.filename}`);
  });
}

/** Whether SGF can hold a game: flat boards. @param {import("../board/panels.js").Game} game */
export function hasSgf({ dimensions, family, block_size: block }) {
  return dimensions?.length === 2 && !block && family !== "custom";
}

/** Open the first playthrough of a file, with its variations. @param {File} file */
export async function loadTree(file) {
  await attempt(async () => {
    const { plays } = await ask("import", { text: await file.text() }, { isTyped: true });
    await openPlaythrough(plays[0]);
    const rest = plays.length > 1 ? `: the first of ${plays.length} games` : "";
    notify(`loaded ${file.name}${rest}`);
  });
}

/** Analyse a playthrough with its variations, at the end of its main line. @param {import("../server/types.d.ts").PlaythroughAnswer} play */
export async function openPlaythrough(play) {
  const { data, start, cells, tags } = play;
  const names = { X: tags.X ?? "", O: tags.O ?? "" };
  await openAnalysis({ game: data, start, moves: [...cells], tree: pack(treeOf(play)), names });
}

/** @param {SavedAnalysis} saved */
export function openSaved(saved) {
  attempt(() => openKept(saved.kept));
}

/** Delete a saved analysis; this can be undone for a few seconds. @param {SavedAnalysis} saved */
export function deleteSaved(saved) {
  offerUndo(`${saved.title} is deleted`, { undo: savedAnalyses.remove(saved), several: "analyses are deleted" });
}
