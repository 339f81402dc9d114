// @ts-check
/**
 * Keys that work anywhere in a view. After Tab the arrow keys lead from cell to cell; after a click, or outside of the
 * board, they step through the moves.
 */

import { showHelp, state, toggleThreats } from "./app.js";
import { askHint, goTo, redo, undo } from "../play/play.js";

/** @typedef {import("./route.js").View} View */

/** Every key with its meaning, for the help. */
export const KEYS = [
  ["← →", "one move back or forward; one step, in Learn"],
  ["↑ ↓", "to another variation, in Analyse"],
  ["Space", "play the best move, in Analyse"],
  ["n", "next mistake, in Analyse; next puzzle, in Puzzles"],
  ["Ctrl + Z", "take back; with Shift, play again"],
  ["h", "hint: in Play, Puzzles and lessons"],
  ["t", "show or hide threats"],
  ["/", "to the text box"],
  ["?", "this list"],
];

/** Modules of views that are fetched when they are shown. */
const [moves, puzzles, exercises, review, lesson, friends] = [
  () => import("../analysis/moves.js"),
  () => import("../puzzles/puzzles.js"),
  () => import("../exercise/exercise.js"),
  () => import("../analysis/review.js"),
  () => import("../learn/search_lesson.js"),
  () => import("../friends/friend.js"),
];

/** What a key does in each view. @type {Record<string, Partial<Record<View, () => unknown>>>} */
const ACTIONS = {
  ArrowLeft: {
    ...{ play: () => step(-1), friend: () => stepFriend(-1), analyse: stepBack },
    ...{ learn: () => stepLearning(-1), puzzles: () => stepExercise(-1) },
  },
  ArrowRight: {
    ...{ play: () => step(1), friend: () => stepFriend(1), analyse: stepForward },
    ...{ learn: () => stepLearning(1), puzzles: () => stepExercise(1) },
  },
  ArrowUp: { analyse: async () => (await moves()).otherVariation(-1) },
  ArrowDown: { analyse: async () => (await moves()).otherVariation(1) },
  " ": { analyse: async () => (await moves()).playBest() },
  n: { analyse: async () => (await review()).nextMistake(), puzzles: async () => (await puzzles()).openNext() },
  h: { play: askHint, puzzles: hintAtExercise, learn: hintAtExercise },
  t: { play: toggleThreats, friend: toggleThreats, analyse: toggleThreats },
  undo: { play: undo, friend: async () => (await friends()).offer("takeback"), analyse: stepBack },
  redo: { play: redo, analyse: stepForward },
};

/** Whether the last input was by mouse or touch: then arrow keys step through the moves, not from cell to cell. */
let isPointing = false;

/** Listen for keys, and for input that decides whether the arrow keys belong to the board. */
export function listen() {
  addEventListener("pointerdown", () => (isPointing = true), true);
  // Before the board gets the key.
  addEventListener("keydown", onKey, true);
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (event.key === "Tab") isPointing = false;
  const target = /** @type {Element} */ (event.target);
  const isField = target.matches("select, textarea, input:not([type=checkbox])");
  if (document.querySelector("dialog[open]") || isField) return;
  if (event.key === "?" || event.key === "/") {
    event.preventDefault();
    return event.key === "?" ? showHelp() : enterText();
  }
  const action = ACTIONS[meaningOf(event)]?.[state.view];
  if (!action || isForTarget(event, target)) return;
  event.preventDefault();
  event.stopPropagation();
  action();
}

/** The name of an action: the key itself, or undo and redo. @param {KeyboardEvent} event */
function meaningOf({ key, ctrlKey, metaKey, altKey, shiftKey }) {
  if (altKey || (shiftKey && key.startsWith("Arrow"))) return "";
  if (!ctrlKey && !metaKey) return key;
  if (key.toLowerCase() === "z") return shiftKey ? "redo" : "undo";
  return key === "y" ? "redo" : "";
}

/** Whether the key belongs to the element with the focus. @param {KeyboardEvent} event @param {Element} target */
function isForTarget({ key }, target) {
  const isOnBoard = target.closest(".planes, .scene") !== null && !isPointing;
  if (key.startsWith("Arrow")) return isOnBoard;
  return key === " " && (isOnBoard || target.closest("button, a, summary, label, input") !== null);
}

async function stepBack() {
  (await moves()).back();
}

async function stepForward() {
  (await moves()).forward();
}

/** @param {1 | -1} by */
function step(by) {
  const play = state.play;
  const to = (play?.wanted ?? play?.at ?? 0) + by;
  if (play && to >= 0 && to <= play.moves.length) goTo(to);
}

/** @param {1 | -1} by */
async function stepLearning(by) {
  if (state.isThinkingShown) (await lesson()).stepBy(by);
  else await stepExercise(by);
}

/** The lesson or the puzzle on the screen. */
function exercise() {
  return state.view === "puzzles" ? state.puzzles?.solving : state.isThinkingShown ? null : state.courses?.study;
}

/** @param {1 | -1} by */
async function stepExercise(by) {
  const shown = exercise();
  if (shown) (await exercises()).stepTo(shown, shown.at + by);
}

async function hintAtExercise() {
  const shown = exercise();
  if (shown) (await exercises()).askHint(shown);
}

/** @param {1 | -1} by */
async function stepFriend(by) {
  const friend = state.friend;
  const last = friend?.state?.position.ply ?? 0;
  const to = (friend?.looking ?? last) + by;
  if (to >= 0 && to <= last) (await friends()).lookBack(to);
}

/** Go to the text box, which may be in the sheet. */
function enterText() {
  const box = document.getElementById("entry");
  if (box && !box.checkVisibility()) /** @type {HTMLElement | null} */ (box.closest("[popover]"))?.showPopover();
  box?.focus();
}
