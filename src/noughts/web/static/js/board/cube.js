// @ts-check
/**
 * The cube in space: turned by drag with inertia, by keys and buttons, enlarged by pinching. A level that is pointed at
 * or tapped is lifted, and only the lifted level takes a click. The flat levels beside it show the same board.
 */

import { drawCube } from "./cube_drawing.js";
import { h, patch } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { meant, panelsOf, spotsOf } from "./panels.js";
import { approach, bounce, camera, clamp, coast, liftsOf, numberAt, placeAt, tidyView, VIEW } from "./space.js";

/**
 * @typedef {import("./board.js").Board} Board
 * @typedef {import("./space.js").View} View
 * @typedef {import("./space.js").Place} Place
 * @typedef {(cell: number) => string} LookOf the classes of a cell
 */

/** Movement that makes a press a drag, in pixels. */
const DRAG_PX = 5;
const DEGREES_PER_PX = { turn: 0.45, tilt: -0.35 };
/** The last part of a drag decides how fast the cube coasts. */
const PUSH_MS = 90;
/** In degrees per millisecond. */
const MAX_SPEED = 0.3;
const FALL_MS = 520;
/** A number beside a level is hit within this distance, in pixels. */
const NUMBER_PX = 20;
/** A second tap within this distance of the first, in pixels, plays the previewed cell: its level has moved by then. */
const SAME_TAP_PX = 14;
/** @type {Record<string, Partial<View>>} what a key adds to the view */
const STEPS = {
  ArrowLeft: { turn: -15 },
  ArrowRight: { turn: 15 },
  ArrowUp: { tilt: -8 },
  ArrowDown: { tilt: 8 },
};
const ZOOM_STEP = 1.2;

/** The cube on the screen; there is one at most. */
const live = {
  /** @type {HTMLElement | null} */
  node: null,
  /** @type {Board | null} */
  board: null,
  /** @type {LookOf} */
  lookOf: () => "",
  /** @type {(cell: number) => void} */
  play: () => {},
  /** @type {number | null} */
  lifted: null,
  /** @type {number[]} */
  lifts: [],
  /** The pressed pointers. @type {Map<number, {x: number, y: number}>} */
  pointers: new Map(),
  /** Whether the pointers have turned or enlarged the cube: releasing them is not a click then. */
  hasMoved: false,
  /** Recent movement of the pointer. @type {{turn: number, tilt: number, at: number}[]} */
  pushes: [],
  /** The last tap that previewed a cell. @type {{x: number, y: number, cell: number} | null} */
  tapped: null,
  speed: { turn: 0, tilt: 0 },
  /** The view that the cube is turning to after a key or a button. @type {View | null} */
  goal: null,
  /** The mark that falls into its place. @type {{cell: number, since: number} | null} */
  falling: null,
  /** The last mark drawn, confirmed or not. @type {number | null} */
  last: null,
  /** The time of the last frame, null when nothing moves. @type {number | null} */
  drawnAt: null,
  isAsked: false,
};

/** Draw the cube. @param {Board} board @param {LookOf} lookOf @param {(cell: number) => void} play */
export function cube(board, lookOf, play) {
  if (live.board?.game !== board.game) forget();
  Object.assign(live, { board, lookOf, play });
  const last = board.pending ?? board.last;
  if (last !== live.last) {
    const isNew = board.pending !== null || board.fresh;
    live.last = last;
    live.falling = isNew && last !== null ? { cell: last, since: performance.now() } : null;
  }
  ask();
  return h(
    "div.space",
    { key: "space" },
    h("div.scene", {
      owned: true,
      tabindex: "0",
      role: "img",
      "aria-label": "The cube in space. Arrow keys turn it, plus and minus enlarge it; play on the levels beside it.",
      onkeydown: onKey,
      onpointerdown: onDown,
      onpointerleave: onLeave,
      onmount: mount,
    }),
    h(
      "div.turning",
      { role: "group", "aria-label": "Turn the cube" },
      tool("left", "Turn left", () => turnBy("ArrowLeft")),
      tool("right", "Turn right", () => turnBy("ArrowRight")),
      tool("up", "View from above", () => turnBy("ArrowUp")),
      tool("down", "View from the side", () => turnBy("ArrowDown")),
      tool("home", "Reset the view", () => lead(VIEW)),
    ),
  );
}

/** Another game is shown: nothing is lifted or turning. */
function forget() {
  live.pointers.clear();
  Object.assign(live, {
    lifted: null,
    lifts: [],
    tapped: null,
    falling: null,
    last: null,
    goal: null,
    speed: { turn: 0, tilt: 0 },
  });
}

/** @param {import("../ui/icons.js").Icon} sign @param {string} label @param {() => void} onclick */
function tool(sign, label, onclick) {
  return h("button.quiet", { type: "button", "aria-label": label, title: label, onclick }, icon(sign));
}

/** @param {HTMLElement} node */
function mount(node) {
  live.node = node;
  node.addEventListener("pointermove", onMove);
  node.addEventListener("pointerup", onUp);
  node.addEventListener("pointercancel", onCancel);
  // Nothing in the drawing can be dragged out of it.
  node.addEventListener("dragstart", (event) => event.preventDefault());
  node.addEventListener("wheel", onWheel, { passive: false });
  new ResizeObserver(ask).observe(node);
  paint();
}

/** Paint in the next frame. */
function ask() {
  if (live.isAsked) return;
  live.isAsked = true;
  requestAnimationFrame((now) => {
    live.isAsked = false;
    if (!live.node?.isConnected) return;
    const isMoving = move(now);
    paint();
    live.drawnAt = isMoving ? now : null;
    if (isMoving) ask();
  });
}

/** Whether the system asks for reduced motion. */
function isCalm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Advance all animations by one step; returns whether something still moves. @param {number} now */
function move(now) {
  const { board } = live;
  if (!board) return false;
  const ms = live.drawnAt === null ? 16 : Math.min(64, now - live.drawnAt);
  const isLifting = lift(ms);
  let isTurning = false;
  if (live.goal) {
    isTurning = follow(board, live.goal, ms);
    if (!isTurning) live.goal = null;
  } else if (!live.pointers.size) {
    const next = coast(board.view, live.speed, ms);
    live.speed = next?.speed ?? { turn: 0, tilt: 0 };
    if (next) Object.assign(board.view, next.view);
    isTurning = next !== null;
  }
  if (live.falling && (isCalm() || now - live.falling.since > FALL_MS)) live.falling = null;
  return isLifting || isTurning || live.falling !== null;
}

/** The level that is lifted: the one pointed at, else the one of an advised move, which might be covered. */
function liftedNow() {
  const advised = live.board?.hint?.move ?? null;
  if (live.lifted !== null || advised === null || !live.board) return live.lifted;
  return placesOf(live.board)[advised].level;
}

/** @param {number} ms */
function lift(ms) {
  const goal = liftsOf(shapeOf(/** @type {Board} */ (live.board)), liftedNow());
  live.lifts = goal.map((to, level) => (isCalm() ? to : approach(live.lifts[level] ?? 0, to, ms)));
  return live.lifts.some((value, level) => value !== goal[level]);
}

/** Turn towards a view, the short way round. @param {Board} board @param {View} goal @param {number} ms */
function follow(board, goal, ms) {
  const { view } = board;
  const around = ((((goal.turn - view.turn + 180) % 360) + 360) % 360) - 180;
  if (isCalm() || Math.abs(around) + Math.abs(goal.tilt - view.tilt) + Math.abs(goal.zoom - view.zoom) < 0.05) {
    Object.assign(view, tidyView(goal));
    return false;
  }
  const next = {
    turn: view.turn + around - approach(around, 0, ms, 90),
    tilt: approach(view.tilt, goal.tilt, ms, 90),
    zoom: approach(view.zoom, goal.zoom, ms, 90),
  };
  Object.assign(view, tidyView(next));
  return true;
}

/** Let the cube turn to a view. @param {View} view */
function lead(view) {
  live.goal = tidyView(view);
  live.speed = { turn: 0, tilt: 0 };
  ask();
}

/** Turn the cube as an arrow key does. @param {string} key */
export function turnBy(key) {
  const by = STEPS[key];
  const from = live.goal ?? live.board?.view;
  if (by && from) lead({ turn: from.turn + (by.turn ?? 0), tilt: from.tilt + (by.tilt ?? 0), zoom: from.zoom });
}

/** @param {number} by */
function zoomBy(by) {
  const from = live.goal ?? live.board?.view;
  if (from) lead({ ...from, zoom: from.zoom * by });
}

/** @param {Board} board */
function shapeOf({ game }) {
  const panels = panelsOf(game);
  return { columns: panels[0].columns.length, rows: panels[0].rows.length, levels: panels.length };
}

/** @param {HTMLElement} node @param {Board} board */
function cameraOf(node, board) {
  return camera(shapeOf(board), board.view, node.clientWidth, node.clientHeight);
}

/** Draw the cube in its present state. */
function paint() {
  const { node, board } = live;
  if (!node || !board || !node.clientWidth) return;
  node.dataset.turn = board.view.turn.toFixed(1);
  node.dataset.tilt = board.view.tilt.toFixed(1);
  node.dataset.zoom = board.view.zoom.toFixed(2);
  const lifted = liftedNow();
  node.dataset.lifted = lifted === null ? "" : String(lifted + 1);
  const size = { width: node.clientWidth, height: node.clientHeight };
  patch(node, [
    h(
      "svg.solid",
      { key: "solid", ...size, viewBox: `0 0 ${size.width} ${size.height}`, "aria-hidden": "true" },
      drawCube(cameraOf(node, board), sceneOf(board)),
    ),
  ]);
}

/** The scene to draw. @param {Board} board @returns {import("./cube_drawing.js").Scene} */
function sceneOf(board) {
  const { game } = board;
  const places = placesOf(board);
  const falling = live.falling?.cell ?? null;
  const spots = places.flatMap((place, cell) => {
    const side = board.cells[cell] ?? (board.pending === cell ? board.turn : null);
    const worth = side ? undefined : board.badges.get(cell);
    const look = live.lookOf(cell);
    if (!side && !look) return [];
    const seen = cell === falling ? null : side;
    return [{ ...place, side: seen, look, chance: worth?.chance, text: worth?.text }];
  });
  /** @type {import("./cube_drawing.js").Loose[]} */
  const loose = board.preview.map(({ cell, side, number }) => ({
    place: places[cell],
    side,
    look: "ahead",
    height: 0,
    text: String(number),
  }));
  const target = board.pointed === null ? undefined : meant(game, board.pointed, board.legal);
  if (target !== undefined && board.turn && !board.preview.length)
    loose.push({ place: places[target], side: board.turn, look: "ghost", height: 0 });
  const fallen = falling === null ? null : (board.cells[falling] ?? (board.pending === falling ? board.turn : null));
  if (live.falling && falling !== null && fallen) {
    const from = game.has_gravity ? (panelsOf(game).length - places[falling].level) * 1.5 : 0.9;
    const height = from * bounce((performance.now() - live.falling.since) / FALL_MS);
    loose.push({ place: places[falling], side: fallen, look: "falls", height });
  }
  const line = [...board.line].map((cell) => places[cell]);
  return {
    spots,
    loose,
    line,
    winner: line.length ? board.cells[[...board.line][0]] : null,
    lifted: liftedNow(),
    lifts: live.lifts,
    isSmall: false,
    names: panelsOf(game)[0],
  };
}

/** @type {WeakMap<import("./panels.js").Game, Place[]>} */
const PLACES = new WeakMap();

/** The place of each cell. @param {Board} board */
function placesOf({ game }) {
  const known = PLACES.get(game);
  if (known) return known;
  const made = Array.from({ length: game.cells }, (_, cell) => {
    const { panel, row, column } = /** @type {import("./panels.js").Spot} */ (spotsOf(game).get(cell));
    return { level: panel, row, column };
  });
  PLACES.set(game, made);
  return made;
}

/** What is under a pointer: a cell, or the number of a level. @param {PointerEvent} event
 * @returns {{level: number, cell: number | null} | null} */
function under(event) {
  const { node, board } = live;
  if (!node || !board) return null;
  const box = node.getBoundingClientRect();
  /** @type {[number, number]} */
  const dot = [event.clientX - box.left, event.clientY - box.top];
  const seen = cameraOf(node, board);
  const place = placeAt(seen, dot, liftedNow());
  if (place) return { level: place.level, cell: panelsOf(board.game)[place.level].cells[place.row][place.column] };
  const level = liftsOf(seen.shape, null).findIndex((_, at) => {
    const [x, y] = numberAt(seen, at, liftsOf(seen.shape, liftedNow()));
    return Math.hypot(x - dot[0], y - dot[1]) < NUMBER_PX;
  });
  return level < 0 ? null : { level, cell: null };
}

/** @param {number | null} level */
function liftLevel(level) {
  if (live.lifted === level) return;
  live.lifted = level;
  ask();
}

/** @param {PointerEvent} event */
function onDown(event) {
  if (event.button !== 0 || !live.node) return;
  live.node.setPointerCapture(event.pointerId);
  if (!live.pointers.size) live.hasMoved = false;
  live.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  Object.assign(live, { pushes: [], goal: null, speed: { turn: 0, tilt: 0 } });
}

/** @param {PointerEvent} event */
function onMove(event) {
  const { board, pointers } = live;
  const from = pointers.get(event.pointerId);
  if (!board) return;
  if (!from) {
    hover(event);
    return;
  }
  const [x, y] = [event.clientX - from.x, event.clientY - from.y];
  if (!live.hasMoved && Math.hypot(x, y) < DRAG_PX) return;
  Object.assign(live, { hasMoved: true, tapped: null });
  if (pointers.size === 2) pinch(board, event.pointerId, event);
  pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  // With two pointers, each turns the cube by half of its movement: the cube follows their midpoint.
  const push = { turn: (x * DEGREES_PER_PX.turn) / pointers.size, tilt: (y * DEGREES_PER_PX.tilt) / pointers.size };
  live.pushes.push({ ...push, at: event.timeStamp });
  const { turn, tilt, zoom } = board.view;
  Object.assign(board.view, tidyView({ turn: turn + push.turn, tilt: tilt + push.tilt, zoom }));
  ask();
}

/** Zoom by the distance of two pointers, of which one moves. @param {Board} board @param {number} id
 * @param {{clientX: number, clientY: number}} to */
function pinch(board, id, to) {
  const from = /** @type {{x: number, y: number}} */ (live.pointers.get(id));
  const other = /** @type {{x: number, y: number}} */ ([...live.pointers].find(([key]) => key !== id)?.[1]);
  const before = Math.hypot(from.x - other.x, from.y - other.y);
  const after = Math.hypot(to.clientX - other.x, to.clientY - other.y);
  if (before > 1) Object.assign(board.view, tidyView({ ...board.view, zoom: (board.view.zoom * after) / before }));
}

/** Lift the level under the mouse. @param {PointerEvent} event */
function hover(event) {
  if (event.pointerType === "touch" || !live.board) return;
  const found = under(event);
  liftLevel(found?.level ?? null);
  live.board.onpoint(found?.cell ?? null);
}

/** @param {PointerEvent} event */
function onUp(event) {
  if (!live.pointers.delete(event.pointerId)) return undefined;
  if (live.hasMoved) {
    if (!live.pointers.size) letCoast(event.timeStamp);
    return undefined;
  }
  const previewed = previewedAt(event);
  if (previewed !== null) return playIn(previewed, event.pointerType);
  const found = under(event);
  const isReady = found !== null && (found.level === liftedNow() || event.pointerType === "mouse");
  liftLevel(found?.level ?? null);
  if (found !== null && found.cell !== null && isReady) playIn(found.cell, event.pointerType);
  else preview(found?.cell ?? null, event);
}

/** The cell that the last tap has previewed, if this tap is at the same place. @param {PointerEvent} event */
function previewedAt({ clientX, clientY, pointerType }) {
  const { board, tapped } = live;
  if (pointerType === "mouse" || !board || !tapped || board.aimed !== tapped.cell) return null;
  return Math.hypot(clientX - tapped.x, clientY - tapped.y) < SAME_TAP_PX ? tapped.cell : null;
}

/** Show the mark that a second tap would make. @param {number | null} cell @param {PointerEvent} event */
function preview(cell, { clientX, clientY, pointerType }) {
  const { board } = live;
  if (!board) return;
  board.onpoint(cell);
  const isAimed = pointerType !== "mouse" && cell !== null && meant(board.game, cell, board.legal) !== undefined;
  live.tapped = isAimed ? { x: clientX, y: clientY, cell } : null;
  board.onaim(isAimed ? cell : null);
}

/** Play in the lifted level; after a tap the level is lowered, so that the whole cube is in view. @param {number} cell
 * @param {string} pointer */
function playIn(cell, pointer) {
  live.tapped = null;
  if (pointer !== "mouse") {
    liftLevel(null);
    live.board?.onpoint(null);
  }
  live.play(cell);
}

/** Keep the speed of the last part of a drag. @param {number} now */
function letCoast(now) {
  const recent = live.pushes.filter((push) => now - push.at < PUSH_MS);
  live.pushes = [];
  const sum = (/** @type {"turn" | "tilt"} */ way) =>
    clamp(
      recent.reduce((all, push) => all + push[way], 0) / Math.max(40, now - (recent[0]?.at ?? now)),
      -MAX_SPEED,
      MAX_SPEED,
    );
  live.speed = isCalm() ? { turn: 0, tilt: 0 } : { turn: sum("turn"), tilt: sum("tilt") };
  ask();
}

/** @param {PointerEvent} event */
function onCancel(event) {
  live.pointers.delete(event.pointerId);
}

/** @param {PointerEvent} event */
function onLeave(event) {
  if (event.pointerType === "touch" || live.pointers.size) return;
  liftLevel(null);
  live.board?.onpoint(null);
}

/** Pinching on a touchpad arrives as a wheel with the control key. @param {WheelEvent} event */
function onWheel(event) {
  if (!event.ctrlKey || !live.board) return;
  event.preventDefault();
  const { view } = live.board;
  Object.assign(view, tidyView({ ...view, zoom: view.zoom * Math.exp(-event.deltaY / 200) }));
  ask();
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (event.altKey || event.metaKey || event.ctrlKey) return;
  const levels = live.board ? panelsOf(live.board.game).length : 0;
  const by = { PageUp: 1, PageDown: -1 }[event.key];
  if (event.key in STEPS) turnBy(event.key);
  else if (event.key === "+" || event.key === "=") zoomBy(ZOOM_STEP);
  else if (event.key === "-") zoomBy(1 / ZOOM_STEP);
  else if (event.key === "Home") lead(VIEW);
  else if (event.key === "Escape") liftLevel(null);
  else if (by) liftLevel(clamp((live.lifted ?? (by > 0 ? -1 : levels)) + by, 0, levels - 1));
  else return;
  event.preventDefault();
}
