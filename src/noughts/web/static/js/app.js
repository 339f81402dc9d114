// @ts-check
/** The state of the page, one plain object, and the drawing of it. */

/**
 * What is remembered between visits.
 * @typedef {object} Prefs
 * @property {"auto" | "light" | "dark"} theme
 * @property {boolean} sound
 * @property {string} name
 * @property {string} level
 *
 * @typedef {object} State
 * @property {any} about
 * @property {any[]} catalogue
 * @property {"play" | "analyse" | "learn" | "games" | "friend"} view
 * @property {Prefs} prefs
 * @property {import("./play.js").Play | null} play
 * @property {import("./setup.js").Setup | null} setup
 * @property {import("./analysis.js").Analysis | null} analysis
 * @property {import("./learn.js").Learn | null} learn
 * @property {import("./friend.js").Friend | null} friend
 * @property {any[] | null} kept
 * @property {import("./play.js").Play | null} shared what the open dialog gives links to
 * @property {{turn: number, tilt: number}} turned how the cube is turned
 * @property {number} zoom
 * @property {{text: string, kind: "error" | "note", isTyped: boolean} | null} notice an answer to what was typed is shown where it was typed
 * @property {boolean} showsThreats
 * @property {boolean} showsKeys
 */

const PREFS = "noughts.prefs";

/** @type {State} */
export const state = {
  about: null, catalogue: [], view: "play",
  prefs: { theme: "auto", sound: false, name: "", level: "easy", ...read(PREFS, {}) },
  play: null, setup: null, analysis: null, learn: null, friend: null, kept: null, shared: null,
  turned: { turn: -24, tilt: 63 }, zoom: 0, notice: null, showsThreats: false, showsKeys: false,
};

/** @type {() => void} */
let draw = () => {};
let isAsked = false;

/** Say how the page is drawn. @param {() => void} how */
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

/** What was remembered under a name. @template T @param {string} name @param {T} otherwise @returns {T} */
export function read(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null") ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** @param {string} name @param {any} value null to forget */
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

/** Say something to who cannot see the board, without interrupting. @param {string} text */
export function announce(text) {
  const region = document.getElementById("says");
  if (!region) return;
  // The same words twice are only said twice when something changes.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

const NOTE_STAYS = 6000;

/** Close the dialog that is open; the focus goes back to where it was. */
export function closeDialog() {
  /** @type {HTMLDialogElement | null} */ (document.querySelector("dialog[open]"))?.close();
}

/** Show and say one line. @param {string} text @param {"error" | "note"} [kind] */
export function notify(text, kind = "note") {
  const shown = (state.notice = { text, kind, isTyped: document.activeElement?.id === "entry" });
  announce(text);
  redraw();
  // What went wrong stays until something else happens; what went well goes by itself.
  if (kind === "note") setTimeout(() => { if (state.notice === shown) { state.notice = null; redraw(); } }, NOTE_STAYS);
}

/** Show what went wrong; what was called off says nothing. @param {any} error */
export function complain(error) {
  if (error?.name === "AbortError") return;
  notify(String(error?.message ?? error), "error");
  if (!("status" in Object(error))) console.error(error);
}
