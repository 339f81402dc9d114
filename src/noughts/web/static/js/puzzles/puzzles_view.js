// @ts-check
/** The view of puzzles: the board, the task, and the progress. */

import { actions, exerciseBoard, nextButton, taskBox } from "../exercise/exercise_view.js";
import { isOver } from "../exercise/exercise.js";
import { attempt } from "../shell/app.js";
import { linkTo } from "../shell/route.js";
import { aboutText } from "../play/play_view.js";
import { openRules } from "../rules/rules.js";
import { button, iconButton } from "../ui/controls.js";
import { h, inputValue } from "../ui/dom.js";
import { capital, count } from "../ui/words.js";
import { dailyStreak, dateText, THEME_WORDS } from "./choice.js";
import { isSolvedLate, resultOfToday } from "./daily.js";
import { choosePuzzles, madePuzzles, openNext, openToday, OWN } from "./puzzles.js";

/**
 * @typedef {import("./puzzles.js").Puzzles} Puzzles
 * @typedef {import("./puzzles.js").Solving} Solving
 */

/** @param {Puzzles} puzzles @param {Solving} solving */
export function drawPuzzles(puzzles, solving) {
  const { puzzle, day } = solving;
  const analyse = linkTo({ game: puzzle.game, start: puzzle.start, moves: [], view: "analyse" });
  return [
    exerciseBoard(solving),
    h(
      "section.panel.exercise",
      { key: "panel", "aria-label": "Puzzle" },
      h(
        "header.game",
        { key: "game" },
        h("h1", day ? "Puzzle of the day" : "Puzzle"),
        h("p", `${puzzle.title} · puzzle rating ${puzzle.rating}`),
        h("p.how", { key: "rules" }, aboutText(solving.game)),
        iconButton("learn", "How to play", () => openRules(puzzle.game), { class: "rules-button" }),
      ),
      taskBox(solving, `${puzzle.text}.`, isOver(solving) && themes(solving)),
      actions(
        solving,
        nextButton("Next puzzle", openNext),
        button("Skip", openNext, { key: "skip", class: "quiet" }),
        h("a.button", { key: "analyse", href: new URL(analyse).hash }, "Analyse"),
      ),
      score(puzzles, solving),
      choice(puzzles),
    ),
  ];
}

/** What the solution uses. @param {Solving} solving */
function themes({ puzzle }) {
  return (
    puzzle.themes.length > 0 &&
    h(
      "p.themes",
      { key: "themes" },
      puzzle.themes.map((theme) => h("span.theme", { key: theme, title: THEME_WORDS[theme] }, theme)),
    )
  );
}

/** One line of what matters. @param {Puzzles} puzzles @param {Solving} solving */
function score({ progress }, { gained }) {
  const change =
    gained !== 0 &&
    h("small", { class: gained > 0 ? "gain" : "loss" }, ` ${gained > 0 ? "+" : "−"}${Math.abs(gained)}`);
  const entries = [
    ["Rating", [progress.rating, change]],
    ["Streak", progress.streak],
    ["Best streak", progress.best],
    ["Day streak", dailyStreak(progress, dateText(new Date()))],
  ];
  const tried = Object.values(progress.tried);
  const solved = `${tried.filter(Boolean).length} of ${count(tried.length, "puzzle")} solved at the first try`;
  return h(
    "dl.score",
    { key: "score", title: solved },
    entries.map(([name, value]) => h("div", { key: String(name) }, h("dt", name), h("dd", value))),
  );
}

/** @param {Puzzles} puzzles */
function choice({ all, only, theme }) {
  const games = [...new Map(all.map(({ game, title }) => [game, title]))];
  const themes = Object.keys(THEME_WORDS).filter((one) =>
    all.some((puzzle) => puzzle.themes.some((of) => of === one)),
  );
  const made = madePuzzles.all();
  const result = resultOfToday();
  const missed = isSolvedLate() ? ": solved, not at the first try" : ": not solved";
  const state = result === undefined ? "" : result ? ": solved" : missed;
  return h(
    "div.box",
    { key: "choice" },
    h("h2", "More puzzles"),
    h(
      "label",
      h("span", "Game"),
      h(
        "select",
        { value: only, onchange: (event) => choosePuzzles({ only: inputValue(event) }) },
        h("option", { value: "" }, "All games"),
        made.length > 0 && h("option", { value: OWN }, `Mistakes in my own games (${made.length})`),
        games.map(([id, title]) => h("option", { key: id, value: id }, title)),
      ),
    ),
    h(
      "label",
      h("span", "Theme"),
      h(
        "select",
        { value: theme, onchange: (event) => choosePuzzles({ theme: inputValue(event) }) },
        h("option", { value: "" }, "All themes"),
        themes.map((one) =>
          h(
            "option",
            { key: one, value: one },
            `${capital(one)}: ${THEME_WORDS[/** @type {keyof typeof THEME_WORDS} */ (one)]}`,
          ),
        ),
      ),
    ),
    button(`Puzzle of the day${state}`, () => attempt(openToday), { key: "today", icon: "star" }),
  );
}
