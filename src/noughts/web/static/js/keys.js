// @ts-check
/** Keys that work wherever the focus is, except where text is typed. The board has its own, see board.js. */

import { redraw, state } from "./app.js";
import { back, forward, otherVariation, playBest } from "./analysis_moves.js";
import { allMoves } from "./phase.js";
import { goTo, undo } from "./play.js";
import { openNext } from "./puzzles.js";
import { nextMistake } from "./review.js";

/** The keys with their descriptions, for the help. */
export const SHORTCUTS = /** @type {const} */ ([
  ["← and →", "a move back and forward"],
  ["↑ and ↓", "in an analysis, to another variation"],
  ["Ctrl + Z", "take back"],
  ["Space", "in an analysis, play the best move"],
  ["n", "the next mistake, or the next puzzle"],
  ["/", "to the text box"],
  ["?", "this help"],
]);

/** @typedef {Record<string, () => unknown>} Keys */

/** @type {Record<string, Keys>} */
const KEYS = {
  play: { ArrowLeft: () => step(-1), ArrowRight: () => step(1), "Ctrl+z": undo },
  analyse: {
    ArrowLeft: back,
    ArrowRight: forward,
    ArrowUp: () => otherVariation(-1),
    ArrowDown: () => otherVariation(1),
    "Ctrl+z": back,
    " ": playBest,
    n: nextMistake,
  },
  puzzles: { n: openNext },
};

/** @type {Keys} */
const EVERYWHERE = {
  "/": () => document.getElementById("entry")?.focus(),
  "?": () => {
    state.showsKeys = true;
    redraw();
  },
};

/** @param {1 | -1} by */
function step(by) {
  const play = state.play;
  if (!play) return;
  const to = (play.wanted ?? play.at) + by;
  if (to >= 0 && to <= allMoves(play).length) goTo(to);
}

/** Do what a key stands for in the view on the screen. @param {KeyboardEvent} event */
export function onShortcut(event) {
  if (event.defaultPrevented || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
  const target = /** @type {Element} */ (event.target);
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return;
  // A button is pressed by the space bar.
  if (event.key === " " && /^(BUTTON|A|SUMMARY)$/.test(target.tagName)) return;
  const name = event.ctrlKey ? `Ctrl+${event.key}` : event.key;
  const action = KEYS[state.view]?.[name] ?? EVERYWHERE[name];
  if (!action) return;
  event.preventDefault();
  action();
}
