// @ts-check
/** The fragment of the address: view, position or playthrough, friend game. Browsers do not send it to the server. */

import { redraw, state } from "./app.js";

const VIEWS = /** @type {const} */ (["play", "analyse", "learn", "games"]);

/**
 * @typedef {typeof VIEWS[number]} View
 * @typedef {object} Route
 * @property {View} view
 * @property {string} [game]
 * @property {string} [start]
 * @property {number[]} [moves]
 * @property {number} [ply]
 * @property {string} [friend]
 * @property {string} [invite]
 */

/** @returns {Route} */
export function readRoute() {
  const fields = new URLSearchParams(location.hash.slice(1));
  const view = fields.get("view") ?? "play";
  const ply = fields.get("ply");
  return {
    view: VIEWS.find((name) => name === view) ?? "play",
    game: fields.get("game") ?? undefined,
    start: fields.get("start") ?? undefined,
    moves: fields.get("moves")?.split(".").filter(Boolean).map(Number),
    ply: ply === null ? undefined : Number(ply),
    friend: fields.get("friend") ?? undefined,
    invite: fields.get("invite") ?? undefined,
  };
}

/**
 * The address that shows a position, or a whole playthrough at a ply.
 * @param {object} shown
 * @param {import("./api.js").GameData} shown.game
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
  return `${location.origin}/#${fields}`;
}

/**
 * Go to a view of the page.
 * @param {"play" | "analyse" | "learn" | "games" | "friend"} view @param {string} [hash]
 */
export function show(view, hash = `#view=${view}`) {
  state.view = view;
  state.notice = null;
  if (location.hash !== hash) history.pushState(null, "", hash);
  redraw();
}

/** Replace the address without leaving a step in the history. @param {string} hash */
export function settle(hash) {
  history.replaceState(null, "", hash);
}
