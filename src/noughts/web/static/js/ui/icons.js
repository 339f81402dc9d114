// @ts-check
/** Small drawings for buttons, in strokes on a square of 24. */

import { h } from "./dom.js";

const PATHS = {
  first: "M18 6l-8 6 8 6zM6 6v12",
  back: "M16 6l-8 6 8 6z",
  forward: "M8 6l8 6-8 6z",
  last: "M6 6l8 6-8 6zM18 6v12",
  left: "M5 12a8 4 0 0 0 15 2M5 12a8 4 0 0 1 12-3M5 12l-2-4M5 12l4-2",
  right: "M19 12a8 4 0 0 1-15 2M19 12a8 4 0 0 0-12-3M19 12l2-4M19 12l-4-2",
  up: "M12 19V5M6 11l6-6 6 6",
  down: "M12 5v14M6 13l6 6 6-6",
  home: "M4 11l8-7 8 7M6 10v9h12v-9",
  auto: "M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16",
  dark: "M19 14.5A8 8 0 1 1 9.5 5a6.5 6.5 0 0 0 9.5 9.5z",
  light:
    "M12 8a4 4 0 1 0 .01 0zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M19 5l-1.4 1.4M6.4 17.6L5 19",
  loud: "M4 9h4l5-4v14l-5-4H4zM16.5 8.5a5 5 0 0 1 0 7M19 6a8.5 8.5 0 0 1 0 12",
  stones: "M12 2v6M12 16v6M2 12h6M16 12h6M12 8a4 4 0 1 0 .01 0z",
  silent: "M4 9h4l5-4v14l-5-4H4zM17 9.5l5 5M22 9.5l-5 5",
  help: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 18v.01",
  close: "M6 6l12 12M18 6L6 18",
  more: "M5 12v.01M12 12v.01M19 12v.01",
  check: "M5 13l4.5 4.5L19 7",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  undo: "M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.8 10.7c.8.7 1.3 1.4 1.3 2.3h5c0-.9.5-1.6 1.3-2.3A6 6 0 0 0 12 3z",
  threats: "M13 3L5 13.5h6L10 21l8-10.5h-6z",
  resign: "M6 21V4M6 5c4-2.5 7 2 12 0v9c-5 2-8-2.5-12 0",
  swap: "M7 4v14M4 15l3 3 3-3M17 20V6M14 9l3-3 3 3",
  again: "M20 12a8 8 0 1 1-2.6-5.9M20 4v5h-5",
  pause: "M9 5v14M15 5v14",
  analyse: "M11 4a7 7 0 1 0 .01 0zM16.2 16.2L21 21",
  review: "M4 6h9M4 12h7M4 18h6M14 15l3 3 5-6",
  puzzle: "M4 8h4.2a2.3 2.3 0 1 1 3.6 0H16v4.2a2.3 2.3 0 1 1 0 3.6V20H4z",
  learn: "M12 6.5C10 5 7 4.5 3.5 5v13c3.5-.5 6.5 0 8.5 1.5c2-1.5 5-2 8.5-1.5V5C17 4.5 14 5 12 6.5zM12 6.5v13",
  games: "M4 5h7v6H4zM4 15h7v5H4zM15 6.5h6M15 9.5h4M15 16h6M15 19h4",
  play: "M9 3v18M15 3v18M3 9h18M3 15h18",
  friends:
    "M9 4.5a3.2 3.2 0 1 0 .01 0zM3 20c0-4 2.5-6.5 6-6.5s6 2.5 6 6.5M16 5a3 3 0 0 1 0 5.8M17.5 14c2.2.8 3.5 2.9 3.5 6",
  share:
    "M18 4a2.5 2.5 0 1 0 .01 0zM6 9.5a2.5 2.5 0 1 0 .01 0zM18 15a2.5 2.5 0 1 0 .01 0zM8.3 10.9l7.5-3.3M8.3 13.2l7.5 3.3",
  link: "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1.5 1.5M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1.5-1.5",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  save: "M12 4v11M7.5 11l4.5 4.5 4.5-4.5M4 20h16",
  load: "M12 16V5M7.5 9L12 4.5 16.5 9M4 20h16",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5",
  edit: "M4 20l1-4L16.5 4.5l3 3L8 19zM14 7l3 3",
  settings: "M4 7h9M17 7h3M15 4.5v5M4 17h3M11 17h9M9 14.5v5",
  clock: "M12 4a8 8 0 1 0 .01 0zM12 8v4.5l3 2",
  smile: "M12 3.5a8.5 8.5 0 1 0 .01 0zM8.5 14.5c2 2.5 5 2.5 7 0M9 9.5v.01M15 9.5v.01",
  eye: "M2.5 12C5 7.5 8.3 5.5 12 5.5s7 2 9.5 6.5c-2.5 4.5-5.8 6.5-9.5 6.5S5 16.5 2.5 12zM12 9.5a2.5 2.5 0 1 0 .01 0z",
  trophy: "M8 4h8v6a4 4 0 0 1-8 0zM8 6H4.5c0 3 1.2 5 3.8 5M16 6h3.5c0 3-1.2 5-3.8 5M12 14v4M8.5 20.5h7",
  star: "M12 3.5l2.6 5.4 5.9.8-4.3 4.1 1 5.9-5.2-2.8-5.2 2.8 1-5.9L3.5 9.7l5.9-.8z",
  wand: "M4 20L15 9M17.5 3v4M15.5 5h4M19.5 11.5v3M18 13h3M9 4v2.5M7.8 5.2h2.5",
};

/** @typedef {keyof typeof PATHS} Icon */

/** @param {Icon} name */
export function icon(name) {
  return h(
    "svg.icon",
    { viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
    h("path", { d: PATHS[name] }),
  );
}
