// @ts-check
/** How to play: a sentence for each rule, with a small board on which the moves are made. */

import { closeDialog, redraw, state } from "../shell/app.js";
import { pictureOf } from "../board/miniature.js";
import { dialog, dialogHeader } from "../shell/frame.js";
import { button } from "../ui/controls.js";
import { h, names } from "../ui/dom.js";

/** @typedef {import("./rules.js").Rules} Rules */

const TURN_MS = 100;
const MOVE_MS = 800;
/** Time to read a sentence: at least, and for each letter. */
const READ_MS = 1600;
const LETTER_MS = 28;

/** @type {number | undefined} */
let timer;
/** How long the board on the screen has been shown. */
let shownMs = 0;

/** @param {Rules} rules */
export function drawRules(rules) {
  const { game, answer, step, isPaused } = rules;
  const steps = answer.steps;
  const isOver = step >= steps.length;
  const closed = () => {
    clearInterval(timer);
    timer = undefined;
    state.rules = null;
    redraw();
  };
  return dialog(
    "rules",
    closed,
    [
      dialogHeader("rules", `How to play ${answer.title}`),
      h(
        "ol.rule-steps",
        { style: { "--across": steps.length > 4 ? Math.ceil(steps.length / 2) : steps.length } },
        steps.map((each, at) =>
          h(
            "li",
            { key: at, class: names({ playing: at === step && !isStill() }) },
            h("div.rule-board", boardOf(rules, at)),
            h("p", each.text),
          ),
        ),
      ),
      h(
        "footer.buttons",
        !isStill() &&
          button(isOver ? "Play again" : isPaused ? "Continue" : "Pause", isOver ? again : pause, {
            key: "play",
            icon: isOver ? "again" : isPaused ? "forward" : "pause",
          }),
        button("Got it", closeDialog, { key: "close", class: "primary" }),
      ),
    ],
    {
      onmount: (/** @type {HTMLDialogElement} */ node) => {
        node.showModal();
        if (!isStill()) start(game.id);
      },
    },
  );
}

/** Whether boards stand still, because the system asks for it. */
function isStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** @param {Rules} rules @param {number} at */
function boardOf({ game, answer, step, board }, at) {
  const { boards, picture } = answer.steps[at];
  const last = boards[boards.length - 1];
  const shown = isStill() || at < step ? last : at === step ? boards[board] : boards[0];
  const { last_cell: played } = shown;
  return pictureOf(game, shown, {
    label: picture,
    turns: false,
    within: last.marks,
    target: last.blocks && shown.block_to_play,
    isFresh: at === step && board > 0 && played !== null,
    hasArrow: shown !== boards[0] && !shown.winning_cells.length,
  });
}

/** Let the boards play, one after the other. @param {string} id */
function start(id) {
  clearInterval(timer);
  shownMs = 0;
  timer = setInterval(() => {
    const rules = state.rules;
    if (rules?.game.id === id && !rules.isPaused && !document.hidden) advance(rules);
  }, TURN_MS);
}

/** @param {Rules} rules */
function advance(rules) {
  const { answer, step, board } = rules;
  const now = answer.steps[step];
  // A board that is not on the screen waits until it is.
  if (!now || !isSeen(step)) return;
  shownMs += TURN_MS;
  const isLast = board === now.boards.length - 1;
  if (shownMs < (isLast ? READ_MS + LETTER_MS * now.text.length : MOVE_MS)) return;
  shownMs = 0;
  Object.assign(rules, isLast ? { step: step + 1, board: 0 } : { board: board + 1 });
  redraw();
}

/** @param {number} step */
function isSeen(step) {
  const box = document.querySelectorAll(".rule-steps > li")[step]?.getBoundingClientRect();
  return box ? box.top + box.height / 2 < innerHeight && box.bottom > box.height / 2 : false;
}

function pause() {
  if (state.rules) state.rules.isPaused = !state.rules.isPaused;
  redraw();
}

function again() {
  if (state.rules) Object.assign(state.rules, { step: 0, board: 0 });
  document.querySelector("dialog.rules")?.scrollTo(0, 0);
  redraw();
}
