// @ts-check
/** A cube of levels in space, turned by drag, buttons and keys. The flat levels beside it show the same. */

import { cellOf, mark, playAt, turnBy } from "./board.js";
import { h, names } from "./dom.js";
import { icon } from "./icons.js";
import { panelsOf } from "./panels.js";

/** @typedef {import("./board.js").Board} Board */

export const VIEW = { turn: -24, tilt: 63 };
const MAX_TILT_DEGREES = 80;

/**
 * Normalise a view: it turns all the way round and tilts from above to the side.
 * @param {number} turn @param {number} tilt
 */
export function tidyView(turn, tilt) {
  return { turn: ((((turn + 180) % 360) + 360) % 360) - 180, tilt: Math.min(MAX_TILT_DEGREES, Math.max(0, tilt)) };
}

/** Draw the cube. @param {Board} board @param {Set<number>} light */
export function cube(board, light) {
  const panels = panelsOf(board.game);
  const style = {
    "--turn": `${board.view.turn}deg`,
    "--tilt": `${board.view.tilt}deg`,
    "--columns": panels[0].columns.length,
    "--rows": panels[0].rows.length,
    "--levels": panels.length,
  };
  return h(
    "div.space",
    { style, key: "space" },
    h(
      "div.scene",
      {
        tabindex: "0",
        role: "img",
        "aria-label": "The cube in space. Arrow keys turn it; play on the levels beside it.",
        onkeydown: (/** @type {KeyboardEvent} */ event) => onKey(board, event),
        onpointerdown: (/** @type {PointerEvent} */ event) => startTurning(board, event),
        onpointerover: (/** @type {PointerEvent} */ event) =>
          event.pointerType !== "touch" && board.onpoint(cellOf(event)),
        onpointerleave: () => board.onpoint(null),
        onclick: (/** @type {MouseEvent} */ event) => onClick(board, event),
      },
      h(
        "div.cube",
        null,
        panels.map((panel, level) =>
          h(
            "div.level",
            { key: level, style: { "--level": level } },
            h("span.number", { "aria-hidden": "true" }, String(level + 1)),
            panel.cells.flat().map((cell) => cell !== null && spot(board, cell, light)),
          ),
        ),
      ),
    ),
    h(
      "div.turning",
      { role: "group", "aria-label": "Turn the cube" },
      turner(board, "ArrowLeft", "left", "Turn left"),
      turner(board, "ArrowRight", "right", "Turn right"),
      turner(board, "ArrowUp", "up", "See from above"),
      turner(board, "ArrowDown", "down", "See from the side"),
      h(
        "button.quiet",
        {
          type: "button",
          "aria-label": "Turn back",
          title: "Turn back",
          onclick: () => board.onturn(VIEW.turn, VIEW.tilt),
        },
        icon("home"),
      ),
    ),
  );
}

/** @param {Board} board @param {string} key @param {import("./icons.js").Icon} sign @param {string} label */
function turner(board, key, sign, label) {
  return h(
    "button.quiet",
    { type: "button", "aria-label": label, title: label, onclick: () => turnBy(board, key) },
    icon(sign),
  );
}

/** @param {Board} board @param {number} cell @param {Set<number>} light */
function spot(board, cell, light) {
  const side = board.cells[cell] ?? (board.pending === cell ? board.turn : null);
  const badge = side ? undefined : board.badges.get(cell);
  const look = {
    taken: side,
    legal: board.legal.has(cell),
    last: cell === board.last,
    won: board.line.has(cell),
    lit: light.has(cell),
    pointed: cell === board.pointed,
    area: board.hint?.area.has(cell),
    candidate: board.hint?.candidates.has(cell),
    advised: board.hint?.move === cell,
    "threat-x": board.threats?.X.has(cell),
    "threat-o": board.threats?.O.has(cell),
    [`worth-${badge?.kind}`]: badge,
    best: badge?.best,
  };
  const falls = board.game.has_gravity && board.fresh && cell === board.last;
  return h(
    "div.spot",
    { key: cell, "data-cell": cell, class: names(look) },
    side && mark(side, names({ fresh: board.fresh && cell === board.last, drops: falls })),
  );
}

/** @param {Board} board @param {KeyboardEvent} event */
function onKey(board, event) {
  if (!event.key.startsWith("Arrow")) return;
  event.preventDefault();
  turnBy(board, event.key);
}

/** Whether the pressed pointer has turned the cube: releasing it is not a click then. */
let hasTurned = false;

/** @param {Board} board @param {PointerEvent} event */
function startTurning(board, event) {
  if (event.button !== 0) return;
  const from = { x: event.clientX, y: event.clientY, ...board.view };
  hasTurned = false;
  const move = (/** @type {PointerEvent} */ to) => {
    const [x, y] = [to.clientX - from.x, to.clientY - from.y];
    if (!hasTurned && Math.hypot(x, y) < 6) return;
    hasTurned = true;
    board.onturn(from.turn + x * 0.5, from.tilt - y * 0.4);
  };
  const end = () => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}

/** @param {Board} board @param {MouseEvent} event */
function onClick(board, event) {
  const cell = cellOf(event);
  if (cell !== null && !hasTurned) playAt(board, cell);
}
