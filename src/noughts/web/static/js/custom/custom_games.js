// @ts-check
/** My own games: the custom games stored in this browser. */

import { linkTo } from "../shell/route.js";
import { storedList } from "../shell/storage.js";

/** @typedef {{title: string, data: import("../board/panels.js").GameData}} CustomGame */

/** The games, by their titles. */
export const customGames = storedList("noughts.own", (/** @type {CustomGame} */ game) => game.title);

/** The address that shows a game to others. @param {import("../board/panels.js").GameData} game */
export function customLink(game) {
  return linkTo({ game, start: null, moves: [], view: "own" });
}
