// @ts-check
/** Analysis: a tree of variations, with an engine that evaluates the position on the board. */

import { ask } from "../server/api.js";
import { announce, attempt, complain, errorText, notify, redraw, state } from "../shell/app.js";
import { wantedJobs } from "./jobs.js";
import { current, isTrying } from "./guide.js";
import { allMoves, sideAt, viewerOf } from "../play/phase.js";
import { middle } from "../play/play.js";
import { linkTo, replaceAddress, show, visits } from "../shell/route.js";
import { sound } from "../shell/sound.js";
import { read, write } from "../shell/storage.js";
import { latest } from "../server/tasks.js";
import * as tree from "./tree.js";

/**
 * @typedef {import("../server/types.d.ts").Candidate} Candidate
 * @typedef {import("../server/types.d.ts").AnalysisAnswer} AnalysisAnswer
 * @typedef {import("../server/types.d.ts").Side} Side
 * @typedef {import("../server/types.d.ts").Questions} Questions
 * @typedef {import("./tree.js").Branch} Branch
 *
 * @typedef {object} Analysis
 * @property {import("../board/panels.js").Game} game
 * @property {string | null} start
 * @property {Branch} root
 * @property {Branch} here
 * @property {Branch | null} heading the branch whose position is being fetched; further steps start from it
 * @property {import("../server/types.d.ts").PositionAnswer} position
 * @property {Record<string, string>} names of the players
 * @property {Side | null} mine the side of the person at the screen
 * @property {string} seen key of the playthrough on the Play view when the analysis was last shown
 * @property {boolean} isOn
 * @property {boolean} showsWorths
 * @property {boolean} showsBest whether the best line is on the board
 * @property {number} shownLines from 1 to 5
 * @property {boolean} thinksOn whether the engine thinks without a time limit
 * @property {number} search id of the search of the position on the board; each position gets a new one
 * @property {number} round how often this search has been continued
 * @property {Candidate[]} lines
 * @property {AnalysisAnswer | null} found the last answer of the engine, or its last report
 * @property {number} ahead the number of jobs ahead of this one in the server's queue
 * @property {{line: Candidate, moves: number} | null} preview the part of a line that is previewed
 * @property {import("../shell/app.js").Failure | null} failed
 * @property {Reviewing | null} reviewing
 * @property {Reviewed | null} reviewed
 * @property {import("./guide.js").Guide | null} guide
 * @property {import("../server/types.d.ts").SolutionAnswer | null} solution
 * @property {import("../server/types.d.ts").SolveProgressAnswer | "queued" | null} proving the progress of the solver
 * @property {boolean} isSolving
 * @property {import("./editor.js").Editor | null} editor
 * @property {number} focus
 * @property {number | null} pointed
 * @property {boolean} fresh
 * @property {number | null} pending
 *
 * A review in progress; when a guided review is finished, the first mistake is shown.
 * @typedef {{id: number, line: Branch[], done: number, of: number, isGuided: boolean}} Reviewing
 *
 * A finished review, and the line it covers.
 * @typedef {{line: Branch[], found: import("../server/types.d.ts").ReviewAnswer}} Reviewed
 *
 * An analysis as it is remembered.
 * @typedef {object} Kept
 * @property {import("../board/panels.js").GameData} game
 * @property {string | null} start
 * @property {string} tree
 * @property {number[]} at
 * @property {Record<string, string>} names
 * @property {Side | null} mine
 * @property {string} seen
 *
 * What to analyse: a line, or a whole tree.
 * @typedef {object} Wanted
 * @property {import("../board/panels.js").GameData} game
 * @property {string | null} [start]
 * @property {number[]} [moves]
 * @property {number} [at]
 * @property {string | null} [tree]
 * @property {Record<string, string>} [comments] on the line, by ply
 * @property {Record<string, string>} [names]
 * @property {Side | null} [mine]
 */

const CURRENT = "noughts.analysis";
/** The time limits of the first search and of each continuation. */
const [SECONDS, FURTHER_SECONDS] = [30, 60];
const REVIEW_SECONDS = 10;
export const SOLVE_SECONDS = 30;
export const MAX_LINES = 5;

// --- opening --------------------------------------------------------------------------------------------------------

/**
 * Open an analysis. If the tree of the last analysis contains the line, that tree is kept, with its variations and
 * comments. Returns false if the person has left before the server answered.
 * @param {Wanted} wanted
 */
export async function openAnalysis(wanted) {
  const [isLatest, isHere] = [steps.next(), visits.current()];
  const { start = null, moves = [], names = {}, mine = null } = wanted;
  const at = moves.slice(0, wanted.at ?? moves.length);
  const game = await ask("game", { game: wanted.game });
  const position = await ask("position", { game: game.data, start, moves: at });
  if (!isLatest() || !isHere()) return false;
  const before = state.analysis;
  const given = typeof wanted.tree === "string" ? tree.unpack(wanted.tree, game.cells) : null;
  const known = given ? null : knownTree(game, start, moves);
  const root = given ?? known?.root ?? tree.plant(moves, wanted.comments);
  const isSame = before?.root === root;
  // Running jobs of the same analysis report to this object.
  state.analysis = Object.assign(isSame ? before : emptied(game, start, root, before), {
    ...(known && !isSame ? { names: known.names, mine: known.mine, seen: known.seen } : {}),
    ...(names.X || !known ? { names, mine } : {}),
    here: tree.grow(root, at),
    position,
    search: (searches += 1),
    ...NOTHING_FOUND,
  });
  noteOutcome(state.analysis.here, position);
  if (before && !isSame) offerBack(before);
  if (typeof wanted.tree === "string" && !given)
    notify("the variations cannot be read: the link is damaged, or they are too many", "error");
  settleAnalysis();
  return true;
}

/**
 * The analysis on the screen or in storage, if its tree has these moves.
 * @param {import("../board/panels.js").Game} game @param {string | null} start @param {number[]} moves
 * @returns {{root: Branch, names: Record<string, string>, mine: Side | null, seen: string} | null}
 */
function knownTree({ id, cells }, start, moves) {
  const shown = state.analysis;
  if (shown) return shown.game.id === id && shown.start === start && tree.find(shown.root, moves) ? shown : null;
  const kept = read(CURRENT, /** @type {Kept | null} */ (null));
  const root =
    kept && (kept.start ?? null) === start && idOf(kept.game) === id ? tree.unpack(kept.tree, cells) : null;
  return kept && root && tree.find(root, moves) ? { ...kept, root } : null;
}

/** @param {import("../board/panels.js").GameData} game */
function idOf(game) {
  return typeof game === "string" ? game : game.id;
}

/** The fields that belong to one position only. */
const NOTHING_FOUND = {
  lines: /** @type {Candidate[]} */ ([]),
  found: null,
  ahead: 0,
  round: 0,
  preview: null,
  failed: null,
  solution: null,
  proving: null,
  isSolving: false,
  pending: null,
  heading: null,
  fresh: false,
};

/**
 * @param {import("../board/panels.js").Game} game @param {string | null} start @param {Branch} root
 * @param {Analysis | null} before whose settings are kept
 */
function emptied(game, start, root, before) {
  state.zoom = 0;
  return {
    game,
    start,
    root,
    names: {},
    mine: null,
    seen: playKey(),
    isOn: before?.isOn ?? true,
    showsWorths: before?.showsWorths ?? true,
    showsBest: before?.showsBest ?? false,
    shownLines: before?.shownLines ?? 3,
    thinksOn: false,
    reviewing: null,
    reviewed: null,
    guide: null,
    editor: null,
    focus: middle(game),
    pointed: null,
  };
}

/** Offer to return to the analysis that was replaced, if it has variations or comments. @param {Analysis} before */
function offerBack(before) {
  if (!tree.isAnnotated(before.root)) return;
  const kept = keptOf(before);
  notify(`the analysis of ${before.game.title} was replaced`, "note", {
    label: "Bring it back",
    run: () => attempt(() => openKept(kept)),
  });
}

/** The key of the playthrough on the Play view; it changes with the playthrough. */
function playKey() {
  const play = state.play;
  return play ? JSON.stringify([play.game.id, play.start, allMoves(play)]) : "";
}

/** Open the Analyse tab: the last analysis, or the playthrough if it has changed since then. */
export async function openAnalysing() {
  const play = state.play;
  const kept = state.analysis ? null : read(CURRENT, /** @type {Kept | null} */ (null));
  const seen = (state.analysis ?? kept)?.seen;
  if (play && seen !== playKey()) await openAnalysis(toAnalyse(play));
  else if (state.analysis) settleAnalysis();
  else if (kept) await openKept(kept);
  else await openAnalysis({ game: "3x3" });
  if (state.analysis && play) state.analysis.seen = playKey();
}

/** @param {Kept} kept */
export async function openKept(kept) {
  return openAnalysis({ ...kept, moves: kept.at, at: undefined });
}

/** @param {import("../play/phase.js").Play} play */
function toAnalyse(play) {
  return {
    game: play.game.data,
    start: play.start,
    moves: allMoves(play),
    at: play.at,
    comments: play.comments,
    names: { X: play.players.X.name, O: play.players.O.name },
    mine: viewerOf(play),
  };
}

/**
 * Analyse a playthrough, and then do something with the analysis.
 * @param {import("../play/phase.js").Play} play @param {() => unknown} [then]
 */
export async function analysePlay(play, then = () => {}) {
  show("analyse");
  try {
    if (!(await openAnalysis(toAnalyse(play)))) return;
    /** @type {Analysis} */ (state.analysis).seen = playKey();
    then();
  } catch (error) {
    state.failed = { text: errorText(error), retry: () => analysePlay(play, then) };
    redraw();
  }
}

/** @param {Analysis} analysis @returns {Kept} */
export function keptOf({ game, start, root, here, names, mine, seen }) {
  return { game: game.data, start, tree: tree.pack(root), at: tree.movesTo(here), names, mine, seen };
}

// --- the engine -----------------------------------------------------------------------------------------------------

/** The running jobs. @type {Record<import("./jobs.js").JobName, {key: string, abort: AbortController} | null>} */
const running = { analyse: null, review: null, solve: null };

/**
 * Called after every change: start and stop the work of the engine as the analysis needs it, remember the analysis,
 * put its position into the address, and draw the page.
 */
export function settleAnalysis() {
  const analysis = state.analysis;
  const isShown = state.view === "analyse";
  if (analysis?.isSolving && !isShown) Object.assign(analysis, { isSolving: false, solution: null });
  const wanted = wantedJobs(analysis, isShown);
  for (const name of /** @type {const} */ (["analyse", "review", "solve"])) {
    const key = wanted[name];
    if (running[name]?.key === key) continue;
    running[name]?.abort.abort();
    running[name] = key === null || !analysis ? null : { key, abort: new AbortController() };
    if (analysis && running[name]) START[name](analysis, running[name].abort.signal);
  }
  if (analysis) write(CURRENT, keptOf(analysis));
  if (analysis && isShown && !analysis.editor && !analysis.guide) replaceAddress(new URL(linkHere(analysis)).hash);
  redraw();
}

/** The address of the position on the board. @param {Analysis} analysis */
export function linkHere({ game, start, here }) {
  return linkTo({ game: game.data, start, moves: tree.movesTo(here), view: "analyse" });
}

/** The address of the whole tree. @param {Analysis} analysis */
export function linkToTree(analysis) {
  return `${linkHere(analysis)}&tree=${encodeURIComponent(tree.pack(analysis.root))}`;
}

/** @type {Record<import("./jobs.js").JobName, (analysis: Analysis, signal: AbortSignal) => void>} */
const START = { analyse: analyseHere, review: reviewLine, solve: prove };

/** @param {Analysis} analysis @param {Branch} at */
export function requestFor(analysis, at) {
  return { game: analysis.game.data, start: analysis.start, moves: tree.movesTo(at) };
}

/**
 * Ask the engine, and accept its answer unless it is no longer wanted. Report a failure, and offer to try again.
 * @template {import("./jobs.js").JobName} Name
 * @param {Analysis} analysis @param {Name} name @param {Questions[Name]["request"]} request
 * @param {import("../server/api.js").Options<Name> & {signal: AbortSignal}} options
 * @param {Partial<Analysis>} again the state in which it is tried again
 * @param {(answer: Questions[Name]["answer"]) => void} accept
 */
async function work(analysis, name, request, options, again, accept) {
  try {
    const answer = await ask(name, request, options);
    if (!options.signal.aborted) accept(answer);
  } catch (error) {
    if (options.signal.aborted) return;
    const retry = () => {
      Object.assign(analysis, again, { failed: null });
      settleAnalysis();
    };
    Object.assign(analysis, { failed: { text: errorText(error), retry }, reviewing: null, isSolving: false });
    settleAnalysis();
  }
}

/** @param {Analysis} analysis @param {AbortSignal} signal */
function analyseHere(analysis, signal) {
  const { here, round } = analysis;
  const seconds = round ? FURTHER_SECONDS : SECONDS;
  const options = { lines: analysis.shownLines, every: analysis.showsWorths, seconds, resumed: round > 0 };
  const accept = (/** @type {AnalysisAnswer} */ found) => {
    analysis.ahead = 0;
    acceptMoves(analysis, found);
    redraw();
  };
  const onqueued = (/** @type {number} */ ahead) => {
    analysis.ahead = ahead;
    redraw();
  };
  const request = { ...requestFor(analysis, here), ...options };
  work(analysis, "analyse", request, { signal, onprogress: accept, onqueued }, {}, accept);
}

/** @param {Analysis} analysis @param {AnalysisAnswer} found */
function acceptMoves(analysis, found) {
  // A continued search starts at a low depth again: keep the deeper result until it is reached.
  if (!analysis.found || found.depth >= analysis.found.depth || found.reason === "proven") {
    Object.assign(analysis, { found, lines: found.moves });
    const { chance } = found.moves[0];
    analysis.here.chance = found.turn === "X" ? chance : 1 - chance;
  } else if (found.reason) analysis.found = { ...analysis.found, reason: found.reason };
  if (found.reason === "limit" && analysis.thinksOn) thinkFurther(analysis);
}

/** @param {Analysis} analysis */
function thinkFurther(analysis) {
  analysis.round += 1;
  if (analysis.found) analysis.found = { ...analysis.found, reason: null };
  settleAnalysis();
}

/** Think about this position until stopped, or stop. */
export function toggleThinkingOn() {
  const analysis = state.analysis;
  if (!analysis) return;
  analysis.thinksOn = !analysis.thinksOn;
  if (analysis.thinksOn && analysis.found?.reason === "limit") thinkFurther(analysis);
  else settleAnalysis();
}

/** @param {Partial<Pick<Analysis, "isOn" | "showsWorths" | "shownLines">>} changed */
export function setEngine(changed) {
  const analysis = state.analysis;
  if (!analysis) return;
  Object.assign(analysis, changed, { round: 0, found: null, failed: null, preview: null });
  if (!analysis.isOn) analysis.lines = [];
  settleAnalysis();
}

/** Change what is shown, not what the engine works on. @param {Partial<Pick<Analysis, "showsBest">>} changed */
export function setShown(changed) {
  if (state.analysis) Object.assign(state.analysis, changed, { preview: null });
  redraw();
}

/** Show the first moves of a line on the board, without playing them. @param {Candidate | null} line @param {number} [moves] */
export function preview(line, moves = 0) {
  const analysis = state.analysis;
  if (!analysis || (!line && !analysis.preview)) return;
  analysis.preview = line && { line, moves };
  redraw();
}

/** Prove the value of the position on the board. */
export function solveHere() {
  const analysis = state.analysis;
  if (!analysis) return;
  Object.assign(analysis, { isSolving: true, solution: null, proving: null, failed: null });
  settleAnalysis();
}

/** @param {Analysis} analysis @param {AbortSignal} signal */
function prove(analysis, signal) {
  const report = (/** @type {Analysis["proving"]} */ proving) => {
    analysis.proving = proving;
    redraw();
  };
  const request = { ...requestFor(analysis, analysis.here), seconds: SOLVE_SECONDS };
  const options = { signal, onprogress: report, onqueued: () => report("queued") };
  const again = { isSolving: true };
  work(analysis, "solve", request, options, again, (solution) => {
    Object.assign(analysis, { isSolving: false, solution });
    announce(solutionText(solution));
    settleAnalysis();
  });
}

/** The progress of the solver in words. @param {Analysis["proving"]} proving */
export function provingText(proving) {
  if (proving === "queued") return "waiting for a free engine …";
  const [, low, high] = (proving?.done ?? []).map((part) => Math.round(100 * part));
  return `looking for a proof …${proving?.done ? ` ${low} to ${high}% done` : ""}`;
}

/** The result of the solver in words. @param {import("../server/types.d.ts").SolutionAnswer} solution */
export function solutionText({ value, lower, upper, move, turn }) {
  const results = { win: `${turn} wins`, draw: "a draw", loss: `${turn} loses` };
  if (!value) return `Not proven in ${SOLVE_SECONDS} s: between “${results[lower]}” and “${results[upper]}”.`;
  const best = value === "loss" ? `; ${move} resists longest` : ` with ${move}`;
  return `Proven: ${results[value]}${move ? best : ""}.`;
}

// --- the review -----------------------------------------------------------------------------------------------------

/** @type {(analysis: Analysis, reviewing: Reviewing, found: import("../server/types.d.ts").ReviewAnswer) => void} */
let onReviewed = () => {};

/** Set the handler for finished reviews. @param {typeof onReviewed} handler */
export function whenReviewed(handler) {
  onReviewed = handler;
}

/** @param {Analysis} analysis @param {AbortSignal} signal */
function reviewLine(analysis, signal) {
  const reviewing = /** @type {Reviewing} */ (analysis.reviewing);
  const request = { ...requestFor(analysis, reviewing.line[reviewing.line.length - 1]), seconds: REVIEW_SECONDS };
  const onprogress = (/** @type {{done: number, of: number}} */ progress) => {
    Object.assign(reviewing, progress);
    redraw();
  };
  work(analysis, "review", request, { signal, onprogress }, { reviewing }, (found) => {
    onReviewed(analysis, reviewing, found);
    settleAnalysis();
  });
}

// --- the tree -------------------------------------------------------------------------------------------------------

/** Steps to branches. */
const steps = latest();
let searches = 0;

/** Show a branch. @param {Branch} to @param {boolean} [isNew] */
export async function visit(to, isNew = false) {
  const analysis = state.analysis;
  if (!analysis) return;
  const isLatest = steps.next();
  analysis.heading = to;
  try {
    const position = await ask("position", requestFor(analysis, to));
    if (!isLatest()) return;
    Object.assign(analysis, NOTHING_FOUND, { here: to, position, search: (searches += 1), fresh: isNew });
    noteOutcome(to, position);
    announce(`${position.announcement} ${position.status}.`.trim());
  } catch (error) {
    if (!isLatest()) return;
    analysis.pending = analysis.heading = null;
    complain(error, () => visit(to, isNew));
  }
  settleAnalysis();
}

/** The chance of X at the end of a game is known. @param {Branch} at @param {import("../server/types.d.ts").PositionAnswer} position */
function noteOutcome(at, { outcome }) {
  if (outcome) at.chance = { X: 1, O: 0, draw: 0.5 }[outcome.winner ?? "draw"];
}

/** @type {(analysis: Analysis, cell: number) => void} */
let onTry = () => {};

/** Set the handler for moves that are tried in a guided review. @param {typeof onTry} handler */
export function whenTried(handler) {
  onTry = handler;
}

/** Whether the next move is a second try. @param {Analysis} analysis */
function isAtMistake({ guide, reviewed, here }) {
  const mistake = guide && isTrying(guide) && current(guide);
  return !!mistake && reviewed?.line[mistake.ply - 1] === here;
}

/** Play a cell: along an existing branch, or a new one. @param {number} cell */
export async function tryCell(cell) {
  const analysis = state.analysis;
  if (!analysis || analysis.pending !== null) return;
  if (!analysis.position.legal_cells.includes(cell))
    return notify(`${analysis.game.names[cell]} cannot be played now`, "error");
  if (isAtMistake(analysis)) return onTry(analysis, cell);
  analysis.pending = cell;
  redraw();
  sound(analysis.position.turn ?? "note");
  return visit(tree.child(analysis.here, cell), true);
}

/** The side that made the move of a branch. @param {Analysis} analysis @param {{ply: number}} at */
export function moverOf(analysis, at) {
  return sideAt(analysis, at.ply - 1);
}

/** @param {number | null} value */
export function percent(value) {
  return value === null ? "–" : `${Math.round(value)}%`;
}
