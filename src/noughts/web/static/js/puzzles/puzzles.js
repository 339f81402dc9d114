// @ts-check
/** Puzzles: positions with one solution. The list and the proofs are the server's; the choice is in choice.js. */

import { newExercise, present } from "../exercise/exercise.js";
import { ask } from "../server/api.js";
import { latest } from "../server/tasks.js";
import { attempt, notify, redraw, state } from "../shell/app.js";
import { replaceAddress } from "../shell/route.js";
import { storedList } from "../shell/storage.js";
import { FEATURED } from "../home/home.js";
import { afterTry, dateText, nextPuzzle, THEME_WORDS, upgradePuzzle } from "./choice.js";
import { readProgress, today, TODAY, writeProgress } from "./daily.js";

/**
 * @typedef {import("./choice.js").Puzzle} Puzzle
 * @typedef {import("./choice.js").Entry} Entry
 *
 * The puzzle on the board: `day` is the date of a puzzle of the day, `gained` the change of the rating.
 * @typedef {import("../exercise/exercise.js").Exercise & {puzzle: Puzzle, day: string | null, gained: number}} Solving
 *
 * @typedef {object} Puzzles
 * @property {Entry[]} all
 * @property {import("./choice.js").Progress} progress
 * @property {string} only the id of the one game wanted, "own" for puzzles from your games, or ""
 * @property {string} theme the one theme wanted, or ""
 * @property {Solving | null} solving
 */

const MAX_MADE = 200;
export const OWN = "own";

/** The puzzles made from reviews in this browser. */
export const madePuzzles = storedList(
  "noughts.puzzles.made",
  (/** @type {Puzzle} */ puzzle) => puzzle.id,
  MAX_MADE,
  upgradePuzzle,
);

/** @returns {Promise<Puzzles>} */
async function load() {
  const { puzzles } = await ask("puzzles", {});
  state.puzzles ??= { all: puzzles, progress: readProgress(), only: "", theme: "", solving: null };
  return state.puzzles;
}

/** The view of puzzles: the one in the address, or that of today. @param {import("../shell/route.js").Route} route */
export async function openPuzzles(route) {
  const puzzles = await load();
  const id = route.fields.get("puzzle");
  if (id === TODAY) return openToday();
  const asked = id && [...puzzles.all, ...madePuzzles.all()].find((puzzle) => puzzle.id === id);
  if (asked) await open(await complete(asked), null);
  else if (id) notify("this puzzle no longer exists", "error");
  if (!puzzles.solving) await openToday();
  else replaceAddress(`#view=puzzles&puzzle=${puzzles.solving.puzzle.id}`);
}

/** A puzzle with its position. @param {Entry | Puzzle} entry @returns {Promise<Puzzle>} */
async function complete(entry) {
  return "cells" in entry ? entry : ask("find_puzzle", { puzzle: entry.id });
}

/** Today's puzzle: the same for everyone. */
export async function openToday() {
  await open(await today(), dateText(new Date()));
}

/** Another puzzle, near the rating of the person. */
export async function openNext() {
  await attempt(async () => {
    const { all, progress, only, theme, solving } = await load();
    const last = solving?.puzzle.id ?? null;
    const from = only === OWN ? madePuzzles.all() : all;
    const found = nextPuzzle(
      from,
      progress,
      { game: only === OWN ? "" : only, theme, familiar: FEATURED },
      last,
      Math.random(),
    );
    const none = only === OWN ? "there are no puzzles from your games yet: review one" : "there is no other puzzle";
    if (found) await open(await complete(found), null);
    else notify(none, "error");
  });
}

/** Only puzzles of one game, or of one theme. @param {Partial<Pick<Puzzles, "only" | "theme">>} chosen */
export function choosePuzzles(chosen) {
  if (!state.puzzles) return;
  Object.assign(state.puzzles, chosen);
  openNext();
}

const openings = latest();

/** @param {Puzzle} puzzle @param {string | null} day */
async function open(puzzle, day) {
  const isLatest = openings.next();
  const { game, start, turn, goal, moves, steps, cells, themes } = puzzle;
  const [theme] = themes;
  const exercise = await newExercise({
    ...{ game, start, turn, goal, moves, steps, cells, accepted: cells.slice(0, 1) },
    idea: theme ? `The theme is “${theme}”: ${THEME_WORDS[theme]}.` : "",
    success: () => solvedText(puzzle),
    ontry: (isRight) => count(solving, isRight),
  });
  /** @type {Solving} */
  const solving = { ...exercise, puzzle, day, gained: 0 };
  const puzzles = await load();
  if (!isLatest()) return;
  puzzles.solving = solving;
  if (state.view === "puzzles") replaceAddress(`#view=puzzles&puzzle=${puzzle.id}`);
  present(solving, `${puzzle.title}. ${puzzle.text}.`);
}

/** @param {Puzzle} puzzle */
function solvedText({ goal, cells, steps }) {
  if (goal === "draw") return "Solved: the draw is safe.";
  return cells.length > 2 * steps - 1
    ? "Solved: the win cannot be stopped any more. This is how it ends:"
    : "Solved!";
}

/** Count the first try at a puzzle. @param {Solving} solving @param {boolean} isRight */
function count(solving, isRight) {
  const puzzles = /** @type {Puzzles} */ (state.puzzles);
  // Another tab may have made progress, too.
  const before = readProgress();
  const { puzzle, day, isHinted, wasWrong } = solving;
  puzzles.progress = afterTry(before, puzzle, isRight && !wasWrong, { day, isHinted });
  if (isRight && day && !puzzles.progress.daily[day]) puzzles.progress.late = day;
  solving.gained += puzzles.progress.rating - before.rating;
  writeProgress(puzzles.progress);
  redraw();
}
