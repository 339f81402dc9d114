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
  return h("button.tool", { type: "button", onclick, key: name, ...attrs }, icon(name), h("span", null, label));
}

/**
 * A button that shows only an icon; its label is spoken, and shown under the mouse.
 * @param {Icon} name @param {string} label @param {() => unknown} onclick @param {Attributes} [attrs]
 */
export function iconButton(name, label, onclick, attrs = {}) {
  return h("button.quiet", { type: "button", onclick, "aria-label": label, title: label, ...attrs }, icon(name));
}
