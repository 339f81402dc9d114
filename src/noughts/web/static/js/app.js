// @ts-check
/** The state of the page, one plain object, and how it is drawn. */

import { Refused } from "./api.js";

/**
 * Preferences, remembered between visits.
 * @typedef {object} Prefs
 * @property {"auto" | "light" | "dark"} theme
 * @property {boolean} sound
 * @property {string} name
 * @property {string} level
 *
 * A line for the person; an answer to typed text is shown below the text box.
 * @typedef {{text: string, kind: "error" | "note", isTyped: boolean}} Notice
 *
 * @typedef {object} State
 * @property {import("./api.js").About | null} about
 * @property {import("./api.js").CatalogueEntry[]} catalogue
 * @property {"play" | "analyse" | "learn" | "games" | "friend"} view
 * @property {Prefs} prefs
 * @property {import("./play.js").Play | null} play
 * @property {import("./setup.js").Setup | null} setup
 * @property {import("./analysis.js").Analysis | null} analysis
 * @property {import("./learn.js").Learn | null} learn
 * @property {import("./friend.js").Friend | null} friend
 * @property {import("./api.js").SavedGame[] | null} saved
 * @property {import("./play.js").Play | null} shared the playthrough of the share dialog
 * @property {{turn: number, tilt: number}} turned how the cube is turned
 * @property {number} zoom
 * @property {Notice | null} notice
 * @property {boolean} showsThreats
 * @property {boolean} showsKeys
 */

const PREFS = "noughts.prefs";

/** @type {State} */
export const state = {
  about: null,
  catalogue: [],
  view: "play",
  prefs: { theme: "auto", sound: false, name: "", level: "easy", ...read(PREFS, {}) },
  play: null,
  setup: null,
  analysis: null,
  learn: null,
  friend: null,
  saved: null,
  shared: null,
  turned: { turn: -24, tilt: 63 },
  zoom: 0,
  notice: null,
  showsThreats: false,
  showsKeys: false,
};

/** @type {() => void} */
let draw = () => {};
let isAsked = false;

/** Set the function that draws the page. @param {() => void} how */
export function drawWith(how) {
  draw = how;
}

/** Draw the page, once for all that changes in this turn of the event loop. */
export function redraw() {
  if (isAsked) return;
  isAsked = true;
  queueMicrotask(() => {
    isAsked = false;
    draw();
  });
}

/**
 * Read a value from the storage of this browser.
 * @template T @param {string} name @param {T} otherwise @returns {T}
 */
export function read(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null") ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Write a value to the storage of this browser. @param {string} name @param {unknown} value null deletes it */
export function write(name, value) {
  if (value === null) localStorage.removeItem(name);
  else localStorage.setItem(name, JSON.stringify(value));
}

/** @param {Partial<Prefs>} changed */
export function prefer(changed) {
  Object.assign(state.prefs, changed);
  write(PREFS, state.prefs);
  redraw();
}

/** Announce a text to screen readers, without interrupting. @param {string} text */
export function announce(text) {
  const region = document.getElementById("says");
  if (!region) return;
  // A repeated text is announced again only if it differs.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

const NOTE_MS = 6000;

/** Close the dialog that is open; the focus goes back to where it was. */
export function closeDialog() {
  /** @type {HTMLDialogElement | null} */ (document.querySelector("dialog[open]"))?.close();
}

/** Show and announce one line. @param {string} text @param {"error" | "note"} [kind] */
export function notify(text, kind = "note") {
  const shown = (state.notice = { text, kind, isTyped: document.activeElement?.id === "entry" });
  announce(text);
  redraw();
  // Errors stay until something else happens; notes disappear.
  if (kind === "note")
    setTimeout(() => {
      if (state.notice === shown) {
        state.notice = null;
        redraw();
      }
    }, NOTE_MS);
}

/** Show an error; an aborted request is not one. @param {unknown} error */
export function complain(error) {
  if (error instanceof Error && error.name === "AbortError") return;
  notify(error instanceof Error ? error.message : String(error), "error");
  if (!(error instanceof Refused)) console.error(error);
}
