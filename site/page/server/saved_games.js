// @ts-check
/** The saved games of a page without a server, in the storage of this browser. The package says what is in a record. */

import { namesWith, read, write } from "../shell/storage.js";

/**
 * @typedef {object} SavedRecord
 * @property {number} id
 * @property {{key: string | null}} request
 * @property {import("./api.js").SavedGame} summary
 *
 * @typedef {{status: number, answer: any}} Answer
 * @typedef {(method: string, path: string, body: unknown) => Promise<{status: number, text: string}>} Ask
 */

const RECORDS = "noughts.saved.";
/** The id of the last game that was saved: ids are not used again. */
const LAST_ID = "noughts.last-saved";
const DEFAULT_LIMIT = 50;

/** @returns {SavedRecord[]} the most recent first */
function records() {
  return namesWith(RECORDS)
    .map((name) => read(name, /** @type {SavedRecord | null} */ (null)))
    .filter((record) => record !== null)
    .sort((one, other) => other.summary.updated.localeCompare(one.summary.updated));
}

/** @param {number} id */
function find(id) {
  return read(RECORDS + id, /** @type {SavedRecord | null} */ (null));
}

function nextId() {
  const id = read(LAST_ID, 0) + 1;
  write(LAST_ID, id);
  return id;
}

/**
 * Answer a request for saved games, as the server does.
 * @param {string} method @param {string} path @param {any} body @param {Ask} ask the package
 * @returns {Promise<Answer>}
 */
export async function askSavedGames(method, path, body, ask) {
  const address = new URL(path, location.href);
  const id = Number(address.pathname.split("/")[3]);
  if (!id) return method === "GET" ? list(address.searchParams) : save(body, ask);
  const record = find(id);
  if (!record) return { status: 404, answer: { error: `there is no saved game ${id}` } };
  if (method === "PUT") return change(id, body, record, ask);
  if (method === "GET") return parsed(await ask("POST", "/api/games/show", record));
  write(RECORDS + id, null);
  return { status: 200, answer: { id } };
}

/** @param {URLSearchParams} fields */
function list(fields) {
  const limit = Number(fields.get("limit") ?? DEFAULT_LIMIT);
  const games = records().map(({ summary }) => summary);
  return { status: 200, answer: { games: games.slice(0, limit) } };
}

/** Save a game; one with the same key is changed. @param {{key: string | null}} request @param {Ask} ask */
function save(request, ask) {
  const known = request.key ? records().find((record) => record.request.key === request.key) : undefined;
  return known ? change(known.id, request, known, ask) : change(nextId(), request, null, ask);
}

/** @param {number} id @param {unknown} request @param {SavedRecord | null} old @param {Ask} ask */
async function change(id, request, old, ask) {
  const { status, answer } = parsed(
    await ask("POST", "/api/games/change", { id, request, old, now: new Date().toISOString() }),
  );
  if (status !== 200) return { status, answer };
  write(RECORDS + id, answer);
  return { status, answer: { id } };
}

/** @param {{status: number, text: string}} reply @returns {Answer} */
function parsed({ status, text }) {
  return { status, answer: JSON.parse(text) };
}
