// @ts-check
/**
 * Replaces js/server/saved_games.js in the page without a server: the games are in the storage of this browser. The
 * package says what is in a record.
 */

import { namesWith, read, write } from "../shell/storage.js";
import { ask } from "./api.js";
import { Refused } from "./tasks.js";

/**
 * @typedef {import("./types.d.ts").SavedRecord} SavedRecord
 * @typedef {import("./types.d.ts").SaveRequest} SaveRequest
 */

const RECORDS = "noughts.saved.";
/** The id of the last game that was saved: ids are not used again. */
const LAST_ID = "noughts.last-saved";
const MAX_LISTED = 100;
const [NOT_FOUND, CONFLICT, UNPROCESSABLE] = [404, 409, 422];

/** @returns {SavedRecord[]} the most recent first */
function records() {
  return namesWith(RECORDS)
    .map((name) => read(name, /** @type {SavedRecord | null} */ (null)))
    .filter((record) => record !== null)
    .sort((one, other) => other.summary.updated.localeCompare(one.summary.updated));
}

/** @param {number} id */
function find(id) {
  const record = read(RECORDS + id, /** @type {SavedRecord | null} */ (null));
  if (!record) throw new Refused(`there is no saved game ${id}`, NOT_FOUND);
  return record;
}

function nextId() {
  const id = read(LAST_ID, 0) + 1;
  write(LAST_ID, id);
  return id;
}

/** The most recent first. @returns {Promise<import("./types.d.ts").SavedGame[]>} */
export async function listGames() {
  return records()
    .slice(0, MAX_LISTED)
    .map(({ summary }) => summary);
}

/** Save a game, or change the one that was saved with the same key; returns its id. @param {SaveRequest} play */
export async function saveGame(play) {
  const known = play.key ? records().find(({ request }) => request.key === play.key) : undefined;
  return store(known?.id ?? nextId(), play, known ?? null);
}

/** Change a saved game; returns its id. @param {number} id @param {SaveRequest} play */
export async function changeGame(id, play) {
  return store(id, play, find(id));
}

/** @param {number} id @param {SaveRequest} request @param {SavedRecord | null} old */
async function store(id, request, old) {
  try {
    write(RECORDS + id, await ask("change_game", { id, request, old, now: new Date().toISOString() }));
  } catch (error) {
    // A saved game refuses changes after its end; the caller saves another one.
    const isConflict = old && error instanceof Refused && error.status === UNPROCESSABLE;
    throw isConflict ? new Refused(error.message, CONFLICT) : error;
  }
  return id;
}

/** @param {number} id */
export async function findGame(id) {
  return ask("show_game", find(id));
}

/** @param {number} id */
export async function deleteGame(id) {
  find(id);
  write(RECORDS + id, null);
}
