// @ts-check
/** Which work of the engine an analysis needs: one pure function, asked after every change. */

/**
 * @typedef {"analyse" | "review" | "solve"} JobName
 *
 * The part of an analysis that decides.
 * @typedef {Pick<import("./analysis.js").Analysis,
 *   "search" | "position" | "isOn" | "showsWorths" | "shownLines" | "round" | "failed" | "reviewing" | "guide" |
 *   "isSolving" | "editor">} Decisive
 */

/**
 * The jobs that should be running, each with a key: a job with the same key is already the right one.
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
