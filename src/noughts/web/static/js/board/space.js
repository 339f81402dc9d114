// @ts-check
/**
 * The geometry of a cube of levels in space, without a document: projection, what lies under a point, how it spins.
 *
 * The unit is the edge of a cell. The origin is the middle of the cube; x runs along columns, y along rows, z upwards.
 * The camera looks at the origin from above, so that a level never hides one above it:
 *
 *        ______ 3        turn: degrees around the vertical axis
 *       /_____/|2        tilt: degrees from the view straight down (0) towards the side (90)
 *      /_____/|1         zoom: 1 fits the whole cube into the window at every turn
 *      |_____|/
 */

/**
 * @typedef {{columns: number, rows: number, levels: number}} Shape
 * @typedef {{turn: number, tilt: number, zoom: number}} View
 * @typedef {[number, number, number]} Point in space
 * @typedef {[number, number]} Dot on the screen, in pixels from the top left of the window
 * @typedef {{level: number, row: number, column: number}} Place
 *
 * @typedef {object} Camera
 * @property {Shape} shape
 * @property {number} scale pixels per cell in the plane of the origin
 * @property {number} distance of the eye from the origin, in cells
 * @property {Dot} middle where the origin appears
 * @property {number} sinTurn
 * @property {number} cosTurn
 * @property {number} sinTilt
 * @property {number} cosTilt
 */

/** How a cube is turned before a person turns it. */
export const VIEW = { turn: -24, tilt: 64, zoom: 1 };
/** The distance of two levels, in cells. */
export const GAP = 1.6;
/** How far a lifted level rises, and how far those above it make way. */
export const LIFT = 0.25;
export const OPENING = 0.35;
/** Nearer to straight down, levels would hide those below; nearer to the side, cells would be too thin to hit. */
export const TILTS = { least: 30, most: 74 };
export const ZOOMS = { least: 0.7, most: 3 };
/** Room around the cube for the numbers of the levels, in cells. */
const MARGIN = 0.5;
/** The eye is this many radii of the cube away: close enough for depth, far enough for straight levels. */
const EYE_RADII = 4.2;

/** The distance of the number of a level from its plate, in pixels. */
const NUMBER_PX = 14;

const RADIANS = Math.PI / 180;

/** The view with its angles and its zoom within their bounds. @param {View} view @returns {View} */
export function tidyView({ turn, tilt, zoom }) {
  return {
    turn: ((((turn + 180) % 360) + 360) % 360) - 180,
    tilt: clamp(tilt, TILTS.least, TILTS.most),
    zoom: clamp(zoom, ZOOMS.least, ZOOMS.most),
  };
}

/** @param {number} value @param {number} least @param {number} most */
export function clamp(value, least, most) {
  return Math.min(most, Math.max(least, value));
}

/**
 * The camera that shows a cube in a window; at zoom 1 the cube fits at every turn, with room for an opened level.
 * @param {Shape} shape @param {View} view @param {number} width @param {number} height
 * @param {number} [margin] in cells @returns {Camera}
 */
export function camera(shape, view, width, height, margin = MARGIN) {
  const flat = Math.hypot(shape.columns, shape.rows) / 2 + margin;
  const high = ((shape.levels - 1) * GAP) / 2;
  const distance = EYE_RADII * Math.hypot(flat, high);
  const [turn, tilt] = [view.turn * RADIANS, view.tilt * RADIANS];
  const angles = {
    sinTurn: Math.sin(turn),
    cosTurn: Math.cos(turn),
    sinTilt: Math.sin(tilt),
    cosTilt: Math.cos(tilt),
  };
  const unit = { shape, scale: 1, distance, middle: /** @type {Dot} */ ([0, 0]), ...angles, sinTurn: 0, cosTurn: 1 };
  const lift = margin > 0 && shape.levels > 1 ? LIFT + OPENING : 0;
  const top = project(unit, [0, -flat, high + lift])[1];
  const bottom = project(unit, [0, flat, -high])[1];
  const side = project(unit, [flat, 0, high])[0];
  const scale = Math.min(width / 2 / side, height / (bottom - top)) * view.zoom;
  return {
    ...unit,
    ...angles,
    scale,
    middle: [width / 2, height / 2 - ((top + bottom) / 2) * scale],
  };
}

/** Where a point appears. @param {Camera} camera @param {Point} point @returns {Dot} */
export function project({ scale, distance, middle, sinTurn, cosTurn, sinTilt, cosTilt }, [x, y, z]) {
  const across = x * cosTurn - y * sinTurn;
  const along = x * sinTurn + y * cosTurn;
  const size = (scale * distance) / (distance - along * sinTilt - z * cosTilt);
  return [middle[0] + across * size, middle[1] + (along * cosTilt - z * sinTilt) * size];
}

/** Pixels per cell at a point. @param {Camera} camera @param {Point} point */
export function sizeAt({ scale, distance, sinTurn, cosTurn, sinTilt, cosTilt }, [x, y, z]) {
  return (scale * distance) / (distance - (x * sinTurn + y * cosTurn) * sinTilt - z * cosTilt);
}

/**
 * The point of the horizontal plane at `z` that appears at a dot: the inverse of `project`.
 * @param {Camera} camera @param {Dot} dot @param {number} z @returns {Point}
 */
export function onPlane({ scale, distance, middle, sinTurn, cosTurn, sinTilt, cosTilt }, dot, z) {
  const u = (dot[0] - middle[0]) / scale;
  const v = (dot[1] - middle[1]) / scale;
  const along = (v * (distance - z * cosTilt) + distance * z * sinTilt) / (distance * cosTilt + v * sinTilt);
  const across = (u * (distance - along * sinTilt - z * cosTilt)) / distance;
  return [across * cosTurn + along * sinTurn, along * cosTurn - across * sinTurn, z];
}

/**
 * The height of a level, higher if it is lifted or if one below it is: `lifts` says how far each is lifted, 0 to 1.
 * @param {Shape} shape @param {number} level @param {readonly number[]} [lifts]
 */
export function heightOf(shape, level, lifts = []) {
  const rest = (level - (shape.levels - 1) / 2) * GAP + (lifts[level] ?? 0) * LIFT;
  return lifts.slice(0, level).reduce((height, lift) => height + lift * (LIFT + OPENING), rest);
}

/** The point in space of the middle of a cell. @param {Shape} shape @param {Place} place @param {readonly number[]} [lifts]
 * @returns {Point} */
export function middleOf(shape, { level, row, column }, lifts) {
  return [column + 0.5 - shape.columns / 2, row + 0.5 - shape.rows / 2, heightOf(shape, level, lifts)];
}

/** The corners of a rectangle on a level; `right` and `bottom` are exclusive.
 * @param {Shape} shape @param {number} z @param {number} left @param {number} top @param {number} right
 * @param {number} bottom @returns {Point[]} */
export function corners(shape, z, left = 0, top = 0, right = shape.columns, bottom = shape.rows) {
  const [x, y] = [shape.columns / 2, shape.rows / 2];
  return [
    [left - x, top - y, z],
    [right - x, top - y, z],
    [right - x, bottom - y, z],
    [left - x, bottom - y, z],
  ];
}

/** Where the number of a level stands: beside the corner of its plate that is furthest left.
 * @param {Camera} camera @param {number} level @param {readonly number[]} [lifts] @returns {Dot} */
export function numberAt(camera, level, lifts) {
  const z = heightOf(camera.shape, level, lifts);
  const dots = corners(camera.shape, z).map((corner) => project(camera, corner));
  const [x, y] = dots.reduce((left, dot) => (dot[0] < left[0] ? dot : left));
  return [x - NUMBER_PX, y];
}

/** The lifts when one level is lifted, or none. @param {Shape} shape @param {number | null} lifted */
export function liftsOf(shape, lifted) {
  return Array.from({ length: shape.levels }, (_, level) => (level === lifted ? 1 : 0));
}

/** The cell of a level at a dot, or null beside the level.
 * @param {Camera} camera @param {Dot} dot @param {number} level @param {number} z @returns {Place | null} */
function cellOn(camera, dot, level, z) {
  const { shape } = camera;
  const [x, y] = onPlane(camera, dot, z);
  const [column, row] = [Math.floor(x + shape.columns / 2), Math.floor(y + shape.rows / 2)];
  const isInside = column >= 0 && row >= 0 && column < shape.columns && row < shape.rows;
  return isInside ? { level, row, column } : null;
}

/**
 * The cell under a dot. A lifted level comes first, even where another level covers it. It also keeps the dots that it
 * covered before it rose: otherwise it would drop again under a pointer at its edge. Otherwise the highest level wins.
 * @param {Camera} camera @param {Dot} dot @param {number | null} lifted @returns {Place | null}
 */
export function placeAt(camera, dot, lifted) {
  const { shape } = camera;
  const lifts = liftsOf(shape, lifted);
  if (lifted !== null) {
    const inside = cellOn(camera, dot, lifted, heightOf(shape, lifted, lifts));
    const before = inside ?? cellOn(camera, dot, lifted, heightOf(shape, lifted));
    if (before) return before;
  }
  for (let level = shape.levels - 1; level >= 0; level--) {
    const found = cellOn(camera, dot, level, heightOf(shape, level, lifts));
    if (found) return found;
  }
  return null;
}

/**
 * The ends of the beam through places on a straight line, half a cell longer than from middle to middle; null if they
 * are not on one straight line.
 * @param {Shape} shape @param {Place[]} places @param {readonly number[]} [lifts] @returns {[Point, Point] | null}
 */
export function beamOf(shape, places, lifts) {
  if (places.length < 2) return null;
  const sorted = [...places].sort((a, b) => a.level - b.level || a.row - b.row || a.column - b.column);
  const [first, second] = sorted;
  const step = [second.level - first.level, second.row - first.row, second.column - first.column];
  const isStraight = sorted.every(
    (place, n) =>
      place.level === first.level + n * step[0] &&
      place.row === first.row + n * step[1] &&
      place.column === first.column + n * step[2],
  );
  if (!isStraight) return null;
  const [from, to] = [middleOf(shape, first, lifts), middleOf(shape, sorted[sorted.length - 1], lifts)];
  const more = 0.4 / (sorted.length - 1);
  return [mix(from, to, -more), mix(from, to, 1 + more)];
}

/** Linear interpolation between two points. @param {Point} a @param {Point} b @param {number} part
 * @returns {Point} */
export function mix(a, b, part) {
  return [a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part, a[2] + (b[2] - a[2]) * part];
}

/**
 * The part of a segment between two heights, or null. A horizontal segment is kept if `low` <= z < `high`.
 * @param {[Point, Point]} segment @param {number} low @param {number} high @returns {[Point, Point] | null}
 */
export function between([a, b], low, high) {
  const [from, to] = a[2] <= b[2] ? [a, b] : [b, a];
  if (to[2] - from[2] < 1e-9) return from[2] >= low && from[2] < high ? [from, to] : null;
  const part = (/** @type {number} */ z) => clamp((z - from[2]) / (to[2] - from[2]), 0, 1);
  return part(high) > part(low) ? [mix(from, to, part(low)), mix(from, to, part(high))] : null;
}

/** Time constant of coasting, in milliseconds: 37% of the speed is left after it. */
const COASTING_MS = 280;
/** Slower than this a cube stands still, in degrees per millisecond. */
const STANDSTILL = 0.004;

/**
 * The next view of a cube that coasts, and its speed then; null when it stands still.
 * @param {View} view @param {{turn: number, tilt: number}} speed in degrees per millisecond @param {number} ms
 * @returns {{view: View, speed: {turn: number, tilt: number}} | null}
 */
export function coast(view, speed, ms) {
  if (Math.hypot(speed.turn, speed.tilt) < STANDSTILL) return null;
  const left = Math.exp(-ms / COASTING_MS);
  // The distance covered while the speed decays.
  const way = COASTING_MS * (1 - left);
  return {
    view: tidyView({ turn: view.turn + speed.turn * way, tilt: view.tilt + speed.tilt * way, zoom: view.zoom }),
    speed: { turn: speed.turn * left, tilt: speed.tilt * left },
  };
}

/** Exponential approach to a goal, independent of the frame rate. @param {number} from
 * @param {number} to @param {number} ms @param {number} [pace] milliseconds in which 63% of the way is done */
export function approach(from, to, ms, pace = 70) {
  const next = to + (from - to) * Math.exp(-ms / pace);
  return Math.abs(next - to) < 0.002 ? to : next;
}

/**
 * The height of a mark that falls from 1 to 0 and bounces twice, at a fraction of the duration.
 * @param {number} part 0 to 1
 */
export function bounce(part) {
  const hops = [
    { from: -0.55, to: 0.55, top: 1 },
    { from: 0.55, to: 0.85, top: 0.09 },
    { from: 0.85, to: 1, top: 0.02 },
  ];
  const hop = hops.find(({ to }) => part < to);
  if (!hop) return 0;
  const x = (part - (hop.from + hop.to) / 2) / ((hop.to - hop.from) / 2);
  return hop.top * (1 - x * x);
}
