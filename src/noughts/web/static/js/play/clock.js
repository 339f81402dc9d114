// @ts-check
/**
 * The clocks of a playthrough at this screen. A takeback restores both clocks, as in a match on the server.
 * The clocks of a friend game are the server's: they are only shown.
 */

/**
 * @typedef {import("../server/types.d.ts").Side} Side
 * @typedef {Record<Side, number>} Times in milliseconds
 *
 * @typedef {import("../server/types.d.ts").TimeControlAnswer} TimeControl
 *
 * @typedef {object} Clock
 * @property {TimeControl} control
 * @property {Times} left the times on both clocks when they last stood still
 * @property {Times[]} turns the times on both clocks at the beginning of each turn
 * @property {number | null} since when the running clock was started; null while it stands still
 */

/** Clocks at the beginning of a playthrough. @param {TimeControl} control @returns {Clock} */
export function newClock(control) {
  const full = control.seconds * 1000;
  return { control, left: { X: full, O: full }, turns: [], since: null };
}

/** The time a side has left now, in milliseconds. @param {Clock} clock @param {Side} side @param {boolean} isToMove */
export function timeLeft(clock, side, isToMove) {
  const used = isToMove && clock.since !== null ? performance.now() - clock.since : 0;
  return Math.max(0, clock.left[side] - used);
}

/**
 * Let the clock of the side to move run; if it runs already, it continues.
 * @param {Clock} clock @param {number} ply
 */
export function run(clock, ply) {
  clock.turns[ply] ??= { ...clock.left };
  clock.since ??= performance.now();
}

/** Stop the clock in the middle of a turn. @param {Clock} clock @param {Side | null} side the side to move */
export function pause(clock, side) {
  if (side) clock.left[side] = timeLeft(clock, side, true);
  clock.since = null;
}

/** A copy of the clocks, stopped now. @param {Clock} clock @param {Side | null} side the side to move @returns {Clock} */
export function stopped(clock, side) {
  const copy = { ...clock, left: { ...clock.left } };
  pause(copy, side);
  return copy;
}

/**
 * End a move: charge the time it took and add the increment.
 * @param {Clock} clock @param {Side} side @param {number} ply
 */
export function press(clock, side, ply) {
  clock.turns[ply] ??= { ...clock.left };
  clock.left[side] = timeLeft(clock, side, true) + clock.control.increment * 1000;
  clock.since = null;
  clock.turns = [...clock.turns.slice(0, ply + 1), { ...clock.left }];
}

/** Restore both clocks to the beginning of a turn, after moves were taken back or made again.
 * @param {Clock} clock @param {number} ply */
export function restore(clock, ply) {
  const turn = clock.turns[ply];
  if (turn) clock.left = { ...turn };
  clock.since = null;
}

/**
 * The mover's time after each move, in seconds; null if it is not known.
 * @param {Clock} clock @param {number} plies @param {(ply: number) => Side} sideAt
 */
export function afterMoves(clock, plies, sideAt) {
  return Array.from({ length: plies }, (_, ply) => {
    const shown = clock.turns[ply + 1]?.[sideAt(ply)];
    return shown === undefined ? null : shown / 1000;
  });
}

/** The clocks as the server's engine needs them. @param {Clock} clock @param {Side} turn */
export function reading(clock, turn) {
  const seconds = (/** @type {Side} */ side) => timeLeft(clock, side, side === turn) / 1000;
  return { control: clock.control.text, left: { X: seconds("X"), O: seconds("O") } };
}

/** `4:58`, and with tenths in the last twenty seconds `0:07.3`, as in the terminal. @param {number} seconds */
export function formatTime(seconds) {
  const left = Math.max(0, seconds);
  if (left < 20) return `0:${(Math.floor(left * 10) / 10).toFixed(1).padStart(4, "0")}`;
  return `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`;
}
