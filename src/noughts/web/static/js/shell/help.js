// @ts-check
/** The help dialog: the rules of the game on the screen, keys, gestures and commands. */

import { button } from "../ui/controls.js";
import { openRules } from "../rules/rules.js";
import { prefer, redraw, shownGame, state } from "./app.js";
import { COMMANDS } from "./commands.js";
import { h, inputValue } from "../ui/dom.js";
import { dialog, dialogHeader } from "./frame.js";
import { KEYS } from "./keys.js";

const BOARD_KEYS = [
  ["Arrow keys", "after Tab: from cell to cell"],
  ["Enter or Space", "play the cell"],
  ["Page up, Page down", "to the next level or board"],
  ["Home, End", "to the ends of a row; with Ctrl, of the board"],
  ["1 – 9", "on 3×3: play that cell, from the top left; in Ultimate: go there in the board to play in"],
  ["Shift + arrow keys", "turn the cube"],
];

const GESTURES = [
  ["Tap", "play the cell"],
  ["Tap, then tap again", "on small cells and in the cube: the first tap shows the cell, the second plays it"],
  ["Drag", "turn the cube; scroll a board that is enlarged"],
  ["Two fingers", "enlarge the cube"],
];

/** The times that notes can stay: some people need more to read and to reach a button. */
const NOTE_SECONDS = [6, 20, 60];

export function drawHelp() {
  const closed = () => {
    state.showsHelp = false;
    redraw();
  };
  return dialog("help", closed, [
    dialogHeader("help", "Help"),
    rules(),
    // Where a finger is the pointer, keys may still be there: they come last.
    isTouched() ? [h("h3", "On the board"), list(GESTURES)] : keys(),
    h("h3", "Typed into the text box"),
    h("p", "A move, or one of these:"),
    list(COMMANDS),
    isTouched() && keys(),
    h("h3", "Messages"),
    h(
      "label",
      h("span", "Messages, and their Undo buttons, stay for"),
      h(
        "select",
        {
          name: "note-seconds",
          value: String(state.prefs.noteSeconds),
          onchange: (event) => prefer({ noteSeconds: Number(inputValue(event)) }),
        },
        NOTE_SECONDS.map((seconds) => h("option", { value: String(seconds), key: seconds }, `${seconds} seconds`)),
      ),
    ),
  ]);
}

/** How to play the game on the screen. */
function rules() {
  const game = shownGame();
  return game && button(`How to play ${game.title}`, () => openRules(game.data), { icon: "learn", key: "rules" });
}

function isTouched() {
  return matchMedia("(hover: none)").matches;
}

function keys() {
  return [h("h3", "Keys"), list(KEYS), h("h3", "Keys on the board"), list(BOARD_KEYS)];
}

/** @param {readonly (readonly string[])[]} rows */
function list(rows) {
  return h(
    "dl",
    rows.map(([key, text]) => h("div", { key }, h("dt", key), h("dd", text))),
  );
}
