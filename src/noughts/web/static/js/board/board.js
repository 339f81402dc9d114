// @ts-check
/** The board of every game: an ARIA grid drawn from a plain description, and for cubes a second view in space. */

import { cube, turnBy } from "./cube.js";
import { h, names } from "../ui/dom.js";
import { linesOf } from "./line_drawing.js";
import { loupe, needsLoupe } from "./loupe.js";
import { anchor, blockOverlays, stroke } from "./overlays.js";
import { blockOf, isCube, isDropped, isStar, isUltimate, meant, onLinesThrough, panelsOf, step } from "./panels.js";

/**
 * @typedef {import("./panels.js").Game} Game
 * @typedef {import("../ui/dom.js").Node} Node
 *
 * The value of a move, shown on its cell: a colour, and a text, which is not drawn if it is empty; `says` is the value
 * in words.
 * @typedef {{text: string, says: string, kind: "win" | "draw" | "loss" | "score", chance: number, best?: boolean}} Badge
 *
 * A move of a line that is previewed, not played, with its number in the line.
 * @typedef {{cell: number, side: "X" | "O", number: number}} PreviewMark
 *
 * @typedef {object} Board
 * @property {Game} game
 * @property {("X" | "O" | null)[]} cells
 * @property {Set<number>} legal the moves of the person at the board; empty when it is not their turn
 * @property {"X" | "O" | null} turn
 * @property {number | null} last
 * @property {number | null} pending a mark shown at once, not yet confirmed
 * @property {Set<number>} line the cells of the complete line
 * @property {(string | null)[] | null} blocks "X", "O", "dead" or null for open
 * @property {number | null} blockToPlay
 * @property {Set<number>} winningBlocks
 * @property {{X: Set<number>, O: Set<number>} | null} threats null when they are not asked for
 * @property {Map<number, Badge>} badges
 * @property {PreviewMark[]} preview
 * @property {{area: Set<number>, candidates: Set<number>, move: number | null} | null} hint
 * @property {number} focus the cell that the tab key leads to
 * @property {number | null} pointed
 * @property {number} zoom 0 to fit
 * @property {boolean} fresh whether the last mark has only just been made
 * @property {string} label
 * @property {boolean} stones whether marks are shown as stones on crossings
 * @property {import("./space.js").View} view how the cube is turned; turning it changes this object
 * @property {boolean} showsLevels on a small screen: whether to show the levels instead of the cube
 * @property {number | null} aimed the cell that was tapped once and that a second tap plays
 * @property {boolean} isEnlarged whether the loupe shows it
 * @property {(cell: number) => void} onplay
 * @property {(cell: number) => void} onfocus
 * @property {(cell: number | null) => void} onpoint
 * @property {(cell: number | null, isEnlarged?: boolean) => void} onaim
 */

const X = "M22 22 78 78M78 22 22 78";
const O = "M50 19a31 31 0 1 1-.01 0z";

/** A cross or a nought. @param {"X" | "O"} side @param {string} [look] further classes */
export function mark(side, look = "") {
  return h(
    "svg.mark",
    { class: `${side.toLowerCase()} ${look}`, viewBox: "0 0 100 100", "aria-hidden": "true", focusable: "false" },
    h("path", { d: side === "X" ? X : O, pathLength: "1" }),
  );
}

/** A disc with a cross or a nought cut into it. @param {"X" | "O"} side @param {string} look further classes */
function disc(side, look) {
  return h(
    "svg.mark.disc",
    { class: `${side.toLowerCase()} ${look}`, viewBox: "0 0 100 100", "aria-hidden": "true", focusable: "false" },
    h("circle.body", { cx: 50, cy: 50, r: 46 }),
    h("circle.rim", { cx: 50, cy: 50, r: 38 }),
    h("path", { d: side === "X" ? "M37 37 63 63M63 37 37 63" : "M50 34a16 16 0 1 1-.01 0z" }),
  );
}

/** Draw a board. @param {Board} board @returns {Node} */
export function drawBoard(board) {
  const light = lit(board);
  const shape = isCube(board.game) ? "cube" : isDropped(board.game) ? "dropped" : board.game.family;
  return h(
    "div.board",
    {
      class: names({
        [shape]: true,
        over: board.turn === null,
        "shows-levels": board.showsLevels,
        stones: board.stones,
        torus: board.game.options.includes("wrap"),
      }),
      key: `board ${board.game.id}`,
    },
    isCube(board.game) &&
      cube(
        board,
        (cell) => lookOf(board, cell, light),
        (cell) => playAt(board, cell),
      ),
    planes(board, light),
  );
}

/** @param {Board} board @returns {Set<number>} */
function lit(board) {
  const isClear = panelsOf(board.game).length === 1 && board.game.family !== "custom";
  // After the end only the complete line is shown.
  return board.pointed === null || isClear || board.line.size ? new Set() : onLinesThrough(board.game, board.pointed);
}

/** All panels of the board as one grid. @param {Board} board @param {Set<number>} light */
function planes(board, light) {
  const panels = panelsOf(board.game);
  const together =
    panels.length > 1 && (board.game.dimensions?.length ?? 2) > 3 ? board.game.dimensions?.[2] : undefined;
  return h(
    "div.planes",
    {
      role: "grid",
      "aria-label": board.label,
      tabindex: "-1",
      class: names({ many: panels.length > 1, zoomed: board.zoom > 0 }),
      style: {
        "--columns": panels[0].columns.length,
        "--rows": panels[0].rows.length,
        "--panels": panels.length,
        "--together": together ?? panels.length,
        "--down": Math.ceil(panels.length / (together ?? panels.length)),
        "--stacks": Math.ceil(panels.length / 2),
        "--zoom": board.zoom,
        "--block": board.game.block_size ?? 0,
      },
      onkeydown: (/** @type {KeyboardEvent} */ event) => onKey(board, event),
      onclick: (/** @type {MouseEvent} */ event) => onClick(board, event),
      onfocusin: (/** @type {FocusEvent} */ event) => onFocus(board, event),
      onpointerover: (/** @type {PointerEvent} */ event) =>
        event.pointerType !== "touch" && board.onpoint(cellOf(event)),
      onpointerleave: () => board.onpoint(null),
      onmount: (/** @type {HTMLElement} */ node) =>
        node.addEventListener("focusin", (event) => /** @type {any} */ (node).onfocusin(event)),
    },
    panels.map((panel, at) => plane(board, panel, at, panels.length > 1, light)),
  );
}

/**
 * @param {Board} board @param {import("./panels.js").Panel} panel @param {number} at @param {boolean} isOneOfMany
 * @param {Set<number>} light
 */
function plane(board, panel, at, isOneOfMany, light) {
  const hasNames = panel.columns[0] !== "";
  return h(
    "div.plane",
    { key: at, class: names({ named: hasNames }) },
    panel.title && h("div.title", { "aria-hidden": "true" }, panel.title),
    h(
      "div.body",
      h(
        "div.rows",
        { role: isOneOfMany ? "rowgroup" : "presentation", "aria-label": isOneOfMany ? panel.title : null },
        linesOf(board.game),
        panel.cells.map((cells, row) =>
          h(
            "div.row",
            { role: "row", key: row },
            cells.map((cell, column) =>
              cell === null
                ? h("div.gap", { key: `gap ${column}`, role: "presentation" })
                : square(board, cell, row, column, light),
            ),
          ),
        ),
        isUltimate(board.game) ? blockOverlays(board, mark) : stroke(board, at),
        anchor(board, at),
        board.isEnlarged && loupe(board, at, (cell, side) => content(board, cell, side)),
      ),
      hasNames &&
        h(
          "div.files",
          { "aria-hidden": "true" },
          panel.columns.map((name) => h("span", name)),
        ),
      hasNames &&
        h(
          "div.ranks",
          { "aria-hidden": "true" },
          panel.rows.map((name) => h("span", name)),
        ),
    ),
  );
}

/** The classes of a cell, flat or in space. @param {Board} board @param {number} cell @param {Set<number>} light */
function lookOf(board, cell, light) {
  const { hint, threats } = board;
  const side = sideOf(board, cell);
  const worth = side ? undefined : board.badges.get(cell);
  return names({
    last: cell === board.last,
    [`by-${side?.toLowerCase()}`]: side && cell === board.last,
    won: board.line.has(cell),
    [`won-${side?.toLowerCase()}`]: board.line.has(cell),
    lit: light.has(cell),
    pointed: cell === board.pointed,
    area: hint?.area.has(cell),
    candidate: hint?.candidates.has(cell),
    advised: hint?.move === cell,
    "threat-x": !side && threats?.X.has(cell),
    "threat-o": !side && threats?.O.has(cell),
    [`worth-${worth?.kind}`]: worth,
    best: worth?.best,
  });
}

/** The mark of a cell, including one that is not confirmed yet. @param {Board} board @param {number} cell */
function sideOf(board, cell) {
  return board.cells[cell] ?? (board.pending === cell ? board.turn : null);
}

/** The cell that would get the mark if the pointed one were clicked. @param {Board} board */
function targetOf(board) {
  return board.pointed === null ? undefined : meant(board.game, board.pointed, board.legal);
}

/** A mark of the game: in an upright frame it is a disc. @param {Board} board @param {"X" | "O"} side
 * @param {string} [look] */
function piece(board, side, look = "") {
  return isDropped(board.game) ? disc(side, look) : mark(side, look);
}

/** The content of a cell. @param {Board} board @param {number} cell @param {"X" | "O" | null} side @param {string} [look] */
function content(board, cell, side, look = "") {
  const { threats, preview } = board;
  const worth = side ? undefined : board.badges.get(cell);
  const seen = preview.find((one) => one.cell === cell);
  const isTarget = cell === targetOf(board);
  const hasGhost = !side && !seen && board.legal.has(cell) && (isTarget || cell === board.focus);
  return [
    side && piece(board, side, look),
    seen && [piece(board, seen.side, "ahead"), h("span.order", { "aria-hidden": "true" }, seen.number)],
    hasGhost && board.turn && piece(board, board.turn, names({ ghost: true, aimed: isTarget })),
    // A narrow cell has room for "loses" above "in 12".
    worth?.text &&
      !seen &&
      h(
        "span.badge",
        { class: names({ code: worth.text.length < 4 }), "aria-hidden": "true" },
        worth.text.replace("in ", "in\u00a0"),
      ),
    board.game.family === "custom" &&
      !side &&
      !worth?.text &&
      h("span.cell-name", { "aria-hidden": "true" }, board.game.names[cell]),
    !side && !worth && (threats?.X.has(cell) || threats?.O.has(cell)) && threatSign(threats, cell),
  ];
}

/** @param {Board} board @param {number} cell @param {number} row @param {number} column @param {Set<number>} light */
function square(board, cell, row, column, light) {
  const side = sideOf(board, cell);
  const worth = side ? undefined : board.badges.get(cell);
  const isNew = side && (cell === board.pending || (board.fresh && cell === board.last));
  const falls = isNew && isDropped(board.game);
  const target = targetOf(board);
  const isGhost = !side && board.legal.has(cell) && (cell === target || cell === board.focus);
  const seen = board.preview.find((one) => one.cell === cell);
  const move = meant(board.game, cell, board.legal);
  const look = names({
    taken: side,
    legal: board.legal.has(cell),
    column: board.game.has_gravity && target !== undefined && move === target,
    pending: cell === board.pending,
    star: board.stones && isStar(board.game, row, column),
    [lookOf(board, cell, light)]: true,
  });
  const attrs = {
    key: cell,
    role: "gridcell",
    "data-cell": cell,
    class: look,
    tabindex: cell === board.focus ? "0" : "-1",
    "aria-label": describe(board, cell, worth),
    "aria-disabled": move === undefined ? "true" : null,
  };
  const ghost = isGhost && `${board.turn} ${cell === target}`;
  const preview = seen && `${seen.side} ${seen.number}`;
  return remembered(
    board.game,
    cell,
    `${look};${attrs.tabindex};${attrs["aria-label"]};${isNew};${ghost};${preview};${worth?.text};${worth?.chance}`,
    () =>
      h(
        "div.cell",
        { ...attrs, style: falls ? { "--fall": row + 1 } : worth ? { "--chance": worth.chance } : {} },
        content(board, cell, side, names({ fresh: isNew, falls })),
      ),
  );
}

/**
 * Cache of the cells last drawn, by game, with everything that their appearance depends on.
 * @type {WeakMap<Game, {look: string, node: Node}[]>}
 */
const DRAWN = new WeakMap();

/** The node of a cell, rebuilt only when its appearance has changed: most of a large board has not.
 * @param {Game} game @param {number} cell @param {string} look @param {() => Node} make */
function remembered(game, cell, look, make) {
  const drawn = DRAWN.get(game) ?? [];
  DRAWN.set(game, drawn);
  if (drawn[cell]?.look !== look) drawn[cell] = { look, node: make() };
  return drawn[cell].node;
}

/** @param {{X: Set<number>, O: Set<number>}} threats @param {number} cell */
function threatSign(threats, cell) {
  return h(
    "span.threats",
    { "aria-hidden": "true" },
    threats.X.has(cell) && mark("X"),
    threats.O.has(cell) && mark("O"),
  );
}

/** The text of a cell for screen readers. @param {Board} board @param {number} cell @param {Badge | undefined} badge */
function describe(board, cell, badge) {
  const { game, hint, threats } = board;
  const block = game.block_size ? `, board ${blockOf(game, cell) + 1}` : "";
  const says = [board.cells[cell] ?? (board.pending === cell ? board.turn : "empty")];
  if (cell === board.last) says.push("last move");
  if (board.line.has(cell)) says.push("on the complete line");
  if (badge?.text) says.push(badge.says.replace("%", " per cent"));
  for (const side of /** @type {const} */ (["X", "O"]))
    if (threats?.[side].has(cell)) says.push(`${side} can complete a line here`);
  const ahead = board.preview.find((one) => one.cell === cell);
  if (ahead) says.push(`${ahead.side}, move ${ahead.number} of the line shown`);
  if (hint?.move === cell) says.push("advised");
  else if (hint?.candidates.has(cell)) says.push("candidate");
  else if (hint?.area.has(cell)) says.push("look here");
  if (board.legal.size && !board.cells[cell] && meant(game, cell, board.legal) === undefined)
    says.push("not playable");
  return `${game.names[cell]}${block}, ${says.join(", ")}`;
}

/** The cell an event is about. @param {Event} event @returns {number | null} */
function cellOf(event) {
  const found = /** @type {Element} */ (event.target).closest("[data-cell]");
  return found ? Number(/** @type {HTMLElement} */ (found).dataset.cell) : null;
}

/** @param {Board} board @param {Event} event */
function onFocus(board, event) {
  const cell = cellOf(event);
  if (cell !== null && cell !== board.focus) board.onfocus(cell);
}

/** @param {Board} board @param {MouseEvent} event */
function onClick(board, event) {
  const found = /** @type {HTMLElement | null} */ (
    /** @type {Element} */ (event.target).closest("[data-aim], [data-cell]")
  );
  if (!found) return;
  const cell = Number(found.dataset.aim ?? found.dataset.cell);
  if (found.dataset.aim === undefined && needsLoupe(board, cell, event, found)) board.onaim(cell, true);
  else playAt(board, cell);
}

/** Play the move that a click on a cell means: with gravity, the mark falls. @param {Board} board @param {number} cell */
function playAt(board, cell) {
  board.onaim(null);
  board.onplay(meant(board.game, cell, board.legal) ?? cell);
}

/** @param {Board} board @param {KeyboardEvent} event */
function onKey(board, event) {
  const cell = cellOf(event) ?? board.focus;
  if (event.altKey || event.metaKey) return;
  if (event.shiftKey && event.key.startsWith("Arrow")) {
    if (!isCube(board.game)) return;
    event.preventDefault();
    turnBy(event.key);
    return;
  }
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    playAt(board, cell);
    return;
  }
  const to = step(board.game, cell, event.key, event.ctrlKey) ?? digit(board, event.key);
  if (to === undefined) {
    // Keys of the grid must not scroll the page, even at its edges.
    if (/^(Arrow|Page|Home|End)/.test(event.key)) event.preventDefault();
    return;
  }
  event.preventDefault();
  board.onfocus(to);
  focusCell(to);
  if (/^[1-9]$/.test(event.key) && !board.game.block_size) playAt(board, to);
}

/** On 3×3 the digits play, counted from the top left; in Ultimate of 3×3 they lead to a cell of the block to play.
 * @param {Board} board @param {string} key */
function digit(board, key) {
  if (!/^[1-9]$/.test(key)) return undefined;
  const { game } = board;
  if (game.cells === 9 && game.dimensions?.join() === "3,3") return Number(key) - 1;
  if (game.block_size === 3) return (board.blockToPlay ?? blockOf(game, board.focus)) * 9 + Number(key) - 1;
  return undefined;
}

/** Once the view has been drawn, give a cell the focus if nothing has it. @param {number} cell */
export function offerFocus(cell) {
  setTimeout(() => document.activeElement === document.body && focusCell(cell));
}

/** Give a cell of the grid the focus. @param {number} cell */
export function focusCell(cell) {
  /** @type {HTMLElement | null} */ (document.querySelector(`.planes [data-cell="${cell}"]`))?.focus();
}
