// @ts-check
/** The board of every game: an ARIA grid drawn from a plain description, and for cubes a second view in space. */

import { cube } from "./cube.js";
import { h, names } from "./dom.js";
import { blockOf, isCube, isUltimate, meant, onLinesThrough, panelsOf, spotsOf, step } from "./panels.js";

/**
 * @typedef {import("./panels.js").Game} Game
 * @typedef {import("./dom.js").Node} Node
 *
 * The worth of a move: its colour, and on the best few moves a text; an empty text only colours the cell.
 * @typedef {{text: string, kind: "win" | "draw" | "loss" | "score", chance: number, best?: boolean}} Badge
 *
 * The first moves of a line of the engine, drawn as an arrow from cell to cell; the best line is the strongest.
 * @typedef {{cells: number[], isBest: boolean}} Arrow
 *
 * A move of a line that is looked at but not played, with its number in the line.
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
 * @property {Arrow[]} arrows
 * @property {PreviewMark[]} preview
 * @property {{area: Set<number>, candidates: Set<number>, move: number | null} | null} hint
 * @property {number} focus the cell that the tab key leads to
 * @property {number | null} pointed
 * @property {number} zoom 0 to fit
 * @property {boolean} fresh whether the last mark has only just been made
 * @property {string} label
 * @property {{turn: number, tilt: number}} view how the cube is turned
 * @property {(cell: number) => void} onplay
 * @property {(cell: number) => void} onfocus
 * @property {(cell: number | null) => void} onpoint
 * @property {(turn: number, tilt: number) => void} onturn
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

/** Draw a board. @param {Board} board @returns {Node} */
export function drawBoard(board) {
  const flat = planes(board);
  const shape = isCube(board.game) ? "cube" : isUltimate(board.game) ? "ultimate" : "flat";
  return h(
    "div.board",
    { class: names({ [shape]: true, over: board.turn === null }), key: `board ${board.game.id}` },
    isCube(board.game) && cube(board, lit(board)),
    flat,
  );
}

/** @param {Board} board @returns {Set<number>} */
function lit(board) {
  return board.pointed === null || isUltimate(board.game) ? new Set() : onLinesThrough(board.game, board.pointed);
}

/** All panels of the board as one grid. @param {Board} board */
function planes(board) {
  const panels = panelsOf(board.game);
  const together =
    panels.length > 1 && (board.game.dimensions?.length ?? 2) > 3 ? board.game.dimensions?.[2] : undefined;
  const light = panels.length > 1 || board.game.family === "custom" ? lit(board) : new Set();
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
        "--zoom": board.zoom,
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
      null,
      h(
        "div.rows",
        { role: isOneOfMany ? "rowgroup" : "presentation", "aria-label": isOneOfMany ? panel.title : null },
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
        overlays(board, at),
      ),
      hasNames &&
        h(
          "div.files",
          { "aria-hidden": "true" },
          panel.columns.map((name) => h("span", null, name)),
        ),
      hasNames &&
        h(
          "div.ranks",
          { "aria-hidden": "true" },
          panel.rows.map((name) => h("span", null, name)),
        ),
    ),
  );
}

/** @param {Board} board @param {number} cell @param {number} row @param {number} column @param {Set<number>} light */
function square(board, cell, row, column, light) {
  const { hint, threats } = board;
  const side = board.cells[cell] ?? (board.pending === cell ? board.turn : null);
  const badge = side ? undefined : board.badges.get(cell);
  const size = board.game.block_size ?? 0;
  const falls = board.game.has_gravity && board.fresh && cell === board.last && panelsOf(board.game).length === 1;
  const look = {
    taken: side,
    legal: board.legal.has(cell),
    last: cell === board.last,
    won: board.line.has(cell),
    pending: cell === board.pending,
    lit: light.has(cell),
    pointed: cell === board.pointed,
    area: hint?.area.has(cell),
    candidate: hint?.candidates.has(cell),
    advised: hint?.move === cell,
    "threat-x": threats?.X.has(cell),
    "threat-o": threats?.O.has(cell),
    "block-left": size && column % size === 0 && column > 0,
    "block-top": size && row % size === 0 && row > 0,
    [`worth-${badge?.kind}`]: badge,
    best: badge?.best,
  };
  const isFresh = board.fresh && cell === board.last;
  const hasGhost = !side && !badge && board.legal.has(cell) && (cell === board.pointed || cell === board.focus);
  const attrs = {
    key: cell,
    role: "gridcell",
    "data-cell": cell,
    class: names(look),
    tabindex: cell === board.focus ? "0" : "-1",
    "aria-label": describe(board, cell, badge),
    "aria-disabled": meant(board.game, cell, board.legal) === undefined ? "true" : null,
  };
  return remembered(
    board.game,
    cell,
    `${attrs.class};${attrs.tabindex};${attrs["aria-label"]};${isFresh};${hasGhost && board.turn};${badge?.chance}`,
    () =>
      h(
        "div.cell",
        { ...attrs, style: falls ? { "--fall": row + 1 } : badge ? { "--chance": badge.chance } : {} },
        side && mark(side, names({ fresh: isFresh, falls })),
        hasGhost && board.turn && mark(board.turn, "ghost"),
        badge && h("span.badge", { "aria-hidden": "true" }, badge.text),
        board.game.family === "custom" &&
          !side &&
          !badge &&
          h("span.cell-name", { "aria-hidden": "true" }, board.game.names[cell]),
        !side && !badge && (threats?.X.has(cell) || threats?.O.has(cell)) && threatSign(threats, cell),
      ),
  );
}

/**
 * The cells last drawn of each game, with everything their appearance depends on.
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
  const block = game.block_size ? `, block ${blockOf(game, cell) + 1}` : "";
  const says = [board.cells[cell] ?? (board.pending === cell ? board.turn : "empty")];
  if (cell === board.last) says.push("last move");
  if (board.line.has(cell)) says.push("on the complete line");
  if (badge) says.push(badge.kind === "score" ? `score ${badge.text}` : spoken(badge.text));
  for (const side of /** @type {const} */ (["X", "O"]))
    if (threats?.[side].has(cell)) says.push(`${side} can complete a line here`);
  if (hint?.move === cell) says.push("advised");
  else if (hint?.candidates.has(cell)) says.push("candidate");
  else if (hint?.area.has(cell)) says.push("look here");
  if (board.legal.size && !board.cells[cell] && meant(game, cell, board.legal) === undefined)
    says.push("not playable");
  return `${game.names[cell]}${block}, ${says.join(", ")}`;
}

/** `W5` as a screen reader should say it. @param {string} text */
function spoken(text) {
  /** @type {Record<string, string>} */
  const words = { W: "win", D: "draw", L: "loss" };
  return text.length > 1 ? `${words[text[0]]} in ${text.slice(1)}` : (words[text] ?? text);
}

/** Everything over the cells: covers of won blocks, the outline of the block to play, the stroke of a complete line.
 * @param {Board} board @param {number} at */
function overlays(board, at) {
  if (board.game.block_size) return blockOverlays(board);
  return board.line.size ? [stroke(board, at)] : [];
}

/** @param {Board} board @returns {(Node | "" | false | null)[]} */
function blockOverlays(board) {
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
function stroke(board, at) {
  const spots = [...board.line].map((cell) => spotsOf(board.game).get(cell)).filter((spot) => spot !== undefined);
  if (spots.length < 2 || spots.some((spot) => spot.panel !== at)) return null;
  spots.sort((a, b) => a.row - b.row || a.column - b.column);
  const [first, second, last] = [spots[0], spots[1], spots[spots.length - 1]];
  const [down, right] = [second.row - first.row, second.column - first.column];
  const isStraight =
    Math.max(Math.abs(down), Math.abs(right)) === 1 &&
    spots.every((spot, n) => spot.row === first.row + n * down && spot.column === first.column + n * right);
  if (!isStraight) return null;
  const panel = panelsOf(board.game)[at];
  return h(
    "svg.stroke",
    {
      key: "stroke",
      viewBox: `0 0 ${panel.columns.length} ${panel.rows.length}`,
      "aria-hidden": "true",
      class: String(board.cells[[...board.line][0]]).toLowerCase(),
    },
    h("line", {
      x1: first.column + 0.5 - right * 0.3,
      y1: first.row + 0.5 - down * 0.3,
      pathLength: "1",
      x2: last.column + 0.5 + right * 0.3,
      y2: last.row + 0.5 + down * 0.3,
    }),
  );
}

/** The cell an event is about. @param {Event} event @returns {number | null} */
export function cellOf(event) {
  const found = /** @type {Element} */ (event.target).closest("[data-cell]");
  return found ? Number(/** @type {HTMLElement} */ (found).dataset.cell) : null;
}

/** @param {Board} board @param {Event} event */
function onFocus(board, event) {
  const cell = cellOf(event);
  if (cell !== null && cell !== board.focus) board.onfocus(cell);
}

/** @param {Board} board @param {Event} event */
function onClick(board, event) {
  const cell = cellOf(event);
  if (cell !== null) playAt(board, cell);
}

/** Play the move that a click on a cell means: with gravity, the mark falls. @param {Board} board @param {number} cell */
export function playAt(board, cell) {
  board.onplay(meant(board.game, cell, board.legal) ?? cell);
}

/** @param {Board} board @param {KeyboardEvent} event */
function onKey(board, event) {
  const cell = cellOf(event) ?? board.focus;
  if (event.altKey || event.metaKey) return;
  if (event.shiftKey && event.key.startsWith("Arrow")) {
    if (!isCube(board.game)) return;
    event.preventDefault();
    turnBy(board, event.key);
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

/** @param {Board} board @param {string} key */
export function turnBy(board, key) {
  const { turn, tilt } = board.view;
  const by = { ArrowLeft: [-15, 0], ArrowRight: [15, 0], ArrowUp: [0, -10], ArrowDown: [0, 10] }[key];
  if (by) board.onturn(turn + by[0], tilt + by[1]);
}

/** Give a cell of the grid the focus. @param {number} cell */
export function focusCell(cell) {
  /** @type {HTMLElement | null} */ (document.querySelector(`.planes [data-cell="${cell}"]`))?.focus();
}
