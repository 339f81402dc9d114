// @ts-check
/** The lines of a custom game as strokes through its cells. */

import { h, names } from "../ui/dom.js";
import { miniature } from "./miniature.js";
import { panelsOf, spotsOf } from "./panels.js";

/** More lines than this would hide the board. */
const MOST_LINES = 60;

/** @typedef {readonly [number, number]} Spot */

/**
 * The path of a line: straight if its points are, otherwise a curve through them.
 * @param {readonly Spot[]} points
 */
export function pathThrough(points) {
  if (points.length < 2) return "";
  const [[x, y], ...rest] = points;
  if (isStraight(points)) return `M${x} ${y}${rest.map(([a, b]) => `L${a} ${b}`).join("")}`;
  const at = (/** @type {number} */ n) => points[Math.max(0, Math.min(points.length - 1, n))];
  const curves = rest.map((to, n) => {
    const [before, from, after] = [at(n - 1), at(n), at(n + 2)];
    const first = [from[0] + (to[0] - before[0]) / 6, from[1] + (to[1] - before[1]) / 6];
    const second = [to[0] - (after[0] - from[0]) / 6, to[1] - (after[1] - from[1]) / 6];
    return `C${[...first, ...second, ...to].map(short).join(" ")}`;
  });
  return `M${x} ${y}${curves.join("")}`;
}

/** @param {number} value */
function short(value) {
  return Math.round(value * 100) / 100;
}

/** @param {readonly Spot[]} points */
function isStraight([[x, y], [x2, y2], ...rest]) {
  return rest.every(([a, b]) => (x2 - x) * (b - y) === (y2 - y) * (a - x));
}

/**
 * Lines on a board whose cells are squares of edge 1.
 * @param {number} columns @param {number} rows @param {readonly (readonly Spot[])[]} lines the middles of their cells
 * @param {number | null} [pointed] the line to show strongly
 * @param {number} [edge] the margin around the board
 */
export function strokes(columns, rows, lines, pointed = null, edge = 0) {
  return h(
    "svg.lines-drawn",
    {
      key: "lines",
      viewBox: `${-edge} ${-edge} ${columns + 2 * edge} ${rows + 2 * edge}`,
      "aria-hidden": "true",
      focusable: "false",
    },
    lines.map((points, at) => h("path", { d: pathThrough(points), class: names({ pointed: at === pointed }) })),
  );
}

/**
 * The lines of a custom game, to lie below its cells; null for other games.
 * @param {import("./panels.js").Game} game @param {number} [edge] the margin around the board
 */
export function linesOf(game, edge = 0) {
  if (game.family !== "custom" || game.lines.length > MOST_LINES) return null;
  const [panel] = panelsOf(game);
  const middles = game.lines.map((line) => line.flatMap((cell) => middleOf(game, cell)));
  return strokes(panel.columns.length, panel.rows.length, middles, null, edge);
}

/** The margin of a small board. */
const SMALL_EDGE = 0.05;

/** A small empty board with its lines. @param {import("./panels.js").Game} game @param {string} [label] for screen readers */
export function emptyBoard(game, label) {
  return [linesOf(game, SMALL_EDGE), miniature(game, ".".repeat(game.cells), { label })];
}

/** @param {import("./panels.js").Game} game @param {number} cell @returns {Spot[]} */
function middleOf(game, cell) {
  const spot = spotsOf(game).get(cell);
  return spot ? [[spot.column + 0.5, spot.row + 0.5]] : [];
}
