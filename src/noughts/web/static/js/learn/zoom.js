// @ts-check
/** Trees enlarged by buttons or by two fingers. */

export const [LEAST, MOST] = [0.25, 6];

/** @param {number} zoom */
export function bounded(zoom) {
  return Math.max(LEAST, Math.min(MOST, zoom));
}

/**
 * Call `change` with the factor by which two fingers on an element have moved apart since the last call.
 * @param {HTMLElement} element @param {(factor: number) => void} change
 */
export function onPinch(element, change) {
  let before = 0;
  element.addEventListener("touchstart", ({ touches }) => {
    if (touches.length === 2) before = apart(touches);
  });
  element.addEventListener(
    "touchmove",
    (event) => {
      if (event.touches.length !== 2) return;
      event.preventDefault();
      const now = apart(event.touches);
      change(now / before);
      before = now;
    },
    { passive: false },
  );
}

/** The distance between two fingers. @param {TouchList} touches */
function apart([a, b]) {
  return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
}
