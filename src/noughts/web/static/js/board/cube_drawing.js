// @ts-check
/** A cube of levels as a drawing: glass plates with depth, marks that lie on them, a beam through a complete line. */

import { h, names } from "../ui/dom.js";
import { between, beamOf, corners, heightOf, middleOf, numberAt, project, sizeAt } from "./space.js";

/**
 * @typedef {import("./space.js").Camera} Camera
 * @typedef {import("./space.js").Place} Place
 * @typedef {import("./space.js").Point} Point
 * @typedef {import("../ui/dom.js").Node} Node
 *
 * A cell that has a mark or is highlighted.
 * @typedef {Place & {side: "X" | "O" | null, look: string, chance?: number, text?: string}} Spot
 *
 * A mark that moves or is not yet made.
 * @typedef {{place: Place, side: "X" | "O", look: string, height: number, text?: string}} Loose
 *
 * @typedef {object} Scene
 * @property {Spot[]} spots the cells that have a mark or are highlighted
 * @property {Loose[]} loose marks drawn one by one: ghosts, previews, the mark that falls
 * @property {Place[]} line the complete line
 * @property {"X" | "O" | null} winner whose line it is
 * @property {number | null} lifted
 * @property {number[]} lifts how far each level is lifted, from 0 to 1
 * @property {boolean} isSmall without numbers and posts
 * @property {{columns: string[], rows: string[]}} [names] beside two edges of the lowest level
 */

/** The thickness of a plate and the height of a mark on it, in cells. */
const THICKNESS = 0.14;
const RAISED = 0.09;
const ROUND = Array.from({ length: 25 }, (_, n) => [Math.cos((n * Math.PI) / 12), Math.sin((n * Math.PI) / 12)]);

/**
 * Everything in a cube, from the lowest level up. Marks and the beam shine through the plates that cover them; numbers
 * come last. @param {Camera} camera @param {Scene} scene @returns {Node[]}
 */
export function drawCube(camera, scene) {
  const { shape } = camera;
  const beam = beamOf(shape, scene.line, scene.lifts);
  const levels = Array.from({ length: shape.levels }, (_, level) => drawLevel(camera, scene, level, beam));
  return [
    ground(camera),
    ...levels,
    ...Array.from({ length: shape.levels }, (_, level) => shining(camera, scene, level)),
    ...(beam ? [rays(camera, beam, scene.winner, "through")] : []),
    ...(scene.isSmall ? [] : Array.from({ length: shape.levels }, (_, level) => texts(camera, scene, level))),
  ];
}

/** @param {Camera} camera @param {Scene} scene @param {number} level @param {[Point, Point] | null} beam */
function drawLevel(camera, scene, level, beam) {
  const { shape } = camera;
  const z = heightOf(shape, level, scene.lifts);
  const above = level + 1 < shape.levels ? heightOf(shape, level + 1, scene.lifts) : z + 3;
  const here = scene.spots.filter((spot) => spot.level === level);
  const ray = beam && between(beam, level === 0 ? -Infinity : z - 1e-6, level + 1 < shape.levels ? above : Infinity);
  return h(
    "g.level",
    {
      key: `level ${level}`,
      "data-level": level,
      class: names({ ...standing(scene, level), idle: beam && !scene.line.some((place) => place.level === level) }),
      style: { "--height": shape.levels > 1 ? level / (shape.levels - 1) : 1 },
    },
    sides(camera, z),
    h("path.plate", { key: "plate", d: outline(camera, corners(shape, z)) }),
    washes(camera, here, z),
    h("path.fields", { key: "fields", d: fields(camera, z) }),
    marks(camera, here, z, "X"),
    marks(camera, here, z, "O"),
    looseOn(scene, level).map((loose, at) => looseMark(camera, loose, z, at)),
    !scene.isSmall && number(camera, scene, level),
    level === 0 && scene.names && edgeNames(camera, scene.names, z),
    ray && rays(camera, ray, scene.winner),
    level + 1 < shape.levels && !scene.isSmall && h("path.posts", { key: "posts", d: posts(camera, z, above) }),
  );
}

/** Whether a level is lifted, or covers the lifted one. @param {Scene} scene @param {number} level */
function standing({ lifted }, level) {
  return { lifted: lifted === level, covering: lifted !== null && level > lifted };
}

/** @param {Scene} scene @param {number} level */
function looseOn({ loose }, level) {
  return loose.filter(({ place }) => place.level === level);
}

/** The marks of a level as they are seen through the plates above it. @param {Camera} camera @param {Scene} scene
 * @param {number} level */
function shining(camera, scene, level) {
  const z = heightOf(camera.shape, level, scene.lifts);
  const here = scene.spots.filter((spot) => spot.level === level);
  return h(
    "g.shining",
    { key: `shining ${level}`, class: names(standing(scene, level)) },
    /** @type {const} */ (["X", "O"]).map((side) => markPaths(camera, here, z + RAISED, side)),
    looseOn(scene, level).map((loose, at) => looseMark(camera, loose, z, at)),
  );
}

/** The shadow under the cube. @param {Camera} camera */
function ground(camera) {
  const { shape } = camera;
  const z = heightOf(shape, 0) - 0.7;
  return h("path.ground", { key: "ground", d: outline(camera, corners(shape, z)) });
}

/** The sides of a plate that face the eye. @param {Camera} camera @param {number} z */
function sides(camera, z) {
  const [top, low] = [corners(camera.shape, z), corners(camera.shape, z - THICKNESS)];
  return top.map((corner, at) => {
    const next = (at + 1) % 4;
    const [a, b] = [project(camera, corner), project(camera, top[next])];
    // The corners run clockwise as seen from above: a side faces the eye if its top edge runs to the left.
    const isFacing = b[0] < a[0];
    return h("path.side", {
      key: `side ${at}`,
      d: isFacing ? outline(camera, [corner, top[next], low[next], low[at]]) : "",
      // Light falls from the left.
      class: b[1] > a[1] ? "dim" : "bright",
    });
  });
}

/** The highlighted cells, one path for each look. @param {Camera} camera @param {Spot[]} spots
 * @param {number} z */
function washes(camera, spots, z) {
  /** @type {Map<string, {look: string, chance?: number, d: string, cells: number}>} */
  const byLook = new Map();
  for (const { look, chance, row, column } of spots) {
    if (!look) continue;
    const name = `${look} ${chance ?? ""}`;
    const found = byLook.get(name) ?? { look, chance, d: "", cells: 0 };
    found.d += outline(camera, corners(camera.shape, z, column + 0.04, row + 0.04, column + 0.96, row + 0.96));
    found.cells += 1;
    byLook.set(name, found);
  }
  return [...byLook].map(([name, { look, chance, d, cells }]) =>
    h("path.wash", {
      key: `wash ${name}`,
      class: look,
      d,
      "data-cells": cells,
      style: chance === undefined ? {} : { "--chance": chance },
    }),
  );
}

/** The lines between the fields of a level. @param {Camera} camera @param {number} z */
function fields(camera, z) {
  const { columns, rows } = camera.shape;
  const [x, y] = [columns / 2, rows / 2];
  let d = "";
  for (let column = 1; column < columns; column++) d += stroke(camera, [column - x, -y, z], [column - x, y, z]);
  for (let row = 1; row < rows; row++) d += stroke(camera, [-x, row - y, z], [x, row - y, z]);
  return d;
}

/** All marks of a side on a level: their shadows, then the marks, which lie a little above the plate.
 * @param {Camera} camera @param {Spot[]} spots @param {number} z @param {"X" | "O"} side */
function marks(camera, spots, z, side) {
  return [markPaths(camera, spots, z, side, "under"), markPaths(camera, spots, z + RAISED, side)];
}

/** The marks of a side at a height as one path. @param {Camera} camera @param {Spot[]} spots @param {number} z
 * @param {"X" | "O"} side @param {string} [look] */
function markPaths(camera, spots, z, side, look = "") {
  const taken = spots.filter((spot) => spot.side === side);
  if (!taken.length) return null;
  const d = taken.map((spot) => markPath(camera, middleOf(camera.shape, spot), z, side)).join("");
  const style = { "--width": sizeAt(camera, [0, 0, z]) };
  return h("path.mark", { key: `marks ${side} ${look}`, class: `${side.toLowerCase()} ${look}`, d, style });
}

/** @param {Camera} camera @param {Loose} loose @param {number} z @param {number} at */
function looseMark(camera, { place, side, look, height }, z, at) {
  const middle = middleOf(camera.shape, place);
  return h("path.mark", {
    key: `loose ${at}`,
    class: `${side.toLowerCase()} ${look}`,
    d: markPath(camera, middle, z + RAISED + height, side),
    style: { "--width": sizeAt(camera, [middle[0], middle[1], z]) },
  });
}

/** A cross or a nought that lies at a height. @param {Camera} camera @param {Point} middle @param {number} z
 * @param {"X" | "O"} side */
function markPath(camera, [x, y], z, side) {
  const r = 0.29;
  if (side === "X")
    return (
      stroke(camera, [x - r, y - r, z], [x + r, y + r, z]) + stroke(camera, [x + r, y - r, z], [x - r, y + r, z])
    );
  return outline(
    camera,
    ROUND.map(([cos, sin]) => /** @type {Point} */ ([x + 0.31 * cos, y + 0.31 * sin, z])),
  );
}

/**
 * The numbers of a previewed line, and the values of moves, upright. A stack of levels has no room for all values: there
 * is that of the best move, and those of a lifted level.
 * @param {Camera} camera @param {Scene} scene @param {number} level
 */
function texts(camera, scene, level) {
  const z = heightOf(camera.shape, level, scene.lifts);
  const values = scene.spots.filter(
    ({ level: on, look, text }) =>
      on === level && text && (scene.lifted === null ? look.split(" ").includes("best") : scene.lifted === level),
  );
  return h(
    "g.texts",
    { key: `texts ${level}`, class: names(standing(scene, level)) },
    values.map((spot) => {
      const { x, y, style } = upright(camera, spot, z);
      return h("text.value", { key: `value ${spot.row} ${spot.column}`, x, y, style }, spot.text);
    }),
    looseOn(scene, level).map(({ place, side, text }, at) => {
      const { x, y, size, style } = upright(camera, place, z + RAISED);
      return (
        text && [
          h("circle.disc", { key: `disc ${at}`, class: side.toLowerCase(), cx: x, cy: y, r: round(0.21 * size) }),
          h("text.order", { key: `order ${at}`, x, y, style }, text),
        ]
      );
    }),
  );
}

/** Where a text in a cell stands, and its size. @param {Camera} camera @param {Place} place @param {number} z */
function upright(camera, place, z) {
  const [middleX, middleY] = middleOf(camera.shape, place);
  const [x, y] = project(camera, [middleX, middleY, z]);
  const size = sizeAt(camera, [middleX, middleY, z]);
  return { x: round(x), y: round(y), size, style: { "--size": size } };
}

/** @param {Camera} camera @param {Scene} scene @param {number} level */
function number(camera, scene, level) {
  const [x, y] = numberAt(camera, level, scene.lifts);
  return h("text.number", { key: "number", x: round(x), y: round(y) }, String(level + 1));
}

/** The distance of a name from the edge of its level, in cells. */
const BESIDE = 0.4;

/** The names of columns and rows, beside the two edges of a level that are nearest to the eye.
 * @param {Camera} camera @param {{columns: string[], rows: string[]}} names @param {number} z */
function edgeNames(camera, { columns, rows }, z) {
  const [x, y] = [columns.length / 2, rows.length / 2];
  const front = camera.cosTurn < 0 ? -y - BESIDE : y + BESIDE;
  const side = camera.sinTurn < 0 ? -x - BESIDE : x + BESIDE;
  /** @type {[string, Point][]} */
  const named = [
    ...columns.map((name, at) => /** @type {[string, Point]} */ ([name, [at + 0.5 - x, front, z]])),
    ...rows.map((name, at) => /** @type {[string, Point]} */ ([name, [side, at + 0.5 - y, z]])),
  ];
  return named.map(([name, point]) => {
    const dot = project(camera, point);
    return h("text.edge-name", { key: `name ${name}`, x: round(dot[0]), y: round(dot[1]) }, name);
  });
}

/** A piece of the beam through a complete line. @param {Camera} camera @param {[Point, Point]} ray
 * @param {"X" | "O" | null} winner @param {string} [look] */
function rays(camera, [from, to], winner, look = "") {
  const d = stroke(camera, from, to);
  const width = sizeAt(camera, from);
  return h(
    "g.beam",
    { key: `beam ${look}`, class: `${String(winner).toLowerCase()} ${look}`, style: { "--width": width } },
    ["glow", "ray", "core"].map((name) => h(`path.${name}`, { key: name, d })),
  );
}

/** The posts between two levels. @param {Camera} camera @param {number} z @param {number} above */
function posts(camera, z, above) {
  return corners(camera.shape, z)
    .map((corner) => stroke(camera, corner, [corner[0], corner[1], above - THICKNESS]))
    .join("");
}

/** @param {Camera} camera @param {Point[]} points */
function outline(camera, points) {
  return `M${points.map((point) => dotText(camera, point)).join("L")}Z`;
}

/** @param {Camera} camera @param {Point} from @param {Point} to */
function stroke(camera, from, to) {
  return `M${dotText(camera, from)}L${dotText(camera, to)}`;
}

/** @param {Camera} camera @param {Point} point */
function dotText(camera, point) {
  const [x, y] = project(camera, point);
  return `${round(x)} ${round(y)}`;
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10;
}
