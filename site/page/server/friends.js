// @ts-check
/** Replaces js/server/friends.js in the page without a server, which cannot connect friends. */

import { Refused } from "./tasks.js";

/** @returns {never} */
function refuse() {
  throw new Refused("this page has no server, so friends cannot be invited; noughts web starts one", 404);
}

export const [createFriendGame, claimSide, resignGame, fetchLobby, connectTo, drawQr] = Array(6).fill(refuse);
