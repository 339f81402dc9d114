// @ts-check
/** The view of puzzles: the board, the task, and the progress. */

import { attempt, failure } from "../shell/app.js";
import { boardOf, framed, ghosts } from "../board/boards.js";
import { button } from "../ui/controls.js";
import { h, inputValue, names } from "../ui/dom.js";
import { linkTo } from "../shell/route.js";
import { dailyStreak, dateText, THEME_WORDS } from "./choice.js";
import {
  askPuzzleHint,
  choosePuzzles,
  hasFurtherHint,
  madePuzzles,
  mayTry,
  openNext,
  openToday,
  OWN,
  puzzleHintText,
  retryPuzzle,
  showSolution,
  trySolution,
} from "./puzzles.js";

/**
 * @typedef {import("./puzzles.js").Puzzles} Puzzles
 * @typedef {import("./puzzles.js").Solving} Solving
 */

/** @param {Puzzles} puzzles @param {Solving} solving */
export function drawPuzzles(puzzles, solving) {
  const may = mayTry(solving);
  const board = boardOf(solving, solving.game, solving.position, {
    legal: new Set(may ? solving.position.legal_cells : []),
    pending: solving.pending,
    fresh: solving.fresh,
    preview: ghosts(solving.refuted?.cells ?? [], solving.puzzle.turn),
    hint: solving.hint && {
      area: new Set(solving.hint.step > 1 ? solving.hint.found.area : []),
      candidates: new Set(),
      move: null,
    },
    onplay: trySolution,
  });
  return [
    h("section.table", { key: "table", "aria-label": "Board" }, framed(board)),
    h(
      "section.panel",
      { key: "panel", "aria-label": "Puzzle" },
      h(
        "header.game",
        { key: "game" },
        h("h1", solving.day ? "Puzzle of the day" : "Puzzle"),
        h("p", solving.puzzle.title),
      ),
      task(solving),
      solving.failed && failure(solving.failed.text, solving.failed.retry),
      actions(solving),
      score(puzzles, solving),
      choice(puzzles),
    ),
  ];
}

/** The task, and the verdict on the last try, beside the board or directly below it. @param {Solving} solving */
function task(solving) {
  const { puzzle, phase, verdict, gained, hint } = solving;
  const isOver = phase === "solved" || phase === "shown";
  const isGood = !["wrong", "slower", "judging", "shown"].includes(phase);
  return h(
    "div.guide",
    { key: "task", class: phase, role: "region", "aria-label": "Task" },
    h("p.task", `${puzzle.text}.`),
    hint && h("p.hint", { key: "hint" }, puzzleHintText(solving)),
    verdict &&
      h(
        "p.verdict",
        { key: "verdict", class: names({ good: isGood, plain: ["shown", "slower", "judging"].includes(phase) }) },
        verdict,
      ),
    isOver &&
      puzzle.themes.length > 0 &&
      h(
        "p.themes",
        { key: "themes" },
        puzzle.themes.map((theme) => h("span.theme", { key: theme, title: THEME_WORDS[theme] }, theme)),
      ),
    gained !== 0 && h("p.count", `Your rating: ${gained > 0 ? "+" : "−"}${Math.abs(gained)}`),
  );
}

/** @param {Solving} solving */
function actions(solving) {
  const isOver = solving.phase === "solved" || solving.phase === "shown";
  const analyse = linkTo({ game: solving.puzzle.game, start: solving.puzzle.start, moves: [], view: "analyse" });
  return h(
    "div.buttons",
    { key: "actions" },
    isOver &&
      button("Next puzzle", openNext, {
        key: "next",
        class: "primary",
        onmount: (/** @type {HTMLElement} */ node) => node.focus({ preventScroll: true }),
      }),
    isOver && button("Again", retryPuzzle, { key: "again", icon: "again" }),
    !isOver &&
      button(solving.hint ? "Another hint" : "Hint", askPuzzleHint, {
        key: "hint",
        disabled: !mayTry(solving) || !hasFurtherHint(solving),
      }),
    !isOver && button("Show the solution", showSolution, { key: "show", disabled: !mayTry(solving) }),
    !isOver && button("Skip", openNext, { key: "skip", class: "quiet" }),
    isOver && h("a.button", { key: "analyse", href: new URL(analyse).hash }, "Analyse"),
  );
}

/** @param {Puzzles} puzzles @param {Solving} solving */
function score({ progress }, { puzzle }) {
  const days = dailyStreak(progress, dateText(new Date()));
  const tried = Object.values(progress.tried);
  const entries = [
    ["Your rating", progress.rating],
    ["This puzzle", puzzle.rating],
    ["In a row", progress.streak],
    ["Best run", progress.best],
    ["Solved", `${tried.filter(Boolean).length} of ${tried.length}`],
    ["Days in a row", days],
  ];
  return h(
    "dl.score",
    { key: "score" },
    entries.map(([name, value]) => h("div", { key: String(name) }, h("dt", name), h("dd", value))),
  );
}

/** @param {Puzzles} puzzles */
function choice({ all, only, theme, progress }) {
  const games = [...new Map(all.map(({ game, title }) => [game, title]))];
  const themes = Object.keys(THEME_WORDS).filter((one) =>
    all.some((puzzle) => puzzle.themes.some((of) => of === one)),
  );
  const made = madePuzzles.all();
  const today = dateText(new Date());
  return h(
    "div.box",
    { key: "choice" },
    h("h2", "More puzzles"),
    h(
      "label",
      h("span", "Puzzles from"),
      h(
        "select",
        { value: only, onchange: (event) => choosePuzzles({ only: inputValue(event) }) },
        h("option", { value: "" }, "all games"),
        made.length > 0 && h("option", { value: OWN }, `my own games (${made.length})`),
        games.map(([id, title]) => h("option", { key: id, value: id }, title)),
      ),
    ),
    h(
      "label",
      h("span", "Theme"),
      h(
        "select",
        { value: theme, onchange: (event) => choosePuzzles({ theme: inputValue(event) }) },
        h("option", { value: "" }, "all themes"),
        themes.map((one) => h("option", { key: one, value: one }, one)),
      ),
    ),
    button(
      progress.daily[today] === undefined ? "Puzzle of the day" : "Puzzle of the day (done)",
      () => attempt(openToday),
      {
        key: "today",
        icon: "star",
      },
    ),
  );
}
