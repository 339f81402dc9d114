// @ts-check
/** An exercise, of a lesson or a puzzle: a position with moves to find; hints, refutations, and the solution. */

import { ask } from "../server/api.js";
import { announce, attempt, errorText, holder, notify, redraw, state } from "../shell/app.js";
import { offerFocus } from "../board/board.js";
import { middle } from "../play/play.js";
import { sound } from "../shell/sound.js";
import { latest, sleep } from "../server/tasks.js";
import { showBoard } from "../ui/scrolling.js";
import { isMissedWin, judgeOther } from "./verdict.js";

/**
 * @typedef {import("../server/types.d.ts").ReasonsAnswer} Explained
 * @typedef {import("../server/types.d.ts").PositionAnswer} Position
 *
 * What is to be done, and what follows from it.
 * @typedef {object} Task
 * @property {string} game
 * @property {string} start
 * @property {"X" | "O"} turn
 * @property {"win" | "draw" | "hold" | "best"} goal
 * @property {number} moves in which to win, or not to lose
 * @property {string} [reason] why the solution is one
 * @property {string} [missed] what a try that is not right misses, said after its verdict
 * @property {string} [aim] what a wrong move does not do, in place of winning: "make two threats at once"
 * @property {number} steps the number of moves to find
 * @property {readonly number[]} accepted the right first moves; later ones are those of the line
 * @property {readonly number[]} cells a line that does it
 * @property {string} idea the first hint; if it is empty, the engine says what the move is about
 * @property {(position: Position) => string} success the verdict on the last right move
 * @property {(isRight: boolean) => void} ontry when all moves are found, a try is wrong, or the solution is shown
 *
 * The exercise on the board. asking: a move is to be found; judging: a try is looked at; wrong, slower: the try is not
 * right, and another may follow; replying: a right move is answered; solved, shown: it is over.
 * @typedef {object} Exercise
 * @property {Task} task
 * @property {import("../board/panels.js").Game} game
 * @property {Position} first
 * @property {Position} position
 * @property {"asking" | "judging" | "wrong" | "slower" | "replying" | "solved" | "shown"} phase
 * @property {string} verdict
 * @property {readonly number[]} before moves on the board that the line follows
 * @property {readonly number[]} line to step through: moves on the board, or those that refute a try
 * @property {number} at how many moves of the line are shown
 * @property {string} why what the last of them does
 * @property {readonly number[]} won the cells of the line that the refutation completes
 * @property {{step: number, found: Explained} | null} hint
 * @property {boolean} isHinted whether there was a hint
 * @property {boolean} wasWrong
 * @property {number | null} pending
 * @property {import("../shell/app.js").Failure | null} failed
 * @property {boolean} fresh
 * @property {number} focus
 * @property {number | null} pointed
 */

/** Time between two moves of a line, and for a line as a whole. */
const [MOVE_MS, LINE_MS] = [700, 6000];
/** Moves of a long refutation that are shown at once. */
const [SHORT_LINE, LONG_LINE] = [3, 6];
/** Time to find out what is wrong with a move. */
const EXPLAIN_SECONDS = 2;

/** @param {Task} task @returns {Promise<Exercise>} */
export async function newExercise(task) {
  const [game, first] = await Promise.all([
    ask("game", { game: task.game }),
    ask("position", { game: task.game, start: task.start }),
  ]);
  return { task, game, first, pointed: null, ...beginning(game, first) };
}

/** @param {import("../board/panels.js").Game} game @param {Position} first */
function beginning(game, first) {
  /** @type {Omit<Exercise, "task" | "game" | "first" | "pointed">} */
  const fields = {
    ...{ position: first, phase: "asking", verdict: "", before: [], line: [], at: 0, why: "", won: [] },
    ...{
      hint: null,
      isHinted: false,
      wasWrong: false,
      pending: null,
      failed: null,
      fresh: false,
      focus: middle(game),
    },
  };
  return fields;
}

/** What the try on the board misses. @param {Exercise} exercise */
export function missedText({ phase, task }) {
  return phase === "wrong" || phase === "slower" ? (task.missed ?? "") : "";
}

/** Show an exercise that has just been opened. @param {Exercise} exercise @param {string} text to announce */
export function present(exercise, text) {
  state.zoom = 0;
  announce(text);
  redraw();
  showBoard();
  offerFocus(exercise.focus);
}

/** The same exercise from the start. @param {Exercise} exercise */
export function restart(exercise) {
  playing.next();
  Object.assign(exercise, beginning(exercise.game, exercise.first));
  redraw();
  showBoard();
  offerFocus(exercise.focus);
}

/** Whether a click on the board is a try. @param {Exercise} exercise */
export function mayTry({ phase }) {
  return phase === "asking" || phase === "wrong" || phase === "slower";
}

/** Whether it is solved, or the solution was shown. @param {Exercise} exercise */
export function isOver({ phase }) {
  return phase === "solved" || phase === "shown";
}

/** @param {Exercise} exercise */
function isShown(exercise) {
  return /** @type {unknown} */ (holder()) === exercise;
}

/** Try a move. @param {Exercise} exercise @param {number} cell */
export async function tryMove(exercise, cell) {
  if (!mayTry(exercise)) return;
  const { task, game, position, before } = exercise;
  const name = game.names[cell];
  if (!position.legal_cells.includes(cell)) return notify(`${name} cannot be played now`, "error");
  sound(position.turn ?? "note");
  playing.next();
  Object.assign(exercise, { ...{ failed: null, hint: null, line: [], at: 0, why: "", won: [] }, pending: cell });
  const isRight = before.length ? cell === task.cells[before.length] : task.accepted.includes(cell);
  if (isRight) await accept(exercise, cell);
  else await refute(exercise, cell);
}

/** Play a right move, and the reply or the rest of the line. @param {Exercise} exercise @param {number} cell */
async function accept(exercise, cell) {
  const { task, before, game } = exercise;
  const isLast = before.length / 2 + 1 === task.steps;
  const line = cell === task.cells[before.length] ? task.cells : [...before, cell];
  Object.assign(exercise, { phase: "replying", verdict: `${game.names[cell]} is right.` });
  if (isLast) task.ontry(true);
  Object.assign(exercise, { line, before: [], at: before.length });
  redraw();
  const found = before.length + 1;
  if (isLast) return playTo(exercise, found, () => finish(exercise));
  await playTo(exercise, found + 1, () => {
    const verdict = `${exercise.verdict} And now?`;
    Object.assign(exercise, { phase: "asking", before: line.slice(0, found + 1), line: [], at: 0, why: "", verdict });
    announce(verdict);
    redraw();
  });
}

/** The last move is found: show how it ends. @param {Exercise} exercise */
async function finish(exercise) {
  const { task, position, line } = exercise;
  settle(exercise, "solved", task.success(position));
  sound("win");
  if (task.goal === "win" && line.length === 1 && !position.is_over) {
    // Another right move than that of the line.
    const { cells } = await ask("reasons", { ...request(exercise, []), move: line[0], seconds: EXPLAIN_SECONDS });
    if (isShown(exercise)) exercise.line = cells;
  }
  await playTo(exercise, exercise.line.length);
}

/** Find out what is wrong with a move, and show it. @param {Exercise} exercise @param {number} cell */
async function refute(exercise, cell) {
  const { task, before, game } = exercise;
  Object.assign(exercise, { phase: "judging", verdict: `Looking at ${game.names[cell]} …` });
  redraw();
  try {
    const found = await ask("reasons", { ...request(exercise, before), move: cell, seconds: EXPLAIN_SECONDS });
    if (!isShown(exercise)) return;
    const { isSlower, text } = judgeOther(task, before.length / 2, found);
    if (isSlower) return settle(exercise, "slower", text);
    exercise.wasWrong = true;
    task.ontry(false);
    // A line that is not forced says no more after its first reply.
    const isLost = found.value === "loss";
    const shown = isLost ? found.cells : found.cells.slice(0, isMissedWin(task, before.length / 2) ? 1 : 2);
    Object.assign(exercise, { line: shown, pointed: null });
    settle(exercise, "wrong", text);
    await playTo(exercise, exercise.line.length > LONG_LINE ? SHORT_LINE : exercise.line.length);
  } catch (error) {
    fail(exercise, error, () => tryMove(exercise, cell));
  }
}

/** Whether a long refutation is shown in part. @param {Exercise} exercise */
export function hasRest({ phase, line, at }) {
  return phase === "wrong" && line.length > LONG_LINE && at < line.length;
}

/** Play the rest of a refutation. @param {Exercise} exercise */
export function showRest(exercise) {
  return playTo(exercise, exercise.line.length);
}

/** Take a wrong move back. @param {Exercise} exercise */
export function tryAgain(exercise) {
  if (exercise.phase !== "wrong") return;
  playing.next();
  Object.assign(exercise, { ...{ phase: "asking", verdict: "", line: [], at: 0, why: "", won: [] }, pending: null });
  redraw();
  showBoard();
  offerFocus(exercise.focus);
}

/** @param {Exercise} exercise @param {Exercise["phase"]} phase @param {string} verdict */
function settle(exercise, phase, verdict) {
  Object.assign(exercise, { phase, verdict, pending: null });
  announce([verdict, missedText(exercise)].join(" ").trim());
  redraw();
}

/** @param {Exercise} exercise @param {unknown} error @param {() => unknown} retry */
function fail(exercise, error, retry) {
  if (!isShown(exercise)) return;
  if (exercise.phase === "judging") exercise.phase = "asking";
  const again = () => {
    exercise.failed = null;
    redraw();
    retry();
  };
  Object.assign(exercise, { pending: null, failed: { text: errorText(error), retry: again } });
  redraw();
}

/** Show the solution. @param {Exercise} exercise */
export async function showSolution(exercise) {
  if (!mayTry(exercise)) return;
  const { task, before, game } = exercise;
  task.ontry(false);
  const others = before.length ? [] : task.accepted.filter((cell) => cell !== task.cells[0]);
  const names = (/** @type {readonly number[]} */ cells) => cells.map((cell) => game.names[cell]).join(" ");
  const also = others.length ? ` Also right: ${names(others)}.` : "";
  Object.assign(exercise, { ...{ line: task.cells, before: [], at: before.length, why: "", won: [] }, hint: null });
  showBoard();
  settle(exercise, "shown", `The solution: ${names(task.cells)}.${also} ${task.reason ?? ""}`.trim());
  await playTo(exercise, task.cells.length);
}

// --- hints ---

const NO_IDEA = "Compare what each move threatens and what it leaves to the other side.";

/** The hints, from the idea to the place. @param {Exercise} exercise */
function hintsOf({ task, hint, before }) {
  const { idea, area_name: place } = hint?.found ?? {};
  return [(!before.length && task.idea) || idea || NO_IDEA, place && `Look at ${place}.`].filter((text) => !!text);
}

/** Show where to look: first the idea, then the part of the board. @param {Exercise} exercise */
export async function askHint(exercise) {
  if (!mayTry(exercise)) return;
  const { task, before, hint } = exercise;
  if (!hasFurtherHint(exercise)) return;
  await attempt(async () => {
    const move = task.cells[before.length];
    const found = hint?.found ?? (await ask("reasons", { ...request(exercise, before), move, depth: 1 }));
    if (!isShown(exercise) || exercise.before !== before || !mayTry(exercise)) return;
    playing.next();
    Object.assign(exercise, { isHinted: true, ...{ line: [], at: 0, why: "", won: [] } });
    if (exercise.phase === "wrong") Object.assign(exercise, { phase: "asking", verdict: "" });
    exercise.hint = { step: (hint?.step ?? 0) + 1, found };
    announce(hintText(exercise));
    redraw();
  });
}

/** @param {Exercise} exercise */
export function hintText(exercise) {
  return exercise.hint ? hintsOf(exercise).slice(0, exercise.hint.step).join(" ") : "";
}

/** Whether there is more to say in a hint. @param {Exercise} exercise */
export function hasFurtherHint(exercise) {
  return !exercise.hint || exercise.hint.step < hintsOf(exercise).length;
}

/** The cells that a hint marks. @param {Exercise} exercise */
export function hintedArea(exercise) {
  const { hint } = exercise;
  return new Set(hint && hint.step > 1 ? hint.found.area : []);
}

// --- lines of play ---

const playing = latest();

/** Show the first moves of the line. @param {Exercise} exercise @param {number} at */
export async function stepTo(exercise, at) {
  if (at < 0 || at > exercise.line.length) return;
  const isLatest = playing.next();
  await attempt(async () => {
    await show(exercise, at, isLatest);
    await explain(exercise, isLatest);
  });
}

/** Show the moves of the line one after the other up to a number, then go on.
 * @param {Exercise} exercise @param {number} end @param {() => unknown} [then] */
async function playTo(exercise, end, then) {
  // Another exercise may be playing its line by now.
  if (!isShown(exercise)) return;
  const isLatest = playing.next();
  const isWanted = () => isLatest() && isShown(exercise);
  // The move of the person is shown at once.
  let isPrompt = exercise.pending !== null;
  try {
    for (; exercise.at < end; isPrompt = false) {
      if (!isPrompt) await sleep(Math.min(MOVE_MS, LINE_MS / exercise.line.length));
      if (!isWanted()) return;
      await show(exercise, exercise.at + 1, isWanted);
    }
    if (!isWanted()) return;
    if (then) await then();
    else await explain(exercise, isWanted);
  } catch (error) {
    if (isWanted()) fail(exercise, error, () => playTo(exercise, end, then));
  }
}

/** @param {Exercise} exercise @param {number} at @param {() => boolean} isWanted */
async function show(exercise, at, isWanted) {
  const { line, before, first, phase } = exercise;
  const moves = [...before, ...line.slice(0, at)];
  const position = moves.length ? await ask("position", request(exercise, moves)) : first;
  if (!isWanted()) return;
  Object.assign(exercise, { at, why: "", pending: null });
  if (phase === "wrong") exercise.won = position.winning_cells;
  else Object.assign(exercise, { position, fresh: true });
  redraw();
}

/** Say what the last move that is shown does. @param {Exercise} exercise @param {() => boolean} isWanted */
async function explain(exercise, isWanted) {
  const { at, before, line } = exercise;
  if (!at || !isWanted()) return;
  try {
    const moves = [...before, ...line.slice(0, at - 1)];
    const { why } = await ask("reasons", { ...request(exercise, moves), move: line[at - 1], depth: 1 });
    if (!isWanted() || exercise.at !== at) return;
    // That it is on an open line is true of most moves.
    exercise.why = why.find((reason) => !reason.startsWith("is on ")) ?? "";
    redraw();
  } catch {
    // The move is shown without its reason.
  }
}

/** @param {Exercise} exercise @param {readonly number[]} moves */
function request({ task: { game, start } }, moves) {
  return { game, start, moves: [...moves] };
}
