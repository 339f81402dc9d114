// @ts-check
/** Asking the server to think while we watch: one websocket, opened when it is needed and again when it was cut. */

import { socketAddress } from "./api.js";

/** @typedef {(message: any) => void} Handler */

/** @type {WebSocket | null} */
let socket = null;
/** What was asked and is not done. @type {Map<number, {message: any, handler: Handler}>} */
const asked = new Map();
let last = 0;
const AGAIN = 1000;
/** Without a word for so long the line is taken for cut; the server says something every five seconds. */
const SILENCE = 15_000;
/** @type {number | undefined} */
let watchdog;

/** Ask; every answer goes to the handler, the last one too. Returns the number to stop it by. @param {any} message @param {Handler} handler */
export function think(message, handler) {
  const id = (last += 1);
  asked.set(id, { message: { ...message, id }, handler });
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ ...message, id }));
  else open();
  return id;
}

/** @param {number | null} id */
export function stopThinking(id) {
  if (id === null || !asked.delete(id)) return;
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: "stop", id }));
}

function open() {
  if (socket && socket.readyState <= WebSocket.OPEN) return;
  const mine = (socket = new WebSocket(socketAddress("/api/think")));
  mine.onopen = () => { for (const { message } of asked.values()) mine.send(JSON.stringify(message)); };
  mine.onmessage = (event) => {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => mine.close(), SILENCE);
    receive(JSON.parse(event.data));
  };
  mine.onclose = () => { if (socket === mine && asked.size) setTimeout(open, AGAIN); };
}

/** @param {any} message */
function receive(message) {
  const found = asked.get(message.id);
  if (!found) return;
  if (isLast(message)) asked.delete(message.id);
  found.handler(message);
}

/** @param {any} message */
function isLast(message) {
  return ["review", "solution", "comparison", "stopped", "error"].includes(message.type) || (message.type === "analysis" && message.done);
}
