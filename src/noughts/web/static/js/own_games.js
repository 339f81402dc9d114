// @ts-check
/** My own games: the games made in this browser, which keeps them. */

import { linkTo } from "./route.js";
import { storedList } from "./storage.js";

/** @typedef {{title: string, data: import("./api.js").GameData}} OwnGame */

/** The games, by their titles. */
export const ownGames = storedList("noughts.own", (/** @type {OwnGame} */ game) => game.title);

/** The address that shows a game to others. @param {import("./api.js").GameData} game */
export function ownLink(game) {
  return linkTo({ game, start: null, moves: [], view: "own" });
}
