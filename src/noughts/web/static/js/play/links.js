// @ts-check
/** Links and commands to copy, and who can open them. */

import { drawQr } from "../server/friends.js";
import { notify, redraw, state } from "../shell/app.js";
import { button } from "../ui/controls.js";
import { h } from "../ui/dom.js";
import { linkForOthers } from "../shell/route.js";

/** Starts a server that other devices can reach. */
const NETWORK_COMMAND = "noughts web --host 0.0.0.0";

/** A note below the links of a server that only this computer can reach. */
export function onlyHere() {
  return (
    state.about?.is_local &&
    h("p.how", { key: "only-here" }, "This link works on this computer only, as long as noughts runs here.")
  );
}

/**
 * Who can reach a game with a friend: only this computer, with what its owner can do about that, or the network, with
 * its address as a QR code for a phone in the room.
 * @param {string} what others do: "open the link"
 */
export function reachOf(what) {
  const { is_local: isLocal, network_address: address } = state.about ?? {};
  if (isLocal)
    return h(
      "div.only-here",
      { key: "only-here" },
      h("p", `For now only this computer can ${what}.`),
      h(
        "details.owner",
        h("summary", "How to let other devices join"),
        h("p", "Whoever started noughts on this computer starts it for the network instead, with this command:"),
        linkBox("Command", "command-network", NETWORK_COMMAND + (state.about?.has_lobby ? " --lobby" : "")),
      ),
    );
  return (
    address &&
    h(
      "div.only-here.network",
      { key: "network" },
      h("p", `Everyone in your network can ${what}. The page is at `, h("a", { href: address }, address), "."),
      qrFigure(address, "A phone in the room opens the page by this code."),
    )
  );
}

/** The QR code of a link with a line below it. @param {string} link @param {string} text */
export function qrFigure(link, text) {
  return h("figure.code", { key: `qr ${link}` }, qrCode(link), h("figcaption", text));
}

/** The codes drawn so far; null while one is being drawn. @type {Map<string, import("../server/types.d.ts").QrAnswer | null>} */
const codes = new Map();
/** Modules of space around a code. */
const QUIET_ZONE = 4;

/** The QR code of a link; it appears once the server has drawn it. @param {string} link */
function qrCode(link) {
  if (!codes.has(link)) {
    codes.set(link, null);
    // The link works without its code.
    drawQr(link).then((code) => {
      codes.set(link, code);
      redraw();
    }, console.warn);
  }
  const code = codes.get(link);
  if (!code) return h("div.qr", { key: "waiting" });
  const edge = code.size + 2 * QUIET_ZONE;
  return h(
    "svg.qr",
    {
      key: "qr",
      role: "img",
      "aria-label": "QR code of the link",
      viewBox: `${-QUIET_ZONE} ${-QUIET_ZONE} ${edge} ${edge}`,
    },
    h("path", { d: code.path }),
  );
}

/** The id of the link that could not be copied, and is shown instead. @type {string | null} */
let shownId = null;

/** A button that copies a link. @param {string} label @param {string} id @param {string} link */
export function linkButton(label, id, link) {
  const isShown = shownId === id;
  return h(
    "div.link-button",
    { key: id },
    h("span", label),
    button("Copy link", () => copy(id, link), { "aria-label": `Copy link: ${label}`, icon: "link" }),
    h("input", {
      id,
      type: "text",
      readonly: true,
      hidden: !isShown,
      "aria-label": label,
      value: linkForOthers(link),
    }),
  );
}

/** A link or a command with a button that copies it. @param {string} label @param {string} id @param {string} link */
export function linkBox(label, id, link) {
  return h(
    "div.link",
    { key: id },
    h(
      "label",
      h("span", label),
      h("input", {
        id,
        type: "text",
        readonly: true,
        value: linkForOthers(link),
        onfocus: (event) => /** @type {HTMLInputElement} */ (event.target).select(),
      }),
    ),
    button("Copy", () => copy(id, link), { "aria-label": `Copy: ${label}` }),
  );
}

/** @param {string} id @param {string} link */
export async function copy(id, link) {
  try {
    await navigator.clipboard.writeText(linkForOthers(link));
    notify("copied");
  } catch {
    // Without permission to use the clipboard, show and select the link for the person to copy.
    shownId = id;
    const box = /** @type {HTMLInputElement | null} */ (document.getElementById(id));
    if (!box) return;
    box.hidden = false;
    box.select();
    notify("it is selected: copy it with Ctrl+C");
  }
}
