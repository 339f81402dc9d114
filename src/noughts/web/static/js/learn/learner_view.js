// @ts-check
/** The part of the view for learning that trains a learner and draws its curve. */

import { failure, redraw } from "../shell/app.js";
import { button, select } from "../ui/controls.js";
import { h } from "../ui/dom.js";
import { bandsOf, curveText, train } from "./learner.js";

/**
 * @typedef {import("./learner.js").Learner} Learner
 * @typedef {import("./learner.js").Options} Options
 * @typedef {import("./learner.js").Point} Point
 * @typedef {import("./learner.js").Band} Band
 */

const LEARNERS = [
  ["q_learning", "Q-learning"],
  ["td_learning", "TD learning"],
];
const GAMES = [
  ["3x3", "3×3"],
  ["3x3+gravity", "Marks that fall, 3×3"],
  ["3x3+misere", "Misère 3×3"],
];
const PLAYTHROUGHS = [500, 2000, 5000, 20000, 40000];
const EXPLORATIONS = [0, 0.1, 0.3, 0.6, 1];
const [WIDTH, HEIGHT] = [420, 180];

/** @param {Learner} learner */
export function learnerPart(learner) {
  return h(
    "section.learner",
    { key: "learner", "aria-labelledby": "learner-title" },
    h("h2", { id: "learner-title" }, "How a computer learns"),
    h(
      "p",
      "A learner starts with an empty table. It plays against itself, sometimes at random to explore, and moves the " +
        "value of each move a little towards what came of it. Every so often it plays 100 times against a random " +
        "player: the curve shows the results.",
    ),
    choices(learner),
    learner.failed && failure(learner.failed.text, learner.failed.retry),
    h("div", { key: "found", role: "status" }, learner.isBusy ? "Learning …" : summary(learner)),
    learner.found && curve(learner.found.curve),
  );
}

/** @param {Learner} learner */
function choices(learner) {
  const { options } = learner;
  /** @param {Partial<Options>} changed */
  const set = (changed) => {
    Object.assign(options, changed);
    redraw();
  };
  return h(
    "div.choices",
    { key: "choices" },
    select("Learner", "learner", LEARNERS, options.algorithm, (algorithm) =>
      set({ algorithm: /** @type {Options["algorithm"]} */ (algorithm) }),
    ),
    select("Game", "learner-game", GAMES, options.game, (game) => set({ game })),
    select(
      "Training games",
      "playthroughs",
      PLAYTHROUGHS.map((count) => [String(count), count.toLocaleString("en")]),
      String(options.playthroughs),
      (count) => set({ playthroughs: Number(count) }),
    ),
    select(
      "Random moves",
      "exploration",
      EXPLORATIONS.map((share) => [String(share), `${100 * share}%`]),
      String(options.exploration),
      (share) => set({ exploration: Number(share) }),
    ),
    button("Let it learn", () => train(learner), { key: "train", disabled: learner.isBusy }),
  );
}

/** @param {Learner} learner */
function summary({ found }) {
  if (!found) return null;
  const { options, curve, is_whole } = found;
  const nameOf = (/** @type {string[][]} */ names, /** @type {string} */ id) =>
    names.find(([one]) => one === id)?.[1] ?? id;
  const name = `${nameOf(LEARNERS, options.algorithm)} on ${nameOf(GAMES, options.game)}, ${100 * options.exploration}% random moves.`;
  return h("p", `${name} ${curveText(curve)}${is_whole ? "" : " The time was up."}`);
}

/** @param {Point[]} points */
function curve(points) {
  const last = points[points.length - 1].playthroughs;
  const xs = points.map(({ playthroughs }) => (WIDTH * playthroughs) / last);
  return h(
    "figure.curve",
    { key: "curve" },
    h(
      "svg",
      {
        viewBox: `-50 -10 ${WIDTH + 82} ${HEIGHT + 36}`,
        role: "img",
        "aria-label": `Learning curve. ${curveText(points)}`,
      },
      bandsOf(points).map((band) => area(band, xs)),
      [0, 0.5, 1].map((share) =>
        h("text.end", { key: `share ${share}`, x: -6, y: HEIGHT * (1 - share) + 5 }, `${100 * share}%`),
      ),
      [0, last / 2, last].map((count) =>
        h("text", { key: `count ${count}`, x: (WIDTH * count) / last, y: HEIGHT + 20 }, count.toLocaleString("en")),
      ),
    ),
    h("details.outline", h("summary", "The curve as a table"), table(points)),
  );
}

/** The band of a result, with its name at the widest place if there is room. @param {Band} band @param {number[]} xs */
function area({ name, lower, upper }, xs) {
  const dots = (/** @type {number[]} */ edge) =>
    xs.map((x, at) => `${x.toFixed(1)} ${(HEIGHT * (1 - edge[at])).toFixed(1)}`);
  const thickness = upper.map((edge, at) => edge - lower[at]);
  const widths = thickness.map((_, at) => Math.min(...thickness.slice(Math.max(0, at - 1), at + 2)));
  const widest = widths.indexOf(Math.max(...widths));
  const [x, y] = [Math.max(32, Math.min(WIDTH - 32, xs[widest])), (upper[widest] + lower[widest]) / 2];
  return h(
    "g",
    { key: name, class: name },
    h("path.band", { d: `M${[...dots(upper), ...dots(lower).reverse()].join("L")}Z` }),
    h("path.edge", { d: `M${dots(upper).join("L")}` }),
    widths[widest] > 0.09 && h("text.name", { x: Math.max(x, xs[0] + 32), y: HEIGHT * (1 - y) + 5 }, name),
  );
}

/** @param {Point[]} points */
function table(points) {
  const columns = /** @type {const} */ (["playthroughs", "wins", "draws", "losses"]);
  return h(
    "table",
    h(
      "thead",
      h(
        "tr",
        columns.map((name) => h("th", { key: name, scope: "col" }, name === "playthroughs" ? "games" : name)),
      ),
    ),
    h(
      "tbody",
      points.map((point) =>
        h(
          "tr",
          { key: point.playthroughs },
          columns.map((name) => h("td", { key: name }, point[name].toLocaleString("en"))),
        ),
      ),
    ),
  );
}
