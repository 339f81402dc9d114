// @ts-check
/** Analysis: a tree of variations with the evaluation of each position, reviews, and proofs. */

import { api } from "./api.js";
import { announce, complain, notify, redraw, state } from "./app.js";
import { allMoves, sideAt } from "./phase.js";
import { middle } from "./play.js";
import { show } from "./route.js";
import { sound } from "./sound.js";
import { analyse, review, solve, stop } from "./think.js";

/**
 * @typedef {import("./api.js").EngineLine} EngineLine
 * @typedef {import("./api.js").Worth} Worth
 * @typedef {import("./api.js").ReviewedMove} ReviewedMove
 *
 * A position of the tree, and the move that led to it.
 * @typedef {object} Branch
 * @property {number | null} move
 * @property {number} ply
 * @property {Branch | null} parent
 * @property {Branch[]} kids the first is the main line
 * @property {number | null} chance for X, as far as it is known
 * @property {string} worth in words
 * @property {ReviewedMove | null} judged the review of the move
 *
 * @typedef {object} Analysis
 * @property {import("./panels.js").Game} game
 * @property {string | null} start
 * @property {Branch} root
 * @property {Branch} here
 * @property {import("./api.js").Position} position
 * @property {boolean} isOn
 * @property {boolean} showsWorths
 * @property {EngineLine[]} lines
 * @property {import("./api.js").AnalysisAnswer | null} found the last message of the engine
 * @property {number} ahead the number of jobs that the server does first
 * @property {import("./api.js").ReviewAnswer | null} review
 * @property {{done: number, of: number} | null} reviewing
 * @property {{judged: ReviewedMove, verdict: string, isGood: boolean} | null} trying
 * @property {import("./think.js").SolveMessage | null} solution the last message of the solver
 * @property {boolean} isSolving
 * @property {Record<string, string>} names of the players
 * @property {number} focus
 * @property {number | null} pointed
 * @property {boolean} fresh
 * @property {number | null} pending
 */

const SECONDS = 30;
const REVIEW_SECONDS = 10;
const SOLVE_SECONDS = 30;
/** Loss of winning chance up to which a second try counts as right. */
const MAX_LOSS = 0.05;

/** @type {{analyse: number | null, review: number | null, solve: number | null}} */
const running = { analyse: null, review: null, solve: null };

/** @param {Branch | null} parent @param {number | null} move @returns {Branch} */
function branch(parent, move) {
  return { move, ply: parent ? parent.ply + 1 : 0, parent, kids: [], chance: null, worth: "", judged: null };
}

/** The moves that lead to a branch. @param {Branch} to @returns {number[]} */
export function movesTo(to) {
  return to.parent ? [...movesTo(to.parent), /** @type {number} */ (to.move)] : [];
}

/**
 * The branches from the root through this one to the end of its main line.
 * @param {Branch} through @returns {Branch[]}
 */
export function lineThrough(through) {
  const line = [];
  for (let at = /** @type {Branch | null} */ (through); at; at = at.parent) line.unshift(at);
  for (let at = through.kids[0]; at; at = at.kids[0]) line.push(at);
  return line;
}

/**
 * Open an analysis.
 * @param {object} wanted
 * @param {import("./api.js").GameData} wanted.game
 * @param {string | null} [wanted.start]
 * @param {number[]} [wanted.moves]
 * @param {number} [wanted.at]
 * @param {Record<string, string>} [wanted.names]
 */
export async function openAnalysis(wanted) {
  halt();
  const game = await api.game(wanted.game);
  const root = branch(null, null);
  let tip = root;
  for (const move of wanted.moves ?? []) {
    tip.kids.push(branch(tip, move));
    tip = tip.kids[0];
  }
  const here = lineThrough(root)[wanted.at ?? (wanted.moves ?? []).length] ?? tip;
  const position = await api.position({ game: game.data, start: wanted.start ?? null, moves: movesTo(here) });
  state.analysis = {
    game,
    start: wanted.start ?? null,
    root,
    here,
    position,
    isOn: state.analysis?.isOn ?? true,
    showsWorths: state.analysis?.showsWorths ?? true,
    lines: [],
    found: null,
    ahead: 0,
    review: null,
    reviewing: null,
    trying: null,
    solution: null,
    isSolving: false,
    names: wanted.names ?? {},
    focus: middle(game),
    pointed: null,
    fresh: false,
    pending: null,
  };
  state.zoom = 0;
  if (state.view === "analyse") analyseHere();
  redraw();
}

/** @param {import("./phase.js").Play} play */
function toAnalyse(play) {
  return {
    game: play.game.data,
    start: play.start,
    moves: allMoves(play),
    at: play.at,
    names: { X: play.players.X.name, O: play.players.O.name },
  };
}

/** Analyse what is being played. @param {import("./phase.js").Play} play */
export async function analysePlay(play) {
  try {
    show("analyse");
    await openAnalysis(toAnalyse(play));
  } catch (error) {
    complain(error);
  }
}

/** Review what has been played. @param {import("./phase.js").Play} play */
export async function reviewPlay(play) {
  await analysePlay(play);
  startReview();
}

/** Stop all work of the engine for the analysis. */
export function halt() {
  for (const what of /** @type {const} */ (["analyse", "review", "solve"])) {
    stop(running[what]);
    running[what] = null;
  }
}

/** Number of visits to branches: of two at once the later one counts. */
let visits = 0;

/** Show a branch. @param {Branch} to @param {boolean} [isNew] */
export async function visit(to, isNew = false) {
  const analysis = state.analysis;
  if (!analysis) return;
  const visiting = (visits += 1);
  // Results for the old position must not be shown for the new one.
  Object.assign(analysis, { lines: [], found: null, ahead: 0, solution: null, isSolving: false });
  stop(running.analyse);
  try {
    const position = await api.position({ game: analysis.game.data, start: analysis.start, moves: movesTo(to) });
    if (visiting !== visits) return;
    Object.assign(analysis, { here: to, position, fresh: isNew, pending: null });
    if (position.outcome) to.chance = { X: 1, O: 0, draw: 0.5 }[position.outcome.winner ?? "draw"];
    stop(running.solve);
    if (analysis.trying && analysis.trying.judged.ply - 1 !== to.ply && !isNew) analysis.trying = null;
    announce(`${position.announcement} ${position.status}.`.trim());
    redraw();
    analyseHere();
  } catch (error) {
    complain(error);
  }
}

export function back() {
  const here = state.analysis?.here;
  return here?.parent ? visit(here.parent) : notify("this is the start", "error");
}

export function forward() {
  const here = state.analysis?.here;
  return here?.kids.length ? visit(here.kids[0]) : notify("this is the end of the line", "error");
}

/** Go to the position after `ply` moves of the line on the board. @param {number} ply */
export function visitPly(ply) {
  const analysis = state.analysis;
  const to = analysis && lineThrough(analysis.here)[ply];
  if (to) visit(to);
}

/** Play a cell: along an existing branch, or a new one. @param {number} cell */
export async function tryCell(cell) {
  const analysis = state.analysis;
  if (!analysis) return;
  if (!analysis.position.legal.includes(cell))
    return notify(`${analysis.game.names[cell]} cannot be played now`, "error");
  if (analysis.trying && analysis.here.ply === analysis.trying.judged.ply - 1) return judgeTry(analysis, cell);
  analysis.pending = cell;
  redraw();
  sound(analysis.position.turn ?? "note");
  return visit(child(analysis.here, cell), true);
}

/** Play a move that was typed. @param {string} text */
export async function tryText(text) {
  const analysis = state.analysis;
  if (!analysis) return;
  const found = await api.position({
    game: analysis.game.data,
    start: analysis.start,
    moves: [...movesTo(analysis.here), text],
  });
  return tryCell(/** @type {number} */ (found.last));
}

/** @param {Branch} parent @param {number} move */
function child(parent, move) {
  const known = parent.kids.find((kid) => kid.move === move);
  if (known) return known;
  const made = branch(parent, move);
  parent.kids.push(made);
  return made;
}

/**
 * Add a line of the engine to the tree and show the position after its first moves.
 * @param {EngineLine} line @param {number} [moves]
 */
export function keepLine(line, moves = 1) {
  const analysis = state.analysis;
  if (!analysis) return;
  let at = analysis.here;
  for (const move of line.pv) at = child(at, move);
  for (let ply = at.ply; ply > analysis.here.ply + moves; ply -= 1) at = /** @type {Branch} */ (at.parent);
  visit(at, true);
}

/** Remove a branch and everything after it from the tree. @param {Branch} what */
export function prune(what) {
  const analysis = state.analysis;
  if (!analysis || !what.parent) return;
  const parent = what.parent;
  parent.kids = parent.kids.filter((kid) => kid !== what);
  visit(parent);
}

/** Make a variation the main line where it branches off. @param {Branch} what */
export function promote(what) {
  for (let at = what; at.parent; at = at.parent) at.parent.kids = [at, ...at.parent.kids.filter((kid) => kid !== at)];
  redraw();
}

/** @param {Analysis} analysis @param {Branch} at */
function requestFor(analysis, at) {
  return { game: analysis.game.data, start: analysis.start, moves: movesTo(at) };
}

/** Let the engine analyse the position on the board, if it is switched on. */
export function analyseHere() {
  const analysis = state.analysis;
  stop(running.analyse);
  running.analyse = null;
  if (!analysis?.isOn || analysis.position.is_over || analysis.trying || state.view !== "analyse") return;
  const here = analysis.here;
  const question = { ...requestFor(analysis, here), lines: 3, every: analysis.showsWorths, seconds: SECONDS };
  running.analyse = analyse(question, (message) => {
    if (state.analysis !== analysis || analysis.here !== here) return;
    if (message.type === "error") return notify(message.error, "error");
    analysis.ahead = message.type === "queued" ? message.ahead : 0;
    if (message.type === "analysis") {
      analysis.found = message;
      analysis.lines = message.lines;
      note(here, message.lines[0]);
    }
    redraw();
  });
}

/** @param {Branch} at @param {EngineLine | undefined} best */
function note(at, best) {
  if (!best) return;
  at.chance = best.x_chance;
  at.worth = best.worth.text;
}

export function toggleEngine() {
  const analysis = state.analysis;
  if (!analysis) return;
  analysis.isOn = !analysis.isOn;
  if (!analysis.isOn) Object.assign(analysis, { lines: [], found: null });
  analyseHere();
  redraw();
}

export function toggleWorths() {
  const analysis = state.analysis;
  if (!analysis) return;
  analysis.showsWorths = !analysis.showsWorths;
  analyseHere();
  redraw();
}

/** Prove the value of the position on the board. */
export function solveHere() {
  const analysis = state.analysis;
  if (!analysis) return;
  Object.assign(analysis, { isSolving: true, solution: null });
  const here = analysis.here;
  stop(running.solve);
  running.solve = solve({ ...requestFor(analysis, here), seconds: SOLVE_SECONDS }, (message) => {
    if (state.analysis !== analysis || analysis.here !== here) return;
    if (message.type === "error") notify(message.error, "error");
    if (message.type === "solution" || message.type === "error") analysis.isSolving = false;
    analysis.solution = message.type === "error" ? null : message;
    if (message.type === "solution") announce(solutionText(message));
    redraw();
  });
  redraw();
}

/** The result or the progress of the solver in words. @param {import("./think.js").SolveMessage} solution */
export function solutionText(solution) {
  if (solution.type === "progress") return solution.text;
  if (solution.type !== "solution") return "waiting for a free engine …";
  const nodes = `${solution.nodes.toLocaleString("en")} nodes`;
  if (!solution.value)
    return `not solved in ${SOLVE_SECONDS} s: between ${solution.lower} and ${solution.upper} (${nodes})`;
  const move = !solution.name
    ? ""
    : solution.value === "loss"
      ? `, ${solution.name} resists`
      : `, by ${solution.name}`;
  return `proven: ${solution.value} for the side to move${move} (${nodes})`;
}

/** Review the main line: a label for every move. */
export function startReview() {
  const analysis = state.analysis;
  if (!analysis) return;
  const line = lineThrough(analysis.here);
  const moves = movesTo(line[line.length - 1]);
  if (!moves.length) return notify("there are no moves to review", "error");
  stop(running.analyse);
  Object.assign(analysis, { reviewing: { done: 0, of: moves.length + 1 }, review: null, trying: null });
  const question = { game: analysis.game.data, start: analysis.start, moves, seconds: REVIEW_SECONDS };
  running.review = review(question, (message) => {
    if (state.analysis !== analysis) return;
    if (message.type === "progress") analysis.reviewing = { done: message.done, of: message.of };
    if (message.type === "error") notify(message.error, "error");
    if (message.type === "review") acceptReview(analysis, line, message);
    if (["error", "review", "stopped"].includes(message.type)) {
      analysis.reviewing = null;
      analyseHere();
    }
    redraw();
  });
  return redraw();
}

/** @param {Analysis} analysis @param {Branch[]} line @param {import("./api.js").ReviewAnswer} found */
function acceptReview(analysis, line, found) {
  analysis.review = found;
  for (const judged of found.moves) line[judged.ply].judged = judged;
  for (const point of found.graph) {
    line[point.ply].chance = point.chance;
    line[point.ply].worth = point.text;
  }
  announce(`Review done. Accuracy: X ${percent(found.accuracy.X)}, O ${percent(found.accuracy.O)}.`);
}

/** @param {number | null} value */
export function percent(value) {
  return value === null ? "–" : `${Math.round(value)} %`;
}

/** Go back before a mistake, to find a better move. @param {Branch} mistake */
export async function tryAgain(mistake) {
  const analysis = state.analysis;
  const judged = mistake.judged;
  if (!analysis?.review || !mistake.parent || !judged) return;
  analysis.trying = { judged, verdict: "", isGood: false };
  await visit(mistake.parent);
  notify(`find a better move than ${judged.move} for ${judged.side}`);
}

/** Judge a second try by an analysis of all moves. @param {Analysis} analysis @param {number} cell */
async function judgeTry(analysis, cell) {
  const trying = /** @type {NonNullable<Analysis["trying"]>} */ (analysis.trying);
  const name = analysis.game.names[cell];
  analysis.pending = cell;
  trying.verdict = `looking at ${name} …`;
  redraw();
  try {
    const request = requestFor(analysis, analysis.here);
    const { lines } = await api.analyse(request, { lines: 1, every: true, seconds: 2 });
    if (analysis.trying !== trying) return;
    const worth = lines.find((line) => line.move === cell)?.worth;
    const loss = lines[0].worth.chance - (worth?.chance ?? 0);
    trying.isGood = cell === lines[0].move || loss < MAX_LOSS;
    const text = worth?.text ?? "worse than the others";
    trying.verdict = trying.isGood ? `${name} is right: ${text}.` : `${name} is not it: ${text}. Try again.`;
    announce(trying.verdict);
    if (trying.isGood) child(analysis.here, cell);
  } catch (error) {
    complain(error);
  } finally {
    analysis.pending = null;
    redraw();
  }
}

/** Give up a second try and show the better line. */
export function showAnswer() {
  const analysis = state.analysis;
  if (!analysis?.trying) return;
  const { line_cells: cells, line } = analysis.trying.judged;
  analysis.trying = null;
  let at = analysis.here;
  for (const cell of cells) at = child(at, cell);
  visit(analysis.here.kids.find((kid) => kid.move === cells[0]) ?? analysis.here, true);
  notify(`better was ${line.join(" ")}`);
}

export function endTry() {
  if (state.analysis) state.analysis.trying = null;
  analyseHere();
  redraw();
}

/** The side that made the move of a branch. @param {Analysis} analysis @param {Branch} at */
export function moverOf(analysis, at) {
  return sideAt(analysis, at.ply - 1);
}
