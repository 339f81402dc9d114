// @ts-check
/** Decides which engine jobs an analysis needs: one pure function, called after every change. */

/**
 * @typedef {"analyse" | "review" | "solve"} JobName
 *
 * The fields of an analysis that decide which jobs run.
 * @typedef {Pick<import("./analysis.js").Analysis,
 *   "search" | "position" | "isOn" | "showsWorths" | "shownLines" | "round" | "failed" | "reviewing" | "guide" |
 *   "isSolving" | "editor">} Decisive
 */

/**
 * Return the jobs that should be running. Each has a key; a running job with the same key is left alone.
 * @param {Decisive | null} analysis @param {boolean} isShown whether the view of the analysis is on the screen
 * @returns {Record<JobName, string | null>}
 */
export function wantedJobs(analysis, isShown) {
  if (!analysis) return { analyse: null, review: null, solve: null };
  return {
    analyse: isShown && isAnalysing(analysis) ? analyseKey(analysis) : null,
    // A review continues while another view is shown.
    review: analysis.reviewing ? String(analysis.reviewing.id) : null,
    solve: isShown && analysis.isSolving ? String(analysis.search) : null,
  };
}

/** @param {Decisive} analysis */
function isAnalysing({ isOn, position, failed, reviewing, guide, editor }) {
  const isHidden = guide !== null && guide.phase !== "done" && guide.phase !== "shown" && guide.phase !== "right";
  return isOn && !position.is_over && !failed && !reviewing && !editor && !isHidden;
}

/** @param {Decisive} analysis */
function analyseKey({ search, showsWorths, shownLines, round }) {
  // A search of all moves includes the lines to show.
  return `${search} ${showsWorths ? "all" : shownLines} ${round}`;
}
