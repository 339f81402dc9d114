// @ts-check
/** Questions: everything that the page asks about games. The answers come from the server; nothing here knows a rule. */

import { answer } from "./server.js";

/** @typedef {import("./types.d.ts").Questions} Questions */

/**
 * A live question reports its progress, and its place in the queue.
 * @template {keyof Questions} Name
 * @typedef {object} Options
 * @property {AbortSignal} [signal]
 * @property {(progress: Questions[Name]["progress"]) => void} [onprogress]
 * @property {(ahead: number) => void} [onqueued] gets the number of jobs that are served before this one
 * @property {boolean} [isTyped] whether it contains what a person has typed or drawn, which may be refused
 */

/** Cached answers to questions that are asked again and again, by name and request. */
const CACHES = new Map(
  ["game", "position", "daily_puzzle", "find_puzzle", "puzzles"].map((name) => [name, new Map()]),
);
const MAX_CACHED = 500;

/**
 * Return the answer to a question; fails with Refused, or with AbortError if the signal says that it is not wanted.
 * @template {keyof Questions} Name
 * @param {Name} name @param {Questions[Name]["request"]} request @param {Options<Name>} [options]
 * @returns {Promise<Questions[Name]["answer"]>}
 */
export function ask(name, request, options = {}) {
  const cache = CACHES.get(name);
  if (!cache) return answer(name, request, options);
  const key = JSON.stringify(request);
  const known = cache.get(key);
  if (known) return known;
  if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value);
  const asked = answer(name, request, options);
  cache.set(key, asked);
  // A failed question can be asked again.
  asked.catch(() => cache.delete(key));
  return asked;
}
