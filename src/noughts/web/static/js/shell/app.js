// @ts-check
/** The state of the page, one plain object, and how it is drawn. */

import { VIEW } from "../board/space.js";
import { button } from "../ui/controls.js";
import { h } from "../ui/dom.js";
import { read, write } from "./storage.js";
import { isAborted, Refused } from "../server/tasks.js";
import { capital } from "../ui/words.js";

/**
 * Preferences, remembered between visits.
 * @typedef {object} Prefs
 * @property {"auto" | "light" | "dark"} theme
 * @property {boolean} sound
 * @property {boolean} stones whether flat boards without gravity have stones on crossings
 * @property {string} name
 * @property {string} level
 * @property {number} noteSeconds how long notes are shown, and actions can be undone
 *
 * A failure in plain words, and how to try again.
 * @typedef {{text: string, retry: () => unknown}} Failure
 *
 * The button of a notice.
 * @typedef {{label: string, run: () => unknown}} Offer
 *
 * A line for the person; an answer to typed text is shown below the text box.
 * @typedef {{text: string, kind: "error" | "note", isTyped: boolean, offer: Offer | null}} Notice
 *
 * @typedef {object} State
 * @property {import("../server/types.d.ts").AboutAnswer | null} about
 * @property {import("../server/types.d.ts").CatalogueEntry[]} catalogue
 * @property {import("./route.js").View} view
 * @property {Prefs} prefs
 * @property {import("../play/phase.js").Play | null} play
 * @property {import("../play/setup.js").Setup | null} setup
 * @property {import("../analysis/analysis.js").Analysis | null} analysis
 * @property {import("../puzzles/puzzles.js").Puzzles | null} puzzles
 * @property {import("../learn/search_lesson.js").SearchLesson | null} learn
 * @property {import("../friends/friend.js").Friend | null} friend
 * @property {import("../server/types.d.ts").SavedGame[] | null} saved
 * @property {import("../learn/course.js").Courses | null} courses
 * @property {boolean} isThinkingShown in Learn: how the computer thinks, not the courses for players
 * @property {import("../rules/rules.js").Rules | null} rules how to play, in a dialog
 * @property {import("../proof/duel.js").Duel | null} duel a game against a proof
 * @property {Failure | null} failed why the view of the address cannot be shown
 * @property {import("../play/phase.js").Play | null} shared the playthrough of the share dialog
 * @property {import("../board/space.js").View} turned how the cube is turned; it turns without a redraw of the page
 * @property {boolean} showsLevels on a small screen: whether to show the levels instead of the cube
 * @property {number} zoom
 * @property {Notice | null} notice
 * @property {boolean} showsThreats
 * @property {boolean} showsHelp
 */

const PREFS = "noughts.prefs";

/** @type {State} */
export const state = {
  about: null,
  catalogue: [],
  view: "home",
  prefs: { theme: "auto", sound: false, stones: false, name: "", level: "easy", noteSeconds: 6, ...read(PREFS, {}) },
  play: null,
  setup: null,
  analysis: null,
  puzzles: null,
  learn: null,
  friend: null,
  saved: null,
  rules: null,
  courses: null,
  duel: null,
  failed: null,
  shared: null,
  turned: { ...VIEW },
  showsLevels: false,
  zoom: 0,
  notice: null,
  showsThreats: false,
  showsHelp: false,
  isThinkingShown: false,
};

/** @type {() => void} */
let draw = () => {};
let isAsked = false;

/** The object with the board of the view, if it has one. */
export function holder() {
  const learn = state.isThinkingShown ? null : state.courses?.study;
  const { play, analysis: analyse, puzzles, friend, duel: proof } = state;
  return { play, analyse, puzzles: puzzles?.solving, friend, learn, proof }[/** @type {string} */ (state.view)];
}

/** The game of the view, if it has one. */
export function shownGame() {
  return holder()?.game ?? null;
}

/** Set the function that draws the page. @param {() => void} how */
export function drawWith(how) {
  draw = how;
}

/** Draw the page soon, once for all changes in this turn of the event loop. */
export function redraw() {
  if (isAsked) return;
  isAsked = true;
  queueMicrotask(() => {
    isAsked = false;
    draw();
  });
}

/** @param {Partial<Prefs>} changed */
export function prefer(changed) {
  Object.assign(state.prefs, changed);
  write(PREFS, state.prefs);
  redraw();
}

/** Show or hide the threats on the board; in Play, say so if there are none. */
export function toggleThreats() {
  state.showsThreats = !state.showsThreats;
  redraw();
  const threats = state.view === "play" && state.play?.position.threats;
  if (state.showsThreats && threats && threats.X.length + threats.O.length === 0) notify("no threats now");
}

/** Show the help: keys and commands. */
export function showHelp() {
  state.showsHelp = true;
  redraw();
}

/** Announce a text to screen readers, without interrupting. @param {string} text */
export function announce(text) {
  const region = document.getElementById("says");
  if (!region) return;
  // Screen readers skip a text that has not changed.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

/** Close the dialog that is open; the focus goes back to where it was. */
export function closeDialog() {
  /** @type {HTMLDialogElement | null} */ (document.querySelector("dialog[open]"))?.close();
}

function noteMs() {
  return 1000 * state.prefs.noteSeconds;
}

/**
 * Show and announce a notice, with a button if it offers something.
 * @param {string} text @param {"error" | "note"} [kind] @param {Offer | null} [offer]
 */
export function notify(text, kind = "note", offer = null) {
  const isTyped = document.activeElement?.id === "entry";
  const shown = (state.notice = { text: capital(text), kind, isTyped, offer });
  announce(shown.text);
  redraw();
  // Errors stay until something else happens; notes disappear.
  if (kind === "note")
    setTimeout(() => {
      if (state.notice === shown) {
        state.notice = null;
        redraw();
      }
    }, noteMs());
}

/**
 * An action that can be undone for a few seconds; then `commit` makes it final. Consecutive actions with the same
 * `several`, such as "games are deleted", are undone together.
 * @typedef {{undo: () => unknown, commit?: () => unknown, several?: string}} Undoable
 */

/** The last actions, which can still be undone. @type {{actions: Undoable[], timer: number | undefined}} */
let undoable = { actions: [], timer: undefined };

/** Say that something was done, and offer to undo it. @param {string} text @param {Undoable} action */
export function offerUndo(text, action) {
  const { several } = action;
  if (!several || undoable.actions[0]?.several !== several) commitNow();
  clearTimeout(undoable.timer);
  const actions = [...undoable.actions, action];
  undoable = { actions, timer: setTimeout(commitNow, noteMs()) };
  const run = () => {
    if (undoable.actions !== actions) return;
    takeUndoable();
    for (const { undo } of [...actions].reverse()) undo();
    redraw();
  };
  notify(actions.length > 1 ? `${actions.length} ${several}` : text, "note", { label: "Undo", run });
}

/** Make the last actions final, because another one follows or the page is left. */
export function commitNow() {
  for (const { commit } of takeUndoable()) commit?.();
}

function takeUndoable() {
  const { actions, timer } = undoable;
  clearTimeout(timer);
  undoable = { actions: [], timer: undefined };
  return actions;
}

/**
 * Show an error, with a button that tries again if that may help; an aborted request is not an error.
 * @param {unknown} error @param {() => unknown} [retry]
 */
export function complain(error, retry) {
  if (isAborted(error)) return;
  notify(errorText(error), "error", retry && !isRejected(error) ? { label: "Try again", run: retry } : null);
  if (!(error instanceof Refused)) console.error(error);
}

/** Do something that may fail; if it does, say so and offer to try again. @param {() => unknown} action */
export async function attempt(action) {
  try {
    await action();
  } catch (error) {
    complain(error, () => attempt(action));
  }
}

const TOO_MANY_REQUESTS = 429;

/** Whether the server has found a request wrong: the same request will not succeed later. @param {unknown} error */
export function isRejected(error) {
  return error instanceof Refused && error.status >= 400 && error.status < 500 && error.status !== TOO_MANY_REQUESTS;
}

/** Describe an error in plain words. @param {unknown} error */
export function errorText(error) {
  const text = error instanceof Error ? error.message : String(error);
  return error instanceof Refused ? text : `something went wrong on this page: ${text}`;
}

/**
 * A line that says what failed, with the button that tries it again.
 * @param {string} text @param {() => unknown} retry @param {string} [label]
 */
export function failure(text, retry, label = "Try again") {
  return h("div.failure", { key: "failure", role: "alert" }, h("p", capital(text)), button(label, retry));
}
