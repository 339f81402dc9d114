// @ts-check
/** The view of an analysis: engine lines, values on the board, the graph, the tree of variations and the review. */

import { mark } from "./board.js";
import { badge, boardOf, framed } from "./boards.js";
import { entry } from "./commands.js";
import { h, names } from "./dom.js";
import { icon } from "./icons.js";
import { begin, PERSON } from "./play.js";
import { complain, state } from "./app.js";
import { button } from "./controls.js";
import { gameTitle, statusLine, threatsButton } from "./play_view.js";
import {
  back,
  endTry,
  forward,
  keepLine,
  lineThrough,
  moverOf,
  movesTo,
  openAnalysis,
  percent,
  promote,
  prune,
  showAnswer,
  solutionText,
  solveHere,
  startReview,
  toggleEngine,
  toggleWorths,
  tryAgain,
  tryCell,
  visit,
  visitPly,
} from "./analysis.js";
import { linkTo, show } from "./route.js";
import { linkBox } from "./files.js";
import { openSetup } from "./setup.js";

/**
 * @typedef {import("./analysis.js").Analysis} Analysis
 * @typedef {import("./analysis.js").Branch} Branch
 */

const SHOWN_LINES = 3;
/** The symbol of each label, shown beside its move. @type {Record<string, string>} */
const SIGNS = { best: "★", good: "✓", inaccuracy: "?!", mistake: "?", blunder: "??", "missed win": "✕" };
const MISTAKES = ["inaccuracy", "mistake", "blunder", "missed win"];

/** @param {Analysis} analysis */
export function drawAnalysis(analysis) {
  const { game, position, trying } = analysis;
  const badges = new Map(
    trying || !analysis.showsWorths ? [] : analysis.lines.map((line, at) => [line.move, badge(line.worth, at === 0)]),
  );
  const board = boardOf(analysis, game, position, {
    badges,
    onplay: tryCell,
    fresh: analysis.fresh,
    pending: analysis.pending,
  });
  return [
    h("section.table", { key: "table", "aria-label": "Board" }, framed(board)),
    h(
      "section.panel",
      { key: "panel", "aria-label": "Analysis" },
      gameTitle(game),
      statusLine(position.outcome?.text ?? position.status, position.outcome),
      trying ? tryBox(analysis) : engineBox(analysis),
      graph(analysis),
      treeBox(analysis),
      reviewBox(analysis),
      entry("analyse"),
      more(analysis),
    ),
  ];
}

/** The chances of both sides as a bar. @param {Analysis} analysis */
function bar(analysis) {
  const chance = analysis.here.chance;
  const said = chance === null ? "not yet known" : `${percent(100 * chance)} for X`;
  return h(
    "div.balance",
    { key: "bar" },
    mark("X"),
    h(
      "div.bar",
      {
        role: "img",
        "aria-label": `Evaluation: ${said}`,
        class: names({ unknown: chance === null }),
        style: { "--share": chance ?? 0.5 },
      },
      h("div.x", null),
      h("div.o", null),
    ),
    mark("O"),
  );
}

/** @param {Analysis} analysis */
function engineBox(analysis) {
  const { isOn, lines } = analysis;
  return h(
    "div.box.engine",
    { key: "engine" },
    h(
      "header",
      null,
      h("h2", null, "Engine"),
      button("On", toggleEngine, { "aria-pressed": String(isOn), "aria-label": "Engine on", key: "on" }),
      button("Values", toggleWorths, {
        "aria-pressed": String(analysis.showsWorths),
        "aria-label": "Values on the board",
        key: "worths",
        disabled: !isOn,
      }),
      threatsButton(),
    ),
    isOn && bar(analysis),
    isOn && h("p.found", null, foundText(analysis)),
    isOn &&
      lines.length > 0 &&
      h(
        "ol.lines",
        { "aria-label": "Engine lines" },
        lines.slice(0, SHOWN_LINES).map((line) => engineLine(analysis, line)),
      ),
    !analysis.position.is_over &&
      h(
        "p.solve",
        null,
        button("Solve", solveHere, { disabled: analysis.isSolving, "aria-label": "Solve this position" }),
        analysis.solution
          ? h("span", null, solutionText(analysis.solution))
          : analysis.isSolving && h("span", null, "solving …"),
      ),
  );
}

/** @param {Analysis} analysis */
function foundText({ found, ahead, position }) {
  if (position.is_over) return "the game is over";
  if (ahead) return `waiting for a free engine: ${ahead} ahead`;
  if (!found) return "thinking …";
  const speed = found.nps ? `, ${count(found.nps)} a second` : "";
  const why = { time: "time is up", proven: "proven", depth: "as deep as it goes", stopped: "stopped" }[
    /** @type {string} */ (found.reason)
  ];
  return `depth ${found.depth}, ${count(found.nodes)} nodes${speed}${found.done ? `: ${why ?? "done"}` : ""}`;
}

/** `1.2 M`. @param {number} number */
export function count(number) {
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)} M`;
  return number >= 1e4 ? `${Math.round(number / 1e3)} k` : String(number);
}

/** `win (book)`: a value from the book is proven. @param {import("./api.js").EngineLine} line */
function worthText(line) {
  return line.source === "book" ? `${line.worth.text} (book)` : line.worth.text;
}

/** @param {Analysis} analysis @param {import("./api.js").EngineLine} line */
function engineLine(analysis, line) {
  return h(
    "li",
    { key: line.move },
    h("span.worth", { class: line.worth.value ?? "score" }, worthText(line)),
    h(
      "span.pv",
      null,
      line.pv_names.slice(0, 10).map((name, at) =>
        h(
          "button.move",
          {
            type: "button",
            key: at,
            onclick: () => keepLine(line, at + 1),
            class: moverOf(analysis, { ...analysis.here, ply: analysis.here.ply + at + 1 }).toLowerCase(),
          },
          name,
        ),
      ),
    ),
  );
}

/** @param {Analysis} analysis */
function tryBox({ trying }) {
  const { judged, verdict, isGood } = /** @type {NonNullable<Analysis["trying"]>} */ (trying);
  return h(
    "div.box.trying",
    { key: "trying" },
    h("h2", null, "Try again"),
    h("p", null, `${judged.side} played ${judged.move}: ${judged.label}. Find something better.`),
    verdict && h("p.verdict", { class: names({ good: isGood }) }, verdict),
    h("div.buttons", null, button(isGood ? "Show the line" : "Show the answer", showAnswer), button("Done", endTry)),
  );
}

const [WIDE, TALL] = [300, 80];

/** The chance of X after each move of the line on the board. @param {Analysis} analysis */
function graph(analysis) {
  const line = lineThrough(analysis.here);
  const points = line.map((at, ply) => ({ ply, chance: at.chance })).filter((point) => point.chance !== null);
  if (line.length < 2 || points.length < 2) return null;
  const x = (/** @type {number} */ ply) => (ply / (line.length - 1)) * WIDE;
  const y = (/** @type {number | null} */ chance) => (1 - (chance ?? 0.5)) * TALL;
  const path = points
    .map((point, at) => `${at ? "L" : "M"}${x(point.ply).toFixed(1)} ${y(point.chance).toFixed(1)}`)
    .join("");
  const [from, to] = [points[0], points[points.length - 1]].map((point) => `${x(point.ply).toFixed(1)} ${TALL / 2}`);
  const area = `${path}L${to}L${from}Z`;
  return h(
    "div.box.graph",
    { key: "graph" },
    h("h2", null, "Evaluation"),
    h(
      "svg",
      {
        viewBox: `-6 -4 ${WIDE + 12} ${TALL + 8}`,
        role: "img",
        "aria-label": graphText(analysis, points),
        preserveAspectRatio: "none",
        onclick: (/** @type {MouseEvent} */ event) => {
          const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
          visitPly(Math.round(((event.clientX - box.left) / box.width) * (line.length - 1)));
        },
      },
      h("rect.ground", { x: 0, y: 0, width: WIDE, height: TALL }),
      h("line.half", { x1: 0, x2: WIDE, y1: TALL / 2, y2: TALL / 2 }),
      h("path.area", { d: area }),
      h("path.curve", { d: path }),
      h("line.now", { x1: x(analysis.here.ply), x2: x(analysis.here.ply), y1: 0, y2: TALL }),
      line.map((at, ply) => {
        const label = mistakeLabel(at);
        const d = `M${x(ply).toFixed(1)} ${y(at.chance).toFixed(1)}h0`;
        return label && h("path.dot", { key: ply, class: label.replace(" ", "-"), d });
      }),
    ),
    h(
      "p.legend",
      { "aria-hidden": "true" },
      h("span", null, mark("X"), "above the middle"),
      h("span", null, mark("O"), "below"),
    ),
  );
}

/** @param {Analysis} analysis @param {{ply: number, chance: number | null}[]} points */
function graphText(analysis, points) {
  const here = analysis.here.chance;
  return `Evaluation graph of ${points.length} positions${here === null ? "" : `; now ${percent(100 * here)} for X`}`;
}

/** @param {Analysis} analysis */
function treeBox(analysis) {
  const { root, here } = analysis;
  return h(
    "div.box.tree",
    { key: "tree" },
    h(
      "header",
      null,
      h("h2", null, "Variations"),
      h(
        "div.steps",
        { role: "group", "aria-label": "Steps through the line" },
        button(icon("first"), () => visit(root), {
          disabled: !here.parent,
          "aria-label": "To the start",
          key: "first",
        }),
        button(icon("back"), back, { disabled: !here.parent, "aria-label": "One move back", key: "back" }),
        button(icon("forward"), forward, {
          disabled: !here.kids.length,
          "aria-label": "One move forward",
          key: "forward",
        }),
        button(icon("last"), () => visitPly(lineThrough(here).length - 1), {
          disabled: !here.kids.length,
          "aria-label": "To the end",
          key: "last",
        }),
      ),
    ),
    h(
      "div.branches",
      { tabindex: "0", role: "group", "aria-label": "Tree of variations" },
      root.kids.length ? branches(analysis, root) : h("p.none", null, "Play on the board: every move is added here."),
    ),
    here.parent &&
      h(
        "div.buttons",
        null,
        here.parent.kids[0] !== here && button("Make it the main line", () => promote(here), { key: "promote" }),
        button("Remove from here", () => prune(here), { key: "prune" }),
      ),
  );
}

/** The label of a move if it is a mistake. @param {Branch} at */
function mistakeLabel(at) {
  const label = at.judged?.label ?? "";
  return MISTAKES.includes(label) ? label : null;
}

/**
 * The main line in a row, and variations as lists below the move they replace.
 * @param {Analysis} analysis @param {Branch} from @returns {import("./dom.js").Node[]}
 */
function branches(analysis, from) {
  const rows = [];
  let row = [];
  for (let at = from; at.kids.length; at = at.kids[0]) {
    row.push(moveButton(analysis, at.kids[0]));
    if (at.kids.length > 1) {
      rows.push(h("div.line", { key: `line ${at.ply}` }, row));
      rows.push(
        h(
          "ul",
          { key: `other ${at.ply}` },
          at.kids
            .slice(1)
            .map((kid) =>
              h(
                "li",
                { key: String(kid.move) },
                h("div.line", null, moveButton(analysis, kid)),
                branches(analysis, kid),
              ),
            ),
        ),
      );
      row = [];
    }
  }
  if (row.length) rows.push(h("div.line", { key: "end" }, row));
  return rows;
}

/** @param {Analysis} analysis @param {Branch} at */
function moveButton(analysis, at) {
  const name = analysis.game.names[/** @type {number} */ (at.move)];
  const label = at.judged?.label;
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
    h("span.number", null, `${at.ply}.`),
    name,
    label && h("span.sign", null, SIGNS[label]),
  );
}

/** @param {Analysis} analysis */
function reviewBox(analysis) {
  const { reviewing, review } = analysis;
  const canReview = analysis.root.kids.length > 0;
  return h(
    "div.box.review",
    { key: "review" },
    h(
      "header",
      null,
      h("h2", null, "Review"),
      button(review ? "Review again" : "Review the line", startReview, {
        disabled: !canReview || reviewing !== null,
      }),
    ),
    reviewing &&
      h(
        "div.progress",
        null,
        h("progress", { max: reviewing.of, value: reviewing.done, "aria-label": "Positions reviewed" }),
        `${reviewing.done} of ${reviewing.of}`,
      ),
    review && [summary(review, analysis.names), mistakes(analysis)],
  );
}

/** @param {import("./api.js").ReviewAnswer} review @param {Record<string, string>} who */
function summary(review, who) {
  const labels = Object.keys(SIGNS);
  return h(
    "table",
    { key: "summary" },
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        h("td", null),
        h("th", { scope: "col" }, `X${who.X && who.X !== "X" ? ` ${who.X}` : ""}`),
        h("th", { scope: "col" }, `O${who.O && who.O !== "O" ? ` ${who.O}` : ""}`),
      ),
    ),
    h(
      "tbody",
      null,
      h(
        "tr",
        null,
        h("th", { scope: "row" }, "Accuracy"),
        h("td", null, percent(review.accuracy.X)),
        h("td", null, percent(review.accuracy.O)),
      ),
      labels.map((label) =>
        h(
          "tr",
          { key: label },
          h("th", { scope: "row" }, h("span.sign", { class: `is-${label.replace(" ", "-")}` }, SIGNS[label]), label),
          h("td", null, review.labels.X[label]),
          h("td", null, review.labels.O[label]),
        ),
      ),
    ),
  );
}

/** @param {Analysis} analysis */
function mistakes(analysis) {
  const line = lineThrough(analysis.here).filter(mistakeLabel);
  if (!line.length) return h("p", { key: "none" }, "No mistakes in this line.");
  return h(
    "ol.mistakes",
    { key: "mistakes", "aria-label": "Mistakes" },
    line.map((at) =>
      h(
        "li",
        { key: at.ply },
        h("div.what", null, moveButton(analysis, at), h("span", null, mistakeLabel(at))),
        button("Try again", () => tryAgain(at), { "aria-label": `Try again at move ${at.ply}`, key: "try" }),
        button("Answer", () => tryAgain(at).then(showAnswer), {
          "aria-label": `Show what was better at move ${at.ply}`,
          key: "answer",
        }),
      ),
    ),
  );
}

/** @param {Analysis} analysis */
function more(analysis) {
  const moves = movesTo(analysis.here);
  const players = {
    X: PERSON,
    O: /** @type {const} */ ({ kind: "engine", level: state.prefs.level, name: state.prefs.level }),
  };
  const mine = analysis.position.turn === "O" ? { X: players.O, O: players.X } : players;
  return h(
    "div.more",
    { key: "more" },
    h(
      "div.buttons",
      null,
      button(
        "Play from here",
        () =>
          begin({ game: analysis.game.data, start: analysis.start, moves, players: mine })
            .then(() => show("play"))
            .catch(complain),
        { disabled: analysis.position.is_over, key: "play" },
      ),
      button("Empty board", () => openAnalysis({ game: analysis.game.data }).catch(complain), { key: "empty" }),
      button("New game", () => openSetup(), { key: "new" }),
    ),
    linkBox(
      "Link to this position",
      "link-analysis",
      linkTo({ game: analysis.game.data, start: analysis.start, moves, view: "analyse" }),
    ),
  );
}
