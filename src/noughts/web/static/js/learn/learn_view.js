// @ts-check
/** The view for learning: choosing searches, stepping through them, and the counts of nodes of all searches. */

import { doors } from "./doors.js";
import { failure, state } from "../shell/app.js";
import { button, codeField, select, slider, toggle } from "../ui/controls.js";
import { h, inputValue, names } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import {
  GROWING,
  LESSONS,
  TYPED,
  chooseLesson,
  compareTwo,
  isAsking,
  isWaiting,
  setPosition,
  setSearch,
  setView,
  stepBy,
  stepTo,
  stepToMark,
  targets,
  togglePlaying,
} from "./search_lesson.js";
import { learnerPart } from "./learner_view.js";
import { searchPanel } from "./search_view.js";
import { capital } from "../ui/words.js";

/**
 * @typedef {import("./search_lesson.js").SearchLesson} SearchLesson
 * @typedef {import("./search_lesson.js").Search} Search
 * @typedef {import("./search_lesson.js").LoadedSearch} LoadedSearch
 */

/** @type {Record<string, string>} */
const ALGORITHMS = {
  minimax: "Minimax",
  negamax: "Negamax",
  alphabeta: "Alpha-beta",
  alphabeta_with_table: "Alpha-beta with a table",
  alphabeta_with_symmetry: "Alpha-beta with symmetry",
  alphabeta_with_history: "Alpha-beta with history",
  alphabeta_with_killers: "Alpha-beta with killer moves",
  alphabeta_with_quiescence: "Alpha-beta with quiescence",
  negascout: "Negascout",
  iterative_deepening: "Iterative deepening",
  aspiration_windows: "Aspiration windows",
  expectimax: "Expectimax",
  proof_number_search: "Proof-number search",
  mcts: "Monte-Carlo tree search",
};
/** Searches that visit every node: the order of moves makes no difference. */
const UNORDERED = ["minimax"];
const SIMULATIONS = [10, 30, 100, 300];

/** @param {SearchLesson} learn */
export function drawLearn(learn) {
  return [
    h(
      "section.page.learn",
      { key: "learn", "aria-labelledby": "learn-title" },
      h(
        "header",
        h("h1", { id: "learn-title" }, "How the computer thinks"),
        doors("think"),
        h(
          "p",
          "Before it moves, a computer tries moves and replies, and replies to those: a tree of positions. " +
            "Press Forward and watch it grow.",
        ),
      ),
      learn.failed && failure(learn.failed.text, learn.failed.retry),
      targets(learn).length > 0 && stepper(learn),
      (targets(learn).length > 0 || isPlaced(learn)) && tuning(learn),
      panels(learn),
      isPlaced(learn) && [learn.leaves === null && comparison(learn), learnerPart(learn.learner)],
    ),
  ];
}

/** Whether the searches are drawn: what stands below them must not be drawn before, and then move. @param {SearchLesson} learn */
function isPlaced(learn) {
  return learn.failed !== null || learn.searches.every(({ trace }) => trace);
}

/** @param {SearchLesson} learn */
function panels(learn) {
  const isPair = learn.searches.length > 1;
  return h(
    "div.searches",
    { key: "searches", class: names({ pair: isPair }) },
    learn.searches.map(
      (search, at) =>
        search.trace &&
        searchPanel(learn, /** @type {LoadedSearch} */ (search), isPair ? nameOf(search.algorithm) : "", {
          key: at,
          class: names({ aside: learn.target !== null && learn.target !== at }),
        }),
    ),
  );
}

/** @param {string} algorithm */
function nameOf(algorithm) {
  return ALGORITHMS[algorithm] ?? spaced(algorithm);
}

/** The choices of depths, in plies. @param {string} none the name of no limit */
function plies(none) {
  return [
    ["", none],
    ...[1, 2, 3, 4, 5, 6].map((depth) => [String(depth), `${depth} ${depth === 1 ? "ply" : "plies"}`]),
  ];
}

/** @param {SearchLesson} learn */
function choices(learn) {
  const [first, second] = learn.searches;
  const position = positionChoices(learn);
  if (!second) return h("div.choices", { key: "choices" }, position, searchChoices(learn, first, 0, "Search"));
  const group = (/** @type {string} */ name, /** @type {Search} */ search, /** @type {number} */ at) =>
    h("div.choices", { key: name, role: "group", "aria-label": name }, searchChoices(learn, search, at, name));
  return [
    h("div.choices", { key: "choices" }, position),
    group("First search", first, 0),
    group("Second search", second, 1),
  ];
}

/** @param {SearchLesson} learn */
function positionChoices(learn) {
  const hasDepth = learn.searches.some(({ algorithm }) => !GROWING.includes(algorithm));
  return [
    select(
      "Position",
      "lesson",
      LESSONS.map(({ id, name }) => [id, name]),
      learn.lesson,
      chooseLesson,
    ),
    learn.lesson === "custom" && [
      positionInput("Game", "game", learn.game),
      positionInput("Position string", "start", learn.start),
    ],
    learn.leaves !== null && leavesInput(learn.leaves),
    hasDepth &&
      learn.leaves === null &&
      select("Depth", "depth", plies("to the end"), learn.depth === null ? "" : String(learn.depth), (depth) =>
        setPosition({ depth: depth ? Number(depth) : null }),
      ),
  ];
}

/** @param {SearchLesson} learn @param {Search} search @param {number} at @param {string} title */
function searchChoices(learn, search, at, title) {
  const isTyped = learn.leaves !== null;
  const algorithms = isTyped ? TYPED : (state.about?.algorithms ?? Object.keys(ALGORITHMS));
  const orders = state.about?.orders ?? ["row_by_row"];
  const name = (/** @type {string} */ field) => (at ? `${field}-${at + 1}` : field);
  return [
    select(
      title,
      name("algorithm"),
      algorithms.map((/** @type {string} */ id) => [id, nameOf(id)]),
      search.algorithm,
      (algorithm) => setSearch(search, { algorithm }),
    ),
    !isTyped &&
      !UNORDERED.includes(search.algorithm) &&
      select(
        "Order of moves",
        name("order"),
        orders.map((/** @type {string} */ id) => [id, spaced(id)]),
        search.order,
        (order) => setSearch(search, { order }),
      ),
    search.algorithm === "mcts" && [
      select(
        "Simulations",
        name("simulations"),
        SIMULATIONS.map((count) => [String(count), String(count)]),
        String(search.simulations),
        (count) => setSearch(search, { simulations: Number(count) }),
      ),
      select(
        "A rollout plays",
        name("rollout"),
        plies("to the end"),
        search.rollout === null ? "" : String(search.rollout),
        (count) => setSearch(search, { rollout: count ? Number(count) : null }),
      ),
    ],
  ];
}

/** @param {string} label @param {"game" | "start"} name @param {string} value */
function positionInput(label, name, value) {
  return codeField(label, {
    name,
    value,
    onchange: (event) => setPosition({ [name]: inputValue(event).trim() }),
  });
}

/** @param {string} leaves */
function leavesInput(leaves) {
  return codeField("Leaf values", {
    name: "leaves",
    value: leaves,
    title: "Spaces between the leaves of a node, / between nodes, // a level above; [3 [2 4] 7] for other shapes.",
    onchange: (event) => setPosition({ leaves: inputValue(event).trim() }),
  });
}

/** @param {string} name */
function spaced(name) {
  return capital(name.replaceAll("_", " ").replace("center", "centre"));
}

/** @param {SearchLesson} learn */
function stepper(learn) {
  const moved = targets(learn);
  const total = Math.max(...moved.map(({ steps }) => steps.length));
  const at = Math.max(...moved.map((search) => search.at));
  const [isAtStart, isAtEnd] = [at === 0, moved.every((search) => search.at === search.steps.length)];
  const isHeld = moved.every((search) => isWaiting(learn, search)) || moved.some((search) => isAsking(learn, search));
  return h(
    "div.stepper",
    { key: "stepper" },
    h(
      "div.steps",
      { role: "group", "aria-label": "Steps of the search" },
      button([icon("back"), "Back"], () => stepBy(-1), { disabled: isAtStart, key: "back" }),
      button(learn.isPlaying ? "Pause" : "Play", togglePlaying, { key: "play", disabled: isHeld && !isAtEnd }),
      button(["Forward", icon("forward")], () => stepBy(1), { disabled: isHeld, key: "forward", class: "primary" }),
      moved.some(({ steps }) => steps.some((step) => step.mark)) &&
        button(markName(moved), stepToMark, { disabled: !moved.some(hasMark), key: "mark" }),
    ),
    h("label.scrub", h("span.hidden", "Step"), slider(at, 0, total, stepTo, { "aria-label": "Step" })),
    learn.isPredicting && h("p.counts.tally", { key: "score", role: "status" }, scoreText(learn)),
    learn.searches.length > 1 && stepped(learn),
  );
}

/** What a newcomer does not need. @param {SearchLesson} learn */
function tuning(learn) {
  return h(
    "details.tuning",
    {
      key: "tuning",
      open: learn.isTuning,
      ontoggle: (/** @type {Event} */ event) => {
        learn.isTuning = /** @type {HTMLDetailsElement} */ (event.target).open;
      },
    },
    h("summary", "More positions and searches"),
    choices(learn),
    modes(learn),
    h("p.how", "A ply is a move of one side."),
  );
}

/** @param {SearchLesson} learn */
function modes(learn) {
  return h(
    "div.modes",
    toggle("Let me predict", learn.isPredicting, (isPredicting) => setView({ isPredicting })),
    toggle("Compare two searches", learn.searches.length > 1, compareTwo),
    h(
      "label.speed",
      h("span", "Speed"),
      slider(learn.speed, 1, 30, (speed) => setView({ speed })),
    ),
  );
}

/** Whether there is a step ahead that is worth jumping to. @param {Search} search */
function hasMark({ steps, at }) {
  return steps.some((step, index) => index >= at && step.mark);
}

/** The name of the steps that are worth jumping to. @param {LoadedSearch[]} searches */
function markName(searches) {
  const isGrown = searches.map(({ trace }) => trace.family !== "depth_first");
  return isGrown.every(Boolean) ? "Next round" : isGrown.some(Boolean) ? "Next cutoff or round" : "Next cutoff";
}

/** @param {SearchLesson} learn */
function scoreText({ score: { right, asked } }) {
  return asked ? `${right} of ${asked} predicted` : "nothing predicted yet";
}

/** The choice which of two searches is stepped. @param {SearchLesson} learn */
function stepped({ target, searches }) {
  const options = [
    ["", "both together"],
    ...searches.map(({ algorithm }, at) => [String(at), `${at + 1}: ${nameOf(algorithm)}`]),
  ];
  return select("Step", "target", options, target === null ? "" : String(target), (chosen) =>
    setView({ target: chosen ? Number(chosen) : null }),
  );
}

/** @param {SearchLesson} learn */
function comparison(learn) {
  const found = learn.comparison;
  if (!found)
    return h(
      "div.comparison",
      { key: "comparison" },
      h("h2", "Nodes visited"),
      h("p", learn.failed ? "" : "Counting …"),
    );
  const most = Math.max(1, ...found.rows.map((row) => (row.reduction === null ? 0 : (row.nodes ?? 0))));
  return h(
    "div.comparison",
    { key: "comparison" },
    h("h2", "Nodes visited"),
    h(
      "p",
      `The same position, ${found.depth === null ? "searched to the end" : `${found.depth} plies deep`}. `,
      "Every exact search finds the same value; click one to see its tree.",
    ),
    h(
      "table",
      h(
        "thead",
        h(
          "tr",
          ["Search", "Nodes", "Saved"].map((text) => h("th", { key: text, scope: "col" }, text)),
          h("td.chart"),
        ),
      ),
      h(
        "tbody",
        found.rows.map((row) => comparisonRow(learn, row, most)),
      ),
    ),
  );
}

/** @param {SearchLesson} learn @param {import("../server/types.d.ts").ComparedSearch} row @param {number} most */
function comparisonRow(learn, row, most) {
  const [first] = learn.searches;
  const isShown =
    row.algorithm === first.algorithm && (UNORDERED.includes(row.algorithm) || row.order === first.order);
  const label = [
    nameOf(row.algorithm),
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
      button(label, () => setSearch(first, { algorithm: row.algorithm, order: row.order ?? first.order }), {
        class: "quiet",
        "aria-pressed": String(isShown),
      }),
    ),
    row.nodes === null || row.reduction === null
      ? estimate(row)
      : [
          h("td", row.nodes.toLocaleString("en")),
          h("td", `${Math.round(100 * row.reduction)}%`.replace("-", "−")),
          h("td.chart", { "aria-hidden": "true" }, h("span", { style: { "--share": row.nodes / most } })),
        ],
  );
}

/** A search that cannot be compared by its nodes: it was stopped or not run, or it estimates the value.
 * @param {import("../server/types.d.ts").ComparedSearch} row */
function estimate({ nodes, note }) {
  if (nodes === null) return h("td.note", { colspan: 3 }, note || "stopped");
  return [h("td", nodes.toLocaleString("en")), h("td.note", { colspan: 2 }, `an estimate by ${note}`)];
}
