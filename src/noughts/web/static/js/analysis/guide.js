// @ts-check
/** A guided review: one mistake after the other, each with a second try. Pure steps from one state to the next. */

/**
 * @typedef {import("../server/types.d.ts").ReviewedMove} ReviewedMove
 * @typedef {import("../server/types.d.ts").Side} Side
 *
 * The result of a mistake: the person found the better move, had it shown, or skipped it.
 * @typedef {"found" | "shown" | "skipped"} Result
 *
 * A line of play that is shown on the board, from a position.
 * @typedef {{at: import("./tree.js").Branch, cells: readonly number[]}} Ghosts
 *
 * @typedef {object} Guide
 * @property {Side | null} side whose mistakes; null for both
 * @property {ReviewedMove[]} mistakes
 * @property {number} at
 * @property {"trying" | "judging" | "right" | "wrong" | "shown" | "done"} phase
 * @property {string} verdict
 * @property {(Result | null)[]} results
 * @property {Ghosts | null} ghosts the reason for the verdict
 */

export const MISTAKES = ["inaccuracy", "mistake", "blunder", "missed win"];

/** The mistakes of a side, or of both, in order. @param {readonly ReviewedMove[]} moves @param {Side | null} side */
export function mistakesOf(moves, side) {
  return moves.filter((move) => MISTAKES.includes(move.label) && (side === null || move.side === side));
}

/** @param {readonly ReviewedMove[]} moves @param {Side | null} side @returns {Guide} */
export function startGuide(moves, side) {
  const mistakes = mistakesOf(moves, side);
  const results = mistakes.map(() => null);
  return { side, mistakes, at: 0, phase: mistakes.length ? "trying" : "done", verdict: "", results, ghosts: null };
}

/** The mistake on the board. @param {Guide} guide @returns {ReviewedMove | undefined} */
export function current(guide) {
  return guide.phase === "done" ? undefined : guide.mistakes[guide.at];
}

/** Whether a click on the board is a try. @param {Guide} guide */
export function isTrying(guide) {
  return guide.phase === "trying" || guide.phase === "wrong";
}

/** The value of the tried move is being looked up. @param {Guide} guide @param {string} name @returns {Guide} */
export function judging(guide, name) {
  return { ...guide, phase: "judging", verdict: `Looking at ${name} …`, ghosts: null };
}

/**
 * The verdict, with the line that is its reason.
 * @param {Guide} guide @param {boolean} isGood @param {string} verdict @param {Ghosts | null} [ghosts] @returns {Guide}
 */
export function judge(guide, isGood, verdict, ghosts = null) {
  const found = { verdict, ghosts };
  return isGood ? { ...settle(guide, "found"), ...found, phase: "right" } : { ...guide, ...found, phase: "wrong" };
}

/** Show the answer. @param {Guide} guide @param {string} verdict @param {Ghosts | null} [ghosts] @returns {Guide} */
export function reveal(guide, verdict, ghosts = null) {
  return { ...settle(guide, "shown"), phase: "shown", verdict, ghosts };
}

/** The next mistake; one that was not tried is skipped. @param {Guide} guide @returns {Guide} */
export function next(guide) {
  if (guide.phase === "done") return guide;
  const settled = settle(guide, "skipped");
  const at = guide.at + 1;
  const isDone = at === guide.mistakes.length;
  return { ...settled, at: isDone ? guide.at : at, phase: isDone ? "done" : "trying", verdict: "", ghosts: null };
}

/** Only the first result of a mistake counts. @param {Guide} guide @param {Result} result @returns {Guide} */
function settle(guide, result) {
  return { ...guide, results: guide.results.map((known, at) => (at === guide.at ? (known ?? result) : known)) };
}

/** How many mistakes were found, shown and skipped. @param {Guide} guide */
export function countResults({ results }) {
  const count = (/** @type {Result} */ wanted) => results.filter((result) => result === wanted).length;
  return { found: count("found"), shown: count("shown"), skipped: count("skipped"), total: results.length };
}

/** The result in words. @param {Guide} guide */
export function summaryText(guide) {
  const { found, total } = countResults(guide);
  if (!total) return guide.side ? "You made no mistakes in this game." : "There are no mistakes in this game.";
  if (found === total)
    return total === 1 ? "You found the better move." : `You found all ${total} better moves. Well done!`;
  return `You found ${found} of ${total} better moves.`;
}
