// @ts-check
/** The view for learning: a search tree stepped through, and the counts of nodes of all searches. */

import { failure, redraw, state } from "./app.js";
import { mark } from "./board.js";
import { h, inputValue, names } from "./dom.js";
import { icon } from "./icons.js";
import { ACROSS, DOWN } from "./layout.js";
import {
  LESSONS,
  boardAt,
  bound,
  chooseLesson,
  setLearn,
  signed,
  stepText,
  stepTo,
  stepToCut,
  togglePlaying,
} from "./learn.js";
import { panelsOf } from "./panels.js";
import { button } from "./controls.js";
import { select } from "./setup.js";
import { capital } from "./words.js";

/**
 * @typedef {import("./learn.js").Learn} Learn
 * @typedef {import("./learn.js").LoadedLearn} LoadedLearn
 * @typedef {import("./learn.js").TraceNode} TraceNode
 */

/** @type {Record<string, string>} */
const ALGORITHMS = {
  minimax: "Minimax",
  negamax: "Negamax",
  alphabeta: "Alpha-beta",
  alphabeta_with_table: "Alpha-beta with a table",
  alphabeta_with_history: "Alpha-beta with history",
  negascout: "Negascout",
  iterative_deepening: "Iterative deepening",
  aspiration_windows: "Aspiration windows",
};
/** Searches that visit every node: the order of moves makes no difference. */
const UNORDERED = ["minimax"];
const RADIUS = 11;

/** @param {Learn} learn */
export function drawLearn(learn) {
  return [
    h(
      "section.page.learn",
      { key: "learn", "aria-labelledby": "learn-title" },
      h(
        "header",
        null,
        h("h1", { id: "learn-title" }, "How a computer searches"),
        h(
          "p",
          null,
          "Step through the tree that a textbook search really visits. A node of the tree is a position, and a ply is " +
            "one move of one side. Blue nodes choose the highest value (X), orange ones the lowest (O). Pruning leaves " +
            "out branches that cannot change the result: switch it on and watch the tree shrink.",
        ),
      ),
      choices(learn),
      learn.failed && failure(learn.failed.text, learn.failed.retry),
      learn.trace && learn.drawing && stage(/** @type {LoadedLearn} */ (learn)),
      comparison(learn),
    ),
  ];
}

/** @param {LoadedLearn} learn */
function stage(learn) {
  return [stepper(learn), h("div.stage", { key: "stage" }, tree(learn), now(learn))];
}

/** @param {Learn} learn */
function choices(learn) {
  const algorithms = (state.about?.algorithms ?? Object.keys(ALGORITHMS)).map((/** @type {string} */ name) => [
    name,
    ALGORITHMS[name] ?? spaced(name),
  ]);
  const orders = (state.about?.orders ?? ["row_by_row"]).map((/** @type {string} */ name) => [name, spaced(name)]);
  const depths = [
    ["", "to the end"],
    ...[1, 2, 3, 4, 5, 6].map((depth) => [String(depth), `${depth} ${depth === 1 ? "ply" : "plies"}`]),
  ];
  return h(
    "div.choices",
    { key: "choices" },
    select(
      "Position",
      "lesson",
      LESSONS.map(({ id, name }) => [id, name]),
      learn.lesson,
      chooseLesson,
    ),
    learn.lesson === "custom" && [own("Game", "game", learn.game), own("Position string", "start", learn.start)],
    select("Search", "algorithm", algorithms, learn.algorithm, (algorithm) => setLearn({ algorithm })),
    !UNORDERED.includes(learn.algorithm) &&
      select("Order of moves", "order", orders, learn.order, (order) => setLearn({ order })),
    select("Depth", "depth", depths, learn.depth === null ? "" : String(learn.depth), (depth) =>
      setLearn({ depth: depth ? Number(depth) : null }),
    ),
  );
}

/** @param {string} label @param {"game" | "start"} name @param {string} value */
function own(label, name, value) {
  return h(
    "label",
    { key: name },
    h("span", null, label),
    h("input", {
      type: "text",
      name,
      value,
      spellcheck: "false",
      autocomplete: "off",
      onchange: (event) => setLearn({ [name]: inputValue(event).trim() }),
    }),
  );
}

/** @param {string} name */
function spaced(name) {
  return capital(name.replaceAll("_", " "));
}

/** @param {LoadedLearn} learn */
function stepper(learn) {
  const total = learn.steps.length;
  return h(
    "div.stepper",
    { key: "stepper" },
    h(
      "div.steps",
      { role: "group", "aria-label": "Steps of the search" },
      button(icon("first"), () => stepTo(0), {
        "aria-label": "To the start",
        disabled: learn.at === 0,
        key: "first",
      }),
      button([icon("back"), "Back"], () => stepTo(learn.at - 1), { disabled: learn.at === 0, key: "back" }),
      button(learn.isPlaying ? "Pause" : "Play", togglePlaying, { key: "play" }),
      button(["Forward", icon("forward")], () => stepTo(learn.at + 1), {
        disabled: learn.at === total,
        key: "forward",
        class: "primary",
      }),
      button("Next cutoff", stepToCut, { disabled: learn.at === total, key: "cut" }),
      button(icon("last"), () => stepTo(total), {
        "aria-label": "To the end",
        disabled: learn.at === total,
        key: "last",
      }),
    ),
    h(
      "label.speed",
      null,
      h("span", null, "Speed"),
      h("input", {
        type: "range",
        min: 1,
        max: 30,
        value: String(learn.speed),
        oninput: (event) => {
          learn.speed = Number(inputValue(event));
          redraw();
        },
      }),
    ),
    h(
      "label.scrub",
      null,
      h("span.hidden", null, "Step"),
      h("input", {
        type: "range",
        min: 0,
        max: total,
        value: String(learn.at),
        "aria-label": "Step",
        oninput: (event) => stepTo(Number(inputValue(event))),
      }),
    ),
    h("p.explanation", { role: "status" }, stepText(learn)),
    h("p.counts", null, countText(learn)),
  );
}

/** @param {LoadedLearn} learn */
function countText(learn) {
  const entered = learn.steps.slice(0, learn.at).filter((step) => step.kind === "enter").length;
  const pruned = learn.steps
    .slice(0, learn.at)
    .reduce((sum, step) => sum + (step.kind === "leave" ? step.node.pruned.length : 0), 0);
  const whole = learn.trace.is_whole === false ? `; the first ${learn.trace.nodes.length} nodes are shown` : "";
  return `step ${learn.at} of ${learn.steps.length}: ${entered} nodes visited, ${pruned} branches pruned${whole}`;
}

/** @param {LoadedLearn} learn */
function tree(learn) {
  const { drawing } = learn;
  const tick = learn.at === 0 ? 0 : learn.steps[learn.at - 1].tick;
  const current = learn.at === 0 ? null : learn.steps[learn.at - 1].node;
  const [width, height] = [drawing.width + 2 * ACROSS, drawing.height + DOWN];
  const inside =
    learn.at === learn.steps.length ? new Set(learn.trace.principal) : /** @type {Set<number>} */ (new Set());
  return h(
    "div.canvas",
    { key: "canvas", tabindex: "0", role: "group", "aria-label": "Search tree" },
    h(
      "svg",
      {
        viewBox: `${-ACROSS} ${-DOWN / 2} ${width} ${height}`,
        role: "img",
        "aria-label": `Search tree with ${learn.trace.nodes.length} nodes. ${stepText(learn)}`,
        style: { "--width": `${width}px`, "--height": `${height}px` },
      },
      learn.trace.nodes.map((node) => edge(learn, node, tick, inside)),
      learn.trace.nodes.map((node) => knot(learn, node, tick, node === current, inside)),
    ),
  );
}

/** @param {LoadedLearn} learn @param {TraceNode} node @param {number} tick @param {Set<number>} principal */
function edge(learn, node, tick, principal) {
  const { places } = learn.drawing;
  const to = places[node.id];
  const stubs =
    node.left !== null &&
    node.left <= tick &&
    to.stubs.map((stub) =>
      h(
        "g.stub",
        { key: `stub ${node.id} ${stub.move}` },
        h("line", { x1: to.x, y1: to.y, x2: stub.x, y2: to.y + DOWN * 0.5 }),
        h("path", { d: `M${stub.x - 3} ${to.y + DOWN * 0.5 - 3}l6 6m0 -6l-6 6` }),
      ),
    );
  if (node.parent === null) return stubs;
  const from = places[node.parent];
  return [
    h("line.edge", {
      key: `edge ${node.id}`,
      x1: from.x,
      y1: from.y,
      x2: to.x,
      y2: to.y,
      class: names({ unseen: node.entered > tick, principal: principal.has(node.id) }),
    }),
    stubs,
  ];
}

/**
 * @param {LoadedLearn} learn @param {TraceNode} node @param {number} tick @param {boolean} isCurrent
 * @param {Set<number>} principal
 */
function knot(learn, node, tick, isCurrent, principal) {
  const { x, y } = learn.drawing.places[node.id];
  const isLeft = node.left !== null && node.left <= tick;
  const look = {
    unseen: node.entered > tick,
    open: !isLeft,
    current: isCurrent,
    max: node.side === "X",
    min: node.side === "O",
    end: node.side === null,
    principal: principal.has(node.id),
  };
  return h(
    "g.knot",
    { key: `knot ${node.id}`, class: names(look), transform: `translate(${x} ${y})` },
    node.side === "O"
      ? h("circle", { r: RADIUS })
      : h("rect", {
          x: -RADIUS,
          y: -RADIUS,
          width: 2 * RADIUS,
          height: 2 * RADIUS,
          rx: node.side === null ? RADIUS : 3,
        }),
    isLeft && label(brief(node.value)),
    node.move !== null && h("text.name", { y: -RADIUS - 4 }, learn.trace.names[node.move]),
  );
}

/** A text that stays within its node. @param {string} text */
function label(text) {
  const length = text.length > 3 ? { textLength: 2 * RADIUS - 4, lengthAdjust: "spacingAndGlyphs" } : {};
  return h("text", { y: 4, ...length }, text);
}

/** @param {number | null} value */
function brief(value) {
  const text = signed(value);
  return text.length > 4 ? `${text.slice(0, 1)}…` : text;
}

/** The position of the node the search is at. @param {LoadedLearn} learn */
function now(learn) {
  const node = learn.at === 0 ? learn.trace.nodes[0] : learn.steps[learn.at - 1].node;
  const cells = boardAt(learn, node);
  const game = /** @type {import("./panels.js").Game} */ (learn.drawn);
  return h(
    "figure.now",
    { key: "now" },
    panelsOf(game).map((panel, at) =>
      h(
        "div.mini",
        { key: at, style: { "--columns": panel.columns.length }, role: "img", "aria-label": spoken(learn, cells) },
        panel.cells
          .flat()
          .map((cell, place) =>
            h(
              "span",
              { key: place, class: names({ last: cell !== null && cell === node.move }) },
              cell !== null && cells[cell] && mark(cells[cell]),
            ),
          ),
      ),
    ),
    h(
      "figcaption",
      null,
      node.parent === null ? "the root" : `after ${learn.trace.names[/** @type {number} */ (node.move)]}`,
      (node.alpha !== null || node.beta !== null) &&
        h("span", null, `α ${bound(node.alpha, "−∞")}, β ${bound(node.beta, "+∞")}`),
    ),
  );
}

/** @param {LoadedLearn} learn @param {("X" | "O" | null)[]} cells */
function spoken(learn, cells) {
  const of = (/** @type {string} */ side) =>
    cells.flatMap((cell, at) => (cell === side ? [learn.trace.names[at]] : [])).join(" ") || "none";
  return `X: ${of("X")}; O: ${of("O")}`;
}

/** @param {Learn} learn */
function comparison(learn) {
  const found = learn.comparison;
  if (!found)
    return h(
      "div.comparison",
      { key: "comparison" },
      h("h2", null, "Nodes visited"),
      h("p", null, learn.failed ? "" : "Counting …"),
    );
  const most = Math.max(1, ...found.rows.map((row) => row.nodes ?? 0));
  return h(
    "div.comparison",
    { key: "comparison" },
    h("h2", null, "Nodes visited"),
    h(
      "p",
      null,
      `The same position, ${found.depth === null ? "searched to the end" : `${found.depth} plies deep`}. `,
      "All find the same value; click one to see its tree.",
    ),
    h(
      "table",
      null,
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          ["Search", "Nodes", "Saved"].map((text) => h("th", { key: text, scope: "col" }, text)),
          h("td.chart", null),
        ),
      ),
      h(
        "tbody",
        null,
        found.rows.map((row) => comparisonRow(learn, row, most)),
      ),
    ),
  );
}

/** @param {Learn} learn @param {import("./api.js").ComparedSearch} row @param {number} most */
function comparisonRow(learn, row, most) {
  const isShown =
    row.algorithm === learn.algorithm && (UNORDERED.includes(row.algorithm) || row.order === learn.order);
  const label = [
    ALGORITHMS[row.algorithm] ?? spaced(row.algorithm),
    row.order && !UNORDERED.includes(row.algorithm) ? spaced(row.order).toLowerCase() : "",
  ]
    .filter(Boolean)
    .join(", ");
  return h(
    "tr",
    { key: row.label, class: names({ shown: isShown }) },
    h(
      "th",
      { scope: "row" },
      button(label, () => setLearn({ algorithm: row.algorithm, order: row.order ?? learn.order }), {
        class: "quiet",
        "aria-pressed": String(isShown),
      }),
    ),
    h("td", null, row.nodes === null ? row.note || "stopped" : row.nodes.toLocaleString("en")),
    h(
      "td",
      null,
      row.reduction === null || row.reduction === undefined
        ? ""
        : `${Math.round(100 * row.reduction)} %`.replace("-", "−"),
    ),
    h(
      "td.chart",
      { "aria-hidden": "true" },
      row.nodes !== null && h("span", { style: { "--share": row.nodes / most } }),
    ),
  );
}
