// @ts-check
/** A recorded search: the last step in words, the question about the next one, the board and the tree. */

import { mark } from "../board/board.js";
import { attempt } from "../shell/app.js";
import { button, iconButton } from "../ui/controls.js";
import { h, names } from "../ui/dom.js";
import { LINE, RADIUS, drawTree, nodesOf, sizesOf } from "./layout.js";
import { savePicture } from "./picture.js";
import { answer, isAsking, setView } from "./search_lesson.js";
import { bounded, onPinch } from "./zoom.js";
import { panelsOf } from "../board/panels.js";
import { boardAt, frameAt, moveName } from "./replay.js";

/**
 * @typedef {import("./search_lesson.js").SearchLesson} SearchLesson
 * @typedef {import("./search_lesson.js").LoadedSearch} LoadedSearch
 * @typedef {import("../server/types.d.ts").TraceAnswer} Trace
 * @typedef {import("../server/types.d.ts").TraceNode} TraceNode
 * @typedef {import("./layout.js").Drawing} Drawing
 * @typedef {import("./layout.js").DrawnNode} DrawnNode
 * @typedef {import("./replay.js").Frame} Frame
 */

/** @type {Record<import("../server/types.d.ts").Family, string>} */
const KEYS = {
  depth_first:
    "In a node is its value for X. Blue squares (MAX) take the highest, orange circles (MIN) the lowest; nodes " +
    "with a grey frame are the end of play. ≥ and ≤ mark a value that is only a bound, since a branch was pruned: a " +
    "red cross.",
  monte_carlo:
    "In a node is the mean result for X of the simulations through it. Below: n, their number, and exploit + explore " +
    "= ucb as last compared. Blue squares: X is to move; orange ellipses: O.",
  proof_number:
    "✓ proven, ✗ disproven, ? still open. pn: how many leaves must at least be won to prove the win, dn: how many " +
    "must not be won to disprove it. Blue squares: X is to move; orange circles: O.",
};
const TYPED_KEY =
  "Blue squares (MAX) take the highest value, orange circles (MIN) the lowest; nodes with a grey frame are leaves. ≥ and " +
  "≤ mark a value that is only a bound, since a branch was pruned: a red cross. Branches are named a, a1, a1a, …";
/** @type {Record<string, string>} */
const PHASES = {
  select: "Selection",
  expand: "Expansion",
  simulate: "Simulation",
  backpropagate: "Backpropagation",
};

/**
 * @param {SearchLesson} learn @param {LoadedSearch} search @param {string} title empty if it is the only one
 * @param {import("../ui/dom.js").Attributes} attrs
 */
export function searchPanel(learn, search, title, attrs) {
  const frame = frameAt(search.steps, search.at);
  return h(
    "section.search",
    { "aria-label": title || "The search", ...attrs },
    h("div.heading", { key: "heading" }, title && h("h2", title), phases(search, frame)),
    h(
      "div.words",
      { key: "words" },
      h(
        "div",
        { role: "status" },
        search.verdict &&
          h("p.verdict", { class: names({ good: search.verdict.isRight }), key: "verdict" }, search.verdict.text),
        h(
          "p.explanation",
          { key: "text" },
          frame.step?.text ?? "Press Forward to let the search take its first step.",
        ),
      ),
      isAsking(learn, search) && question(search),
      h("p.counts", countText(search, frame)),
    ),
    h("div.aside-tree", { key: "aside" }, now(learn, search, frame), code(search, frame)),
    tree(learn, search, frame),
    tools(learn),
    h("p.key", { key: "key" }, search.trace.leaves === null ? KEYS[search.trace.family] : TYPED_KEY),
    outline(learn, search, frame),
  );
}

/** The phases of a round, with the current one marked. @param {LoadedSearch} search @param {Frame} frame */
function phases({ trace, steps }, { step }) {
  if (trace.family === "depth_first") return null;
  const found = Object.keys(PHASES).filter((kind) => steps.some((one) => one.kind === kind));
  return h(
    "ol.phases",
    { key: "phases", "aria-label": "Phases of a round" },
    found.map((kind) => h("li", { key: kind, "aria-current": kind === step?.kind ? "step" : null }, PHASES[kind])),
  );
}

/** @param {LoadedSearch} search */
function question(search) {
  const { text, choices } = /** @type {import("../server/types.d.ts").ReplayStep & {question: {}}} */ (
    search.steps[search.at]
  ).question;
  return h(
    "div.guide",
    { key: `question ${search.at}`, role: "group", "aria-label": "Your prediction", onmount: focusIfLost },
    h("p.task", text),
    search.trace.family !== "depth_first" && h("p.count", "If several are equal, the search takes the first."),
    h(
      "div.buttons",
      choices.map((choice, at) => button(choice, () => answer(search, at), { key: at })),
      button("Show me", () => answer(search, null), { key: "show", class: "quiet" }),
    ),
  );
}

/** Focus the next button if the focused one has been disabled or removed. @param {HTMLElement} group */
function focusIfLost(group) {
  const focused = document.activeElement;
  if (!focused || focused === document.body || focused.matches(":disabled"))
    group.querySelector("button")?.focus({ preventScroll: true });
}

/** @param {LoadedSearch} search @param {Frame} frame */
function countText({ trace, steps, at }, { step }) {
  const whole = trace.is_whole ? "" : `the first ${trace.nodes.length} nodes are shown`;
  return [`step ${at} of ${steps.length}`, step?.tally, whole].filter(Boolean).join(" · ");
}

// The board

/** The node that the search is at. @param {LoadedSearch} search @param {Frame} frame */
function nodeAt({ trace }, { step }) {
  return trace.nodes[step?.node ?? 0];
}

/** The position that the search is at, or the end of a rollout with its moves numbered.
 * @param {SearchLesson} learn @param {LoadedSearch} search @param {Frame} frame */
function now(learn, search, frame) {
  const { trace } = search;
  if (trace.leaves !== null) return null;
  const node = nodeAt(search, frame);
  const marks = boardAt(trace, node);
  const rollout = frame.step?.rollout ?? [];
  const numbers = new Map(rollout.map(({ cell }, at) => [cell, at + 1]));
  for (const { cell, side } of rollout) marks[cell] = side;
  const game = /** @type {import("../board/panels.js").Game} */ (learn.drawn);
  return h(
    "figure.now",
    { key: "now", class: names({ rollout: rollout.length > 0 }) },
    panelsOf(game).map((panel, at) =>
      h(
        "div.mini",
        { key: at, style: { "--columns": panel.columns.length }, role: "img", "aria-label": spoken(search, marks) },
        panel.cells.flat().map((cell, place) =>
          h(
            "span",
            {
              key: place,
              class: names({ last: cell !== null && cell === node.cell, played: numbers.has(cell ?? -1) }),
            },
            cell !== null && marks[cell] && mark(marks[cell]),
            cell !== null && numbers.has(cell) && h("b", numbers.get(cell)),
          ),
        ),
      ),
    ),
    h(
      "figcaption",
      node.parent === null ? "the root" : `after ${moveName(node)}`,
      rollout.length > 0 && ", then at random",
      textsAt(frame, node).map(([name, text]) => h("span", { key: name }, text)),
    ),
  );
}

/** The texts at a node that are not empty. @param {Frame} frame @param {TraceNode} node */
function textsAt(frame, node) {
  return Object.entries(frame.texts.get(node.id) ?? {}).filter(([, text]) => text);
}

/** @param {LoadedSearch} search @param {("X" | "O" | null)[]} marks */
function spoken({ trace }, marks) {
  const of = (/** @type {string} */ side) =>
    marks.flatMap((mark, at) => (mark === side ? [trace.names[at]] : [])).join(" ") || "none";
  return `X: ${of("X")}; O: ${of("O")}`;
}

/** The pseudocode, with the lines marked that the step carries out. @param {LoadedSearch} search @param {Frame} frame */
function code({ trace }, { step }) {
  return (
    trace.pseudocode.length > 0 &&
    h(
      "ol.code",
      { key: "code", "aria-label": "Pseudocode", tabindex: "0" },
      trace.pseudocode.map((line, at) =>
        h("li", { key: at, "aria-current": step?.code.includes(at) ? "step" : null }, line),
      ),
    )
  );
}

// The tree

/** Draw the trees larger or smaller. @param {SearchLesson} learn @param {number} factor */
function zoomBy(learn, factor) {
  setView({ zoom: bounded(learn.zoom * factor) });
}

/** @param {SearchLesson} learn */
function tools(learn) {
  const save = (/** @type {"svg" | "png"} */ kind) => (/** @type {Event} */ event) =>
    attempt(() => savePicture(/** @type {Element} */ (event.currentTarget).closest(".search"), kind));
  return h(
    "div.tree-tools",
    { key: "tools", role: "group", "aria-label": "Picture" },
    iconButton("minus", "Smaller", () => zoomBy(learn, 1 / 1.3), { key: "smaller" }),
    iconButton("plus", "Larger", () => zoomBy(learn, 1.3), { key: "larger" }),
    ["svg", "png"].map((kind) =>
      h(
        "button.quiet",
        { type: "button", key: kind, onclick: save(/** @type {"svg" | "png"} */ (kind)) },
        `Save as ${kind.toUpperCase()}`,
      ),
    ),
  );
}

/**
 * A depth-first tree is laid out in full, and its nodes appear; a growing tree is laid out with its nodes so far.
 * @param {SearchLesson} learn @param {LoadedSearch} search @param {Frame} frame
 */
function tree(learn, { trace, steps, at }, frame) {
  const { across, down, lines } = sizesOf(trace);
  const isGrown = trace.family !== "depth_first";
  const nodes = nodesOf(trace);
  const drawing = drawTree(trace, nodes, (id) => !isGrown || frame.seen.has(id) || id === 0);
  const [width, height] = [drawing.width + across, drawing.height + down / 2 + RADIUS + LINE * (lines.length + 1)];
  const principal = new Set(at === steps.length ? trace.principal : []);
  const shown = nodes.filter((node) => !isGrown || isDrawn(node, frame));
  return h(
    "div.canvas",
    {
      key: "canvas",
      class: names({ grown: isGrown, given: trace.leaves !== null }),
      tabindex: "0",
      role: "group",
      "aria-label": "Search tree",
      onmount: (/** @type {HTMLElement} */ canvas) => onPinch(canvas, (factor) => zoomBy(learn, factor)),
    },
    h(
      "svg",
      {
        viewBox: `${-across / 2} ${-down / 2} ${width} ${height}`,
        role: "img",
        "aria-label": `Search tree with ${frame.seen.size} nodes so far. ${frame.step?.text ?? ""}`,
        style: { "--width": `${width}px`, "--height": `${height}px`, "--zoom": learn.zoom },
      },
      shown.map((node) => edge(trace, drawing, node, frame, principal)),
      shown.map((node) => knot(trace, drawing, node, frame, principal)),
    ),
  );
}

/** Whether the search has reached a node; the root is drawn from the start. @param {DrawnNode} node @param {Frame} frame */
function isDrawn({ id, parent }, { seen }) {
  return parent === null || seen.has(id);
}

/**
 * @param {Trace} trace @param {Drawing} drawing @param {DrawnNode} node @param {Frame} frame
 * @param {Set<number>} principal
 */
function edge(trace, { places }, node, frame, principal) {
  const { down, lines } = sizesOf(trace);
  const to = places[node.id];
  const stubs = frame.cut.has(node.id) && to.stubs.map((stub) => cross(node, stub.cell, to, stub.x, down / 2));
  if (node.parent === null) return stubs;
  const from = places[node.parent];
  const above = frame.texts.get(node.parent) ?? {};
  const written = lines.filter((name) => above[name]).length;
  const isCut = node.cutAt !== null && frame.cut.has(node.cutAt);
  return [
    h("line.edge", {
      key: `edge ${node.id}`,
      x1: from.x,
      y1: from.y + RADIUS + (written && LINE * written + 5),
      x2: to.x,
      y2: to.y - (trace.leaves === null ? 0 : RADIUS),
      class: names({
        unseen: !isDrawn(node, frame),
        open: frame.open.has(node.id),
        principal: principal.has(node.id),
        cut: isCut,
      }),
    }),
    isCut &&
      node.parent === node.cutAt &&
      h("path.cross", { key: `cross ${node.id}`, d: crossAt((from.x + to.x) / 2, (from.y + to.y) / 2 + RADIUS) }),
    stubs,
  ];
}

/** @param {number} x @param {number} y */
function crossAt(x, y) {
  return `M${x - 3} ${y - 3}l6 6m0 -6l-6 6`;
}

/** A branch that was pruned. @param {DrawnNode} node @param {number} cell
 * @param {{x: number, y: number}} from @param {number} x @param {number} down */
function cross(node, cell, from, x, down) {
  return h(
    "g.stub",
    { key: `stub ${node.id} ${cell}` },
    h("line", { x1: from.x, y1: from.y, x2: x, y2: from.y + down }),
    h("path.cross", { d: crossAt(x, from.y + down) }),
  );
}

/**
 * @param {Trace} trace @param {Drawing} drawing @param {DrawnNode} node @param {Frame} frame
 * @param {Set<number>} principal
 */
function knot(trace, { places }, node, frame, principal) {
  const { half, lines } = sizesOf(trace);
  const { x, y } = places[node.id];
  const texts = frame.texts.get(node.id) ?? {};
  const value = texts.value || (node.leaf === null ? "" : String(node.leaf).replace("-", "−"));
  const look = {
    unseen: !isDrawn(node, frame),
    open: frame.open.has(node.id),
    current: frame.step?.node === node.id,
    max: node.side === "X",
    min: node.side === "O",
    end: node.side === null,
    principal: principal.has(node.id),
    cut: node.cutAt !== null && frame.cut.has(node.cutAt),
  };
  return h(
    "g.knot",
    { key: `knot ${node.id}`, class: names(look), transform: `translate(${x} ${y})` },
    node.side === "O"
      ? h("ellipse", { rx: half, ry: RADIUS })
      : h("rect", {
          x: -half,
          y: -RADIUS,
          width: 2 * half,
          height: 2 * RADIUS,
          rx: node.side === null ? RADIUS : 3,
        }),
    value && label(value, half),
    lines.map((name, at) => h("text.line", { key: name, y: RADIUS + LINE * (at + 1) }, texts[name])),
    node.move !== null && h("text.name", { y: -RADIUS - 4 }, node.move),
  );
}

/** A text that stays within its node. @param {string} text @param {number} half */
function label(text, half) {
  const short = text.length > 5 ? `${text.slice(0, 1)}…` : text;
  const length = short.length > half / 3.6 ? { textLength: 2 * half - 4, lengthAdjust: "spacingAndGlyphs" } : {};
  return h("text", { y: 4, ...length }, short);
}

/** The nodes reached so far as nested lists. @param {SearchLesson} learn @param {LoadedSearch} search @param {Frame} frame */
function outline(learn, search, frame) {
  return h(
    "details.outline",
    {
      key: "outline",
      open: learn.showsText,
      ontoggle: (/** @type {Event} */ event) => {
        const { open } = /** @type {HTMLDetailsElement} */ (event.target);
        if (open !== learn.showsText) setView({ showsText: open });
      },
    },
    h("summary", "The tree as text"),
    learn.showsText && branches(search, frame, null),
  );
}

/** @param {LoadedSearch} search @param {Frame} frame @param {number | null} parent @returns {import("../ui/dom.js").Node | false} */
function branches(search, frame, parent) {
  const nodes = search.trace.nodes.filter((node) => node.parent === parent && frame.seen.has(node.id));
  return (
    nodes.length > 0 &&
    h(
      "ul",
      nodes.map((node) => branch(search, frame, node)),
    )
  );
}

/** The name of a branch, and the value of a leaf that was typed. @param {Trace} trace @param {number} cell */
function branchName({ names, branches, leaves }, cell) {
  const value = leaves === null ? null : branches[cell].value;
  return value === null ? names[cell] : `${names[cell]} ${value}`;
}

/** @param {LoadedSearch} search @param {Frame} frame @param {TraceNode} node */
function branch(search, frame, node) {
  const pruned = frame.cut.has(node.id)
    ? `pruned: ${node.pruned.map((cell) => branchName(search.trace, cell)).join(", ")}`
    : "";
  const texts = [...textsAt(frame, node).map(([, text]) => text), pruned].filter(Boolean).join(", ");
  const text = `${moveName(node)}${texts ? `: ${texts}` : ""}`;
  return h(
    "li",
    { key: node.id, "aria-current": frame.step?.node === node.id ? "step" : null },
    h("span", text),
    branches(search, frame, node.id),
  );
}
