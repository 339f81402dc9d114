// @ts-check
/** My own games: the games made in this browser, which keeps them. */

import { linkTo } from "./route.js";
import { read, write } from "./storage.js";

/** @typedef {{title: string, data: import("./api.js").GameData}} OwnGame */

const OWN_GAMES = "noughts.own";

/** The games, the latest first. @returns {OwnGame[]} */
export function ownGames() {
  return read(OWN_GAMES, /** @type {OwnGame[]} */ ([]));
}

/** @param {OwnGame[]} games */
export function keepOwnGames(games) {
  write(OWN_GAMES, games);
}

/** The address that shows a game to others. @param {import("./api.js").GameData} game */
export function ownLink(game) {
  return linkTo({ game, start: null, moves: [], view: "own" });
}
