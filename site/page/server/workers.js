// @ts-check
/** The workers of a page without a server: a pool that gives requests to idle workers and stops unwanted work. */

import { QUESTIONS } from "./questions.js";

/**
 * @typedef {import("../../worker.js").Reply} Reply
 * @typedef {Omit<import("../../worker.js").Ask, "id"> | Omit<import("../../worker.js").Check, "id">} Work
 *
 * @typedef {object} Task
 * @property {number} id
 * @property {Work} work
 * @property {(progress: string) => void} onprogress
 * @property {(reply: Reply) => void} resolve
 * @property {(error: unknown) => void} reject
 */

/** How long a stopped worker may take to finish its turn before it is replaced. */
const GRACE_MS = 600;

/** The core, compiled once for all workers. @type {Promise<WebAssembly.Module> | null} */
let core = null;

function compiledCore() {
  return (core ??= compile(new URL("../../noughts.wasm", import.meta.url)));
}

/** @param {URL} address */
async function compile(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.pathname} cannot be loaded: ${response.status}`);
  // Some hosts send another content type, for which browsers refuse to compile the stream.
  return response.headers.get("Content-Type") === "application/wasm"
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

let lastId = 0;

/** One worker, and the task it works on. */
class Member {
  /** @type {Task | null} */
  task = null;
  /** Whether the answer to the task is no longer wanted. */
  isStopping = false;
  /** Whether the worker could not be loaded. */
  isLost = false;
  /** @type {number | undefined} */
  #grace;
  #worker;
  #onidle;

  /** @param {() => void} onidle */
  constructor(onidle) {
    this.#onidle = onidle;
    this.#worker = this.#start();
  }

  #start() {
    const worker = new Worker(new URL("../../worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onerror = (event) => this.#fail(new Error(event.message || "the worker cannot be loaded"));
    compiledCore().then(
      (module) => worker.postMessage({ core: module }),
      (error) => this.#fail(error),
    );
    return worker;
  }

  /** @param {Task} task */
  run(task) {
    this.task = task;
    this.#worker.postMessage({ id: task.id, ...task.work });
  }

  /** End the work on the task, whose answer is no longer wanted. */
  drop() {
    const { id, work } = /** @type {Task} */ (this.task);
    // Only work in turns can be stopped; for other work the worker must be replaced.
    if (work.kind !== "ask" || !QUESTIONS.inTurns.includes(work.name)) return this.#replace();
    this.isStopping = true;
    this.#worker.postMessage({ id, kind: "stop" });
    this.#grace = setTimeout(() => this.#replace(), GRACE_MS);
  }

  #replace() {
    this.#worker.terminate();
    this.#worker = this.#start();
    this.#finish();
  }

  #finish() {
    clearTimeout(this.#grace);
    this.task = null;
    this.isStopping = false;
    this.#onidle();
  }

  /** @param {any} message Progress, Reply or Failure */
  #receive(message) {
    if (message.failure) return this.#fail(new Error(message.failure));
    const task = this.task;
    if (!task || message.id !== task.id) return;
    if ("progress" in message) return task.onprogress(message.progress);
    task.resolve(message);
    // After a bug or out of memory, the worker may be in a broken state.
    if (message.hasFailed) this.#replace();
    else this.#finish();
  }

  /** @param {unknown} error */
  #fail(error) {
    core = null;
    console.error(error);
    const task = this.task;
    this.#worker.terminate();
    task?.reject(error);
    this.isLost = true;
    this.#finish();
  }
}

/** A few workers, each started when it is first needed. */
export class Pool {
  /** @type {Member[]} */
  #members = [];
  /** @type {Task[]} */
  #waiting = [];
  #size;

  /** @param {number} size */
  constructor(size) {
    this.#size = size;
  }

  /** Start a worker before it is needed. */
  warmUp() {
    if (!this.#members.length) this.#add();
  }

  /**
   * Return the reply to a request; fails with AbortError if the signal says that it is no longer wanted.
   * @param {Work} work
   * @param {{signal?: AbortSignal, onprogress?: (progress: string) => void, onqueued?: (ahead: number) => void}} [options]
   * @returns {Promise<Reply>}
   */
  run(work, { signal, onprogress = () => {}, onqueued = () => {} } = {}) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const task = { id: (lastId += 1), work, onprogress, resolve, reject };
      signal?.addEventListener("abort", () => {
        reject(signal.reason);
        this.#drop(task);
      });
      this.#waiting.push(task);
      this.#next();
      if (this.#waiting.includes(task)) onqueued(this.#waiting.indexOf(task) + 1);
    });
  }

  #add() {
    const member = new Member(() => {
      if (member.isLost) this.#members.splice(this.#members.indexOf(member), 1);
      this.#next();
    });
    this.#members.push(member);
    return member;
  }

  /** Give waiting tasks to idle workers. */
  #next() {
    // Wait for a worker that is stopping: its search table helps with the next question, a new worker's is empty.
    while (this.#waiting.length && !this.#members.some((member) => member.isStopping)) {
      const idle = this.#members.find((member) => !member.task);
      const member = idle ?? (this.#members.length < this.#size ? this.#add() : null);
      if (!member) return;
      member.run(/** @type {Task} */ (this.#waiting.shift()));
    }
  }

  /** @param {Task} task */
  #drop(task) {
    const at = this.#waiting.indexOf(task);
    if (at >= 0) this.#waiting.splice(at, 1);
    else this.#members.find((member) => member.task === task)?.drop();
  }
}
