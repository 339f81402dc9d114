// @ts-check
/** Buttons: one way to draw them, by weight (`primary`, plain, `quiet`) and as tools with an icon above the label. */

import { h } from "./dom.js";
import { icon } from "./icons.js";

/**
 * @typedef {import("./dom.js").Content} Content
 * @typedef {import("./dom.js").Attributes} Attributes
 * @typedef {import("./icons.js").Icon} Icon
 */

/**
 * A button; `icon` among the attributes puts a drawing before the text.
 * @param {Content} content @param {() => unknown} onclick @param {Attributes & {icon?: Icon}} [attrs]
 */
export function button(content, onclick, { icon: name, ...attrs } = {}) {
  return h("button", { type: "button", onclick, ...attrs }, name && icon(name), content);
}

/**
 * A button of a toolbar: its icon above a short label.
 * @param {Icon} name @param {string} label @param {() => unknown} onclick @param {Attributes} [attrs]
 */
export function tool(name, label, onclick, attrs = {}) {
  return h("button.tool", { type: "button", onclick, key: name, ...attrs }, icon(name), h("span", label));
}

/**
 * A button that shows only an icon; its label is spoken, and shown under the mouse.
 * @param {Icon} name @param {string} label @param {() => unknown} onclick @param {Attributes} [attrs]
 */
export function iconButton(name, label, onclick, attrs = {}) {
  return h("button.quiet", { type: "button", onclick, "aria-label": label, title: label, ...attrs }, icon(name));
}

/** The id of the sheet of the view. */
const SHEET = "more";

/**
 * The controls of a view besides its board and its tools: below them in a large window, on a phone a sheet that the tool
 * "More" opens. A button in it closes it.
 * @param {...Content} content
 */
export function sheet(...content) {
  const close = () => document.getElementById(SHEET)?.hidePopover();
  return h(
    "div.sheet",
    {
      key: "sheet",
      id: SHEET,
      popover: "",
      onclick: (event) => {
        // The button may have been removed by a redraw; the path of the event still contains it.
        const has = (/** @type {string} */ kind) =>
          event.composedPath().some((node) => node instanceof Element && node.matches(kind));
        const isAction = has("button, a, label") && has(".buttons, .tools");
        if (isAction && document.querySelector(`#${SHEET}:popover-open`)) close();
      },
    },
    h("header.sheet-head", { key: "head" }, h("h2", "More"), iconButton("close", "Close", close)),
    ...content,
  );
}

/** The tool that opens the sheet, on a phone. */
export function moreTool() {
  return tool("more", "More", () => {}, { key: "more", class: "narrow", popovertarget: SHEET });
}
