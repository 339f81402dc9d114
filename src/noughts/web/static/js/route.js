// @ts-check
/** The part of the address after `#`: which view, which position or playthrough, which friend. Nothing in it reaches the server. */

import { redraw, state } from "./app.js";

const VIEWS = ["play", "analyse", "learn", "games"];

/**
 * @typedef {{view: string, game?: string, start?: string, moves?: number[], ply?: number, friend?: string, invite?: string}} Route
 */

/** @returns {Route} */
export function readRoute() {
  const said = new URLSearchParams(location.hash.slice(1));
  const view = said.get("view") ?? "play";
  const ply = said.get("ply");
  return {
    view: VIEWS.includes(view) ? view : "play",
    game: said.get("game") ?? undefined, start: said.get("start") ?? undefined,
    moves: said.get("moves")?.split(".").filter(Boolean).map(Number), ply: ply === null ? undefined : Number(ply),
    friend: said.get("friend") ?? undefined, invite: said.get("invite") ?? undefined,
  };
}

/** The address that shows a position, or a whole playthrough at a ply.
 * @param {{game: any, start: string | null, moves: number[], ply?: number, view?: string}} what */
export function linkTo({ game, start, moves, ply, view }) {
  const said = new URLSearchParams({ game: typeof game === "string" ? game : JSON.stringify(game) });
  if (start) said.set("start", start);
  if (moves.length) said.set("moves", moves.join("."));
  if (ply !== undefined) said.set("ply", String(ply));
  if (view) said.set("view", view);
  return `${location.origin}/#${said}`;
}

/** Go to a view of the page. @param {"play" | "analyse" | "learn" | "games" | "friend"} view @param {string} [hash] */
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
