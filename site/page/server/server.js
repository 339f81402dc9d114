// @ts-check
/** Replaces js/server/server.js in the page without a server: workers of this browser answer the questions. */

import { QUESTIONS } from "./questions.js";
import { Refused } from "./tasks.js";
import { Pool } from "./workers.js";

/** @typedef {import("./types.d.ts").Questions} Questions */

/** Quick answers and engine work have separate workers, as on the server. */
const quick = new Pool(1);
const engines = new Pool(2);
quick.warmUp();

const [UNPROCESSABLE, FAILED] = [422, 500];
/** The service worker starts this late, because its downloads must not delay the first move. */
const INSTALL_MS = 1500;

/**
 * Return the answer to a question; fails with Refused, or with AbortError if the signal says that it is not wanted.
 * @template {keyof Questions} Name
 * @param {Name} name @param {Questions[Name]["request"]} request @param {import("./api.js").Options<Name>} options
 * @returns {Promise<Questions[Name]["answer"]>}
 */
export async function answer(name, request, { signal, onprogress, onqueued }) {
  if (QUESTIONS.constant.includes(name)) return readFile(`${name}.json`);
  const isThinking = QUESTIONS.thinking.includes(name);
  const found = await run(
    isThinking ? engines : quick,
    { kind: "ask", name, request: JSON.stringify(request) },
    { signal, onqueued, onprogress: (progress) => onprogress?.(JSON.parse(progress)) },
  );
  if (!isThinking) engines.warmUp();
  return found;
}

/** @type {import("../proof/proof_view.js").CheckProof | null} */
export const checkProof = (proof) => run(engines, { kind: "check", proof }, {});

/**
 * Let a worker answer; fails as `answer` does.
 * @param {Pool} pool @param {import("./workers.js").Work} work @param {Parameters<Pool["run"]>[1]} options
 * @returns {Promise<any>} the caller knows the type of the answer
 */
async function run(pool, work, options) {
  const { text, error, hasFailed } = await pool.run(work, options).catch((reason) => {
    if (options?.signal?.aborted) throw reason;
    console.error(reason);
    throw new Refused(`noughts cannot run in this browser: ${reason.message ?? reason}`, FAILED);
  });
  if (error) throw new Refused(error, hasFailed ? FAILED : UNPROCESSABLE);
  return JSON.parse(text);
}

/** @param {string} name */
async function readFile(name) {
  const response = await fetch(new URL(`../../data/${name}`, import.meta.url));
  if (!response.ok) throw new Refused(`${name} cannot be loaded: ${response.status}`, response.status);
  return response.json();
}

/** Whether questions wait for a connection: there is none. */
export function isLost() {
  return false;
}

/** Connect, if questions wait for it: there is no server. */
export function connect() {}

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
