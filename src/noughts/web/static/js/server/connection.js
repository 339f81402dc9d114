// @ts-check
/** A websocket that is opened again when it was lost. */

import { openSocket } from "./server.js";

/** A connection without a message for this long is lost; the server sends a heartbeat every five seconds. */
const SILENCE_MS = 13_000;
const [MIN_RETRY_MS, MAX_RETRY_MS, RETRY_FACTOR] = [300, 5_000, 1.6];

/**
 * @typedef {object} Handlers
 * @property {() => void} onopen
 * @property {(message: any) => void} onmessage what the server sent; the caller knows its type
 * @property {(code: number | null) => boolean} onlost gets the close code, if there is one; returns whether to try again
 *
 * @typedef {ReturnType<typeof connection>} Connection
 */

/** A connection to a path of this server; it begins with `open`. @param {string} path @param {Handlers} handlers */
export function connection(path, { onopen, onmessage, onlost }) {
  /** @type {import("./server.js").Socket | null} */
  let socket = null;
  /** @type {number | undefined} */
  let watchdog;
  /** @type {number | undefined} */
  let retry;
  let retryMs = MIN_RETRY_MS;

  /** Connect, unless that has been done or begun. */
  function open() {
    clearTimeout(retry);
    if (socket) return;
    const mine = (socket = openSocket(path));
    watch();
    mine.onopen = () => {
      watch();
      onopen();
    };
    mine.onmessage = (event) => {
      watch();
      retryMs = MIN_RETRY_MS;
      onmessage(JSON.parse(event.data));
    };
    mine.onclose = (event) => lose(event.code);
  }

  /** Give up a connection that stays silent. */
  function watch() {
    clearTimeout(watchdog);
    watchdog = setTimeout(lose, SILENCE_MS);
  }

  /** End the connection. */
  function close() {
    clearTimeout(retry);
    clearTimeout(watchdog);
    const old = socket;
    socket = null;
    if (!old) return;
    old.onopen = old.onmessage = old.onclose = null;
    old.close();
  }

  /** Give up the connection, and try again soon. @param {number | null} [code] */
  function lose(code = null) {
    close();
    if (!onlost(code)) return;
    retry = setTimeout(open, retryMs);
    retryMs = Math.min(MAX_RETRY_MS, retryMs * RETRY_FACTOR);
  }

  /** Connect now instead of later; an attempt that is still under way is replaced. */
  function retryNow() {
    if (socket?.readyState === WebSocket.OPEN) return;
    close();
    retryMs = MIN_RETRY_MS;
    open();
  }

  /** Send a message; returns false if there is no connection. @param {object} message */
  function send(message) {
    if (socket?.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(message));
    return true;
  }

  return { open, close, lose: () => lose(), retryNow, send };
}
