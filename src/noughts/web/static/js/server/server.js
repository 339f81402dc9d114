// @ts-check
/**
 * Asks the server. The modules of site/page/server replace this one, saved_games.js and friends.js in the page without
 * a server.
 */

import { redraw } from "../shell/app.js";
import { read, write } from "../shell/storage.js";
import { Connection } from "./connection.js";
import { isAborted, Refused, sleep } from "./tasks.js";

/** @typedef {import("./types.d.ts").Questions} Questions */

/** The questions without a body. */
const BY_QUERY = ["about", "catalogue", "puzzles", "find_puzzle", "daily_puzzle"];

/** Most characters of a typed question that goes by the websocket, whose messages are limited. */
const MAX_TYPED = 60_000;

/**
 * Return the answer to a question; one that reports its progress is asked by the websocket. So is one that may be
 * refused: browsers log a refused request as an error of the page, but no message of a websocket.
 * @template {keyof Questions} Name
 * @param {Name} name @param {Questions[Name]["request"]} request @param {import("./api.js").Options<Name>} options
 * @returns {Promise<Questions[Name]["answer"]>}
 */
export function answer(name, request, options) {
  const isTyped = options.isTyped && JSON.stringify(request).length <= MAX_TYPED;
  if (options.onprogress || isTyped) return askLive(name, request, options);
  if (!BY_QUERY.includes(name)) return send("POST", `/api/${name}`, request, options);
  const query = String(new URLSearchParams(/** @type {Record<string, string>} */ (request)));
  return send("GET", `/api/${name}${query && `?${query}`}`, undefined, options);
}

/** Proofs are checked by the page without a server. @type {import("../proof/proof_view.js").CheckProof | null} */
export const checkProof = null;

// --- requests ---

const VISITOR = "noughts.visitor";
/** Attempts at a request that exceeds the rate limit, and the longest wait between them. */
const [MAX_TRIES, MAX_WAIT_SECONDS] = [3, 5];
const TOO_MANY_REQUESTS = 429;

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
 * Send a request and return the answer, whose type the caller knows; fails with Refused.
 * @param {string} method @param {string} path @param {unknown} [body]
 * @param {object} [options]
 * @param {AbortSignal} [options.signal]
 * @param {boolean} [options.isFinal] whether it is sent even if the page is being left
 * @param {number} [options.tries] attempts made so far
 * @returns {Promise<any>}
 */
export async function send(method, path, body, { signal, isFinal = false, tries = 1 } = {}) {
  const response = await fetch(path, {
    method,
    headers: { "X-Visitor": visitor(), ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
    signal,
    keepalive: isFinal,
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch((error) => {
    throw isAborted(error) ? error : new Refused("the server does not answer", 0);
  });
  const { status, ok } = response;
  const wait = Number(response.headers.get("Retry-After"));
  if (status === TOO_MANY_REQUESTS && tries < MAX_TRIES && wait > 0 && wait <= MAX_WAIT_SECONDS) {
    await sleep(wait * 1000);
    return send(method, path, body, { signal, isFinal, tries: tries + 1 });
  }
  const found = await response.json().catch((error) => {
    if (isAborted(error)) throw error;
    if (ok) throw new Refused("the server does not answer", 0); // the connection was lost within the answer
    return {};
  });
  if (ok) return found;
  const reason = found.error ?? `the server answered ${status}`;
  throw new Refused(status >= 500 ? `the server failed: ${reason}` : reason, status);
}

// --- live questions: one websocket, opened when needed and again when the connection was lost ---

/**
 * @typedef {object} OpenQuestion
 * @property {object} message
 * @property {import("./api.js").Options<any>} options
 * @property {(answer: any) => void} resolve the type of the answer depends on the question
 * @property {(error: unknown) => void} reject
 *
 * @typedef {{type: "answer", answer: any}} AnswerMessage
 * @typedef {{type: "progress", progress: any}} ProgressMessage
 * @typedef {import("./types.d.ts").QueuedMessage} QueuedMessage
 * @typedef {import("./types.d.ts").StoppedMessage} StoppedMessage
 * @typedef {import("./types.d.ts").ErrorMessage} ErrorMessage
 * @typedef {{id: number} & (AnswerMessage | ProgressMessage | QueuedMessage | StoppedMessage | ErrorMessage)} Message
 */

const UNPROCESSABLE = 422;

/** The questions that have not been answered. @type {Map<number, OpenQuestion>} */
const open = new Map();
let lastId = 0;
let lost = false;

const line = new Connection("/api/think", {
  onopen: () => {
    for (const { message } of open.values()) line.send(message);
  },
  onmessage: (message) => {
    setLost(false);
    receive(message);
  },
  onlost: () => {
    setLost(open.size > 0);
    return open.size > 0;
  },
});

/**
 * @param {string} name @param {object} request @param {import("./api.js").Options<any>} options
 * @returns {Promise<any>}
 */
function askLive(name, request, options) {
  return new Promise((resolve, reject) => {
    options.signal?.throwIfAborted();
    const id = (lastId += 1);
    const message = { ...request, type: name, id };
    options.signal?.addEventListener("abort", () => {
      if (open.delete(id)) line.send({ type: "stop", id });
      reject(options.signal?.reason);
    });
    open.set(id, { message, options, resolve, reject });
    if (!line.send(message)) line.open();
  });
}

/** @param {Message} message */
function receive(message) {
  const question = open.get(message.id);
  if (!question) return undefined;
  if (message.type === "queued") return question.options.onqueued?.(message.ahead);
  if (message.type === "progress") return question.options.onprogress?.(message.progress);
  // The server is shutting down: the question is asked again when it is back.
  if (isInterrupted(message)) return line.lose();
  open.delete(message.id);
  if (message.type === "error") return question.reject(new Refused(message.error, UNPROCESSABLE));
  return question.resolve(message.answer);
}

/**
 * Whether the server stopped work that this page did not stop.
 * @param {Message} message @returns {message is {id: number} & StoppedMessage}
 */
function isInterrupted(message) {
  return message.type === "stopped" || (message.type === "answer" && message.answer.reason === "stopped");
}

/** Connect now, if questions wait for it. */
export function connect() {
  if (open.size) line.retryNow();
}

/** @param {boolean} isNow */
function setLost(isNow) {
  if (lost === isNow) return;
  lost = isNow;
  redraw();
}

/** Whether questions wait because the connection is lost. */
export function isLost() {
  return lost && open.size > 0;
}
