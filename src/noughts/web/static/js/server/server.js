// @ts-check
/** Sends questions to the server. site/page/server/server.js replaces this module in the page without a server. */

import { read, write } from "../shell/storage.js";

/**
 * The part of a websocket that the page uses.
 * @typedef {Pick<WebSocket, "readyState" | "onopen" | "onmessage" | "onclose" | "send" | "close">} Socket
 */

const VISITOR = "noughts.visitor";

/** The secret under which the server keeps the saved games of this browser. */
function visitor() {
  const known = read(VISITOR, "");
  if (known) return known;
  const letters = "abcdefghijklmnopqrstuvwxyz0123456789";
  const made = [...crypto.getRandomValues(new Uint8Array(40))].map((byte) => letters[byte % 36]).join("");
  write(VISITOR, made);
  return made;
}

/**
 * Send a request; fails if the server cannot be reached. A refused request may be sent again after `wait` seconds.
 * @param {string} method @param {string} path @param {unknown} body
 * @param {{signal?: AbortSignal, isFinal: boolean}} options `isFinal`: it is sent even if the page is being left
 * @returns {Promise<{status: number, answer: any, wait: number}>} the caller knows the type of the answer
 */
export async function send(method, path, body, { signal, isFinal }) {
  const response = await fetch(path, {
    method,
    headers: { "X-Visitor": visitor(), ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
    signal,
    keepalive: isFinal,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer = await response.json().catch(() => ({}));
  return { status: response.status, answer, wait: Number(response.headers.get("Retry-After")) };
}

/** The text for a failure that the request did not cause. @param {string} message */
export function failureText(message) {
  return `the server failed: ${message}`;
}

/** Open a websocket. @param {string} path @returns {Socket} */
export function openSocket(path) {
  return new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`);
}
