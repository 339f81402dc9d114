// @ts-check
/** Games with friends, which the server connects. */

import { Connection } from "./connection.js";
import { send } from "./server.js";

/** @param {string} friend @param {string} what */
function pathOf(friend, what) {
  return `/api/friends/${encodeURIComponent(friend)}/${what}`;
}

/** @param {import("./types.d.ts").FriendRequest} request @returns {Promise<import("./types.d.ts").FriendAnswer>} */
export function createFriendGame(request) {
  return send("POST", "/api/friends", request);
}

/** Take the free side. @param {string} friend @param {import("./types.d.ts").ClaimRequest} request @returns {Promise<import("./types.d.ts").JoinAnswer>} */
export function claimSide(friend, request) {
  return send("POST", pathOf(friend, "claim"), request);
}

/** @param {string} friend @param {string} token @returns {Promise<import("./types.d.ts").FriendState>} */
export function resignGame(friend, token) {
  return send("POST", pathOf(friend, "resign"), { token }, { isFinal: true });
}

/** Who waits for an opponent, and what is being played. @returns {Promise<import("./types.d.ts").LobbyAnswer>} */
export function fetchLobby() {
  return send("GET", "/api/lobby");
}

/** The connection to a game; it begins with `open`. @param {string} friend @param {import("./connection.js").Handlers} handlers */
export function connectTo(friend, handlers) {
  return new Connection(pathOf(friend, "play"), handlers);
}

/** The QR code of a link. @param {string} text @returns {Promise<import("./types.d.ts").QrAnswer>} */
export function drawQr(text) {
  return send("POST", "/api/qr", { text });
}
