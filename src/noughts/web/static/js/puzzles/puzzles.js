// @ts-check
/** Puzzles: positions with one solution. The list and the proofs are the server's; the choice is in choice.js. */

import { ask } from "../server/api.js";
import { announce, attempt, errorText, notify, redraw, state } from "../shell/app.js";
import { offerFocus } from "../board/board.js";
import { middle } from "../play/play.js";
import {
  afterTry,
  dateText,
  judgeMove,
  judgeOther,
  nextPuzzle,
  noProgress,
  THEME_WORDS,
  upgradePuzzle,
} from "./choice.js";
import { replaceAddress } from "../shell/route.js";
import { sound } from "../shell/sound.js";
import { read, storedList, write } from "../shell/storage.js";
import { latest, sleep } from "../server/tasks.js";

/**
 * @typedef {import("./choice.js").Puzzle} Puzzle
 * @typedef {import("./choice.js").Entry} Entry
 * @typedef {import("../server/types.d.ts").ReasonsAnswer} Explained
 *
 * The puzzle on the board.
 * @typedef {object} Solving
 * @property {Puzzle} puzzle
 * @property {string | null} day the date of a puzzle of the day
 * @property {import("../board/panels.js").Game} game
 * @property {import("../server/types.d.ts").PositionAnswer} position
 * @property {number} shown the number of moves of the line on the board
 * @property {"solving" | "judging" | "replying" | "slower" | "wrong" | "solved" | "shown"} phase
 * @property {boolean} wasWrong
 * @property {Explained | null} refuted the move that was wrong, with the line that refutes it
 * @property {{step: number, found: Explained} | null} hint
 * @property {boolean} isHinted whether there was a hint
 * @property {number} gained the change of the rating
 * @property {string} verdict
 * @property {number | null} pending
 * @property {import("../shell/app.js").Failure | null} failed why a move could not be shown
 * @property {boolean} fresh
 * @property {number} focus
 * @property {number | null} pointed
 *
 * @typedef {object} Puzzles
 * @property {Entry[]} all
 * @property {import("./choice.js").Progress} progress
 * @property {string} only the id of the one game wanted, "own" for puzzles from your games, or ""
 * @property {string} theme the one theme wanted, or ""
 * @property {Solving | null} solving
 */

const PROGRESS = "noughts.puzzles";
const MAX_MADE = 200;
const REPLY_MS = 450;
/** Time to find out what is wrong with a move. */
const EXPLAIN_SECONDS = 2;
/** The steps of a hint: the idea, the area. */
const HINTS = 2;
export const OWN = "own";
/** In an address: the puzzle of the day. */
export const TODAY = "today";

/** The puzzles made from reviews in this browser. */
export const madePuzzles = storedList(
  "noughts.puzzles.made",
  (/** @type {Puzzle} */ puzzle) => puzzle.id,
  MAX_MADE,
  upgradePuzzle,
);

/** @returns {import("./choice.js").Progress} */
function readProgress() {
  return { ...noProgress(), ...read(PROGRESS, {}) };
}

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

/** Whether the first try at today's puzzle was right; undefined if there was none. */
export function resultOfToday() {
  const { daily } = readProgress();
  return /** @type {boolean | undefined} */ (daily[dateText(new Date())]);
}

/** Today's puzzle, and whether it was tried. */
export async function today() {
  return { puzzle: await ask("daily_puzzle", { date: dateText(new Date()) }), isDone: resultOfToday() !== undefined };
}

/** Today's puzzle: the same for everyone. */
export async function openToday() {
  const day = dateText(new Date());
  await open(await ask("daily_puzzle", { date: day }), day);
}

/** Another puzzle, near the rating of the person. */
export async function openNext() {
  await attempt(async () => {
    const { all, progress, only, theme, solving } = await load();
    const last = solving?.puzzle.id ?? null;
    const from = only === OWN ? madePuzzles.all() : all;
    const found = nextPuzzle(from, progress, { game: only === OWN ? "" : only, theme }, last, Math.random());
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
  const [game, position] = await Promise.all([
    ask("game", { game: puzzle.game }),
    ask("position", { game: puzzle.game, start: puzzle.start, moves: [] }),
  ]);
  const puzzles = await load();
  if (!isLatest()) return;
  puzzles.solving = {
    puzzle,
    day,
    game,
    position,
    shown: 0,
    phase: "solving",
    wasWrong: false,
    refuted: null,
    hint: null,
    isHinted: false,
    gained: 0,
    verdict: "",
    pending: null,
    failed: null,
    fresh: false,
    focus: middle(game),
    pointed: null,
  };
  state.zoom = 0;
  if (state.view === "puzzles") replaceAddress(`#view=puzzles&puzzle=${puzzle.id}`);
  announce(`${puzzle.title}. ${puzzle.text}.`);
  redraw();
  offerFocus(puzzles.solving.focus);
}

/** Whether a click on the board is a try. @param {Solving} solving */
export function mayTry({ phase }) {
  return phase === "solving" || phase === "wrong" || phase === "slower";
}

/** Try a move. @param {number} cell */
export async function trySolution(cell) {
  const puzzles = state.puzzles;
  const solving = puzzles?.solving;
  if (!puzzles || !solving || !mayTry(solving)) return;
  const name = solving.game.names[cell];
  if (!solving.position.legal_cells.includes(cell)) return notify(`${name} cannot be played now`, "error");
  sound(solving.position.turn ?? "note");
  Object.assign(solving, { failed: null, refuted: null, hint: null });
  const verdict = judgeMove(solving.puzzle, solving.shown / 2, cell);
  if (verdict === "wrong") return judge(solving, cell);
  Object.assign(solving, { phase: "replying", verdict: `${name} is right.`, pending: cell });
  redraw();
  if (!(await step(solving, 1))) return;
  if (verdict === "solved") await finish(solving);
  else await reply(solving);
}

/** Find out why a move is not the solution: a win that takes longer costs nothing. @param {Solving} solving @param {number} cell */
async function judge(solving, cell) {
  const { puzzle, shown } = solving;
  const name = solving.game.names[cell];
  Object.assign(solving, { phase: "judging", pending: cell, verdict: `Looking at ${name} …` });
  redraw();
  const moves = puzzle.cells.slice(0, shown);
  let [isSlower, text] = [false, `${name} is not the solution.`];
  let found = /** @type {Explained | null} */ (null);
  try {
    const request = { game: puzzle.game, start: puzzle.start, moves, move: cell, seconds: EXPLAIN_SECONDS };
    found = await ask("reasons", request);
    ({ isSlower, text } = judgeOther(puzzle, shown / 2, found));
  } catch {
    // Without an engine the move is still not the solution.
  }
  if (state.puzzles?.solving !== solving) return;
  const phase = isSlower ? "slower" : "wrong";
  const verdict = isSlower ? text : `${text} Try another move.`;
  Object.assign(solving, { phase, verdict, pending: null, refuted: isSlower ? null : found });
  if (!isSlower) settleTry(solving, false);
  announce(verdict);
  redraw();
}

/** Show where to look: first the idea, then the part of the board. */
export async function askPuzzleHint() {
  const solving = state.puzzles?.solving;
  if (!solving || !mayTry(solving)) return;
  const { puzzle, shown, hint } = solving;
  await attempt(async () => {
    const request = { game: puzzle.game, start: puzzle.start, moves: puzzle.cells.slice(0, shown), depth: 1 };
    const found = hint?.found ?? (await ask("reasons", { ...request, move: puzzle.cells[shown] }));
    if (state.puzzles?.solving !== solving || solving.shown !== shown) return;
    const step = Math.min(HINTS, (hint?.step ?? 0) + 1);
    Object.assign(solving, { hint: { step, found }, isHinted: true, refuted: null });
    announce(puzzleHintText(solving));
    redraw();
  });
}

/** The text of the hint. @param {Solving} solving */
export function puzzleHintText({ puzzle, hint, shown }) {
  if (!hint) return "";
  const [theme] = shown ? [] : puzzle.themes;
  const idea = theme
    ? `The theme is “${theme}”: ${THEME_WORDS[theme]}.`
    : hint.found.idea || "Every detail counts here.";
  return hint.step === 1 ? idea : `${idea} Look at ${hint.found.area_name}.`;
}

/** Whether there is more to say in a hint. @param {Solving} solving */
export function hasFurtherHint({ hint }) {
  return (hint?.step ?? 0) < HINTS;
}

/** Show the reply to a right move. @param {Solving} solving */
async function reply(solving) {
  await sleep(REPLY_MS);
  if (!(await step(solving, 1))) return;
  Object.assign(solving, { phase: "solving", verdict: `${solving.verdict} And now?` });
  announce(solving.verdict);
  redraw();
}

/**
 * Show further moves of the line; returns whether it could. If not, the puzzle says why and offers to try again.
 * @param {Solving} solving @param {number} by
 */
async function step(solving, by) {
  const { puzzle, shown, phase } = solving;
  try {
    const moves = puzzle.cells.slice(0, shown + by);
    const position = await ask("position", { game: puzzle.game, start: puzzle.start, moves });
    Object.assign(solving, { position, shown: moves.length, pending: null, fresh: true });
    redraw();
    return true;
  } catch (error) {
    // With an odd number of moves on the board the reply is missing, otherwise the person's move.
    const isReply = phase === "replying" && shown % 2 === 1;
    Object.assign(solving, { pending: null, phase: phase === "replying" && !isReply ? "solving" : phase });
    const again = () => trySolution(puzzle.cells[shown]);
    const retry = isReply ? () => reply(solving) : phase === "replying" ? again : () => playOut(solving);
    solving.failed = { text: errorText(error), retry: () => tryAgain(solving, retry) };
    redraw();
    return false;
  }
}

/** @param {Solving} solving @param {() => unknown} retry what failed */
function tryAgain(solving, retry) {
  solving.failed = null;
  redraw();
  retry();
}

/** The solution is found: it counts if no move was wrong. @param {Solving} solving */
async function finish(solving) {
  solving.phase = "solved";
  settleTry(solving, !solving.wasWrong);
  solving.verdict = solvedText(solving.puzzle);
  announce(solving.verdict);
  sound("win");
  redraw();
  await playOut(solving);
}

/** @param {Puzzle} puzzle */
function solvedText({ goal, cells, steps }) {
  if (goal === "draw") return "Solved: the draw is safe.";
  return cells.length > 2 * steps - 1
    ? "Solved: the win cannot be stopped any more. This is how it ends:"
    : "Solved!";
}

/** Show the rest of the line. @param {Solving} solving */
async function playOut(solving) {
  while (solving.shown < solving.puzzle.cells.length && state.puzzles?.solving === solving) {
    await sleep(REPLY_MS);
    if (!(await step(solving, 1))) return;
  }
}

/** Show the solution. */
export async function showSolution() {
  const solving = state.puzzles?.solving;
  if (!solving || !mayTry(solving)) return;
  settleTry(solving, false);
  const names = solving.puzzle.cells.map((cell) => solving.game.names[cell]);
  Object.assign(solving, { phase: "shown", verdict: `The solution: ${names.join(" ")}.`, refuted: null, hint: null });
  announce(solving.verdict);
  redraw();
  await playOut(solving);
}

/** The same puzzle again, which no longer counts. */
export function retryPuzzle() {
  const solving = state.puzzles?.solving;
  if (solving) attempt(() => open(solving.puzzle, solving.day));
}

/** Count the first try at a puzzle. @param {Solving} solving @param {boolean} isSolved */
function settleTry(solving, isSolved) {
  const puzzles = /** @type {Puzzles} */ (state.puzzles);
  if (!isSolved) solving.wasWrong = true;
  // Another tab may have made progress, too.
  const before = readProgress();
  puzzles.progress = afterTry(before, solving.puzzle, isSolved, { day: solving.day, isHinted: solving.isHinted });
  solving.gained += puzzles.progress.rating - before.rating;
  write(PROGRESS, puzzles.progress);
}
