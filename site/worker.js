// @ts-check
/**
 * Runs the package in a web worker. Receives one `Start`, then `Request`s; sends `Progress` and `Reply` messages, or
 * `Failure` if it cannot start.
 *
 * A worker receives no message while it computes. Questions to the engine are therefore worked on in turns, and the
 * worker reads its messages between them. Other work can only be stopped by terminating the worker.
 */

import * as checker from "./checker.js";
import { load, set_interrupt } from "./core.js";
import { python } from "./python.js";

/**
 * @typedef {{core: WebAssembly.Module}} Start
 * @typedef {{id: number, kind: "answer", method: string, path: string, body: string}} Answer
 * @typedef {{id: number, kind: "think", name: string, body: string}} Think
 * @typedef {{id: number, kind: "stop"}} Stop
 * @typedef {{id: number, kind: "check", proof: Blob}} Check
 * @typedef {Answer | Think | Stop | Check} Request
 * @typedef {{id: number, progress: string}} Progress
 * @typedef {{id: number, status: number, text: string}} Reply
 * @typedef {{failure: string}} Failure
 */

/** @type {(module: any) => void} */
let begun;
/** The translated module noughts.web.local; resolves when the core is loaded. @type {Promise<any>} */
const local = new Promise((resolve) => (begun = resolve));
/** @type {any} */
let thinker = null;
/** @type {Promise<void> | null} */
let loading = null;
/** The question that is being worked on. @type {{id: number, thought: any} | null} */
let current = null;

/** @param {Start} start */
async function begin({ core }) {
  try {
    await load(core);
    begun(python.importModule("noughts.web.local"));
  } catch (error) {
    console.error(error);
    postMessage({ failure: String(error) });
  }
}

/** @param {Request} request @returns {Promise<{status: number, text: string} | null>} null if nothing is to be sent */
async function serve(request) {
  if (request.kind === "answer") return replyOf((await local).$answer(request.method, request.path, request.body));
  if (request.kind === "think") return think(request);
  if (request.kind === "check") return checkProof(request.proof);
  if (current?.id === request.id) current.thought.$stop();
  return null;
}

/** @param {any} reply a Reply of Python */
function replyOf(reply) {
  return { status: reply.$status, text: reply.$text };
}

/** @param {Think} question */
async function think({ id, name, body }) {
  thinker ??= (await local).$Thinker();
  const thought = thinker.$ask(name, body, (/** @type {string} */ progress) => {
    postMessage({ id, progress });
    return null;
  });
  current = { id, thought };
  set_interrupt(() => (thinker.$interrupt(), false));
  try {
    for (;;) {
      const reply = thought.$think();
      if (reply !== null) return replyOf(reply);
      await messagesAreRead();
    }
  } finally {
    set_interrupt(null);
    current = null;
  }
}

function messagesAreRead() {
  return new Promise((resolve) => setTimeout(resolve));
}

/** @param {Blob} proof a .ngp file */
async function checkProof(proof) {
  await (loading ??= fetch(new URL("checker.wasm", import.meta.url)).then(async (response) =>
    checker.load(await response.arrayBuffer()),
  ));
  const text = await unpacked(proof);
  const { accepted, line } = text ? checker.check(text) : { accepted: false, line: "not a proof: a damaged file" };
  const found =
    accepted && text ? JSON.parse(new TextDecoder().decode(text.subarray(0, text.indexOf(LINE_FEED)))) : {};
  const positions = Number(/(\d+) positions/.exec(line)?.[1]);
  return { status: 200, text: JSON.stringify({ ...found, is_accepted: accepted, reason: line, positions }) };
}

const GZIP = [0x1f, 0x8b];
const LINE_FEED = 10;
const MAX_TEXT_BYTES = 512 * 1024 * 1024;

/** The text of a proof; null if it is damaged or too long. @param {Blob} proof */
async function unpacked(proof) {
  const start = new Uint8Array(await proof.slice(0, 2).arrayBuffer());
  if (!GZIP.every((byte, at) => start[at] === byte)) return new Uint8Array(await proof.arrayBuffer());
  /** @type {BlobPart[]} */
  const pieces = [];
  let size = 0;
  const reader = proof.stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  try {
    for (let piece = await reader.read(); !piece.done && size <= MAX_TEXT_BYTES; piece = await reader.read()) {
      pieces.push(piece.value);
      size += piece.value.length;
    }
  } catch {
    return null;
  }
  return size > MAX_TEXT_BYTES ? null : new Uint8Array(await new Blob(pieces).arrayBuffer());
}

addEventListener("message", async ({ data }) => {
  if (data.core) return begin(data);
  try {
    const reply = await serve(data);
    if (reply) postMessage({ id: data.id, ...reply });
  } catch (error) {
    console.error(error);
    const text = JSON.stringify({ error: "something went wrong on this page; reload it and try again" });
    postMessage({ id: data.id, status: 500, text });
  }
});
