// @ts-check
/** Clocks: so many seconds for each side and an increment for each move. */

/**
 * @typedef {import("./api.js").Side} Side
 * Times left in milliseconds; `since` is when the side to move began to think, null while it stands.
 * @typedef {{seconds: number, increment: number, left: Record<Side, number>, since: number | null}} Clock
 */

/** @param {{seconds: number, increment: number, left?: Record<Side, number>} | null | undefined} wish @returns {Clock | null} */
export function start(wish) {
  if (!wish) return null;
  const full = wish.seconds * 1000;
  return { seconds: wish.seconds, increment: wish.increment, left: wish.left ?? { X: full, O: full }, since: null };
}

/** What a side has left now, in milliseconds; begins to count when it has not yet. @param {Clock} clock @param {Side} side */
export function running(clock, side) {
  clock.since ??= performance.now();
  return clock.left[side] - (performance.now() - clock.since);
}

/** A side has moved: take off what it used, add the increment, start the other's. @param {Clock | null} clock @param {Side} side */
export function spend(clock, side) {
  if (!clock) return;
  if (clock.since !== null) clock.left[side] = running(clock, side) + clock.increment * 1000;
  clock.since = performance.now();
}

/** What to show for a side. @param {Clock} clock @param {Side} side @param {boolean} isRunning */
export function shown(clock, side, isRunning) {
  const left = isRunning && clock.since !== null ? running(clock, side) : clock.left[side];
  return format(left / 1000);
}

/** `4:05`, or `9.3` below ten seconds. @param {number} seconds */
export function format(seconds) {
  const left = Math.max(0, seconds);
  if (left < 10) return left.toFixed(1);
  return `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`;
}
