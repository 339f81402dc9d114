// @ts-check
/** The canvas on which a board is drawn: a grid of points, cells on some of them, and lines through cells. */

import { h, names } from "../ui/dom.js";
import { strokes } from "../board/line_drawing.js";
import { changeDraft, draw, finishLine, leadLine, draft, redoDrawing, toggleCell, undoDrawing } from "./workshop.js";
import { addCell, cellAt } from "./custom_game.js";
import { range } from "../board/panels.js";

/** @typedef {import("./custom_game.js").Point} Point */

export function canvas() {
  const { drawing, line, pointed } = draft;
  const { columns, rows, cells } = drawing;
  const middles = [...drawing.lines, line].map((one) =>
    one.map((cell) => /** @type {const} */ ([cells[cell].x + 0.5, cells[cell].y + 0.5])),
  );
  return h(
    "div.drawing-board",
    {
      key: "canvas",
      role: "grid",
      "aria-label": draft.tool === "cells" ? "Canvas: place cells" : "Canvas: draw lines through cells",
      class: draft.tool === "cells" ? "place" : "connect",
      style: { "--columns": columns, "--rows": rows },
      onkeydown: onKey,
      onpointerdown: onPress,
      onmount: (/** @type {HTMLElement} */ node) => node.addEventListener("pointermove", onMove),
    },
    strokes(columns, rows, middles, line.length > 1 ? drawing.lines.length : pointed),
    range(rows).map((y) =>
      h(
        "div.row",
        { role: "row", key: y },
        range(columns).map((x) => spot(x, y)),
      ),
    ),
  );
}

/** @param {number} x @param {number} y */
function spot(x, y) {
  const cell = cellAt(draft.drawing, { x, y });
  const isFocus = draft.focus.x === x && draft.focus.y === y;
  const at = draft.line.indexOf(cell);
  return h(
    "div.point",
    {
      key: x,
      role: "gridcell",
      tabindex: isFocus ? "0" : "-1",
      "data-x": x,
      "data-y": y,
      class: names({ placed: cell !== -1, on: at !== -1 }),
      "aria-label": describe(x, y, cell, at),
    },
    cell !== -1 && h("span", { "aria-hidden": "true" }, at === -1 ? "" : String(at + 1)),
  );
}

/** @param {number} x @param {number} y @param {number} cell @param {number} at its place on the line being drawn */
function describe(x, y, cell, at) {
  const through = draft.drawing.lines.filter((line) => line.includes(cell)).length;
  const where = `row ${y + 1}, column ${x + 1}`;
  if (cell === -1) return `${where}, empty`;
  const lines = `${through} ${through === 1 ? "line" : "lines"}`;
  return `${where}, cell ${cell + 1}, ${at === -1 ? lines : `${lines}, number ${at + 1} on the new line`}`;
}

/** The point that an event is about. @param {Element | null} node @returns {Point | null} */
function pointOf(node) {
  const found = /** @type {HTMLElement | null} */ (node?.closest(".drawing-board .point") ?? null);
  return found && { x: Number(found.dataset.x), y: Number(found.dataset.y) };
}

/** The action of the pressed pointer: none, placing cells on its way, or drawing a line. @type {"" | "cells" | "line"} */
let dragging = "";
/** The point where the pointer went down, and whether it has left it. */
let pressed = { x: -1, y: -1, hasMoved: false };

/** @param {PointerEvent} event */
function onPress(event) {
  const point = pointOf(/** @type {Element} */ (event.target));
  if (!point || event.button !== 0) return;
  // Browsers capture touches: without this, the first point would get all later events.
  /** @type {Element} */ (event.target).releasePointerCapture?.(event.pointerId);
  pressed = { ...point, hasMoved: false };
  addEventListener("pointerup", onRelease, { once: true });
  addEventListener("pointercancel", onRelease, { once: true });
  const cell = cellAt(draft.drawing, point);
  if (draft.tool === "cells") {
    dragging = cell === -1 ? "cells" : "";
    toggleCell(point);
  } else {
    dragging = "line";
    if (cell === -1) dragging = "";
    else if (draft.line.at(-1) === cell && draft.line.length > 1) finishLine();
    else leadLine(point);
  }
}

/** @param {PointerEvent} event */
function onMove(event) {
  if (!dragging) return;
  const point = pointOf(document.elementFromPoint(event.clientX, event.clientY));
  if (!point || (point.x === pressed.x && point.y === pressed.y && !pressed.hasMoved)) return;
  pressed.hasMoved = true;
  if (dragging === "cells") draw(addCell(draft.drawing, point), { focus: point });
  else if (!isAtEnd(point)) leadLine(point);
}

/** Whether the line being drawn ends at a point. @param {Point} point */
function isAtEnd(point) {
  return draft.line.at(-1) === cellAt(draft.drawing, point);
}

function onRelease() {
  // A line drawn by dragging ends where the pointer is released; one made by clicks, with its button or Enter.
  if (dragging === "line" && pressed.hasMoved) finishLine();
  dragging = "";
}

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @param {KeyboardEvent} event */
function onKey(event) {
  const { key } = event;
  if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === "z") {
    event.preventDefault();
    return event.shiftKey ? redoDrawing() : undoDrawing();
  }
  const step = STEPS[/** @type {keyof typeof STEPS} */ (key)];
  if (step) {
    event.preventDefault();
    return focusOn({ x: draft.focus.x + step[0], y: draft.focus.y + step[1] });
  }
  if (key === " ") {
    event.preventDefault();
    return draft.tool === "cells" ? toggleCell(draft.focus) : leadLine(draft.focus);
  }
  if (key === "Enter") {
    event.preventDefault();
    return draft.tool === "cells" ? toggleCell(draft.focus) : finishLine();
  }
  if (key === "Escape" && draft.line.length) return changeDraft({ line: [] });
  return undefined;
}

/** @param {Point} point */
function focusOn({ x, y }) {
  if (x < 0 || y < 0 || x >= draft.drawing.columns || y >= draft.drawing.rows) return;
  changeDraft({ focus: { x, y } });
  const found = document.querySelector(`.drawing-board [data-x="${x}"][data-y="${y}"]`);
  /** @type {HTMLElement | null} */ (found)?.focus();
}
