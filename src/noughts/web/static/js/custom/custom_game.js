// @ts-check
/** Games that people make, as plain data: rules by controls, and boards drawn by hand. The server knows the rules. */

import { capital } from "../ui/words.js";

/**
 * The controls of a rectangular board.
 * @typedef {object} Rules
 * @property {number} width
 * @property {number} height
 * @property {number} depth 1 for a flat board
 * @property {number} k
 * @property {boolean} gravity
 * @property {boolean} wrap
 * @property {boolean} misere
 * @property {boolean} exact
 *
 * @typedef {{x: number, y: number}} Point
 *
 * A drawn board: cells on a grid of points, and lines through them in the order in which they were drawn.
 * @typedef {object} Drawing
 * @property {string} name
 * @property {number} columns
 * @property {number} rows
 * @property {readonly Point[]} cells
 * @property {readonly (readonly number[])[]} lines
 * @property {boolean} misere
 * @property {boolean} gravity whether a cell rests on the next one below it in its column
 *
 * @typedef {object} DrawnData
 * @property {string} name
 * @property {number} cells
 * @property {number[][]} lines
 * @property {number[][]} [rests_on] for each cell those that must be filled before it
 * @property {number[][]} layout
 * @property {boolean} [misere]
 */

export const OPTIONS = /** @type {const} */ (["gravity", "misere", "exact", "wrap"]);
/** The bounds of the controls; ids allow more. */
export const LIMITS = { side: 20, depth: 6, k: 15, grid: 12, leastGrid: 3, name: 60 };
/** Longest link that mail and messengers pass on whole. */
export const LONGEST_LINK = 8000;

/** @type {Rules} */
export const FIRST_RULES = {
  width: 6,
  height: 6,
  depth: 1,
  k: 4,
  gravity: false,
  wrap: false,
  misere: false,
  exact: false,
};

/** @type {Drawing} */
export const EMPTY = { name: "", columns: 7, rows: 7, cells: [], lines: [], misere: false, gravity: false };

/** The id of a rectangular board. @param {Rules} rules */
export function idOf(rules) {
  const sides = [rules.width, rules.height, ...(rules.depth > 1 ? [rules.depth] : [])];
  return [`${sides.join("x")}:${rules.k}`, ...OPTIONS.filter((option) => rules[option])].join("+");
}

/** The controls that give a game; null if it is not a board of two or three dimensions.
 * @param {import("../board/panels.js").Game} game @returns {Rules | null} */
export function rulesOf({ dimensions, k, options }) {
  if (!dimensions || dimensions.length > 3) return null;
  const [width, height, depth = 1] = dimensions;
  const chosen = OPTIONS.map((option) => [option, options.includes(option)]);
  return { width, height, depth, k, ...Object.fromEntries(chosen) };
}

/** The longest line that the controls offer: without an edge lines may be longer than the sides. @param {Rules} rules */
export function longestLine({ width, height, depth, wrap }) {
  return wrap ? LIMITS.k : Math.min(LIMITS.k, Math.max(width, height, depth));
}

/** Change a control; the others follow so that the controls always fit together.
 * @param {Rules} rules @param {Partial<Rules>} changed @returns {Rules} */
export function changeRules(rules, changed) {
  const wanted = { ...rules, ...changed };
  return { ...wanted, k: Math.max(2, Math.min(wanted.k, longestLine(wanted))) };
}

/** The cell at a point; -1 if there is none. @param {Drawing} drawing @param {Point} point */
export function cellAt({ cells }, { x, y }) {
  return cells.findIndex((cell) => cell.x === x && cell.y === y);
}

/** @param {Drawing} drawing @param {Point} point @returns {Drawing} */
export function addCell(drawing, { x, y }) {
  if (cellAt(drawing, { x, y }) !== -1) return drawing;
  return { ...drawing, cells: [...drawing.cells, { x, y }] };
}

/** Remove a cell, and the lines through it. @param {Drawing} drawing @param {number} cell @returns {Drawing} */
export function removeCell(drawing, cell) {
  return {
    ...drawing,
    cells: drawing.cells.filter((_, at) => at !== cell),
    lines: drawing.lines
      .filter((line) => !line.includes(cell))
      .map((line) => line.map((at) => (at > cell ? at - 1 : at))),
  };
}

/** Whether two lines have the same cells. @param {readonly number[]} one @param {readonly number[]} other */
function isSameLine(one, other) {
  return one.length === other.length && one.every((cell) => other.includes(cell));
}

/** Why a line cannot be added; null if it can. @param {Drawing} drawing @param {readonly number[]} line */
export function refusal(drawing, line) {
  if (line.length < 2) return "a line needs at least two cells";
  if (line.length > LIMITS.k) return `a line has at most ${LIMITS.k} cells`;
  if (drawing.lines.some((other) => isSameLine(line, other))) return "this line exists already";
  return null;
}

/** @param {Drawing} drawing @param {readonly number[]} line @returns {Drawing} */
export function addLine(drawing, line) {
  return refusal(drawing, line) ? drawing : { ...drawing, lines: [...drawing.lines, line] };
}

/** @param {Drawing} drawing @param {number} at @returns {Drawing} */
export function removeLine(drawing, at) {
  return { ...drawing, lines: drawing.lines.filter((_, other) => other !== at) };
}

/** Extend a line by a cell; a cell that is already on the line becomes its end.
 * @param {readonly number[]} line @param {number} cell */
export function extendLine(line, cell) {
  const at = line.indexOf(cell);
  return at === -1 ? [...line, cell] : line.slice(0, at + 1);
}

const DIRECTIONS = [
  [1, 0],
  [0, 1],
  [1, 1],
  [1, -1],
];

/** Add every straight line of neighbouring cells with this length. @param {Drawing} drawing @param {number} length */
export function addStraightLines(drawing, length) {
  const all = drawing.cells.flatMap(({ x, y }) =>
    DIRECTIONS.map(([right, down]) =>
      Array.from({ length }, (_, n) => cellAt(drawing, { x: x + n * right, y: y + n * down })),
    ),
  );
  return all.filter((line) => !line.includes(-1)).reduce(addLine, drawing);
}

/** Change the size of the grid; cells outside it are removed. @param {Drawing} drawing @param {number} columns
 * @param {number} rows @returns {Drawing} */
export function resize(drawing, columns, rows) {
  const outside = drawing.cells.flatMap(({ x, y }, cell) => (x >= columns || y >= rows ? [cell] : []));
  return { ...outside.reverse().reduce(removeCell, drawing), columns, rows };
}

/** For each cell the next one below it in its column, as a list of one or none. @param {readonly Point[]} cells */
export function restsOn(cells) {
  return cells.map(({ x, y }) => {
    const below = cells.flatMap((other, at) => (other.x === x && other.y > y ? [at] : []));
    return below.sort((one, other) => cells[one].y - cells[other].y).slice(0, 1);
  });
}

/** The drawing as the data of a game. @param {Drawing} drawing @returns {DrawnData} */
export function toData({ name, cells, lines, misere, gravity }) {
  return {
    name: name.trim() || "My game",
    cells: cells.length,
    lines: lines.map((line) => [...line]),
    ...(gravity ? { rests_on: restsOn(cells) } : {}),
    layout: cells.map(({ x, y }) => [x, y]),
    ...(misere ? { misere } : {}),
  };
}

/** The drawing of a custom game, from the coordinates that the server gives; null if they do not fit on the grid, or if
 * a cell rests on another one than the next below it.
 * @param {import("../board/panels.js").Game} game @returns {Drawing | null} */
export function toDrawing(game) {
  if (game.family !== "custom") return null;
  const [xs, ys] = [0, 1].map((axis) => ranksOf(game.coordinates.map((point) => point[axis])));
  const [columns, rows] = [xs, ys].map((ranks) => Math.max(LIMITS.leastGrid, 1 + Math.max(...ranks)));
  if (columns > LIMITS.grid || rows > LIMITS.grid || game.coordinates.some((point) => point.length !== 2))
    return null;
  const cells = xs.map((x, cell) => ({ x, y: ys[cell] }));
  const supports = game.has_gravity && /** @type {DrawnData} */ (game.data).rests_on;
  if (supports && JSON.stringify(supports) !== JSON.stringify(restsOn(cells))) return null;
  return {
    ...{ name: game.title, columns, rows, cells, lines: game.lines },
    ...{ misere: game.is_misere, gravity: game.has_gravity },
  };
}

/** Grid indices, from 0: integers keep their gaps, other values get their rank. @param {number[]} values */
function ranksOf(values) {
  const least = Math.min(...values);
  if (values.every(Number.isInteger)) return values.map((value) => value - least);
  const order = [...new Set(values)].sort((a, b) => a - b);
  return values.map((value) => order.indexOf(value));
}

/** The next thing that a drawing needs to become a game, in plain words; null if it is complete. @param {Drawing} drawing */
export function missing({ cells, lines }) {
  if (!cells.length) return "Place some cells: click, tap, or press the space bar.";
  if (!lines.length) return "Now draw a line: choose Lines, then go through the cells one by one.";
  return null;
}

/** A message of the server without its example, as a sentence. @param {string} text */
export function sentence(text) {
  return `${capital(text.split("; for example")[0])}.`;
}
