// @ts-check
/** A quiet celebration of a win: a few marks rise over the board. Nothing is shown if the system asks for less motion. */

import { mark } from "./board.js";
import { range } from "./panels.js";
import { h } from "../ui/dom.js";

const MARKS = 14;

/** @param {"X" | "O"} side that has won @param {string} key of the game */
export function celebration(side, key) {
  return h(
    "div.celebration",
    { key: `celebration ${key}`, "aria-hidden": "true" },
    range(MARKS).map((at) =>
      h(
        "span",
        // Spread evenly, but not in the order in which they rise.
        { key: at, style: { "--at": ((at * 5) % MARKS) / MARKS, "--turn": (at % 7) - 3, "--late": at / MARKS } },
        mark(side),
      ),
    ),
  );
}
