// @ts-check
/**
 * Runs the package in a web worker. Receives one `Start`, then `Request`s; sends `Progress` and `Reply` messages, or
 * `Failure` if it cannot start.
 *
 * A worker receives no message while it computes. Questions to the engine are therefore worked on in turns, and the
 * worker reads its messages between them. Other work can only be stopped by terminating the worker.
 */

import * as checker from "./checker.js";
import { set_interrupt } from "./core.js";
import { load } from "./library/noughts/_core.js";
import { python } from "./python.js";

/**
 * @typedef {{core: WebAssembly.Module}} Start
 * @typedef {{id: number, kind: "ask", name: string, request: string}} Ask
 * @typedef {{id: number, kind: "stop"}} Stop
 * @typedef {{id: number, kind: "check", proof: Blob}} Check
 * @typedef {Ask | Stop | Check} Request
 * @typedef {{id: number, progress: string}} Progress
 * @typedef {{text: string, error: string, hasFailed: boolean}} Reply the answer as JSON, or an error; failed: a bug
 * @typedef {{failure: string}} Failure
 */

/** @type {(module: any) => void} */
let begun;
/** The translated module noughts.web.in_browser; resolves when the core is loaded. @type {Promise<any>} */
const inBrowser = new Promise((resolve) => (begun = resolve));
/** The BrowserWorker of Python. @type {any} */
let worker = null;
/** @type {Promise<void> | null} */
let loading = null;
/** The question that is being worked on. @type {{id: number, question: any} | null} */
let current = null;

/** @param {Start} start */
async function begin({ core }) {
  try {
    await load(core);
    begun(python.importModule("noughts.web.in_browser"));
  } catch (error) {
    console.error(error);
    postMessage({ failure: String(error) });
  }
}

/** @param {Request} request @returns {Promise<Reply | null>} null if nothing is to be sent */
async function serve(request) {
  if (request.kind === "ask") return ask(request);
  if (request.kind === "check") return checkProof(request.proof);
  if (current?.id === request.id) current.question.$stop();
  return null;
}

/** @param {Ask} asked @returns {Promise<Reply>} */
async function ask({ id, name, request }) {
  worker ??= (await inBrowser).$BrowserWorker();
  const question = worker.$ask(name, request, (/** @type {string} */ progress) => {
    postMessage({ id, progress });
    return null;
  });
  current = { id, question };
  set_interrupt(() => worker.$interrupt());
  try {
    for (;;) {
      const reply = question.$work();
      if (reply !== null) return { text: reply.$text, error: reply.$error, hasFailed: reply.$has_failed };
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

/** @param {Blob} proof a .ngp file @returns {Promise<Reply>} */
async function checkProof(proof) {
  await (loading ??= fetch(new URL("checker.wasm", import.meta.url)).then(async (response) =>
    checker.load(await response.arrayBuffer()),
  ));
  const content = await unpacked(proof);
  const { accepted, line } = content
    ? checker.check(content)
    : { accepted: false, line: "not a proof: a damaged file" };
  const found =
    accepted && content ? JSON.parse(new TextDecoder().decode(content.subarray(0, content.indexOf(LINE_FEED)))) : {};
  const positions = Number(/(\d+) positions/.exec(line)?.[1]);
  const text = JSON.stringify({ ...found, is_accepted: accepted, reason: line, positions });
  return { text, error: "", hasFailed: false };
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
    const failed = { text: "", error: "something went wrong on this page; reload it and try again", hasFailed: true };
    postMessage({ id: data.id, ...failed });
  }
});
