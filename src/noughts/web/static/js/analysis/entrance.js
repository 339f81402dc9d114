// @ts-check
/** The ways into the analysis, whose modules are fetched when they are first needed. */

/** @typedef {typeof import("./analysis.js")} Analysis */

/** @param {Parameters<Analysis["openAnalysis"]>[0]} wanted */
export async function openAnalysis(wanted) {
  return (await import("./analysis.js")).openAnalysis(wanted);
}

/** @param {import("../play/phase.js").Play} play */
export async function analysePlay(play) {
  return (await import("./analysis.js")).analysePlay(play);
}

/** @param {import("../play/phase.js").Play} play */
export async function reviewPlay(play) {
  return (await import("./review.js")).reviewPlay(play);
}
