// @ts-check
/** Overlays on the cells of a flat board: won blocks, a complete line, the ring of the last move. */

import { h, names } from "../ui/dom.js";
import { panelsOf, spotsOf } from "./panels.js";

/**
 * @typedef {import("./board.js").Board} Board
 * @typedef {import("../ui/dom.js").Node} Node
 */

/** The covers of won blocks and the outline of the block to play. @param {Board} board
 * @param {(side: "X" | "O") => Node} mark @returns {(Node | "" | false | null)[]} */
export function blockOverlays(board, mark) {
  const size = /** @type {number} */ (board.game.block_size);
  const owners = board.blocks ?? [];
  return owners.flatMap((owner, block) => {
    const style = { "--across": block % size, "--down": Math.floor(block / size), "--size": size };
    const isTarget =
      board.turn !== null && owner === null && (board.blockToPlay === null || board.blockToPlay === block);
    const cover =
      owner &&
      h(
        "div.cover",
        {
          key: `cover ${block}`,
          style,
          "aria-hidden": "true",
          class: names({
            dead: owner === "dead",
            x: owner === "X",
            o: owner === "O",
            won: board.winningBlocks.has(block),
            [`won-${owner.toLowerCase()}`]: board.winningBlocks.has(block),
          }),
        },
        owner !== "dead" && mark(/** @type {"X" | "O"} */ (owner)),
      );
    const outline =
      isTarget &&
      h("div.target", {
        key: `target ${block}`,
        style,
        "aria-hidden": "true",
        class: names({ sent: board.blockToPlay === block, x: board.turn === "X", o: board.turn === "O" }),
      });
    return [cover, outline];
  });
}

/** A stroke through a complete line if it is straight within one panel; other lines are shown by their cells.
 * @param {Board} board @param {number} at */
export function stroke(board, at) {
  const spots = [...board.line].map((cell) => spotsOf(board.game).get(cell)).filter((spot) => spot !== undefined);
  if (spots.length < 2 || spots.some((spot) => spot.panel !== at)) return null;
  spots.sort((a, b) => a.row - b.row || a.column - b.column);
  const [first, second, last] = [spots[0], spots[1], spots[spots.length - 1]];
  const [down, right] = [second.row - first.row, second.column - first.column];
  const isStraight =
    Math.max(Math.abs(down), Math.abs(right)) === 1 &&
    spots.every((spot, n) => spot.row === first.row + n * down && spot.column === first.column + n * right);
  if (!isStraight) return null;
  return h(
    "svg.stroke",
    { ...over(board, at), key: "stroke", class: String(board.cells[[...board.line][0]]).toLowerCase() },
    h("line", {
      x1: first.column + 0.5 - right * 0.2,
      y1: first.row + 0.5 - down * 0.2,
      pathLength: "1",
      x2: last.column + 0.5 + right * 0.2,
      y2: last.row + 0.5 + down * 0.2,
    }),
  );
}

/** A drawing over a panel, whose unit is a cell. @param {Board} board @param {number} at */
function over(board, at) {
  const panel = panelsOf(board.game)[at];
  return { viewBox: `0 0 ${panel.columns.length} ${panel.rows.length}`, "aria-hidden": "true" };
}

/**
 * The ring around the last move. A board that scrolls shows the last move after every move and every change of its
 * size; before the first move, its middle.
 * @param {Board} board @param {number} at
 */
export function anchor(board, at) {
  const { cells } = panelsOf(board.game)[at];
  const last = board.last === null ? undefined : spotsOf(board.game).get(board.last);
  const spot = last ?? { panel: 0, row: Math.floor(cells.length / 2), column: Math.floor(cells[0].length / 2) };
  if (spot.panel !== at) return null;
  const side = board.last === null ? null : board.cells[board.last];
  return h("div.anchor", {
    key: `anchor ${board.last} ${board.zoom}`,
    class: names({ ring: last, x: side === "X", o: side === "O" }),
    style: { "--row": spot.row, "--column": spot.column },
    "aria-hidden": "true",
    onmount: reveal,
  });
}

/** Scroll the board, not the page, until an element is in view. @param {HTMLElement} node */
function reveal(node) {
  const frame = /** @type {HTMLElement | null} */ (node.closest(".planes"));
  if (!frame) return;
  const [inner, outer] = [node.getBoundingClientRect(), frame.getBoundingClientRect()];
  const margin = inner.width;
  const isSeen =
    inner.left >= outer.left + margin &&
    inner.right <= outer.right - margin &&
    inner.top >= outer.top + margin &&
    inner.bottom <= outer.bottom - margin;
  if (isSeen) return;
  frame.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2;
  frame.scrollTop += (inner.top + inner.bottom - outer.top - outer.bottom) / 2;
}
