// @ts-check
/** How an exercise looks: its board, the task with the verdict and the line of play, its buttons. */

import { boardOf, framed, ghosts } from "../board/boards.js";
import { panelsOf } from "../board/panels.js";
import { opponent } from "../play/phase.js";
import { failure } from "../shell/app.js";
import { button, stepButtons } from "../ui/controls.js";
import { h, names } from "../ui/dom.js";
import {
  askHint,
  hasFurtherHint,
  hasRest,
  hintText,
  hintedArea,
  isOver,
  mayTry,
  restart,
  showRest,
  showSolution,
  stepTo,
  tryAgain,
  tryMove,
} from "./exercise.js";

/**
 * @typedef {import("./exercise.js").Exercise} Exercise
 * @typedef {import("../ui/dom.js").Content} Content
 */

/** @param {Exercise} exercise */
export function exerciseBoard(exercise) {
  const { game, position, task, phase, line, at, before, won } = exercise;
  const isRefuted = phase === "wrong";
  const first = before.length % 2 ? opponent(task.turn) : task.turn;
  const board = boardOf(exercise, game, position, {
    legal: new Set(mayTry(exercise) ? position.legal_cells : []),
    pending: exercise.pending,
    fresh: exercise.fresh,
    preview: isRefuted ? ghosts(line.slice(0, at), first, at) : [],
    // In Ultimate the boards that it wins are not those of the position.
    ...(isRefuted && !game.block_size && { line: new Set(won) }),
    hint: exercise.hint && { area: hintedArea(exercise), candidates: new Set(), move: null },
    onplay: (cell) => tryMove(exercise, cell),
  });
  return h("section.table.exercise", { key: "table", "aria-label": "Board" }, framed(board));
}

/** The task, and the verdict on the last try, beside the board or directly below it.
 * @param {Exercise} exercise @param {string} text @param {Content} [more] */
export function taskBox(exercise, text, more) {
  const { phase, verdict, hint, game } = exercise;
  const isPlain = phase === "shown" || phase === "slower" || phase === "judging";
  return [
    h(
      "div.guide",
      { key: "task", class: phase, role: "region", "aria-label": "Task" },
      h("p.task", { key: "text" }, text),
      hint && h("p.hint", { key: "hint" }, hintText(exercise)),
      verdict &&
        h(
          "p.verdict",
          { key: "verdict", class: names({ good: !isPlain && phase !== "wrong", plain: isPlain }) },
          verdict,
        ),
      missed(exercise),
      more,
    ),
    exercise.failed && failure(exercise.failed.text, exercise.failed.retry),
    panelsOf(game).length > 1 &&
      h("p.how.pointing", { key: "pointing" }, "Yellow shows the lines through the place you point at."),
  ];
}

/** What the try misses; its room is kept while the try is looked at. @param {Exercise} exercise */
function missed({ phase, task }) {
  const has = task.missed && ["judging", "wrong", "slower"].includes(phase);
  return has && h("p.missed", { key: "missed", class: names({ awaited: phase === "judging" }) }, task.missed);
}

/** The line that shows why, to step through, with what its last move does. @param {Exercise} exercise */
function lineOfPlay(exercise) {
  const { line, at, why, game, task, before, phase } = exercise;
  if (phase === "judging") return h("div.line-of-play", { key: "line" });
  if (phase !== "wrong" && !isOver(exercise)) return null;
  const side = (at + before.length) % 2 ? task.turn : opponent(task.turn);
  const says = why && !exercise.verdict.includes(why) ? ` ${why}` : "";
  const move = at > 0 && says && `${side} ${game.names[line[at - 1]]}${says}.`;
  return h(
    "div.line-of-play",
    { key: "line" },
    line.length > 1 &&
      h(
        "div.through",
        { key: "through" },
        stepButtons(at, line.length, (to) => stepTo(exercise, to)),
        hasRest(exercise) && button("The rest", () => showRest(exercise), { key: "rest", class: "quiet" }),
      ),
    h("p.move-why", { key: "why" }, move),
  );
}

/** The buttons: help while a move is to be found, then what comes next; below them the line of play.
 * @param {Exercise} exercise @param {Content} next @param {Content} skip @param {Content} [more] */
export function actions(exercise, next, skip, more) {
  const line = lineOfPlay(exercise);
  if (isOver(exercise))
    return [
      h(
        "div.buttons",
        { key: "actions" },
        next,
        button("Again", () => restart(exercise), { key: "again", icon: "again" }),
        more,
      ),
      line,
    ];
  const may = mayTry(exercise);
  const buttons = h(
    "div.buttons",
    { key: "actions" },
    exercise.phase === "wrong" &&
      button("Try again", () => tryAgain(exercise), { key: "retry", class: "primary", icon: "again" }),
    button(exercise.hint ? "Another hint" : "Hint", () => askHint(exercise), {
      key: "hint",
      icon: "hint",
      disabled: !may || !hasFurtherHint(exercise),
    }),
    button("Solution", () => showSolution(exercise), { key: "show", icon: "eye", disabled: !may }),
    // Its place is that of "Try again".
    exercise.phase !== "judging" && exercise.phase !== "wrong" && skip,
  );
  return [buttons, line];
}

/** The way to the next exercise; it has the focus, so that Enter leads there. @param {string} text @param {() => unknown} onclick */
export function nextButton(text, onclick) {
  return button(text, onclick, {
    key: "next",
    class: "primary",
    icon: "forward",
    onmount: (/** @type {HTMLElement} */ node) => node.focus({ preventScroll: true }),
  });
}
