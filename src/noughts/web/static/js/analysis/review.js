// @ts-check
/** Reviews: every move judged, and a guide from one mistake to the next. */

import { ask } from "../server/api.js";
import { announce, complain, notify, redraw, state } from "../shell/app.js";
import {
  analysePlay,
  percent,
  requestFor,
  settleAnalysis,
  tryCell,
  visit,
  whenReviewed,
  whenTried,
} from "./analysis.js";
import * as guides from "./guide.js";
import { madePuzzles } from "../puzzles/puzzles.js";
import { showBoard } from "../ui/scrolling.js";
import * as tree from "./tree.js";

/**
 * @typedef {import("./analysis.js").Analysis} Analysis
 * @typedef {import("./tree.js").Branch} Branch
 */

/** Loss of winning chance up to which a second try counts as right. */
const MAX_LOSS = 0.05;
const JUDGE_SECONDS = 2;
const MOST_REASONS = 2;
let lastReview = 0;

whenReviewed(acceptReview);
whenTried(judgeTry);

/** Review a playthrough, beginning with the first mistake of the person. @param {import("../play/phase.js").Play} play */
export async function reviewPlay(play) {
  await analysePlay(play, () => startReview(true));
}

/** Review the line on the board. @param {boolean} [isGuided] whether to begin with the first mistake when it is done */
export function startReview(isGuided = false) {
  const analysis = state.analysis;
  if (!analysis) return;
  const line = tree.lineThrough(analysis.here);
  if (line.length < 2) return notify("there are no moves to review", "error");
  lastReview += 1;
  Object.assign(analysis, {
    reviewing: { id: lastReview, line, done: 0, of: line.length, isGuided },
    reviewed: null,
    guide: null,
    failed: null,
  });
  settleAnalysis();
  // On a phone the review is directly below the board, far above its button.
  showBoard();
}

/** @param {Analysis} analysis @param {import("./analysis.js").Reviewing} reviewing @param {import("../server/types.d.ts").ReviewAnswer} found */
function acceptReview(analysis, { line, isGuided }, found) {
  Object.assign(analysis, { reviewing: null, reviewed: { line, found } });
  for (const judged of found.moves) line[judged.ply].judged = judged;
  for (const point of found.graph) line[point.ply].chance = point.chance;
  announce(`Review done. Accuracy: X ${percent(found.accuracy.X)}, O ${percent(found.accuracy.O)}.`);
  if (isGuided) beginGuide(analysis.mine);
}

/** Go through the mistakes of a side, or of both. @param {import("../server/types.d.ts").Side | null} side @param {Branch} [from] the first one */
export function beginGuide(side, from) {
  const analysis = state.analysis;
  if (!analysis?.reviewed) return;
  const guide = guides.startGuide(analysis.reviewed.found.moves, side);
  const at = from ? guide.mistakes.findIndex((move) => move.ply === from.ply) : 0;
  analysis.guide = { ...guide, at: Math.max(0, at) };
  showMistake(analysis);
  makePuzzles(analysis);
}

/**
 * Show the position before the current mistake; after the last mistake, the end of the line with the summary.
 * @param {Analysis} analysis
 */
function showMistake(analysis) {
  const { guide, reviewed } = analysis;
  if (!guide || !reviewed) return;
  const mistake = guides.current(guide);
  const line = reviewed.line;
  announce(mistake ? taskText(mistake) : guides.summaryText(guide));
  visit(line[mistake ? mistake.ply - 1 : line.length - 1]).then(showBoard);
}

/** The task at a mistake. @param {import("../server/types.d.ts").ReviewedMove} mistake */
export function taskText({ side, move, label }) {
  const what = label === "missed win" ? "misses a win" : `is ${/^[aeiou]/.test(label) ? "an" : "a"} ${label}`;
  return `${move} ${what}. Find a better move for ${side}.`;
}

/** Go to the next mistake; without a review of this line, begin one. */
export function nextMistake() {
  const analysis = state.analysis;
  if (!analysis || analysis.reviewing) return;
  if (!analysis.reviewed) return startReview(true);
  if (!analysis.guide || analysis.guide.phase === "done") return beginGuide(analysis.mine);
  analysis.guide = guides.next(analysis.guide);
  return showMistake(analysis);
}

/** Judge a second try. @param {Analysis} analysis @param {number} cell */
async function judgeTry(analysis, cell) {
  const asked = /** @type {guides.Guide} */ (analysis.guide);
  const mistake = /** @type {import("../server/types.d.ts").ReviewedMove} */ (guides.current(asked));
  const here = analysis.here;
  const name = analysis.game.names[cell];
  const judging = (analysis.guide = guides.judging(asked, name));
  analysis.pending = cell;
  redraw();
  try {
    const { isGood, text, cells } = await verdictOn(analysis, mistake, cell);
    if (analysis.guide !== judging) return;
    const ghosts = isGood ? { at: tree.child(here, cell), cells: cells.slice(1) } : { at: here, cells };
    const verdict = isGood ? `${name} is right: ${text}.` : `${name} is not the move: ${text}.`;
    analysis.guide = guides.judge(judging, isGood, verdict, ghosts);
    announce(analysis.guide.verdict);
    analysis.pending = null;
    if (isGood) await visit(tree.child(here, cell), true);
  } catch (error) {
    if (analysis.guide !== judging) return;
    Object.assign(analysis, { guide: asked, pending: null });
    complain(error, () => tryCell(cell));
  }
  settleAnalysis();
}

/** @param {Analysis} analysis @param {import("../server/types.d.ts").ReviewedMove} mistake @param {number} cell */
async function verdictOn(analysis, mistake, cell) {
  if (cell === mistake.cell) {
    const text = ["that is what was played", ...mistake.why_not.map((reason) => `it ${reason}`)].join("; ");
    return { isGood: false, text, cells: mistake.played_cells };
  }
  if (cell === mistake.best_cell)
    return { isGood: true, text: withReasons(mistake.before, mistake.why), cells: mistake.cells };
  const request = { ...requestFor(analysis, analysis.here), seconds: JUDGE_SECONDS };
  const [{ moves }, found] = await Promise.all([
    ask("analyse", { ...request, every: true }),
    ask("reasons", { ...request, move: cell }),
  ]);
  const tried = moves.find((move) => move.cell === cell) ?? found;
  const isGood = cell === moves[0].cell || moves[0].chance - tried.chance < MAX_LOSS;
  const [, reply] = found.line;
  const answer = reply && found.reply_why.length ? `; ${reply} ${found.reply_why[0]}` : "";
  const text = isGood ? withReasons(found, found.why) : `${evaluationWords(found)}${answer}`;
  return { isGood, text, cells: found.cells };
}

/** An evaluation with the first reasons for the move. @param {import("../server/types.d.ts").Evaluation} evaluation @param {readonly string[]} why */
function withReasons(evaluation, why) {
  return [evaluationWords(evaluation), ...why.slice(0, MOST_REASONS).map((reason) => `it ${reason}`)].join("; ");
}

/** @param {import("../server/types.d.ts").Evaluation} evaluation */
function evaluationWords({ value, text }) {
  return value ? `a ${text}` : `${text} to win`;
}

/** Show the better line. */
export function showAnswer() {
  const analysis = state.analysis;
  const mistake = analysis?.guide && guides.current(analysis.guide);
  if (!analysis?.guide || !analysis.reviewed || !mistake) return;
  const before = analysis.reviewed.line[mistake.ply - 1];
  tree.grow(before, mistake.cells);
  const answer = tree.child(before, mistake.cells[0]);
  const verdict = `Better is ${mistake.best}: ${withReasons(mistake.before, mistake.why)}.`;
  analysis.guide = guides.reveal(analysis.guide, verdict, { at: answer, cells: mistake.cells.slice(1) });
  announce(analysis.guide.verdict);
  visit(answer, true);
}

/** Leave the guide; the review stays. */
export function endGuide() {
  const analysis = state.analysis;
  if (!analysis) return;
  analysis.guide = null;
  settleAnalysis();
}

/** Make puzzles from the mistakes of the guide, where the better move is provably the only one. @param {Analysis} analysis */
async function makePuzzles(analysis) {
  const { guide, reviewed } = analysis;
  if (!guide || !reviewed) return;
  for (const { ply } of guide.mistakes) {
    try {
      const { puzzle } = await ask("puzzle", requestFor(analysis, reviewed.line[ply - 1]));
      if (puzzle) madePuzzles.add(puzzle);
    } catch {
      // A missing puzzle is not worth a message.
      return;
    }
  }
}
