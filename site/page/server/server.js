// @ts-check
/** Replaces js/server/server.js in the page without a server: workers of this browser answer the questions. */

import { QUESTIONS } from "./questions.js";
import { askSavedGames } from "./saved_games.js";
import { Pool } from "./workers.js";

/**
 * The part of a websocket that the page uses.
 * @typedef {Pick<WebSocket, "readyState" | "onopen" | "onmessage" | "onclose" | "send" | "close">} Socket
 */

/** Quick answers and engine work have separate workers, as on the server. */
const quick = new Pool(1);
const engines = new Pool(2);
quick.warmUp();

const PREFIX = "/api/";
const HEARTBEAT_MS = 5000;
/** The service worker starts this late, because its downloads must not delay the first move. */
const INSTALL_MS = 1500;

/** The reply of a browser that cannot run the package. @param {unknown} error */
function unusable(error) {
  console.error(error);
  const text = error instanceof Error ? error.message : String(error);
  return { status: 500, text: JSON.stringify({ error: `noughts cannot run in this browser: ${text}` }) };
}

/** @param {string} method @param {string} path @param {unknown} body @returns {Promise<import("./workers.js").Reply>} */
function answer(method, path, body) {
  return quick.run({ kind: "answer", method, path, body: body === undefined ? "" : JSON.stringify(body) });
}

/**
 * Send a request; the interface of the server's module.
 * @param {string} method @param {string} path @param {unknown} body
 * @param {{signal?: AbortSignal, isFinal: boolean}} options
 * @returns {Promise<{status: number, answer: any, wait: number}>}
 */
export async function send(method, path, body, { signal }) {
  if (/^\/api\/games\b/.test(path)) return { ...(await askSavedGames(method, path, body, answer)), wait: 0 };
  const { status, text } = await reply(method, path, body, signal);
  return { status, answer: JSON.parse(text), wait: 0 };
}

/**
 * @param {string} method @param {string} path @param {unknown} body @param {AbortSignal} [signal]
 * @returns {Promise<import("./workers.js").Reply>}
 */
async function reply(method, path, body, signal) {
  const name = path.slice(PREFIX.length);
  if (QUESTIONS.constant.includes(name)) return readFile(`${name}.json`);
  try {
    if (name === "proof") return await engines.run({ kind: "check", proof: /** @type {Blob} */ (body) }, { signal });
    if (QUESTIONS.thinking.includes(name))
      return await engines.run({ kind: "think", name, body: JSON.stringify(body) }, { signal });
    const found = await answer(method, path, body);
    engines.warmUp();
    return found;
  } catch (error) {
    if (signal?.aborted) throw error;
    return unusable(error);
  }
}

/** @param {string} name */
async function readFile(name) {
  const response = await fetch(new URL(`../../data/${name}`, import.meta.url));
  return { status: response.status, text: response.ok ? await response.text() : "{}" };
}

/** The text for a failure that the request did not cause. @param {string} message */
export function failureText(message) {
  return message;
}

/** Return a stand-in for the websocket of live questions. @param {string} _path @returns {Socket} */
export function openSocket(_path) {
  /** The questions that have not been answered. @type {Map<number, {type: string, controller: AbortController}>} */
  const open = new Map();
  /** @type {number | undefined} */
  let heartbeat;

  // Deliver later: a websocket never calls `onmessage` from within `send`.
  const receive = (/** @type {string} */ data) =>
    queueMicrotask(() => {
      if (socket.readyState === WebSocket.OPEN)
        socket.onmessage?.call(/** @type {any} */ (socket), new MessageEvent("message", { data }));
    });

  const drop = (/** @type {number} */ id) => {
    open.get(id)?.controller.abort();
    open.delete(id);
  };

  /** @param {{id: number, type: string}} question */
  const ask = async ({ id, type, ...request }) => {
    if (type === "analyse") for (const [other, { type }] of open) if (type === "analyse") drop(other);
    const controller = new AbortController();
    open.set(id, { type, controller });
    const about = (/** @type {string} */ text) => open.has(id) && receive(`{"id":${id},${text.slice(1)}`);
    try {
      const { status, text } = await engines.run(
        { kind: "think", name: type, body: JSON.stringify(request) },
        {
          signal: controller.signal,
          onprogress: about,
          onqueued: (ahead) => about(JSON.stringify({ type: "queued", ahead })),
        },
      );
      about(status === 200 ? text : JSON.stringify({ type: "error", ...JSON.parse(text) }));
    } catch (error) {
      if (!controller.signal.aborted) about(JSON.stringify({ type: "error", ...JSON.parse(unusable(error).text) }));
    }
    open.delete(id);
  };

  /** @type {Socket & {readyState: number}} */
  const socket = {
    readyState: WebSocket.CONNECTING,
    onopen: null,
    onmessage: null,
    onclose: null,
    send: (text) => {
      const message = JSON.parse(String(text));
      if (message.type === "stop") drop(message.id);
      else ask(message);
    },
    close: () => {
      socket.readyState = WebSocket.CLOSED;
      clearInterval(heartbeat);
      for (const id of [...open.keys()]) drop(id);
    },
  };
  setTimeout(() => {
    if (socket.readyState !== WebSocket.CONNECTING) return;
    socket.readyState = WebSocket.OPEN;
    heartbeat = setInterval(() => receive('{"type":"heartbeat"}'), HEARTBEAT_MS);
    socket.onopen?.call(/** @type {any} */ (socket), new Event("open"));
  });
  return socket;
}

/** Let the page work offline after the first visit. Browsers allow service workers only on https and on localhost. */
async function install() {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  const address = new URL("../../service_worker.js", import.meta.url);
  const known = await serviceWorker.getRegistration(new URL(".", address));
  if (known?.waiting && serviceWorker.controller) {
    // A new version has been fetched: change to it now, because this page has just been opened.
    serviceWorker.addEventListener("controllerchange", () => location.reload());
    known.waiting.postMessage("take over");
  }
  setTimeout(() => serviceWorker.register(address), INSTALL_MS);
}

install();
