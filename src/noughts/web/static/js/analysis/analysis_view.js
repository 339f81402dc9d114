// @ts-check
/** The view of an analysis: the board with values, engine lines, the graph, and its actions. */

import { attempt, failure, state, toggleThreats } from "../shell/app.js";
import { mark } from "../board/board.js";
import { badge, badgeLegend, boardOf, framed, ghosts, hasSmallCells } from "../board/boards.js";
import { entry } from "../shell/commands.js";
import { button, fileButton, folded } from "../ui/controls.js";
import { h, inputValue, names } from "../ui/dom.js";
import { openEditor } from "./editor.js";
import { drawEditor } from "./editor_view.js";
import { beginInstead, PERSON } from "../play/play.js";
import { gameTitle, statusLine } from "../play/play_view.js";
import {
  linkHere,
  linkToTree,
  MAX_LINES,
  moverOf,
  openAnalysis,
  percent,
  preview,
  provingText,
  setEngine,
  setShown,
  solutionText,
  solveHere,
  toggleThinkingOn,
  tryCell,
} from "./analysis.js";
import { keepLine, visitPly } from "./moves.js";
import { guideBox, reviewBox } from "./review_view.js";
import { linkButton } from "../play/links.js";
import { range } from "../board/panels.js";
import { openSetup } from "../play/choices.js";
import { deleteSaved, hasSgf, loadTree, openSaved, saveAnalysis, savedAnalyses, saveTree } from "./saved_analyses.js";
import { lineThrough, movesTo } from "./tree.js";
import { mistakeLabel, steps, treeBox } from "./tree_view.js";
import { worthWords } from "../ui/words.js";

/**
 * @typedef {import("./analysis.js").Analysis} Analysis
 * @typedef {import("../server/types.d.ts").Candidate} Candidate
 */

/** @param {Analysis} analysis */
export function drawAnalysis(analysis) {
  if (analysis.editor) return drawEditor(analysis, analysis.editor);
  const { game, position } = analysis;
  const guide = guideBox(analysis);
  const shown = overlays(analysis);
  const board = boardOf(analysis, game, position, {
    ...shown,
    onplay: tryCell,
    fresh: analysis.fresh,
    pending: analysis.pending,
  });
  // Another game is another board: what was below the last one has not moved.
  return [
    h(
      "section.table",
      { key: `table ${game.title}`, "aria-label": "Board" },
      framed(board),
      guide,
      !guide &&
        analysis.isOn &&
        analysis.showsWorths &&
        badgeLegend(game, shown.badges?.values() ?? [], position.turn, commonWorth(analysis)),
    ),
    h(
      "section.panel",
      { key: `panel ${game.title}`, "aria-label": "Analysis" },
      gameTitle(game),
      h(
        "div.where",
        { key: "where" },
        statusLine(position.outcome?.text ?? position.status, position.outcome),
        steps(analysis),
      ),
      !isHidden(analysis) && engineBox(analysis),
      graph(analysis),
      treeBox(analysis),
      reviewBox(analysis),
      folded("Type moves, or paste a game", { key: "typing" }, entry("analyse")),
      more(analysis),
    ),
  ];
}

/** Whether values would give the answer away. @param {Analysis} analysis */
function isHidden({ guide }) {
  return guide !== null && ["trying", "judging", "wrong"].includes(guide.phase);
}

/** Values and the preview of a line on the board. @param {Analysis} analysis @returns {Partial<import("../board/board.js").Board>} */
function overlays(analysis) {
  const { lines, preview: looked, position, guide } = analysis;
  const next = moverOf(analysis, { ply: analysis.here.ply + 1 });
  if (guide?.ghosts?.at === analysis.here) return { preview: ghosts(guide.ghosts.cells, next) };
  if (isHidden(analysis) || !analysis.isOn || position.is_over) return {};
  if (looked) return { preview: ghosts(looked.line.cells, next, looked.moves) };
  if (analysis.showsBest && lines.length) return { preview: ghosts(lines[0].cells, next) };
  return analysis.showsWorths ? { badges: badgesOf(analysis) } : {};
}

/** The value that most of very many proven moves have: those are not labelled. @param {Analysis} analysis */
function commonWorth({ lines }) {
  if (lines.length <= MOST_LABELS || lines.some(({ value }) => value === null)) return null;
  const worths = lines.map(worthWords);
  const [middle] = worths.slice(Math.floor(worths.length / 2));
  return worths.filter((worth) => worth === middle).length > worths.length / 2 ? middle : null;
}

/** The values of the moves, by cell. @param {Analysis} analysis */
function badgesOf(analysis) {
  const { game, lines, shownLines } = analysis;
  const common = commonWorth(analysis);
  const hasAll = lines.length <= MOST_LABELS || lines.every(({ value }) => value !== null);
  const isShort = hasSmallCells(game);
  return new Map(
    lines.map((line, at) => [
      line.cell,
      badge(line, { best: at === 0, hasText: hasAll ? worthWords(line) !== common : at < shownLines, isShort }),
    ]),
  );
}

/** Most moves that are all labelled though not all are proven. */
const MOST_LABELS = 20;
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
      h("div.x"),
      h("div.o"),
    ),
    mark("O"),
  );
}

/** @param {Analysis} analysis */
function engineBox(analysis) {
  const { isOn, lines, failed, position, shownLines } = analysis;
  return h(
    "div.box.engine",
    { key: "engine" },
    h(
      "header",
      h("h2.wide", "Engine"),
      button([h("span.wide", "On"), h("span.narrow", "Engine")], () => setEngine({ isOn: !isOn }), {
        "aria-pressed": String(isOn),
        "aria-label": "Engine on",
        key: "on",
      }),
      button("Values", () => setEngine({ showsWorths: !analysis.showsWorths }), {
        "aria-pressed": String(analysis.showsWorths),
        "aria-label": "Values on the board",
        key: "worths",
        disabled: !isOn,
      }),
      button("Best line", () => setShown({ showsBest: !analysis.showsBest }), {
        "aria-pressed": String(analysis.showsBest),
        "aria-label": "Best line on the board",
        key: "best",
        disabled: !isOn,
      }),
      button("Threats", toggleThreats, { "aria-pressed": String(state.showsThreats), key: "threats" }),
    ),
    state.showsThreats &&
      h("p.found", { key: "threats" }, hasThreats(position) ? "Threats are marked on the board." : "No threats now."),
    failed && failure(failed.text, failed.retry),
    isOn && bar(analysis),
    isOn &&
      h(
        "ol.lines",
        { "aria-label": "Engine lines", style: { "--rows": shownLines }, onpointerleave: () => preview(null) },
        lines.slice(0, shownLines).map((line, at) => engineLine(analysis, line, at)),
      ),
    isOn && !failed && h("p.found", foundText(analysis)),
    isOn && effort(analysis),
  );
}

/** Whether a side could complete a line now. @param {import("../server/types.d.ts").PositionAnswer} position */
function hasThreats({ threats }) {
  return threats.X.length > 0 || threats.O.length > 0;
}

/** The controls of the engine: number of lines, thinking time, and a proof. @param {Analysis} analysis */
function effort(analysis) {
  const { found, thinksOn, shownLines, solution, isSolving, proving, position } = analysis;
  const isSettled = position.is_over || found?.reason === "proven";
  return h(
    "div.effort",
    { key: "effort" },
    h(
      "label",
      h("span", "Lines"),
      h(
        "select",
        { value: String(shownLines), onchange: (event) => setEngine({ shownLines: Number(inputValue(event)) }) },
        range(MAX_LINES).map((at) => h("option", { key: at, value: String(at + 1) }, at + 1)),
      ),
    ),
    button(thinksOn ? "Stop" : "Keep thinking", toggleThinkingOn, {
      key: "on",
      disabled: isSettled,
      "aria-pressed": String(thinksOn),
      "aria-label": "Keep thinking without a time limit",
    }),
    button("Solve", solveHere, {
      key: "solve",
      disabled: position.is_over || isSolving,
      "aria-label": "Solve this position",
    }),
    (solution || isSolving) &&
      h("p.solved", { key: "solved" }, solution ? solutionText(solution) : provingText(proving)),
  );
}

/** @param {Analysis} analysis */
function foundText({ found, ahead, position, thinksOn }) {
  if (position.is_over) return "The game is over.";
  if (ahead) return `Waiting for a free engine: ${ahead} ahead.`;
  if (!found) return "Thinking …";
  const isKnown = found.moves[0].source === "book" || found.moves[0].source === "store";
  if (found.reason === "proven") return `${isKnown ? "No search needed: every" : "Every"} move is proven.`;
  const depth = `${found.depth} moves deep, ${count(found.nodes)} positions`;
  if (!found.reason)
    return `${isKnown ? "The best is known; searching the others" : depth} …${thinksOn ? " No time limit." : ""}`;
  return `Searched ${depth}.`;
}

/** `1.2 M`. @param {number} number */
export function count(number) {
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)} M`;
  return number >= 1e4 ? `${Math.round(number / 1e3)} k` : String(number);
}

/** @param {Analysis} analysis @param {Candidate} line @param {number} rank */
function engineLine(analysis, line, rank) {
  const { position } = analysis;
  const { value, source } = line;
  const isProven = value !== null;
  return h(
    "li",
    { key: rank },
    h(
      "span.worth",
      {
        class: value ?? "estimate",
        title: isProven ? `Proven (${source})` : `${position.turn}’s chance to win, estimated`,
      },
      worthWords(line),
      isProven &&
        h(
          "span.proven",
          { role: "img", "aria-label": "proven" },
          h("span.wide", source === "book" ? "book" : "proven"),
          h("span.narrow", "✓"),
        ),
    ),
    h(
      "span.pv",
      line.line.slice(0, 10).map((name, at) =>
        h(
          "button.move",
          {
            type: "button",
            key: at,
            onclick: () => keepLine(line, at + 1),
            onpointerover: (event) => event.pointerType !== "touch" && preview(line, at + 1),
            onfocus: () => preview(line, at + 1),
            onblur: () => preview(null),
            class: moverOf(analysis, { ply: analysis.here.ply + at + 1 }).toLowerCase(),
          },
          name,
        ),
      ),
    ),
  );
}

const [WIDE, TALL] = [300, 80];

/** The chance of X after each move of the line on the board. @param {Analysis} analysis */
function graph(analysis) {
  const line = lineThrough(analysis.here);
  const points = line.map((at, ply) => ({ ply, chance: at.chance })).filter((point) => point.chance !== null);
  const plies = Math.max(1, line.length - 1);
  const x = (/** @type {number} */ ply) => (ply / plies) * WIDE;
  const y = (/** @type {number | null} */ chance) => (1 - (chance ?? 0.5)) * TALL;
  const path = points
    .map((point, at) => `${at ? "L" : "M"}${x(point.ply).toFixed(1)} ${y(point.chance).toFixed(1)}`)
    .join("");
  const [from, to] = [points[0], points.at(-1)].map((point) => `${x(point?.ply ?? 0).toFixed(1)} ${TALL / 2}`);
  const area = path && `${path}L${to}L${from}Z`;
  return h(
    "div.box.graph",
    { key: "graph" },
    h("header", h("h2", "Who is ahead")),
    h(
      "div.plot",
      h("div.axis", { "aria-hidden": "true" }, mark("X"), mark("O")),
      h(
        "svg",
        {
          viewBox: `-6 -4 ${WIDE + 12} ${TALL + 8}`,
          role: "img",
          "aria-label": graphText(analysis, points),
          preserveAspectRatio: "none",
          onclick: (/** @type {MouseEvent} */ event) => {
            const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
            visitPly(Math.round(((event.clientX - box.left) / box.width) * plies));
          },
        },
        h("rect.ground", { x: 0, y: 0, width: WIDE, height: TALL }),
        h("line.half", { x1: 0, x2: WIDE, y1: TALL / 2, y2: TALL / 2 }),
        h("path.area", { d: points.length > 1 ? area : "" }),
        h("path.curve", { d: path }),
        h("line.now", { x1: x(analysis.here.ply), x2: x(analysis.here.ply), y1: 0, y2: TALL }),
        line.map((at, ply) => {
          const label = mistakeLabel(at);
          const d = `M${x(ply).toFixed(1)} ${y(at.chance).toFixed(1)}h0`;
          return label && h("path.dot", { key: ply, class: label.replace(" ", "-"), d });
        }),
      ),
      points.length < 2 &&
        h(
          "p.no-curve",
          line.length > 2 ? "A review draws the curve of this line." : "It is drawn as you step through the moves.",
        ),
    ),
  );
}

/** @param {Analysis} analysis @param {{ply: number, chance: number | null}[]} points */
function graphText(analysis, points) {
  const here = analysis.here.chance;
  return `Evaluation graph of ${points.length} positions${here === null ? "" : `; now ${percent(100 * here)} for X`}`;
}

/** @param {Analysis} analysis */
function more(analysis) {
  const { game, position } = analysis;
  const player = /** @type {const} */ ({ kind: "engine", level: state.prefs.level, name: state.prefs.level });
  const mine = position.turn === "O" ? { X: player, O: PERSON } : { X: PERSON, O: player };
  const playHere = () => {
    const wanted = { game: game.data, start: analysis.start, moves: movesTo(analysis.here), players: mine };
    attempt(() => beginInstead(wanted));
  };
  return h(
    "div.more",
    { key: "more" },
    h(
      "div.buttons",
      button("Play from here", playHere, { disabled: position.is_over, key: "play" }),
      button("Edit the board", openEditor, { key: "edit", icon: "edit" }),
      button("Empty board", () => attempt(() => openAnalysis({ game: game.data, tree: "" })), { key: "empty" }),
      button("Another game", () => openSetup(), { key: "new" }),
    ),
    h(
      "details.box.keep",
      { key: "keep" },
      h("summary", "Files, links and saved analyses"),
      h(
        "div.buttons",
        button("Save as .ngn", () => saveTree("ngn"), { key: "ngn", icon: "save" }),
        hasSgf(game) && button("Save as .sgf", () => saveTree("sgf"), { key: "sgf", icon: "save" }),
        fileButton({ key: "load" }, ".ngn,.sgf,text/plain", loadTree, "Load a file"),
      ),
      linkButton("This position only", "link-analysis", linkHere(analysis)),
      linkButton("Whole game, with variations and comments", "link-tree", linkToTree(analysis)),
      h("div.buttons", button("Keep in this browser", saveAnalysis, { key: "save" })),
      savedList(),
    ),
  );
}

/** The analyses saved in this browser. */
function savedList() {
  const saved = savedAnalyses.all();
  return (
    saved.length > 0 &&
    h(
      "ul.saved-analyses",
      { "aria-label": "Saved analyses" },
      saved.map((one) =>
        h(
          "li",
          { key: one.id },
          button(one.title, () => openSaved(one), { key: "open", class: "quiet" }),
          h("small", one.when),
          button("Delete", () => deleteSaved(one), {
            key: "delete",
            class: "quiet",
            "aria-label": `Delete ${one.title}`,
          }),
        ),
      ),
    )
  );
}
