// @ts-check
/** Learning: stepping through the search tree of a textbook algorithm, and the savings of ordering and pruning. */

import { api } from "./api.js";
import { complain, errorText, redraw, state } from "./app.js";
import { isAborted } from "./tasks.js";

/**
 * @typedef {import("./api.js").TraceNode} TraceNode
 *
 * @typedef {object} Learn
 * @property {string} lesson which of the positions
 * @property {string} algorithm
 * @property {string} order
 * @property {number | null} depth
 * @property {string} game
 * @property {string} start
 * @property {import("./api.js").Trace | null} trace
 * @property {import("./panels.js").Game | null} drawn
 * @property {import("./layout.js").Drawing | null} drawing
 * @property {{tick: number, node: TraceNode, kind: "enter" | "leave"}[]} steps
 * @property {number} at the number of steps made
 * @property {boolean} isPlaying
 * @property {number} speed steps a second
 * @property {import("./api.js").Comparison | null} comparison
 * @property {boolean} isBusy
 * @property {import("./app.js").Failure | null} failed
 *
 * A lesson with its trace, as it is once the search has been recorded.
 * @typedef {Learn & {trace: import("./api.js").Trace, drawing: import("./layout.js").Drawing}} LoadedLearn
 */

/** Positions small enough to watch a search of them. */
export const LESSONS = [
  { id: "end", name: "3×3, three cells left", game: "3x3", start: "xox/oxo/3 x", depth: null },
  { id: "four", name: "3×3, four cells left", game: "3x3", start: "xox/1o1/1x1 o", depth: null },
  { id: "fork", name: "3×3, a fork to find", game: "3x3", start: "x2/1o1/2x o", depth: 3 },
  { id: "empty", name: "3×3, the empty board", game: "3x3", start: "3/3/3 x", depth: 2 },
  { id: "drop", name: "Marks that fall, 3×3", game: "3x3+gravity", start: "3/1o1/xxo x", depth: 4 },
  { id: "misere", name: "Misère 3×3: a line loses", game: "3x3+misere", start: "xo1/1x1/o2 x", depth: null },
  { id: "four-by-four", name: "4×4, three in a row", game: "4x4:3", start: "4/1x2/2o1/4 x", depth: 2 },
  { id: "custom", name: "A position of your own …", game: "3x3", start: "x1o/1x1/2o x", depth: null },
];
const MAX_NODES = 400;

let asked = new AbortController();

/** Open the view, with a first lesson unless one was chosen. */
export function openLearn() {
  if (state.learn) return;
  const [first] = LESSONS.slice(1);
  state.learn = {
    lesson: first.id,
    algorithm: "minimax",
    order: "row_by_row",
    depth: first.depth,
    game: first.game,
    start: first.start,
    trace: null,
    drawn: null,
    drawing: null,
    steps: [],
    at: 0,
    isPlaying: false,
    speed: 4,
    comparison: null,
    isBusy: false,
    failed: null,
  };
  search();
  compare();
}

/** @param {string} id */
export function chooseLesson(id) {
  const lesson = LESSONS.find((one) => one.id === id);
  if (!lesson || !state.learn) return;
  Object.assign(state.learn, { lesson: id, game: lesson.game, start: lesson.start, depth: lesson.depth });
  search();
  compare();
}

/** @param {Partial<Learn>} changed */
export function setLearn(changed) {
  if (!state.learn) return;
  Object.assign(state.learn, changed);
  search();
  if ("depth" in changed || "game" in changed || "start" in changed) compare();
}

/** @param {Learn} learn */
function requestFor(learn) {
  return { game: learn.game, start: learn.start || null, moves: [] };
}

/** Run the chosen search and draw its tree. */
async function search() {
  const learn = state.learn;
  if (!learn) return;
  asked.abort();
  const mine = (asked = new AbortController());
  Object.assign(learn, { isBusy: true, isPlaying: false, failed: null });
  redraw();
  try {
    const { drawTree } = await import("./layout.js");
    const options = {
      algorithm: learn.algorithm,
      order: learn.order,
      depth: learn.depth,
      evaluate: learn.depth === null ? "outcome" : "lines",
      nodes: MAX_NODES,
    };
    const [trace, game] = await Promise.all([
      api.trace(requestFor(learn), options, mine.signal),
      api.game(learn.game),
    ]);
    if (mine.signal.aborted) return;
    Object.assign(learn, { trace, drawn: game, steps: stepsOf(trace), at: 0, drawing: drawTree(trace) });
  } catch (error) {
    if (!isAborted(error)) {
      Object.assign(learn, { trace: null, failed: { text: errorText(error), retry: searchAgain } });
    }
  } finally {
    if (mine === asked) learn.isBusy = false;
    redraw();
  }
}

function searchAgain() {
  search();
  compare();
}

/** Count the nodes of every search of the position. */
async function compare() {
  const learn = state.learn;
  if (!learn) return;
  learn.comparison = null;
  const key = JSON.stringify([requestFor(learn), learn.depth]);
  try {
    const found = await api.compare(requestFor(learn), {
      depth: learn.depth,
      evaluate: learn.depth === null ? "outcome" : "lines",
      seconds: 1,
    });
    if (key === JSON.stringify([requestFor(learn), learn.depth])) learn.comparison = found;
  } catch (error) {
    if (!learn.failed) complain(error, compare);
  }
  redraw();
}

/** The steps of the search, in order. @param {{nodes: TraceNode[]}} trace */
function stepsOf(trace) {
  return trace.nodes
    .flatMap((node) => [
      { tick: node.entered, node, kind: /** @type {const} */ ("enter") },
      ...(node.left === null ? [] : [{ tick: node.left, node, kind: /** @type {const} */ ("leave") }]),
    ])
    .sort((a, b) => a.tick - b.tick);
}

/** @param {number} at */
export function stepTo(at) {
  const learn = state.learn;
  if (!learn) return;
  learn.at = Math.max(0, Math.min(at, learn.steps.length));
  if (learn.at === learn.steps.length) learn.isPlaying = false;
  redraw();
  setTimeout(follow);
}

/** Keep the node the search is at in sight, without moving the page. */
function follow() {
  const [canvas, node] = [document.querySelector(".canvas"), document.querySelector(".knot.current")];
  if (!canvas || !node) return;
  const [frame, box] = [canvas.getBoundingClientRect(), node.getBoundingClientRect()];
  if (box.left < frame.left || box.right > frame.right) canvas.scrollLeft += box.left - frame.left - frame.width / 2;
  if (box.top < frame.top || box.bottom > frame.bottom) canvas.scrollTop += box.top - frame.top - frame.height / 2;
}

/** Step to the next cutoff. */
export function stepToCut() {
  const learn = state.learn;
  if (!learn) return;
  const next = learn.steps.findIndex(
    (step, at) => at >= learn.at && step.kind === "leave" && step.node.pruned.length > 0,
  );
  stepTo(next < 0 ? learn.steps.length : next + 1);
}

let isRunning = false;

export function togglePlaying() {
  const learn = state.learn;
  if (!learn) return;
  learn.isPlaying = !learn.isPlaying;
  if (learn.isPlaying && learn.at === learn.steps.length) learn.at = 0;
  if (learn.isPlaying && !isRunning) run();
  redraw();
}

/** Step at the chosen speed until it is paused. */
function run() {
  const learn = state.learn;
  isRunning = Boolean(learn?.isPlaying && state.view === "learn");
  if (!learn || !isRunning) return;
  stepTo(learn.at + 1);
  setTimeout(run, 1000 / learn.speed);
}

/** The marks on the board at a node. @param {LoadedLearn} learn @param {TraceNode} node */
export function boardAt(learn, node) {
  const cells = [...learn.trace.cells];
  for (let at = /** @type {TraceNode | null} */ (node); at && at.parent !== null; at = learn.trace.nodes[at.parent]) {
    cells[/** @type {number} */ (at.move)] = learn.trace.nodes[at.parent].side;
  }
  return cells;
}

/** The last step in words. @param {LoadedLearn} learn */
export function stepText(learn) {
  if (learn.at === 0) return "Press Forward to let the search take its first step.";
  const { node, kind } = learn.steps[learn.at - 1];
  const parent = node.parent === null ? null : learn.trace.nodes[node.parent];
  const name = node.move === null ? "the root" : learn.trace.names[node.move];
  if (kind === "enter") {
    const came = parent ? `${parent.side} tries ${name}.` : "The search begins at the root.";
    if (node.side === null) return `${came} The game is over: ${node.winner ? `${node.winner} wins` : "a draw"}.`;
    const hasWindow = node.alpha !== null || node.beta !== null;
    const window = hasWindow ? `, window ${bound(node.alpha, "−∞")} to ${bound(node.beta, "+∞")}` : "";
    return `${came} ${node.side === "X" ? "MAX (X)" : "MIN (O)"} is to move${window}.`;
  }
  const pruned = node.pruned.map((move) => learn.trace.names[move]).join(", ");
  const verb = node.pruned.length === 1 ? "is" : "are";
  const cut = pruned ? ` Cutoff: ${node.cutoff}, so ${pruned} ${verb} not searched.` : "";
  const note = node.note ? ` (${node.note})` : "";
  return `${parent ? `${name} is worth` : "The whole position is worth"} ${signed(node.value)}${note}.${cut}`;
}

/** @param {number | null} value @param {string} otherwise */
export function bound(value, otherwise) {
  return value === null ? otherwise : signed(value);
}

/** @param {number | null} value */
export function signed(value) {
  if (value === null) return "?";
  return value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "0";
}
