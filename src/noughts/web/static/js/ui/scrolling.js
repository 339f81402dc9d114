// @ts-check
/** Scrolling: lists to their current move, the page to its board. */

/** The current move that each list was last scrolled to. @type {WeakMap<Element, Element>} */
const FOLLOWED = new WeakMap();

/** Scroll the lists of moves within an element, not the page. @param {Element} root */
export function followCurrentMoves(root) {
  for (const current of root.querySelectorAll(".moves ol [aria-current], .branches [aria-current]")) {
    const list = /** @type {Element} */ (current.closest(".moves ol, .branches"));
    if (FOLLOWED.get(list) === current) continue;
    FOLLOWED.set(list, current);
    const [move, frame] = [current.getBoundingClientRect(), list.getBoundingClientRect()];
    if (move.top < frame.top) list.scrollTop -= frame.top - move.top + move.height;
    else if (move.bottom > frame.bottom) list.scrollTop += move.bottom - frame.bottom + move.height;
  }
}

/** Scroll the board into view once the page is drawn. */
export function showBoard() {
  requestAnimationFrame(() => {
    const board = document.querySelector("main .planes")?.getBoundingClientRect();
    if (board && (board.top < 0 || board.bottom > innerHeight))
      document.querySelector("main .table")?.scrollIntoView({ block: "start" });
  });
}
