// @ts-check
/** Boards made from positions of the server, and the frame around them. */

import { announce, redraw, state } from "../shell/app.js";
import { drawBoard } from "./board.js";
import { h, names } from "../ui/dom.js";
import { isCube, meant, panelsOf, takesStones } from "./panels.js";
import { worthWords } from "../ui/words.js";

/**
 * @typedef {import("../server/types.d.ts").PositionAnswer} Position
 * @typedef {import("../server/types.d.ts").Evaluation} Evaluation
 * @typedef {import("./board.js").Board} Board
 */

/**
 * By holder, the cell that was tapped once and waits for a second tap.
 * @type {WeakMap<object, {cell: number, position: Position, isEnlarged: boolean}>}
 */
const AIMED = new WeakMap();
const TAP_AGAIN = "tap again to play";
const NOTHING = /** @type {Set<number>} */ (new Set());

/**
 * The board of a position.
 * @param {{focus: number, pointed: number | null}} holder the object with the focus and the pointed cell
 * @param {import("./panels.js").Game} game @param {Position} position
 * @param {Partial<Board> & {onplay: (cell: number) => void}} more
 * @returns {Board}
 */
export function boardOf(holder, game, position, more) {
  // A first tap only counts in the position in which it was made.
  const aim = AIMED.get(holder)?.position === position ? AIMED.get(holder) : undefined;
  const legal = new Set(position.legal_cells);
  return {
    game,
    cells: [...position.marks].map((mark) => (mark === "." ? null : /** @type {"X" | "O"} */ (mark))),
    legal,
    turn: position.turn,
    last: position.last_cell,
    pending: null,
    line: new Set(position.winning_cells),
    blocks: blocksOf(position),
    blockToPlay: position.block_to_play,
    winningBlocks: new Set(game.block_size ? position.winning_line : []),
    threats: state.showsThreats ? { X: new Set(position.threats.X), O: new Set(position.threats.O) } : null,
    badges: new Map(),
    preview: [],
    hint: null,
    focus: holder.focus,
    pointed: holder.pointed,
    zoom: state.zoom,
    fresh: false,
    label: `${game.title} board`,
    stones: state.prefs.stones && takesStones(game),
    view: state.turned,
    showsLevels: state.showsLevels,
    aimed: aim?.cell ?? null,
    isEnlarged: aim?.isEnlarged ?? false,
    onfocus: (cell) => set(holder, { focus: cell }),
    onpoint: (cell) => holder.pointed !== cell && set(holder, { pointed: cell }),
    onaim: (cell, isEnlarged = false) => {
      if ((AIMED.get(holder)?.cell ?? null) === cell) return;
      if (cell === null) AIMED.delete(holder);
      else AIMED.set(holder, { cell, position, isEnlarged });
      if (cell !== null) announce(`${game.names[meant(game, cell, legal) ?? cell]}: ${TAP_AGAIN}`);
      redraw();
    },
    ...more,
  };
}

/** @template {object} T @param {T} holder @param {Partial<T>} changed */
function set(holder, changed) {
  Object.assign(holder, changed);
  redraw();
}

/** @param {Position} position */
function blocksOf(position) {
  return position.blocks
    ? [...position.blocks].map((owner) => (owner === "." ? null : owner === "-" ? "dead" : owner))
    : null;
}

/** The part of a hint that is shown on the board. @param {{step: number, found: import("../server/types.d.ts").HintAnswer} | null} hint */
export function hintOnBoard(hint) {
  if (!hint) return null;
  const { step, found } = hint;
  return {
    area: step === 1 ? new Set(found.area) : NOTHING,
    candidates: step === 2 ? new Set(found.candidates.map(({ cell }) => cell)) : NOTHING,
    move: step >= 3 ? found.cell : null,
  };
}

/**
 * The label of a move on its cell: `wins in 3` (proven), `draw`, `57%`; on small cells `W3`, `=`, `57%`.
 * @param {Evaluation} evaluation
 * @param {{best?: boolean, hasText?: boolean, isShort?: boolean}} [how] whether to write it, not only to colour the cell
 * @returns {import("./board.js").Badge}
 */
export function badge(evaluation, { best = false, hasText = true, isShort = false } = {}) {
  const { value, chance } = evaluation;
  const says = worthWords(evaluation);
  const number = /\d+/.exec(says)?.[0] ?? "";
  const short = { win: `W${number}`, draw: "=", loss: `L${number}`, score: says };
  const kind = value ?? "score";
  return { text: hasText ? (isShort ? short[kind] : says) : "", says, kind, chance, best };
}

/** Whether the cells of a board are too small for words. @param {import("./panels.js").Game} game */
export function hasSmallCells(game) {
  return panelsOf(game).length > 1 || panelsOf(game)[0].columns.length > SEVERAL_COLUMNS;
}

/**
 * What the labels on a board mean: one entry for each kind that is not in words. Its room is kept while there is none.
 * @param {import("./panels.js").Game} game @param {Iterable<import("./board.js").Badge>} badges
 * @param {import("../server/types.d.ts").Side | null} turn
 * @param {string | null} [common] the value of the moves that have no label because it is that of most
 */
export function badgeLegend(game, badges, turn, common = null) {
  const all = [...badges];
  const written = all.filter(({ text }) => text);
  const silent = all.find(({ text, says }) => !text && says === common);
  const codes = written.filter(({ kind, text, says }) => kind === "score" || text !== says);
  const kinds = /** @type {const} */ (["win", "draw", "loss", "score"]);
  const examples = kinds.flatMap(
    (kind) =>
      codes.find((one) => one.kind === kind && /\d/.test(one.text)) ?? codes.find((one) => one.kind === kind) ?? [],
  );
  return h(
    "div.badge-legend",
    { key: "badge legend", class: names({ codes: hasSmallCells(game) }) },
    h(
      "p",
      examples.map(({ kind, text, says, chance }) =>
        h(
          "span",
          { key: kind },
          h("span.sample", { class: `worth-${kind}`, style: { "--chance": chance } }, text),
          h(
            "span",
            kind === "draw" ? "a draw" : kind === "score" ? `${turn}’s chance to win` : `${turn} ${inMoves(says)}`,
          ),
        ),
      ),
      silent &&
        h(
          "span",
          { key: "common" },
          h("span.sample", { class: `worth-${silent.kind}` }, "\u00a0"),
          h(
            "span",
            `Every ${written.length ? "other " : ""}move ${common === "draw" ? "is a draw" : inMoves(silent.says)}`,
          ),
        ),
      written.length > 0 && !examples.length && h("span", { key: "words" }, `What each move of ${turn} leads to`),
    ),
  );
}

/** "loses in 2 moves" for "loses in 2". @param {string} says */
function inMoves(says) {
  return /\d$/.test(says) ? `${says} ${says.endsWith(" 1") ? "move" : "moves"}` : says;
}

/** Most moves of a line that are shown at once. */
const MOST_GHOSTS = 6;

/**
 * A line of play as numbered marks that are not on the board: a plan, or the moves that refute a try.
 * @param {readonly number[]} cells @param {import("../server/types.d.ts").Side} first the side that makes the first move
 * @param {number} [most]
 * @returns {Board["preview"]}
 */
export function ghosts(cells, first, most = MOST_GHOSTS) {
  const second = first === "X" ? "O" : "X";
  return cells.slice(0, most).map((cell, at) => ({ cell, side: at % 2 ? second : first, number: at + 1 }));
}

const MANY_COLUMNS = 10;
/** Most columns of a board whose cells have room for words. */
const SEVERAL_COLUMNS = 7;
/** The sizes of a cell, in units of 20 pixels; 0 fits the board into its frame. */
const ZOOMS = [0, 1.75, 2.5, 3.5];

/** A board in its frame. @param {Board} board */
export function framed(board) {
  const isLarge = panelsOf(board.game)[0].columns.length >= MANY_COLUMNS;
  return h(
    "div.frame",
    drawBoard(board),
    isLarge && zoomer(),
    isCube(board.game) && chooser(),
    board.game.family === "hyper" && notation(board.game),
    board.aimed !== null && tapAgain(board, board.aimed),
  );
}

/** What a first tap has chosen, and that a second one plays it; it takes the place of the controls below the board.
 * @param {Board} board @param {number} aimed */
function tapAgain({ game, legal }, aimed) {
  const cell = meant(game, aimed, legal) ?? aimed;
  // The live region has announced it.
  return h(
    "p.tap-again",
    { key: "tap-again", "aria-hidden": "true" },
    h("strong", game.names[cell]),
    `: ${TAP_AGAIN}`,
  );
}

/** How the moves of a board of four dimensions and more are written, by an example. @param {import("./panels.js").Game} game */
function notation({ how_to_type: how }) {
  return h("p.notation", { key: "notation" }, `${how.slice(how.lastIndexOf(": ") + 2)}.`);
}

/** Large boards can be made larger; they then scroll within their frame. */
function zoomer() {
  const at = Math.max(0, ZOOMS.indexOf(state.zoom));
  const button = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {number} */ to) =>
    h(
      "button.quiet",
      {
        type: "button",
        "aria-label": label,
        title: label,
        disabled: !(to in ZOOMS),
        onclick: () => set(state, { zoom: ZOOMS[to] }),
      },
      sign,
    );
  return h(
    "div.zoomer",
    { role: "group", "aria-label": "Size of the board" },
    button("−", "Smaller cells", at - 1),
    button("+", "Larger cells", at + 1),
  );
}

/** On a small screen, the cube or its levels. */
function chooser() {
  return h(
    "div.chooser",
    { role: "group", "aria-label": "Show" },
    [false, true].map((levels) =>
      h(
        "button.quiet",
        {
          type: "button",
          "aria-pressed": String(state.showsLevels === levels),
          onclick: () => set(state, { showsLevels: levels }),
        },
        levels ? "Levels" : "Cube",
      ),
    ),
  );
}
