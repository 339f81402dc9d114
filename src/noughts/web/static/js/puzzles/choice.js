// @ts-check
/** Which puzzle comes next, and what solving it is worth. Pure functions. */

/**
 * A puzzle of the list, and one with its position.
 * @typedef {import("../server/types.d.ts").PuzzleEntry} Entry
 * @typedef {Omit<import("../server/types.d.ts").PuzzleAnswer, "line">} Puzzle
 * @typedef {import("../server/types.d.ts").Theme} Theme
 *
 * The progress that this browser remembers.
 * @typedef {object} Progress
 * @property {number} rating
 * @property {number} streak puzzles solved in a row at the first try
 * @property {number} best the longest streak
 * @property {Record<string, boolean>} tried by id: whether the first try was right
 * @property {Record<string, boolean>} daily by date: whether the first try was right
 * @property {string} late the last date whose puzzle was solved, but not at the first try
 */

const FIRST_RATING = 800;
/** K-factors of the Elo rating: a high one for the first puzzles, then a lower one. */
const [K_FIRST, K_LATER, FIRST_PUZZLES] = [80, 32, 15];
/** Number of puzzles with the nearest ratings among which the next one is chosen. */
const NEAREST = 8;

/** @returns {Progress} */
export function noProgress() {
  return { rating: FIRST_RATING, streak: 0, best: 0, tried: {}, daily: {}, late: "" };
}

/** The date as `2026-11-16`, where the person is. @param {Date} now */
export function dateText(now) {
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/**
 * What puzzles a person wants; an empty text stands for all.
 * @typedef {{game: string, theme: string, familiar?: readonly string[]}} Wish familiar: the games to begin with
 */

/**
 * A puzzle near the rating, one that was never tried if there is any; null if there are none of the game and theme.
 * @template {Entry} E
 * @param {readonly E[]} puzzles @param {Progress} progress @param {Wish} wish
 * @param {string | null} last the id of the last puzzle @param {number} chance from 0 to 1
 * @returns {E | null}
 */
export function nextPuzzle(puzzles, progress, { game, theme, familiar = [] }, last, chance) {
  const fits = (/** @type {Entry} */ { themes }) => !theme || themes.some((one) => one === theme);
  const of = puzzles.filter((puzzle) => (!game || puzzle.game === game) && fits(puzzle) && puzzle.id !== last);
  const fresh = of.filter((puzzle) => !(puzzle.id in progress.tried));
  const distance = (/** @type {Entry} */ puzzle) => Math.abs(puzzle.rating - progress.rating);
  const isNew = !game && Object.keys(progress.tried).length < FIRST_PUZZLES;
  const first = isNew ? fresh.filter((puzzle) => familiar.includes(puzzle.game)) : [];
  const near = [...(first.length ? first : fresh.length ? fresh : of)]
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, NEAREST);
  return near[Math.min(near.length - 1, Math.floor(chance * near.length))] ?? null;
}

/** The share of puzzles of a rating that a person of a rating solves. @param {number} mine @param {number} puzzle */
export function expected(mine, puzzle) {
  return 1 / (1 + 10 ** ((puzzle - mine) / 400));
}

/**
 * The progress after the first try at a puzzle; later tries count for nothing. With hints there is nothing to gain, and
 * the streak stays as it is.
 * @param {Progress} progress @param {Entry} puzzle @param {boolean} isSolved
 * @param {{day?: string | null, isHinted?: boolean}} [how] the date of a puzzle of the day
 * @returns {Progress}
 */
export function afterTry(progress, puzzle, isSolved, { day = null, isHinted = false } = {}) {
  const daily = day === null || day in progress.daily ? progress.daily : { ...progress.daily, [day]: isSolved };
  if (puzzle.id in progress.tried) return { ...progress, daily };
  if (isSolved && isHinted) return { ...progress, daily, tried: { ...progress.tried, [puzzle.id]: true } };
  const k = Object.keys(progress.tried).length < FIRST_PUZZLES ? K_FIRST : K_LATER;
  const gain = k * (Number(isSolved) - expected(progress.rating, puzzle.rating));
  const streak = isSolved ? progress.streak + 1 : 0;
  return {
    late: progress.late,
    rating: Math.max(100, Math.round(progress.rating + gain)),
    streak,
    best: Math.max(progress.best, streak),
    tried: { ...progress.tried, [puzzle.id]: isSolved },
    daily,
  };
}

/** A puzzle as it may have been stored by older versions of the page. @param {any} stored @returns {Puzzle} */
export function upgradePuzzle(stored) {
  const cells = stored.cells ?? stored.line;
  return { themes: [], moves: Math.ceil(cells.length / 2), ...stored, cells };
}

/** Days in a row, up to today or yesterday, on which the puzzle of the day was solved. @param {Progress} progress @param {string} today */
export function dailyStreak({ daily }, today) {
  const day = (/** @type {number} */ back) =>
    new Date(Date.parse(`${today}T00:00:00Z`) - back * 86_400_000).toISOString().slice(0, 10);
  const first = daily[today] === undefined ? 1 : 0;
  let days = 0;
  while (daily[day(first + days)]) days += 1;
  return days;
}

/** What a theme means. @type {Record<Theme, string>} */
export const THEME_WORDS = {
  fork: "two threats with one move",
  "stacked threats": "blocking one threat opens the next",
  "forced sequence": "threat after threat, each with one answer",
  "quiet move": "the first move threatens nothing",
  "block and threaten": "one move stops a threat and makes one",
  zugzwang: "the side that has to move loses",
  sending: "where you send your opponent decides",
  "free choice of board": "your opponent must let you play on any board",
  "only move": "every other move loses",
};
