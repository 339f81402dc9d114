// @ts-check
/** The layout of a board: its panels (a flat board, a level of a cube, a slice of more) and neighbouring cells. */

/**
 * A game as the server describes it: what is needed to draw it and to name its cells, without its rules.
 * @typedef {import("../server/types.d.ts").GameAnswer} Game
 * @typedef {Game["family"]} Family
 * @typedef {Game["data"]} GameData an id, or a custom game as an object
 *
 * @typedef {object} Panel
 * @property {string} title
 * @property {string[]} columns
 * @property {string[]} rows
 * @property {(number | null)[][]} cells by row, from the top
 *
 * @typedef {{panel: number, row: number, column: number}} Spot
 */

/** @typedef {Pick<Game, "cells" | "coordinates" | "panels">} Laid the part of a game that says where its cells lie */

/** @type {WeakMap<Laid, Panel[]>} */
const INVENTED = new WeakMap();
/** @type {WeakMap<Laid, Map<number, Spot>>} */
const SPOTS = new WeakMap();

/** The panels of a game, in order of index. @param {Laid} game @returns {Panel[]} */
export function panelsOf(game) {
  if (game.panels?.length) return game.panels;
  const made = INVENTED.get(game) ?? [inRows(game)];
  INVENTED.set(game, made);
  return made;
}

/** The panel, row and column of each cell. @param {Laid} game @returns {Map<number, Spot>} */
export function spotsOf(game) {
  const known = SPOTS.get(game);
  if (known) return known;
  /** @type {Map<number, Spot>} */
  const made = new Map();
  panelsOf(game).forEach((panel, at) =>
    panel.cells.forEach((cells, row) =>
      cells.forEach((cell, column) => cell !== null && made.set(cell, { panel: at, row, column })),
    ),
  );
  SPOTS.set(game, made);
  return made;
}

/**
 * The panel of a custom game: by its layout if that is a grid, otherwise in rows.
 * @param {Laid} game @returns {Panel}
 */
function inRows(game) {
  const laid = onGrid(game.coordinates);
  if (laid) return { title: "", columns: laid[0].map(() => ""), rows: laid.map(() => ""), cells: laid };
  const side = Math.ceil(Math.sqrt(game.cells));
  const cells = range(Math.ceil(game.cells / side)).map((y) =>
    range(side).map((x) => (y * side + x < game.cells ? y * side + x : null)),
  );
  return { title: "", columns: range(side).map(() => ""), rows: cells.map(() => ""), cells };
}

/** @param {number[][]} points @returns {(number | null)[][] | null} */
function onGrid(points) {
  if (!points.length || points.some((point) => point.length !== 2)) return null;
  const [xs, ys] = [0, 1].map((axis) => ranks(points.map((point) => point[axis])));
  if (xs.length > 40 || ys.length > 40) return null;
  /** @type {(number | null)[][]} */
  const cells = ys.map(() => xs.map(() => null));
  points.forEach(([x, y], cell) => (cells[ys.indexOf(y)][xs.indexOf(x)] = cell));
  return cells;
}

/** The coordinates of the rows or columns: all integers in the range of integers, otherwise the distinct values.
 * @param {number[]} values */
function ranks(values) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (values.every(Number.isInteger) && most - least < 40) return range(most - least + 1).map((at) => least + at);
  return [...new Set(values)].sort((a, b) => a - b);
}

/** Whether the board is a cube of levels that can be shown in space. @param {Pick<Game, "family" | "cells">} game */
export function isCube(game) {
  return game.family === "cube" && game.cells <= 216;
}

/** Whether marks are discs that fall into an upright frame. @param {Pick<Game, "family" | "has_gravity">} game */
export function isDropped(game) {
  return game.family === "flat" && game.has_gravity;
}

/** Whether marks can be shown as stones on crossings. @param {Pick<Game, "family" | "has_gravity">} game */
export function takesStones(game) {
  return game.family === "flat" && !game.has_gravity;
}

/** Boards with at least this many rows and columns have star points, which help to find a crossing. */
const STARRED = 9;

/** Whether a crossing is a star point of a square board. @param {Game} game @param {number} row @param {number} column */
export function isStar({ dimensions }, row, column) {
  const [width, height] = dimensions ?? [];
  if (!width || width !== height || width < STARRED || width % 2 === 0) return false;
  const [middle, near] = [(width - 1) / 2, width < 13 ? 2 : 3];
  const [down, right] = [Math.abs(row - middle), Math.abs(column - middle)];
  const isOn = (/** @type {number} */ from) => from === 0 || from === middle - near;
  return isOn(down) && isOn(right) && (down === right || width >= 19);
}

/** @param {Game} game */
export function isUltimate(game) {
  return game.family === "ultimate";
}

/** Which block of Ultimate a cell is in. @param {Game} game @param {number} cell */
export function blockOf(game, cell) {
  return game.block_of?.[cell] ?? 0;
}

/**
 * The legal move of a person who points at a cell: that cell, or the cell where a mark dropped into its column lands.
 * @param {Game} game @param {number} cell @param {Set<number>} legal @returns {number | undefined}
 */
export function meant(game, cell, legal) {
  if (legal.has(cell) || !game.has_gravity) return legal.has(cell) ? cell : undefined;
  const falling = (game.dimensions?.length ?? 2) === 2 ? 1 : (game.dimensions?.length ?? 3) - 1;
  const here = game.coordinates[cell];
  return [...legal].find((move) => game.coordinates[move].every((at, axis) => axis === falling || at === here[axis]));
}

/**
 * The cell a key leads to from a cell, or undefined when the key leads nowhere.
 * @param {Game} game @param {number} cell @param {string} key @param {boolean} [far] with the control key
 */
export function step(game, cell, key, far = false) {
  const panels = panelsOf(game);
  const { panel, row, column } = spotsOf(game).get(cell) ?? { panel: 0, row: 0, column: 0 };
  const cells = panels[panel].cells;
  const last = panels.length - 1;
  switch (key) {
    case "ArrowLeft":
      return along(cells, row, column, 0, -1);
    case "ArrowRight":
      return along(cells, row, column, 0, 1);
    case "ArrowUp":
      return along(cells, row, column, -1, 0);
    case "ArrowDown":
      return along(cells, row, column, 1, 0);
    case "Home":
      return far ? present(panels[0].cells.flat())[0] : present(cells[row])[0];
    case "End":
      return far ? present(panels[last].cells.flat()).at(-1) : present(cells[row]).at(-1);
    case "PageUp":
      return page(game, cell, -1);
    case "PageDown":
      return page(game, cell, 1);
    default:
      return undefined;
  }
}

/** The same square one level, slice or block further; on a single panel, the end of the column.
 * @param {Game} game @param {number} cell @param {1 | -1} by */
function page(game, cell, by) {
  if (game.block_size) {
    const area = game.block_size ** 2;
    const to = cell + by * area;
    return to >= 0 && to < game.cells ? to : undefined;
  }
  const panels = panelsOf(game);
  const { panel, row, column } = /** @type {Spot} */ (spotsOf(game).get(cell));
  if (panels.length === 1) {
    const straight = present(panels[0].cells.map((cells) => cells[column]));
    return by < 0 ? straight[0] : straight.at(-1);
  }
  return panels[panel + by]?.cells[row][column] ?? undefined;
}

/**
 * @param {(number | null)[][]} cells @param {number} row @param {number} column @param {number} down
 * @param {number} right
 */
function along(cells, row, column, down, right) {
  for (let y = row + down, x = column + right; cells[y] && x in cells[y]; y += down, x += right) {
    const cell = cells[y][x];
    if (cell !== null) return cell;
  }
  return undefined;
}

/** @param {(number | null)[]} cells @returns {number[]} */
function present(cells) {
  return /** @type {number[]} */ (cells.filter((cell) => cell !== null));
}

/** The cells on lines through a cell. @param {Game} game @param {number} cell @returns {Set<number>} */
export function onLinesThrough(game, cell) {
  return new Set((game.lines ?? []).filter((line) => line.includes(cell)).flat());
}

/** @param {number} count */
export function range(count) {
  return Array.from({ length: count }, (_, at) => at);
}
