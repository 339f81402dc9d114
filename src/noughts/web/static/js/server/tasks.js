// @ts-check
/** Asynchronous work: waiting, requests that are refused or cancelled, and answers that arrive too late. */

/** A request that was refused, with the reason as its message; status 0 if the server cannot be reached. */
export class Refused extends Error {
  /** @param {string} message @param {number} status of HTTP */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** @param {number} ms */
export function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Whether an error says that a request was cancelled. @param {unknown} error */
export function isAborted(error) {
  return error instanceof Error && error.name === "AbortError";
}

/**
 * Lets only the latest of several attempts take effect. `next` begins an attempt, `current` joins the latest one; both
 * return a function that returns true until another attempt begins.
 */
export function latest() {
  let last = 0;
  const current = () => {
    const mine = last;
    return () => mine === last;
  };
  const next = () => {
    last += 1;
    return current();
  };
  return { current, next };
}
