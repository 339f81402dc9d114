// @ts-check
/** The view of a playthrough at this screen: the board, and a panel beside it. */

import { prefer, redraw, state } from "./app.js";
import { mark } from "./board.js";
import { boardOf, framed, hintOnBoard } from "./boards.js";
import { formatTime, timeLeft } from "./clock.js";
import { entry } from "./commands.js";
import { button } from "./controls.js";
import { h, names } from "./dom.js";
import { icon } from "./icons.js";
import { analysePlay, reviewPlay } from "./analysis.js";
import { loadFile, saveFile, sharePlay } from "./files.js";
import {
  again,
  askHint,
  goTo,
  hasPerson,
  hintText,
  mayMove,
  outcomeOf,
  outcomeText,
  playCell,
  playOn,
  redo,
  resign,
  setLevel,
  shownNames,
  sideAt,
  swapSides,
  togglePause,
  undo,
  viewerOf,
} from "./play.js";
import { openSetup, strengthPicker } from "./setup.js";
import { capital, turnWords } from "./words.js";

/**
 * @typedef {import("./play.js").Play} Play
 */

/** @param {Play} play */
export function drawPlay(play) {
  const may = mayMove(play);
  const outcome = outcomeOf(play);
  const board = boardOf(play, play.game, play.position, {
    legal: new Set(may ? play.position.legal : []),
    pending: play.pending,
    hint: hintOnBoard(play.hint),
    fresh: play.fresh,
    turn: outcome ? null : play.position.turn,
    onplay: playCell,
  });
  return [
    h("section.table", { key: "table", "aria-label": "Board" }, framed(board)),
    h(
      "section.panel",
      { key: "panel", "aria-label": "Game" },
      state.friend?.state &&
        !state.friend.state.outcome &&
        h("a.button", { key: "back", href: `#friend=${state.friend.id}` }, "Back to the game with your friend"),
      gameTitle(play.game),
      playerList(play),
      statusLine(statusOf(play), outcome),
      play.hint && hintBox(play.hint),
      play.comments[play.at] && h("blockquote.comment", { key: "comment" }, play.comments[play.at]),
      h(
        "div.buttons",
        null,
        button("Undo", undo, { disabled: play.at === 0, key: "undo" }),
        button("Redo", redo, { disabled: play.at === play.moves.length, key: "redo" }),
        button(play.hint ? "More" : "Hint", askHint, {
          disabled: !may || play.hint?.step === 3,
          key: "hint",
          "aria-label": play.hint ? "More of the hint" : "Hint",
        }),
        threatsButton(),
        isPast(play) && button("Continue from here", playOn, { key: "on" }),
        !hasPerson(play) && !outcome && button(play.isPaused ? "Resume" : "Pause", togglePause, { key: "pause" }),
        outcome
          ? button("Play again", again, { key: "again", class: "primary" })
          : button("Resign", resign, { key: "resign" }),
        hasPerson(play) && button("Swap sides", swapSides, { key: "swap" }),
      ),
      levelChoice(play),
      moveList(play, play.at, goTo),
      entry("play"),
      h(
        "div.buttons.further",
        null,
        button("New game", () => openSetup(), { class: "primary", key: "new" }),
        button("Analyse", () => analysePlay(play), { key: "analyse" }),
        button("Review", () => reviewPlay(play), { key: "review", disabled: !play.moves.length }),
        button("Share", () => sharePlay(play), { key: "share" }),
        button("Save", () => saveFile(play), { key: "save", "aria-label": "Save as a file" }),
        loadButton(),
      ),
    ),
  ];
}

/**
 * Whether moves were taken back and it is an engine's turn, which does not move by itself then.
 * @param {Play} play
 */
function isPast(play) {
  return play.at < play.moves.length && !mayMove(play) && !play.position.is_over;
}

/** @param {Play} play */
function statusOf(play) {
  const ended = outcomeText(play);
  if (ended) return ended;
  const turn = /** @type {"X" | "O"} */ (play.position.turn);
  if (play.isThinking) return `${shownNames(play)[turn]} is thinking …`;
  const book = play.book?.at === play.at ? ` (the last move is from the book, ${play.book.how})` : "";
  return turnWords(play.position, shownNames(play), viewerOf(play)) + book;
}

/** @param {import("./panels.js").Game} game */
export function gameTitle(game) {
  const about = game.about.startsWith(`${game.title}: `)
    ? capital(game.about.slice(game.title.length + 2))
    : game.about;
  return h("header.game", { key: "game" }, h("h1", null, game.title), h("p", null, about));
}

/** @param {string} text @param {import("./api.js").Outcome | null} outcome */
export function statusLine(text, outcome) {
  return h(
    "p.status",
    { key: "status", class: names({ over: outcome, x: outcome?.winner === "X", o: outcome?.winner === "O" }) },
    text,
  );
}

/** @param {Play} play */
function playerList(play) {
  const turn = outcomeOf(play) ? null : play.position.turn;
  return h(
    "ul.players",
    { key: "players" },
    /** @type {const} */ (["X", "O"]).map((side) =>
      player(
        side,
        shownNames(play)[side],
        turn === side,
        play.clock && formatTime(timeLeft(play.clock, side, turn === side) / 1000),
      ),
    ),
  );
}

/**
 * One line for a player.
 * @param {"X" | "O"} side @param {string} name @param {boolean} isToMove @param {string | null} clock
 * @param {import("./dom.js").Node} [more]
 */
export function player(side, name, isToMove, clock, more) {
  return h(
    "li",
    { key: side, class: names({ turn: isToMove, [side.toLowerCase()]: true }) },
    mark(side),
    h("span.name", null, name === side ? `Player ${side}` : name, isToMove && h("span.hidden", null, ", to move")),
    more,
    clock !== null && h("span.clock", { role: "timer", "aria-label": `${side}'s clock` }, clock),
  );
}

export function threatsButton() {
  return button(
    "Threats",
    () => {
      state.showsThreats = !state.showsThreats;
      redraw();
    },
    { key: "threats", "aria-pressed": String(state.showsThreats) },
  );
}

/** @param {{step: number, found: import("./api.js").Hint}} hint */
function hintBox(hint) {
  return h(
    "div.hint",
    { key: "hint" },
    h("strong", null, `Hint, ${["where to look", "candidates", "the move and why"][hint.step - 1]}`),
    h("p", null, hintText(hint)),
  );
}

/** @param {Play} play */
function levelChoice(play) {
  const engines = /** @type {const} */ (["X", "O"]).filter((side) => play.players[side].kind === "engine");
  return (
    engines.length > 0 &&
    h(
      "div.levels",
      { key: "levels" },
      engines.map((side) =>
        strengthPicker(
          engines.length === 2 ? `Level of ${side}` : "Level",
          `level-${side}`,
          play.players[side].level ?? "easy",
          (level) => {
            setLevel(side, level);
            prefer({ level });
          },
        ),
      ),
    )
  );
}

/**
 * The moves, each a button that shows the position after it.
 * @param {{start: string | null, moves: number[], game: import("./panels.js").Game}} line
 * @param {number} at @param {(ply: number) => void} onply
 */
export function moveList(line, at, onply) {
  const total = line.moves.length;
  const name = (/** @type {number} */ ply) => line.game.names[line.moves[ply]];
  return h(
    "div.moves",
    { key: "moves" },
    h(
      "div.steps",
      { role: "group", "aria-label": "Steps through the moves" },
      button(icon("first"), () => onply(0), { disabled: at === 0, "aria-label": "To the start", key: "first" }),
      button(icon("back"), () => onply(at - 1), { disabled: at === 0, "aria-label": "One move back", key: "back" }),
      button(icon("forward"), () => onply(at + 1), {
        disabled: at === total,
        "aria-label": "One move forward",
        key: "forward",
      }),
      button(icon("last"), () => onply(total), { disabled: at === total, "aria-label": "To the end", key: "last" }),
      h("span.ply", null, total ? `${at} of ${total}` : "no moves yet"),
    ),
    total > 0 &&
      h(
        "ol",
        { tabindex: "0", "aria-label": "Moves" },
        line.moves.map((_, ply) =>
          h(
            "li",
            { key: ply, class: names({ undone: ply >= at }) },
            h(
              "button.move",
              {
                type: "button",
                class: sideAt(line, ply).toLowerCase(),
                "aria-current": ply === at - 1 ? "step" : null,
                "aria-label": `Move ${ply + 1}, ${sideAt(line, ply)} ${name(ply)}`,
                onclick: () => onply(ply + 1),
              },
              h("span.number", null, `${ply + 1}.`),
              name(ply),
            ),
          ),
        ),
      ),
  );
}

/** Load a file: a label that looks like a button. */
function loadButton() {
  return h(
    "label.button",
    { key: "load" },
    "Load",
    h("input.hidden", {
      type: "file",
      accept: ".ngn,.sgf,text/plain",
      onchange: (event) => {
        const input = /** @type {HTMLInputElement} */ (event.target);
        const file = input.files?.[0];
        input.value = "";
        if (file) loadFile(file);
      },
    }),
  );
}
