// @ts-check
/** Asynchronous work: waiting, cancelled requests, and answers that arrive too late. */

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
