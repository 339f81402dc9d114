// @ts-check
/** Inviting a friend, and following an invitation: a link, its QR code, and a name that is asked for once. */

import { api, Refused } from "./api.js";
import { complain, notify, prefer, redraw, state } from "./app.js";
import { button } from "./controls.js";
import { h } from "./dom.js";
import { open, waiting } from "./friend.js";
import { joinedGame, rememberJoined } from "./joined.js";
import { show } from "./route.js";

/** @typedef {import("./api.js").Side} Side */

/** The longest name that the server accepts. */
const MAX_NAME = 40;

/**
 * Create a game and show its link.
 * @param {import("./api.js").GameData} game @param {Side | "random"} side @param {string | null} control
 */
export async function invite(game, side, control) {
  const made = await api.createFriendGame({ game, side, time_control: control, name: ownName() });
  rememberJoined(made.friend, { token: made.token, side: made.side, invite: made.invite });
  open(made.friend);
}

/** The name that the others see. */
function ownName() {
  return state.prefs.name.trim() || "guest";
}

/** The link to join as the other player. @param {string} id @param {string} secret */
export function inviteLink(id, secret) {
  return `${location.origin}/#${new URLSearchParams({ friend: id, invite: secret })}`;
}

/**
 * Follow a link: join if the other side is free, otherwise watch. A newcomer is asked for a name first.
 * @param {string} id @param {string | undefined} secret
 */
export async function follow(id, secret) {
  if (!secret || joinedGame(id).token) return open(id);
  if (state.prefs.name) return join(id, secret);
  state.friend = { ...waiting(id), invitation: secret };
  return show("friend", `#friend=${id}`);
}

/** Take the free side; if it is taken, watch. @param {string} id @param {string} secret */
async function join(id, secret) {
  try {
    const { token, side } = await api.claim(id, secret, ownName());
    rememberJoined(id, { token, side });
    open(id);
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 403) throw error;
    open(id);
    notify("This game has two players already: you are watching.");
  }
}

/** The question for a name, before the first game with a friend. @param {string} id @param {string} secret */
export function nameForm(id, secret) {
  const onsubmit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const name = /** @type {HTMLInputElement} */ (form.elements.namedItem("name")).value.trim();
    if (name) prefer({ name });
    accept(id, secret);
  };
  return h(
    "form.box.asks-name",
    { key: "welcome", onsubmit },
    h("h1", null, "You are invited to a game"),
    h(
      "label",
      null,
      h("span", null, "Your name, as your friend sees it"),
      h("input", {
        name: "name",
        type: "text",
        maxlength: MAX_NAME,
        autocomplete: "nickname",
        required: true,
        onmount: (/** @type {HTMLInputElement} */ node) => node.focus(),
      }),
    ),
    h(
      "div.buttons",
      null,
      h("button.primary", { type: "submit" }, "Join the game"),
      button("Only watch", () => open(id), { class: "quiet" }),
    ),
  );
}

/** @param {string} id @param {string} secret */
function accept(id, secret) {
  join(id, secret).catch((error) => complain(error, () => accept(id, secret)));
}

/** @typedef {{link: string, code: import("./api.js").QrCode | null}} Drawn */
/** @type {Drawn | null} */
let drawn = null;

/** The QR code of a link; it appears once the server has drawn it. @param {string} link */
export function qrCode(link) {
  if (drawn?.link !== link) {
    const mine = (drawn = /** @type {Drawn} */ ({ link, code: null }));
    // The link works without its code.
    api.qr(link).then((code) => {
      mine.code = code;
      redraw();
    }, console.warn);
  }
  const code = drawn.code;
  if (!code) return null;
  const border = 4;
  return h(
    "svg.qr",
    {
      key: "qr",
      role: "img",
      "aria-label": "QR code of the link",
      viewBox: `${-border} ${-border} ${code.size + 2 * border} ${code.size + 2 * border}`,
    },
    h("path", { d: code.path }),
  );
}
