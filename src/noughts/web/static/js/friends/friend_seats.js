// @ts-check
/** The friend games that this browser has joined, with the secrets that let it play. */

import { namesWith, read, write } from "../shell/storage.js";

/** @typedef {import("../server/types.d.ts").Side} Side */

/**
 * A seat in a friend game; the token lets this browser play its side.
 * @typedef {object} Seat
 * @property {string} [token]
 * @property {Side} [side]
 * @property {string} [invite] for the other player
 * @property {string} [invitation] that this browser has not answered
 * @property {boolean} [isResigned] whether this player has resigned and the server may not know it
 * @property {string} [title]
 * @property {string} [x]
 * @property {string} [o]
 * @property {string} [ended]
 * @property {string} [when]
 * @property {import("../home/saved_pictures.js").Line} [line] the moves so far, for a small picture
 */

const SEATS = "noughts.friend.";

/** @param {string} id @returns {Seat} */
export function seatIn(id) {
  return read(SEATS + id, {});
}

/** @param {string} id @param {Seat} known further fields to remember; undefined forgets one */
export function rememberSeat(id, known) {
  const all = { ...seatIn(id), ...known };
  const isEmpty = Object.values(all).every((value) => value === undefined);
  write(SEATS + id, isEmpty ? null : all);
}

/** Remove a friend game from this browser: it can no longer play its side. @param {string} id */
export function forgetSeat(id) {
  write(SEATS + id, null);
}

/** The friend games that this browser has joined, the most recent first. */
export function friendSeats() {
  return namesWith(SEATS)
    .map((name) => name.slice(SEATS.length))
    .map((id) => ({ id, ...seatIn(id) }))
    .filter((game) => game.title)
    .sort((a, b) => String(b.when).localeCompare(String(a.when)));
}
