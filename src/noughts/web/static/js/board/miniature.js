// @ts-check
/** Small boards without input, for tiles, lists and previews. A board of any size is a handful of SVG paths. */

import { drawCube } from "./cube_drawing.js";
import { h, patch } from "../ui/dom.js";
import { isCube, isDropped, panelsOf, spotsOf } from "./panels.js";
import { camera, clamp, VIEW } from "./space.js";

/**
 * @typedef {import("../ui/dom.js").Node} Node
 * @typedef {Pick<import("./panels.js").Game, "family" | "cells" | "dimensions" | "block_size" | "has_gravity"
 *   | "coordinates" | "panels">} Drawable the part of a game that a small board needs
 *
 * @typedef {object} More
 * @property {Iterable<number>} [line] the cells of the complete line
 * @property {number | null} [last] the last move
 * @property {string | null} [blocks] the owners of the blocks of Ultimate, as in a position
 * @property {string} [within] marks that the part of a large board has room for, if not only for those on it
 * @property {number | null | "" } [target] in Ultimate, the block to play
 * @property {boolean} [isFresh] whether the last move has just been made
 * @property {boolean} [hasArrow] whether an arrow shows where the last disc fell, or to which block the last move sends
 * @property {boolean} [turns] whether a cube turns slowly; it stands still if the system asks for reduced motion
 * @property {string} [label] the text for screen readers; without it the board is decoration
 */

/** The length of an edge of the drawing of a cube. */
const SIDE = 240;
const TURN_SECONDS = 48;
const FRAME_MS = 40;
/** Larger boards are cropped to this many columns and rows if all marks fit. */
const CROPPED = 11;

/**
 * A small board that takes no input. It fills the width of its parent.
 * @param {Drawable} game
 * @param {string | readonly ("X" | "O" | null)[]} cells as in a position: `"X.O......"`, or one entry per cell
 * @param {More} [more]
 * @returns {Node}
 */
export function miniature(game, cells, more = {}) {
  const marks = sidesOf(cells);
  if (isCube(game)) return smallCube(game, marks, more);
  return h(
    "svg.miniature",
    { ...spoken(more), viewBox: boxOf(game, more.within ? sidesOf(more.within) : marks), class: game.family },
    isDropped(game) ? discs(game, marks, more) : paper(game, marks, more),
    more.hasArrow && arrow(game, more),
  );
}

/** The way of a disc that fell, or from a mark to the block that it sends to. @param {Drawable} game @param {More} more */
function arrow(game, { last, target }) {
  if (typeof last !== "number") return null;
  const [x, y] = cornerOf(game, last).map((at) => at + 0.5);
  const size = game.block_size ?? 0;
  if (isDropped(game)) return y > 1 && h("path.arrow", { d: arrowPath(x, 0.1, x, y - 0.55) });
  if (typeof target !== "number" || !size) return null;
  const middle = [target % size, Math.floor(target / size)].map((at) => (at + 0.5) * size);
  const way = Math.hypot(middle[0] - x, middle[1] - y);
  // The arrow begins beside the mark.
  const [across, down] = [(middle[0] - x) / way, (middle[1] - y) / way];
  return way > 1.5 && h("path.arrow", { d: arrowPath(x + 0.6 * across, y + 0.6 * down, middle[0], middle[1]) });
}

/** @param {number} x @param {number} y @param {number} toX @param {number} toY */
function arrowPath(x, y, toX, toY) {
  const way = Math.atan2(toY - y, toX - x);
  const head = [way + 2.6, way - 2.6].map((side) => `${toX + 0.45 * Math.cos(side)} ${toY + 0.45 * Math.sin(side)}`);
  return `M${x} ${y}L${toX} ${toY}M${head[0]}L${toX} ${toY}L${head[1]}`;
}

/** @param {string | readonly ("X" | "O" | null)[]} cells */
function sidesOf(cells) {
  return [...cells].map((cell) => (cell === "X" || cell === "O" ? cell : null));
}

/**
 * A small board of a position.
 * @param {Drawable} game
 * @param {Pick<import("../server/types.d.ts").PositionAnswer, "marks" | "winning_cells" | "last_cell" | "blocks">} position
 * @param {More} [more]
 */
export function pictureOf(game, { marks, winning_cells: line, last_cell: last, blocks }, more = {}) {
  return miniature(game, marks, { line, last, blocks, ...more });
}

/** @param {More} more */
function spoken({ label }) {
  return label ? { role: "img", "aria-label": label } : { "aria-hidden": "true", focusable: "false" };
}

/** How many panels stand side by side. @param {Drawable} game */
function acrossOf(game) {
  const panels = panelsOf(game);
  return game.dimensions && game.dimensions.length > 3 ? game.dimensions[2] : Math.ceil(Math.sqrt(panels.length));
}

/** The window of the drawing: the whole board, or the part of a large one where the marks are.
 * @param {Drawable} game @param {("X" | "O" | null)[]} marks */
function boxOf(game, marks) {
  const panels = panelsOf(game);
  const [columns, rows] = [panels[0].columns.length, panels[0].rows.length];
  const across = acrossOf(game);
  const down = Math.ceil(panels.length / across);
  const edge = isDropped(game) ? 0.16 : 0.05;
  const played = panels.length === 1 && Math.min(columns, rows) > CROPPED ? playedPart(game, marks) : null;
  if (played) return `${played.x} ${played.y} ${CROPPED} ${CROPPED}`;
  return `${-edge} ${-edge} ${across * (columns + 1) - 1 + 2 * edge} ${down * (rows + 1) - 1 + 2 * edge}`;
}

/** The corner of a square part of the board with all marks in its middle, or null if it would be too small for them.
 * @param {Drawable} game @param {("X" | "O" | null)[]} marks */
function playedPart(game, marks) {
  const corners = marks.flatMap((mark, cell) => (mark ? [cornerOf(game, cell)] : []));
  if (!corners.length) return null;
  const [x, y] = [0, 1].map((axis) => {
    const along = corners.map((corner) => corner[axis]);
    const [least, most] = [Math.min(...along), Math.max(...along)];
    return most - least < CROPPED ? clamp(Math.round((least + most + 1 - CROPPED) / 2), 0, Infinity) : NaN;
  });
  const [columns, rows] = [panelsOf(game)[0].columns.length, panelsOf(game)[0].rows.length];
  if (Number.isNaN(x + y)) return null;
  return { x: Math.min(x, columns - CROPPED), y: Math.min(y, rows - CROPPED) };
}

/** The corner of a cell in the drawing. @param {Drawable} game @param {number} cell */
function cornerOf(game, cell) {
  const panels = panelsOf(game);
  const spot = /** @type {import("./panels.js").Spot} */ (spotsOf(game).get(cell));
  const across = acrossOf(game);
  return [
    (spot.panel % across) * (panels[0].columns.length + 1) + spot.column,
    Math.floor(spot.panel / across) * (panels[0].rows.length + 1) + spot.row,
  ];
}

/** Crosses and noughts on paper. @param {Drawable} game @param {("X" | "O" | null)[]} marks @param {More} more */
function paper(game, marks, { line = [], last = null, blocks = null, target = null, isFresh = false }) {
  const size = game.block_size ?? 0;
  const isGrid = game.family !== "custom";
  const [first] = line;
  const winner = first === undefined ? null : blocks ? blocks[Math.floor(first / size ** 2)] : marks[first];
  return [
    isGrid
      ? [
          h("path.ground", { d: pathOf(game, marks.keys(), (x, y) => `M${x} ${y}h1v1h-1z`) }),
          h("path.fields", { d: fields(game, 1) }),
          size > 0 && h("path.blocks", { d: fields(game, size) }),
        ]
      : h("path.ground.apart", { d: pathOf(game, marks.keys(), (x, y) => `M${x + 0.06} ${y + 0.06}h.88v.88h-.88z`) }),
    h("path.wash", {
      class: winner ? `won-${winner.toLowerCase()}` : "",
      d: pathOf(game, line, (x, y) => `M${x} ${y}h1v1h-1z`),
    }),
    last !== null && h("path.last", { d: pathOf(game, [last], (x, y) => `M${x} ${y}h1v1h-1z`) }),
    /** @type {const} */ (["X", "O"]).map((side) => {
      const shape = (/** @type {number} */ x, /** @type {number} */ y) => (side === "X" ? cross : nought)(x, y, 1);
      return strokes(game, marks, side, side.toLowerCase(), shape, isFresh ? last : null);
    }),
    size > 0 && blocks ? wonBlocks(size, blocks) : [],
    typeof target === "number" && h("path.target", { d: around(size, target) }),
  ];
}

/** The marks of a side; one that has just been made is an element of its own, which appears.
 * @param {Drawable} game @param {("X" | "O" | null)[]} marks @param {"X" | "O"} side @param {string} look
 * @param {(x: number, y: number) => string} shape @param {number | null} fresh */
function strokes(game, marks, side, look, shape, fresh) {
  const cells = ofSide(marks, side);
  const isFresh = fresh !== null && cells.includes(fresh);
  return [
    h("path", { class: look, d: pathOf(game, isFresh ? cells.filter((cell) => cell !== fresh) : cells, shape) }),
    isFresh && h("path.fresh", { class: look, key: `fresh ${fresh}`, d: pathOf(game, [fresh], shape) }),
  ];
}

/** @param {number} size @param {number} block */
function around(size, block) {
  return `M${(block % size) * size} ${Math.floor(block / size) * size}h${size}v${size}h${-size}z`;
}

/** @param {number} x @param {number} y @param {number} edge */
function cross(x, y, edge) {
  const [near, far] = [0.24 * edge, 0.76 * edge];
  return `M${x + near} ${y + near}L${x + far} ${y + far}M${x + far} ${y + near}L${x + near} ${y + far}`;
}

/** @param {number} x @param {number} y @param {number} edge */
function nought(x, y, edge) {
  return circle(x + edge / 2, y + edge / 2, 0.28 * edge);
}

/** @param {number} x @param {number} y @param {number} r */
function circle(x, y, r) {
  return `M${x - r} ${y}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0z`;
}

/** Discs in a frame with round windows. @param {Drawable} game @param {("X" | "O" | null)[]} marks @param {More} more */
function discs(game, marks, { line = [], last = null, isFresh = false }) {
  const [columns, rows] = [panelsOf(game)[0].columns.length, panelsOf(game)[0].rows.length];
  const windows = pathOf(game, marks.keys(), (x, y) => circle(x + 0.5, y + 0.5, 0.4));
  const edge = 0.1;
  const [wide, high, r] = [columns + 2 * edge, rows + 2 * edge, 0.3];
  const frame =
    `M${r - edge} ${-edge}h${wide - 2 * r}a${r} ${r} 0 0 1 ${r} ${r}v${high - 2 * r}a${r} ${r} 0 0 1 ${-r} ${r}` +
    `h${2 * r - wide}a${r} ${r} 0 0 1 ${-r} ${-r}v${2 * r - high}a${r} ${r} 0 0 1 ${r} ${-r}z`;
  const disc = (/** @type {number} */ x, /** @type {number} */ y) => circle(x + 0.5, y + 0.5, 0.42);
  return [
    strokes(game, marks, "X", "disc x", disc, isFresh ? last : null),
    strokes(game, marks, "O", "disc o", disc, isFresh ? last : null),
    h("path.windows", { d: frame + windows, "fill-rule": "evenodd" }),
    h("path.won", { d: pathOf(game, line, (x, y) => circle(x + 0.5, y + 0.5, 0.24)) }),
    last !== null && h("path.won", { d: pathOf(game, [last], (x, y) => circle(x + 0.5, y + 0.5, 0.1)) }),
  ];
}

/** @param {("X" | "O" | null)[]} marks @param {"X" | "O"} side */
function ofSide(marks, side) {
  return marks.flatMap((mark, cell) => (mark === side ? [cell] : []));
}

/** One path for many cells. @param {Drawable} game @param {Iterable<number>} cells
 * @param {(x: number, y: number) => string} shape */
function pathOf(game, cells, shape) {
  let d = "";
  for (const cell of cells) {
    const [x, y] = cornerOf(game, cell);
    d += shape(x, y);
  }
  return d;
}

/** The lines between the cells, or between the blocks. @param {Drawable} game @param {number} step */
function fields(game, step) {
  const [panel] = panelsOf(game);
  const [columns, rows] = [panel.columns.length, panel.rows.length];
  return pathOf(game, firstCells(game), (x, y) => {
    let d = "";
    for (let column = step; column < columns; column += step) d += `M${x + column} ${y}v${rows}`;
    for (let row = step; row < rows; row += step) d += `M${x} ${y + row}h${columns}`;
    return d;
  });
}

/** The first cell of each panel. @param {Drawable} game */
function firstCells(game) {
  return panelsOf(game).flatMap(({ cells }) => (cells[0][0] === null ? [] : [cells[0][0]]));
}

/** @param {number} size @param {string} blocks */
function wonBlocks(size, blocks) {
  return [...blocks].flatMap((owner, block) => {
    if (owner !== "X" && owner !== "O") return [];
    const [x, y] = [(block % size) * size, Math.floor(block / size) * size];
    const side = owner.toLowerCase();
    return [
      h("path.cover", { class: side, d: around(size, block) }),
      h("path.large", { class: side, d: owner === "X" ? cross(x, y, size) : nought(x, y, size) }),
    ];
  });
}

/** A cube that turns slowly while it is seen. @param {Drawable} game @param {("X" | "O" | null)[]} marks
 * @param {More} more */
function smallCube(game, marks, more) {
  const panels = panelsOf(game);
  const shape = { columns: panels[0].columns.length, rows: panels[0].rows.length, levels: panels.length };
  const line = new Set(more.line);
  const places = spotsOf(game);
  const placeOf = (/** @type {number} */ cell) => {
    const { panel, row, column } = /** @type {import("./panels.js").Spot} */ (places.get(cell));
    return { level: panel, row, column };
  };
  const scene = {
    spots: marks.flatMap((side, cell) =>
      side ? [{ ...placeOf(cell), side, look: line.has(cell) ? "won" : cell === more.last ? "last" : "" }] : [],
    ),
    loose: [],
    line: [...line].map(placeOf),
    winner: line.size ? marks[[...line][0]] : null,
    lifted: null,
    lifts: [],
    isSmall: true,
  };
  const draw = (/** @type {Element} */ node, /** @type {number} */ turn) =>
    patch(node, drawCube(camera(shape, { ...VIEW, turn }, SIDE, SIDE, 0), scene));
  return h("svg.miniature.solid", {
    ...spoken(more),
    key: `cube ${shape.columns}x${shape.rows}x${shape.levels} ${marks.join()} ${[...line].join()}`,
    viewBox: `0 0 ${SIDE} ${SIDE}`,
    owned: true,
    onmount: (/** @type {Element} */ node) => {
      draw(node, VIEW.turn);
      if (more.turns !== false) keepTurning(node, draw);
    },
  });
}

/** The cubes that turn. @type {Map<Element, (node: Element, turn: number) => void>} */
const TURNING = new Map();
/** Those on the screen. @type {Set<Element>} */
const SEEN = new Set();
/** @type {IntersectionObserver | null} */
let watcher = null;
let drawnAt = 0;

/** @param {Element} node @param {(node: Element, turn: number) => void} draw */
function keepTurning(node, draw) {
  watcher ??= new IntersectionObserver((changes) => {
    for (const { target, isIntersecting } of changes) {
      if (isIntersecting) SEEN.add(target);
      else SEEN.delete(target);
    }
  });
  watcher.observe(node);
  if (!TURNING.size) requestAnimationFrame(turnAll);
  TURNING.set(node, draw);
}

/** Turn all small cubes on the screen a little; all by the clock, so that they turn together. @param {number} now */
function turnAll(now) {
  for (const node of TURNING.keys())
    if (!node.isConnected) {
      TURNING.delete(node);
      SEEN.delete(node);
      watcher?.unobserve(node);
    }
  if (now - drawnAt >= FRAME_MS && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
    drawnAt = now;
    const turn = VIEW.turn + ((now / 1000) * 360) / TURN_SECONDS;
    for (const node of SEEN) TURNING.get(node)?.(node, turn);
  }
  if (TURNING.size) requestAnimationFrame(turnAll);
}
