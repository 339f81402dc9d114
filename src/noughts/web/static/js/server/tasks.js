// @ts-check
/** Work that takes time: waiting, requests that were cancelled, and which of several answers counts. */

/** @param {number} ms */
export function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Whether an error says that a request was cancelled. @param {unknown} error */
export function isAborted(error) {
  return error instanceof Error && error.name === "AbortError";
}

/**
 * Counts attempts, of which only the latest may have an effect. `next` begins an attempt, `current` joins the latest one;
 * both return a function that says whether no other has begun since.
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
