// @ts-check
/** A websocket that is opened again when it was lost. */

/** A connection without a message for this long is lost; the server sends a heartbeat every five seconds. */
const SILENCE_MS = 13_000;
const [MIN_RETRY_MS, MAX_RETRY_MS, RETRY_FACTOR] = [300, 5_000, 1.6];

/**
 * @typedef {object} Handlers
 * @property {() => void} onopen
 * @property {(message: any) => void} onmessage what the server sent; the caller knows its type
 * @property {(code: number | null) => boolean} onlost gets the close code, if there is one; returns whether to try again
 */

/** A connection to a path of this server; it begins with `open`. */
export class Connection {
  #path;
  #handlers;
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {number | undefined} */
  #watchdog;
  /** @type {number | undefined} */
  #retry;
  #retryMs = MIN_RETRY_MS;

  /** @param {string} path @param {Handlers} handlers */
  constructor(path, handlers) {
    this.#path = path;
    this.#handlers = handlers;
  }

  /** Connect, unless that has been done or begun. */
  open() {
    clearTimeout(this.#retry);
    if (this.#socket) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = (this.#socket = new WebSocket(`${scheme}://${location.host}${this.#path}`));
    this.#watch();
    socket.onopen = () => {
      this.#watch();
      this.#handlers.onopen();
    };
    socket.onmessage = (event) => {
      this.#watch();
      this.#retryMs = MIN_RETRY_MS;
      this.#handlers.onmessage(JSON.parse(event.data));
    };
    socket.onclose = (event) => this.lose(event.code);
  }

  /** Give up a connection that stays silent. */
  #watch() {
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => this.lose(), SILENCE_MS);
  }

  /** End the connection. */
  close() {
    clearTimeout(this.#retry);
    clearTimeout(this.#watchdog);
    const old = this.#socket;
    this.#socket = null;
    if (!old) return;
    old.onopen = old.onmessage = old.onclose = null;
    old.close();
  }

  /** Give up the connection, and try again soon. @param {number | null} [code] */
  lose(code = null) {
    this.close();
    if (!this.#handlers.onlost(code)) return;
    this.#retry = setTimeout(() => this.open(), this.#retryMs);
    this.#retryMs = Math.min(MAX_RETRY_MS, this.#retryMs * RETRY_FACTOR);
  }

  /** Connect now instead of later; an attempt that is still under way is replaced. */
  retryNow() {
    if (this.#socket?.readyState === WebSocket.OPEN) return;
    this.close();
    this.#retryMs = MIN_RETRY_MS;
    this.open();
  }

  /** Send a message; returns false if there is no connection. @param {object} message */
  send(message) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }
}
