// @ts-check
/** The view of the board editor. */

import { failure } from "../shell/app.js";
import { mark } from "../board/board.js";
import { boardOf, framed } from "../board/boards.js";
import { button } from "../ui/controls.js";
import { h, inputValue } from "../ui/dom.js";
import { analyseSetUp, chooseBlock, chooseBrush, clearBoard, closeEditor, paint } from "./editor.js";
import { range } from "../board/panels.js";
import { gameTitle } from "../play/play_view.js";

/** @param {import("./analysis.js").Analysis} analysis @param {import("./editor.js").Editor} editor */
export function drawEditor(analysis, editor) {
  const { game } = analysis;
  const board = boardOf(analysis, game, editor.position ?? analysis.position, {
    cells: editor.marks.map((mark) => (mark === "." ? null : mark)),
    legal: new Set(range(game.cells)),
    turn: editor.brush === "." ? null : editor.brush,
    last: null,
    line: new Set(),
    winningBlocks: new Set(),
    threats: null,
    onplay: paint,
    label: "Board editor",
  });
  return [
    h("section.table", { key: "table", "aria-label": "Board" }, framed(board)),
    h(
      "section.panel.editor",
      { key: "panel", "aria-label": "Board editor" },
      gameTitle(game),
      h("p.status", { key: "status", class: editor.error ? "wrong" : "" }, editor.error || editor.position?.status),
      editor.failed && failure(editor.failed.text, editor.failed.retry),
      brushes(game, editor),
      h(
        "div.buttons",
        { key: "done" },
        button("Analyse this position", analyseSetUp, {
          key: "analyse",
          class: "primary",
          disabled: !editor.position,
        }),
        button("Cancel", closeEditor, { key: "cancel", class: "quiet" }),
      ),
    ),
  ];
}

/** @param {import("../board/panels.js").Game} game @param {import("./editor.js").Editor} editor */
function brushes(game, editor) {
  return h(
    "div.box",
    { key: "brushes" },
    h("h2", "Place marks"),
    h(
      "div.buttons.brushes",
      { role: "group", "aria-label": "Mark to place" },
      /** @type {const} */ (["X", "O", "."]).map((brush) =>
        button(brush === "." ? "Remove" : mark(brush), () => chooseBrush(brush), {
          key: brush,
          "aria-pressed": String(editor.brush === brush),
          "aria-label": brush === "." ? "Remove marks" : `Place ${brush}`,
        }),
      ),
      button("Clear", clearBoard, { key: "clear", class: "quiet", icon: "trash" }),
    ),
    h("p", "X begins: with as many X as O it is X's move, with one X more it is O's."),
    game.block_size && blockChoice(game, editor),
  );
}

/** @param {import("../board/panels.js").Game} game @param {import("./editor.js").Editor} editor */
function blockChoice(game, editor) {
  return h(
    "label",
    { key: "block" },
    h("span", "Board to play in"),
    h(
      "select",
      {
        value: editor.block === null ? "" : String(editor.block),
        onchange: (event) => chooseBlock(inputValue(event) === "" ? null : Number(inputValue(event))),
      },
      h("option", { value: "" }, "any"),
      range((game.block_size ?? 0) ** 2).map((block) =>
        h("option", { key: block, value: String(block) }, `Board ${block + 1}`),
      ),
    ),
  );
}
