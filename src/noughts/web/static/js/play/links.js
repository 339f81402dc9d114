// @ts-check
/** Links and commands to copy, and who can open them. */

import { notify, state } from "../shell/app.js";
import { button } from "../ui/controls.js";
import { h } from "../ui/dom.js";

/** Starts a server that other devices can reach. */
const NETWORK_COMMAND = "noughts web --host 0.0.0.0";

/** A note below the links of a server that only this computer can reach. */
export function onlyHere() {
  return (
    state.about?.is_local &&
    h("p.how", { key: "only-here" }, "This link works on this computer only, as long as noughts runs here.")
  );
}

/** A note on links of friend games, with the command that makes them work on other devices. */
export function onlyThisComputer() {
  return (
    state.about?.is_local &&
    h(
      "div.only-here",
      { key: "only-here" },
      h("p", "For now only this computer can open the link. To let others in your network join, start noughts with"),
      linkBox("Command", "command-network", NETWORK_COMMAND),
    )
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
        value: link,
        onfocus: (event) => /** @type {HTMLInputElement} */ (event.target).select(),
      }),
    ),
    button("Copy", () => copy(id, link), { "aria-label": `Copy: ${label}` }),
  );
}

/** @param {string} id @param {string} link */
async function copy(id, link) {
  try {
    await navigator.clipboard.writeText(link);
    notify("copied");
  } catch {
    // Without permission to use the clipboard, select the link for the person to copy.
    const box = /** @type {HTMLInputElement | null} */ (document.getElementById(id));
    if (!box) return;
    box.select();
    notify("it is selected: copy it with Ctrl+C");
  }
}
