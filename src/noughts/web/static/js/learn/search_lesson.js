// @ts-check
/** A search lesson: the reader steps through one or two textbook searches, and may predict the next step. */

import { ask } from "../server/api.js";
import { complain, errorText, redraw, state } from "../shell/app.js";
import { newLearner } from "./learner.js";
import { goTo, goToMark, predict, questionOf } from "./replay.js";
import { isAborted } from "../server/tasks.js";

/**
 * A search: its options, and its replay once it has been recorded.
 * @typedef {object} Search
 * @property {string} algorithm
 * @property {string} order
 * @property {number} simulations of Monte-Carlo tree search
 * @property {number | null} rollout the plies of a rollout, after which the position is judged; null: to the end
 * @property {import("../server/types.d.ts").TraceAnswer | null} trace
 * @property {import("../server/types.d.ts").ReplayStep[]} steps
 * @property {number} at the number of steps made
 * @property {import("./replay.js").Verdict | null} verdict on the prediction of the last step
 * @property {AbortController} asked
 *
 * @typedef {object} SearchLesson
 * @property {string} lesson which of the positions
 * @property {number | null} depth
 * @property {string} game
 * @property {string} start
 * @property {string | null} leaves the leaf values of a typed tree, in place of a position
 * @property {number} zoom of the trees
 * @property {import("../board/panels.js").Game | null} drawn
 * @property {Search[]} searches one, or two to compare
 * @property {number | null} target the search that the buttons step; null for all
 * @property {boolean} isPlaying
 * @property {number} speed steps a second
 * @property {boolean} isPredicting
 * @property {boolean} isTuning whether the choices of positions and searches are unfolded
 * @property {boolean} showsText whether the tree is written as text, too
 * @property {import("./replay.js").Score} score
 * @property {import("../server/types.d.ts").ComparisonAnswer | null} comparison
 * @property {import("./learner.js").Learner} learner
 * @property {import("../shell/app.js").Failure | null} failed
 *
 * A search that has been recorded.
 * @typedef {Search & {trace: import("../server/types.d.ts").TraceAnswer}} LoadedSearch
 */

/** Positions small enough to watch a search of them, and a tree whose leaf values are typed.
 * @type {{id: string, name: string, game?: string, start?: string, depth?: number | null, leaves?: string}[]} */
export const LESSONS = [
  { id: "end", name: "3×3, three cells left", game: "3x3", start: "xox/oxo/3 x", depth: null },
  { id: "four", name: "3×3, four cells left", game: "3x3", start: "xox/1o1/1x1 o", depth: null },
  { id: "fork", name: "3×3, a fork to find", game: "3x3", start: "x2/1o1/2x o", depth: 3 },
  { id: "empty", name: "3×3, the empty board", game: "3x3", start: "3/3/3 x", depth: 2 },
  { id: "drop", name: "Marks that fall, 3×3", game: "3x3+gravity", start: "3/1o1/xxo x", depth: 4 },
  { id: "misere", name: "Misère 3×3: a line loses", game: "3x3+misere", start: "xo1/1x1/o2 x", depth: null },
  { id: "four-by-four", name: "4×4, three in a row", game: "4x4:3", start: "4/1x2/2o1/4 x", depth: 2 },
  { id: "leaves", name: "A tree with leaf values of your own …", leaves: "3 12 8 / 2 4 6 / 14 5 2" },
  { id: "custom", name: "A position of your own …", game: "3x3", start: "x1o/1x1/2o x", depth: null },
];
const MAX_NODES = 400;

/** Searches that grow a tree in memory; they have no depth limit. */
export const GROWING = ["mcts", "proof_number_search"];

/** Searches that evaluate nothing but leaves, and so can search a tree with typed leaf values. */
export const TYPED = ["minimax", "alphabeta", "negamax", "negascout", "expectimax"];

/** @param {string} algorithm @returns {Search} */
function newSearch(algorithm) {
  return {
    algorithm,
    order: "row_by_row",
    simulations: 30,
    rollout: null,
    trace: null,
    steps: [],
    at: 0,
    verdict: null,
    asked: new AbortController(),
  };
}

/** Open the view, with the first lesson unless one was chosen; retry what has failed. */
export function openLearn() {
  if (state.learn) {
    state.learn.failed?.retry();
    return;
  }
  const [first] = LESSONS.slice(1);
  state.learn = {
    lesson: first.id,
    depth: first.depth ?? null,
    game: first.game ?? "3x3",
    start: first.start ?? "",
    leaves: null,
    zoom: 1,
    drawn: null,
    searches: [newSearch("minimax")],
    target: null,
    isPlaying: false,
    speed: 4,
    isPredicting: false,
    isTuning: false,
    showsText: false,
    score: { right: 0, asked: 0 },
    comparison: null,
    learner: newLearner(),
    failed: null,
  };
  searchAgain();
}

/** @param {string} id */
export function chooseLesson(id) {
  const lesson = LESSONS.find((one) => one.id === id);
  if (!lesson || !state.learn) return;
  const { game = "3x3", start = "", depth = null, leaves = null } = lesson;
  if (leaves !== null)
    state.learn.searches.forEach((search) => {
      if (!TYPED.includes(search.algorithm) || search.algorithm === "minimax") search.algorithm = "alphabeta";
    });
  setPosition({ lesson: id, game, start, depth, leaves });
}

/** Change the position or the depth of all searches. @param {Partial<SearchLesson>} changed */
export function setPosition(changed) {
  if (!state.learn) return;
  Object.assign(state.learn, changed);
  searchAgain();
}

/** @param {Search} search @param {Partial<Search>} changed */
export function setSearch(search, changed) {
  Object.assign(search, changed);
  record(search);
}

/** Add a second search, or remove it. @param {boolean} isWanted */
export function compareTwo(isWanted) {
  const learn = state.learn;
  if (!learn) return;
  learn.searches.slice(1).forEach(({ asked }) => asked.abort());
  learn.searches = learn.searches.slice(0, 1);
  learn.target = null;
  if (isWanted) {
    const [first] = learn.searches;
    const second = newSearch(first.algorithm === "mcts" ? "alphabeta" : learn.leaves === null ? "mcts" : "minimax");
    learn.searches.push(second);
    record(second);
  }
  redraw();
}

/** @param {SearchLesson} learn */
function requestFor(learn) {
  if (learn.leaves !== null) return { game: learn.game, leaves: learn.leaves };
  return { game: learn.game, start: learn.start || null, moves: [] };
}

/** Whether the position or the values of the leaves are typed. @param {SearchLesson} learn */
function isTyped({ lesson, leaves }) {
  return lesson === "custom" || leaves !== null;
}

/** Run a search and draw its tree. @param {Search} search */
async function record(search) {
  const learn = state.learn;
  if (!learn) return;
  search.asked.abort();
  const mine = (search.asked = new AbortController());
  Object.assign(learn, { isPlaying: false, failed: null });
  redraw();
  const depth = search.algorithm === "mcts" ? search.rollout : learn.depth;
  try {
    const request = /** @type {import("../server/types.d.ts").TraceRequest} */ ({
      ...requestFor(learn),
      algorithm: search.algorithm,
      order: search.order,
      depth: learn.leaves === null ? depth : null,
      evaluate: depth === null ? "outcome" : "lines",
      simulations: search.simulations,
      nodes: MAX_NODES,
      replay: true,
    });
    const [trace, game] = await Promise.all([
      ask("trace", request, { signal: mine.signal, isTyped: isTyped(learn) }),
      ask("game", { game: learn.game }),
    ]);
    if (mine.signal.aborted) return;
    learn.drawn = game;
    Object.assign(search, { trace, steps: trace.replay, at: 0, verdict: null });
  } catch (error) {
    if (!isAborted(error)) {
      search.trace = null;
      learn.failed = { text: errorText(error), retry: searchAgain };
    }
  }
  redraw();
  setTimeout(follow);
}

function searchAgain() {
  state.learn?.searches.forEach(record);
  compare();
}

/** Count the nodes of every search of the position. */
async function compare() {
  const learn = state.learn;
  if (!learn) return;
  learn.comparison = null;
  if (learn.leaves !== null) return;
  const key = JSON.stringify([requestFor(learn), learn.depth]);
  try {
    const request = {
      game: learn.game,
      start: learn.start || null,
      depth: learn.depth,
      evaluate: learn.depth === null ? /** @type {const} */ ("outcome") : /** @type {const} */ ("lines"),
      seconds: 1,
    };
    const found = await ask("compare", request, { isTyped: isTyped(learn) });
    if (key === JSON.stringify([requestFor(learn), learn.depth])) learn.comparison = found;
  } catch (error) {
    if (!learn.failed) complain(error, compare);
  }
  redraw();
}

// Steps

/** The searches that the buttons step. @param {SearchLesson} learn @returns {LoadedSearch[]} */
export function targets({ searches, target }) {
  const chosen = target === null ? searches : [searches[target]];
  return /** @type {LoadedSearch[]} */ (chosen.filter(({ trace }) => trace));
}

/** Whether the reader has to predict the next step of a search. @param {SearchLesson} learn @param {Search} search */
export function isAsking(learn, search) {
  return learn.isPredicting && questionOf(search) !== null;
}

/** @param {SearchLesson} learn @param {Search} search */
export function isWaiting(learn, search) {
  return search.at === search.steps.length || isAsking(learn, search);
}

/** Step all searches that the buttons step. @param {(search: LoadedSearch, learn: SearchLesson) => void} go */
function step(go) {
  const learn = state.learn;
  if (!learn) return;
  const moved = targets(learn);
  moved.forEach((search) => go(search, learn));
  if (moved.every((search) => isWaiting(learn, search))) learn.isPlaying = false;
  redraw();
  setTimeout(follow);
}

/** @param {number} at */
export function stepTo(at) {
  step((search) => goTo(search, at));
}

/** @param {number} by */
export function stepBy(by) {
  step((search, learn) => {
    if (by < 0 || !isAsking(learn, search)) goTo(search, search.at + by);
  });
}

export function stepToMark() {
  step((search, learn) => goToMark(search, learn.isPredicting));
}

/** Answer the question about the next step; null shows it instead. @param {Search} search @param {number | null} choice */
export function answer(search, choice) {
  const learn = state.learn;
  if (!learn) return;
  if (choice === null) goTo(search, search.at + 1);
  else predict(search, choice, learn.score);
  redraw();
  setTimeout(follow);
}

/** @param {Partial<Pick<SearchLesson, "isPredicting" | "showsText" | "speed" | "target" | "zoom">>} changed */
export function setView(changed) {
  Object.assign(/** @type {SearchLesson} */ (state.learn), changed);
  redraw();
}

/** Scroll the trees, not the page, to the current nodes of the searches, at first to the roots. */
function follow() {
  for (const canvas of document.querySelectorAll(".canvas")) {
    const node = canvas.querySelector(".knot.current") ?? canvas.querySelector(".knot");
    if (!node) continue;
    const [frame, box] = [canvas.getBoundingClientRect(), node.getBoundingClientRect()];
    if (box.left < frame.left + box.width || box.right > frame.right - box.width)
      canvas.scrollLeft += box.left - frame.left - frame.width / 2;
    if (box.top < frame.top || box.bottom > frame.bottom) canvas.scrollTop += box.top - frame.top - frame.height / 2;
  }
}

let isRunning = false;

export function togglePlaying() {
  const learn = state.learn;
  if (!learn) return;
  learn.isPlaying = !learn.isPlaying;
  const moved = targets(learn);
  if (learn.isPlaying && moved.every(({ at, steps }) => at === steps.length))
    moved.forEach((search) => goTo(search, 0));
  if (learn.isPlaying && !isRunning) run();
  redraw();
}

/** Step at the chosen speed until it is paused. */
function run() {
  const learn = state.learn;
  isRunning = Boolean(learn?.isPlaying && state.view === "learn");
  if (!learn || !isRunning) return;
  stepBy(1);
  setTimeout(run, 1000 / learn.speed);
}
