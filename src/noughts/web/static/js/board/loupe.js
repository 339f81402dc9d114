// @ts-check
/** The magnifier of boards with small cells: a tap enlarges the cells around it, a second tap plays. */

import { h, names } from "../ui/dom.js";
import { meant, panelsOf, spotsOf } from "./panels.js";
import { clamp } from "./space.js";

/** @typedef {import("./board.js").Board} Board */

/** The smallest cell that a finger hits reliably. */
const FINGER_PX = 32;
/** The size of a cell in the loupe, and the number of its rows and columns. */
const LARGE_PX = 40;
const SHOWN = 5;
/** The least distance of the finger from the edges of the enlarged cell. */
const EDGE_PX = 5;

/**
 * Whether a tap must be confirmed, because its cell is smaller than a finger.
 * @param {Board} board @param {number} cell @param {MouseEvent} event @param {HTMLElement} node of the cell
 */
export function needsLoupe(board, cell, event, node) {
  const isTouch = /** @type {PointerEvent} */ (event).pointerType === "touch";
  return isTouch && node.offsetWidth < FINGER_PX && meant(board.game, cell, board.legal) !== undefined;
}

/**
 * Which cells the loupe shows along one axis, and where it begins: the tapped cell stays under the finger, near the
 * middle of the loupe if it can, and the loupe stays on the board.
 * @param {number} cell its row or column @param {number} count of rows or columns @param {number} small pixels a cell
 * @returns {{first: number, shown: number, start: number}} in cells, cells and pixels
 */
export function windowOn(cell, count, small) {
  const shown = Math.min(SHOWN, count);
  const finger = (cell + 0.5) * small;
  const most = Math.max(0, count * small - shown * LARGE_PX);
  const choices = Array.from({ length: shown }, (_, before) => {
    const start = clamp(finger - (before + 0.5) * LARGE_PX, 0, most);
    // The distance of the finger from the middle of the enlarged cell.
    const off = Math.abs(finger - start - (before + 0.5) * LARGE_PX);
    const badness = Math.max(0, off - LARGE_PX / 2 + EDGE_PX) * 100 + Math.abs(before - (shown - 1) / 2);
    return { first: cell - before, shown, start, badness };
  }).filter(({ first }) => first >= 0 && first + shown <= count);
  const { first, start } = choices.reduce((best, one) => (one.badness < best.badness ? one : best));
  return { first, shown, start };
}

/**
 * The enlarged cells around the tapped one.
 * @param {Board} board @param {number} at the panel
 * @param {(cell: number, side: "X" | "O" | null) => import("../ui/dom.js").Content} content of a cell
 */
export function loupe(board, at, content) {
  const aimed = /** @type {number} */ (board.aimed);
  const spot = spotsOf(board.game).get(aimed);
  const target = meant(board.game, aimed, board.legal);
  if (spot?.panel !== at || target === undefined) return null;
  const { cells } = panelsOf(board.game)[at];
  const small = smallPx();
  const [across, down] = [windowOn(spot.column, cells[0].length, small), windowOn(spot.row, cells.length, small)];
  return h(
    "div.loupe",
    {
      key: "loupe",
      "aria-hidden": "true",
      style: { left: `${across.start}px`, top: `${down.start}px`, "--cell": `${LARGE_PX}px` },
      onmount: (/** @type {HTMLElement} */ node) => closeOutside(board, node),
    },
    cells.slice(down.first, down.first + down.shown).map((row, y) =>
      h(
        "div.row",
        { key: y },
        row.slice(across.first, across.first + across.shown).map((cell, x) => {
          if (cell === null) return h("div.gap", { key: x });
          const look = { aimed: cell === target, last: cell === board.last, legal: board.legal.has(cell) };
          const side = board.cells[cell] ?? (cell === target ? board.turn : null);
          return h("div.cell", { key: x, "data-aim": cell, class: names(look) }, content(cell, side));
        }),
      ),
    ),
  );
}

/** The size of a cell on the screen. */
function smallPx() {
  return /** @type {HTMLElement | null} */ (document.querySelector(".planes [data-cell]"))?.offsetWidth ?? LARGE_PX;
}

/** A press anywhere else closes the loupe. @param {Board} board @param {HTMLElement} node */
function closeOutside(board, node) {
  const close = (/** @type {PointerEvent} */ event) => {
    const target = /** @type {Element} */ (event.target);
    if (node.isConnected && node.contains(target)) return;
    removeEventListener("pointerdown", close, true);
    if (node.isConnected && !target.closest(".planes")) board.onaim(null);
  };
  addEventListener("pointerdown", close, true);
}
