// @ts-check
/** The frame of the page: the header with its tabs and settings, dialogs, and the notice of what has happened. */

import { closeDialog, prefer, redraw, showHelp, state } from "./app.js";
import { button, iconButton } from "../ui/controls.js";
import { h } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { takesStones } from "../board/panels.js";
import { sound } from "./sound.js";

const THEMES = /** @type {const} */ (["auto", "light", "dark"]);
/** @type {Record<typeof THEMES[number], string>} */
const THEME_NAMES = { auto: "like the system", light: "light", dark: "dark" };

/**
 * @typedef {object} Tab
 * @property {string} name of the view
 * @property {string} text
 * @property {import("../ui/icons.js").Icon} icon
 */

/**
 * @param {readonly Tab[]} tabs @param {() => void} onskip
 * @param {import("../board/panels.js").Game | null} [game] the game of the view
 */
export function header(tabs, onskip, game) {
  const current = ["friend", "lobby"].includes(state.view) ? "play" : state.view;
  return h(
    "header.top",
    { key: "top" },
    h(
      "a.skip",
      {
        href: "#main",
        onclick: (/** @type {Event} */ event) => {
          event.preventDefault();
          onskip();
        },
      },
      "Skip to the board",
    ),
    h(
      "a.brand",
      { href: "#view=home", "aria-label": "noughts, home", "aria-current": current === "home" ? "page" : null },
      brandMark(),
      h("span", "noughts"),
    ),
    h(
      "nav",
      { "aria-label": "Views" },
      tabs.map((tab) =>
        h(
          "a",
          { key: tab.name, href: `#view=${tab.name}`, "aria-current": current === tab.name ? "page" : null },
          icon(tab.icon),
          h("span", tab.text),
        ),
      ),
    ),
    settings(game),
  );
}

/** @param {import("../board/panels.js").Game | null} [game] */
function settings(game) {
  const { theme, sound: isLoud, stones } = state.prefs;
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  return h(
    "div.settings",
    { role: "group", "aria-label": "Settings" },
    game &&
      takesStones(game) &&
      iconButton("stones", "Stones on crossings", () => prefer({ stones: !stones }), {
        key: "stones",
        "aria-pressed": String(stones),
      }),
    iconButton(theme, `Colours: ${THEME_NAMES[theme]}`, () => prefer({ theme: next })),
    iconButton(isLoud ? "loud" : "silent", "Sound", toggleSound, { "aria-pressed": String(isLoud) }),
    iconButton("help", "Help", showHelp),
  );
}

/** Turn the sound on or off; turning it on plays a sample. */
function toggleSound() {
  prefer({ sound: !state.prefs.sound });
  sound("X");
}

function brandMark() {
  return h(
    "svg",
    { viewBox: "0 0 32 32", "aria-hidden": "true", focusable: "false" },
    h("path.x", { d: "M4 6l9 9M13 6l-9 9" }),
    h("circle.o", { cx: 22.5, cy: 21.5, r: 6.5 }),
  );
}

/**
 * A dialog over the page. A notice is shown in it, since everything outside is covered and cannot be clicked.
 * @param {string} name @param {() => void} onclose @param {import("../ui/dom.js").Content} content with a `dialogHeader`
 * @param {import("../ui/dom.js").Attributes} [attrs]
 */
export function dialog(name, onclose, content, attrs = {}) {
  return h(
    `dialog.${name}`,
    {
      key: name,
      "aria-labelledby": `${name}-title`,
      onclose,
      onmount: (/** @type {HTMLDialogElement} */ node) => node.showModal(),
      ...attrs,
    },
    content,
    notice("alert"),
  );
}

/** The title of a dialog, and the button that closes it. @param {string} name of the dialog @param {string} title */
export function dialogHeader(name, title) {
  return h(
    "header",
    { key: "header" },
    h("h2", { id: `${name}-title` }, title),
    iconButton("close", "Close", closeDialog, { class: "close" }),
  );
}

/** The notice of what has happened, with a button if it offers something. @param {string | null} [role] */
export function notice(role = null) {
  const shown = state.notice;
  if (!shown || shown.isTyped) return null;
  const dismiss = () => {
    state.notice = null;
    redraw();
  };
  const accept = () => {
    dismiss();
    shown.offer?.run();
  };
  return h(
    role ? "div.notice" : "aside.notice",
    { key: "notice", role, class: shown.kind, "aria-label": "Notice" },
    h("p", shown.text),
    shown.offer && button(shown.offer.label, accept, { class: "offer" }),
    iconButton("close", "Dismiss", dismiss),
  );
}
