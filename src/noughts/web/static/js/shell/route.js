// @ts-check
/** The fragment of the address: view, position or playthrough, friend game. Browsers do not send it to the server. */

import { Refused } from "../server/tasks.js";
import { redraw, state } from "./app.js";
import { latest } from "../server/tasks.js";

/** The views that an address can name; a friend game has its own address. */
const VIEWS = /** @type {const} */ ([
  "home",
  "play",
  "analyse",
  "puzzles",
  "learn",
  "games",
  "own",
  "proof",
  "lobby",
]);
const DEFAULT_VIEW = "home";

/**
 * @typedef {typeof VIEWS[number] | "friend"} View
 * @typedef {object} Route
 * @property {View} view
 * @property {string} [game]
 * @property {string} [start]
 * @property {number[]} [moves]
 * @property {number} [ply]
 * @property {string} [friend]
 * @property {string} [invite]
 * @property {URLSearchParams} fields all fields, for those that only one view has
 */

/** @returns {Route} */
export function readRoute() {
  const fields = new URLSearchParams(location.hash.slice(1));
  const view = fields.get("view");
  const friend = fields.get("friend") ?? undefined;
  // A link to a game opens the Play view unless it names another one.
  const otherwise = fields.has("game") ? "play" : DEFAULT_VIEW;
  return {
    view: friend ? "friend" : (VIEWS.find((name) => name === view) ?? otherwise),
    game: gameOf(fields.get("game")),
    start: fields.get("start") ?? undefined,
    moves: fields.get("moves")?.split(".").filter(Boolean).map(Number),
    ply: plyOf(fields.get("ply")),
    friend,
    invite: fields.get("invite") ?? undefined,
    fields,
  };
}

/** The game of an address. In a link typed by hand the + of an id reads as a space. @param {string | null} text */
function gameOf(text) {
  return text === null ? undefined : text.startsWith("{") ? text : text.replaceAll(" ", "+");
}

/** A ply of an address; undefined if it is not a whole number of moves. @param {string | null} text */
function plyOf(text) {
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** The game of an address: an id, or a custom game as data. @param {string} text @returns {import("../board/panels.js").GameData} */
export function readGame(text) {
  if (!text.startsWith("{")) return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused(`expected a game id or a game as JSON in the link, got ${text}`, 422);
  }
}

/** The address of the page, without the fragment. */
export function pageAddress() {
  return location.origin + location.pathname;
}

/**
 * A link to this page as other devices in the network open it: the address of this computer for itself, such as
 * 127.0.0.1, would lead them to themselves. @param {string} link
 */
export function linkForOthers(link) {
  const shared = state.about?.network_address;
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  return shared && isHere ? link.replace(`${location.origin}/`, shared) : link;
}

/**
 * The address that shows a position, or a whole playthrough at a ply.
 * @param {object} shown
 * @param {import("../board/panels.js").GameData} shown.game
 * @param {string | null} shown.start
 * @param {number[]} shown.moves
 * @param {number} [shown.ply]
 * @param {View} [shown.view]
 */
export function linkTo({ game, start, moves, ply, view }) {
  const fields = new URLSearchParams({ game: typeof game === "string" ? game : JSON.stringify(game) });
  if (start) fields.set("start", start);
  if (moves.length) fields.set("moves", moves.join("."));
  if (ply !== undefined) fields.set("ply", String(ply));
  if (view) fields.set("view", view);
  return `${pageAddress()}#${fields}`;
}

/** Counts visits to addresses: an answer that arrives after the person has left must not change the page. */
export const visits = latest();

/** Go to a view of the page. @param {View} view @param {string} [hash] */
export function show(view, hash = `#view=${view}`) {
  if (state.view !== view || location.hash !== hash) visits.next();
  Object.assign(state, { view, notice: null, failed: null });
  if (location.hash !== hash) history.pushState(null, "", hash);
  redraw();
}

/** Replace the address without leaving a step in the history. @param {string} hash */
export function replaceAddress(hash) {
  // Browsers limit how often the history may change.
  if (location.hash !== hash) history.replaceState(null, "", hash);
}
