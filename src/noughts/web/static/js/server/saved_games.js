// @ts-check
/** The saved games of this browser, which the server keeps. */

import { send } from "./server.js";

/** @typedef {import("./types.d.ts").SaveRequest} SaveRequest */

/** The most recent first. @returns {Promise<import("./types.d.ts").SavedGame[]>} */
export async function listGames() {
  return (await send("GET", "/api/games?limit=100")).games;
}

/** Save a game, or change the one that was saved with the same key; returns its id. @param {SaveRequest} play @returns {Promise<number>} */
export async function saveGame(play) {
  return (await send("POST", "/api/games", play)).id;
}

/** Change a saved game; returns its id. @param {number} id @param {SaveRequest} play @returns {Promise<number>} */
export async function changeGame(id, play) {
  return (await send("PUT", `/api/games/${id}`, play)).id;
}

/** @param {number} id @returns {Promise<import("./types.d.ts").SavedPlaythroughAnswer>} */
export function findGame(id) {
  return send("GET", `/api/games/${id}`);
}

/** @param {number} id @returns {Promise<unknown>} */
export function deleteGame(id) {
  return send("DELETE", `/api/games/${id}`, undefined, { isFinal: true });
}
