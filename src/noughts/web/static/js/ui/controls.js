// @ts-check
/** Buttons, by weight (`primary`, plain, `quiet`) and as tools with an icon above the label, and fields of forms. */

import { h, inputValue, names } from "./dom.js";
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

/** A field with its label, in which text is typed. @param {string} label @param {Attributes} attrs */
export function textField(label, attrs) {
  return h("label", { key: label }, h("span", label), h("input", { type: "text", ...attrs }));
}

/** A field for text that no browser should complete or correct. @param {string} label @param {Attributes} attrs */
export function codeField(label, attrs) {
  return textField(label, { autocomplete: "off", autocapitalize: "off", spellcheck: "false", ...attrs });
}

/** A field of one row for several lines of code, in which Enter submits. @param {string} label @param {Record<string, unknown>} attrs */
export function codeArea(label, attrs) {
  const onkeydown = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    /** @type {HTMLTextAreaElement} */ (event.currentTarget).form?.requestSubmit();
  };
  const plain = { autocomplete: "off", autocapitalize: "off", spellcheck: "false", rows: 1 };
  return h("label", h("span", label), h("textarea.code", { ...plain, onkeydown, ...attrs }));
}

/**
 * @param {string} label @param {string} name @param {readonly (readonly string[])[]} options values with their texts
 * @param {string} value @param {(value: string) => void} onchange
 */
export function select(label, name, options, value, onchange) {
  return h(
    "label",
    { key: name },
    h("span", label),
    h(
      "select",
      { name, value, onchange: (event) => onchange(inputValue(event)) },
      options.map(([key, text]) => h("option", { key, value: key }, text)),
    ),
  );
}

/**
 * A number that is chosen by dragging.
 * @param {number} value @param {number} min @param {number} max @param {(value: number) => unknown} oninput
 * @param {Attributes} [attrs]
 */
export function slider(value, min, max, oninput, attrs = {}) {
  const drag = (/** @type {Event} */ event) => oninput(Number(inputValue(event)));
  return h("input", { type: "range", min, max, value: String(value), oninput: drag, ...attrs });
}

/** One of several choices. @param {string} value @param {boolean} isChosen @param {Attributes} attrs @param {...Content} label */
export function choice(value, isChosen, attrs, ...label) {
  return h(
    "label.choice",
    { key: value, class: names({ chosen: isChosen }) },
    h("input", { type: "radio", value, ...attrs, checked: isChosen }),
    ...label,
  );
}

/** A choice between on and off. @param {string} name @param {boolean} isOn @param {(isOn: boolean) => unknown} onset
 * @param {string} [about] */
export function toggle(name, isOn, onset, about) {
  const onchange = (/** @type {Event} */ event) => onset(/** @type {HTMLInputElement} */ (event.target).checked);
  return choice(name, isOn, { type: "checkbox", onchange }, about ? explained(name, about) : h("span", name));
}

/** A name with a short explanation. @param {string} name @param {string} about */
export function explained(name, about) {
  return h("span.text", h("span.name", name), h("small", about));
}

/** Content that a phone shows when its title is tapped; a larger screen shows it at once.
 * @param {string} title @param {Attributes} attrs @param {...Content} content */
export function folded(title, attrs, ...content) {
  return h(
    "details.folded",
    { open: !matchMedia("(max-width: 44rem)").matches, ...attrs },
    h("summary", title),
    ...content,
  );
}

/**
 * A button that lets a person choose a file.
 * @param {Attributes} attrs @param {string} accept @param {(file: File) => unknown} onchoose @param {...Content} label
 */
export function fileButton(attrs, accept, onchoose, ...label) {
  const onchange = (/** @type {Event} */ event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    const file = input.files?.[0];
    // The same file can be chosen again.
    input.value = "";
    if (file) onchoose(file);
  };
  return h("label.button", attrs, ...label, h("input.hidden", { type: "file", accept, onchange }));
}

/**
 * The buttons that step through a line of moves.
 * @param {number} at @param {number} total @param {(at: number) => unknown} onstep
 */
export function stepButtons(at, total, onstep) {
  const step = (/** @type {Icon} */ name, /** @type {string} */ label, /** @type {number} */ to) =>
    button(icon(name), () => onstep(to), {
      key: name,
      "aria-label": label,
      disabled: to === at || to < 0 || to > total,
    });
  return h(
    "div.steps",
    { key: "steps", role: "group", "aria-label": "Steps through the moves" },
    step("first", "To the start", 0),
    step("back", "One move back", at - 1),
    step("forward", "One move forward", at + 1),
    step("last", "To the end", total),
    h("span.ply", total ? `${at} of ${total}` : "no moves yet"),
  );
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
