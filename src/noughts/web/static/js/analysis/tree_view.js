// @ts-check
/** The variations of an analysis: a tree of buttons, steps through it, and the comment on the position. */

import { moverOf, visit } from "./analysis.js";
import { back, comment, forward, promote, prune, raise, visitPly } from "./moves.js";
import { button, folded, iconButton } from "../ui/controls.js";
import { h, inputValue, names } from "../ui/dom.js";
import { MISTAKES } from "./guide.js";
import { isAside, lineThrough } from "./tree.js";

/**
 * @typedef {import("./analysis.js").Analysis} Analysis
 * @typedef {import("./tree.js").Branch} Branch
 */

/** The symbol of each label, shown beside its move. @type {Record<import("../server/types.d.ts").Label, string>} */
export const SIGNS = { best: "★", good: "✓", inaccuracy: "?!", mistake: "?", blunder: "??", "missed win": "✕" };

/** The buttons that step through the line. @param {Analysis} analysis */
export function steps({ root, here }) {
  const end = lineThrough(here).length - 1;
  return h(
    "div.steps",
    { key: "steps", role: "group", "aria-label": "Steps through the line" },
    iconButton("first", "To the start", () => visit(root), { disabled: !here.parent, key: "first" }),
    iconButton("back", "One move back", back, { disabled: !here.parent, key: "back" }),
    iconButton("forward", "One move forward", forward, { disabled: !here.kids.length, key: "forward" }),
    iconButton("last", "To the end", () => visitPly(end), { disabled: !here.kids.length, key: "last" }),
  );
}

/** @param {Analysis} analysis */
export function treeBox(analysis) {
  const { root, here } = analysis;
  return h(
    "div.box.tree",
    { key: "tree" },
    h("header", h("h2", "Moves")),
    h(
      "div.branches",
      { tabindex: "0", role: "group", "aria-label": "Tree of variations" },
      root.kids.length ? branches(analysis, root) : h("p.none", "Play on the board: every move is added here."),
    ),
    folded(
      here.comment ? "Comment" : "Add a comment",
      { key: `comment ${here.ply} ${here.move}` },
      h(
        "label.comment-box",
        h("span", here.parent ? `Comment on ${nameOf(analysis, here)}` : "Comment on the start"),
        h("textarea", {
          rows: 2,
          maxlength: 500,
          value: here.comment,
          onchange: (event) => comment(inputValue(event)),
        }),
      ),
    ),
    here.parent &&
      h(
        "div.buttons",
        isAside(here) && button("Promote", () => raise(here), { key: "raise", class: "quiet" }),
        isAside(here) && button("Make it the main line", () => promote(here), { key: "promote", class: "quiet" }),
        button("Delete from here on", () => prune(here), { key: "prune", class: "quiet", icon: "trash" }),
      ),
  );
}

/** @param {Analysis} analysis @param {Branch} at */
function nameOf(analysis, at) {
  return analysis.game.names[/** @type {number} */ (at.move)];
}

/** The label of a move if it is a mistake. @param {Branch} at */
export function mistakeLabel(at) {
  const label = at.judged?.label ?? "";
  return MISTAKES.includes(label) ? label : null;
}

/**
 * The main line in a row, and variations as lists below the move they replace.
 * @param {Analysis} analysis @param {Branch} from @returns {import("../ui/dom.js").Node[]}
 */
function branches(analysis, from) {
  const rows = [];
  let row = from.parent ? [] : noted(from);
  for (let at = from; at.kids.length; at = at.kids[0]) {
    row.push(moveButton(analysis, at.kids[0]), ...noted(at.kids[0]));
    if (at.kids.length > 1) {
      rows.push(h("div.line", { key: `line ${at.ply}` }, row));
      const others = at.kids.slice(1).map((kid) => variation(analysis, kid));
      rows.push(h("ul", { key: `other ${at.ply}` }, others));
      row = [];
    }
  }
  if (row.length) rows.push(h("div.line", { key: "end" }, row));
  return rows;
}

/** @param {Analysis} analysis @param {Branch} kid */
function variation(analysis, kid) {
  return h(
    "li",
    { key: String(kid.move) },
    h("div.line", moveButton(analysis, kid), noted(kid)),
    branches(analysis, kid),
  );
}

/** @param {Branch} at */
function noted(at) {
  if (!at.comment) return [];
  return [
    h("button.noted", { key: `note ${at.ply} ${at.move}`, type: "button", onclick: () => visit(at) }, at.comment),
  ];
}

/** @param {Analysis} analysis @param {Branch} at */
export function moveButton(analysis, at) {
  const name = nameOf(analysis, at);
  const label = at.judged?.label;
  const isAwaited = analysis.reviewing?.line.includes(at);
  return h(
    "button.move",
    {
      type: "button",
      key: `${at.ply} ${at.move}`,
      class: names({ [moverOf(analysis, at).toLowerCase()]: true, [`is-${label?.replace(" ", "-")}`]: label }),
      "aria-current": at === analysis.here ? "step" : null,
      "aria-label": `Move ${at.ply}, ${moverOf(analysis, at)} ${name}${label ? `, ${label}` : ""}`,
      onclick: () => visit(at),
    },
    h("span.number", `${at.ply}.`),
    name,
    (label || isAwaited) && h("span.sign", label && SIGNS[label]),
  );
}
