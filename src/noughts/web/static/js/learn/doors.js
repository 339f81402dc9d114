// @ts-check
/** The two doors of Learn: lessons for players, and how a computer thinks. */

import { h } from "../ui/dom.js";

const DOORS = /** @type {const} */ ([
  ["play", "#view=learn", "To play"],
  ["think", "#view=learn&door=think", "How the computer thinks"],
]);

/** @param {"play" | "think"} open */
export function doors(open) {
  return h(
    "nav.segments.doors",
    { key: "doors", "aria-label": "Learn" },
    DOORS.map(([name, href, text]) =>
      h("a.button", { key: name, href, "aria-current": name === open ? "page" : null }, text),
    ),
  );
}
