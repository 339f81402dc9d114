// @ts-check
/** The view of a playthrough at this screen: the board, and a panel beside it. */

import { attempt, failure, prefer, redraw, state, toggleThreats } from "../shell/app.js";
import { mark } from "../board/board.js";
import { boardOf, framed, hintOnBoard } from "../board/boards.js";
import { celebration } from "../board/celebration.js";
import { formatTime, timeLeft } from "./clock.js";
import { entry } from "../shell/commands.js";
import { button, fileButton, iconButton, moreTool, sheet, stepButtons, tool } from "../ui/controls.js";
import { h, names } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { analysePlay, reviewPlay } from "../analysis/entrance.js";
import { loadFile, saveFile, sharePlay } from "./files.js";
import {
  allMoves,
  hasPerson,
  isAgainstEngine,
  isLookingBack,
  mayMove,
  opponent,
  outcomeOf,
  outcomeText,
  phaseOf,
  plyToUndo,
  shownNames,
  sideAt,
  viewerOf,
} from "./phase.js";
import {
  again,
  askHint,
  goTo,
  hintText,
  playAgainstComputer,
  playCell,
  playOn,
  redo,
  resign,
  setLevel,
  swapSides,
  takeOver,
  togglePause,
  undo,
} from "./play.js";
import { lessonAfter } from "../learn/suggestion.js";
import { isNew, markKnown, openRules } from "../rules/rules.js";
import { openSetup, strengthPicker } from "./choices.js";
import { clearScore, scoreOf } from "./score.js";
import { capital, turnWords } from "../ui/words.js";

/** @typedef {import("./phase.js").Play} Play */

/** @param {Play} play */
export function drawPlay(play) {
  const outcome = outcomeOf(play);
  const board = boardOf(play, play.game, play.position, {
    legal: new Set(mayMove(play) ? play.position.legal_cells : []),
    pending: typeof play.pending === "number" ? play.pending : null,
    hint: hintOnBoard(play.hint),
    fresh: play.fresh,
    turn: outcome ? null : play.position.turn,
    onplay: playCell,
  });
  return [
    h("section.table", { key: "table", "aria-label": "Board" }, framed(board), celebrated(play)),
    h(
      "section.panel",
      { key: "panel", "aria-label": "Game" },
      state.friend && wayToFriend(state.friend),
      gameTitle(play.game),
      playerList(play),
      statusLine(statusOf(play), outcome),
      trouble(play),
      tools(play),
      newcomer(play),
      lessonAfter(play),
      play.hint && hintBox(play.hint, statusOf(play)),
      play.comments[play.at] && h("blockquote.comment", { key: "comment" }, play.comments[play.at]),
      lookingBack(play),
      sheet(
        moveList({ ...play, moves: allMoves(play) }, play.wanted ?? play.at, goTo),
        levelChoice(play),
        score(play),
        actions(play),
        further(play),
        entry("play"),
      ),
    ),
  ];
}

/** The offer to explain a game, before the first move of the first one of its kind. @param {Play} play */
function newcomer({ game, moves }) {
  return (
    isNew(game) &&
    moves.length < 2 &&
    h(
      "div.box.newcomer",
      { key: "newcomer" },
      h("p", `New to ${game.title}?`),
      iconButton("close", "I know how to play", () => markKnown(game), { key: "known" }),
      button("How to play · 30 seconds", () => openRules(game.data), { key: "rules", icon: "learn" }),
    )
  );
}

/** The celebration of a game that has just been won, unless the computer has won it. @param {Play} play */
function celebrated(play) {
  const winner = play.fresh && outcomeOf(play)?.winner;
  return winner && play.players[winner].kind === "person" && celebration(winner, play.key);
}

/** A reminder of the running game with a friend, with the way back to it. @param {import("../friends/friend.js").Friend} friend */
function wayToFriend({ id, side, state: current }) {
  if (!current || current.outcome) return null;
  const which = side ? `your game with ${current.players[opponent(side)]}` : "the game that you are watching";
  return h(
    "div.box.way",
    { key: "way" },
    h("p", `This is another game, on this device; ${which} is still running.`),
    h("a.button", { href: `#friend=${id}` }, side ? "Back to your friend" : "Back to that game"),
  );
}

/** Why the game stands still, and what to do about it. @param {Play} play */
function trouble(play) {
  const phase = phaseOf(play);
  if (phase === "elsewhere") return failure("This game continues in another tab.", takeOver, "Play here");
  return phase === "failed" && play.failed && failure(play.failed.text, play.failed.retry);
}

/**
 * The tools for every move, or those after the end; the hint is shown below, so that its button stays under the pointer.
 * @param {Play} play
 */
function tools(play) {
  if (phaseOf(play) === "over") return toolsAfter(play);
  const may = mayMove(play);
  const hasUndo = plyToUndo(play, play.at) !== null || (play.ended !== null && !isLookingBack(play));
  const isWatched = !hasPerson(play);
  return h(
    "div.tools",
    { key: "tools", role: "group", "aria-label": "Moves" },
    !isWatched && tool("undo", "Undo", undo, { disabled: !hasUndo }),
    !isWatched && tool("redo", "Redo", redo, { class: "wide", disabled: !play.undone.length }),
    !isWatched &&
      tool("hint", play.isHinting ? "Looking …" : "Hint", askHint, {
        disabled: !may || play.hint?.step === 3,
        "aria-busy": play.isHinting ? "true" : null,
        "aria-label": play.hint ? "More of the hint" : "Hint",
      }),
    isWatched && tool("pause", play.isPaused ? "Resume" : "Pause", togglePause),
    threatsTool(),
    moreTool(),
  );
}

/** @param {Play} play */
function toolsAfter(play) {
  return h(
    "div.tools",
    { key: "tools", role: "group", "aria-label": "Moves" },
    tool("again", "Play again", again, { class: "primary" }),
    play.moves.length > 0 && reviewTool(play),
    hasPerson(play) && tool("undo", "Undo", undo, { disabled: isLookingBack(play) }),
    tool("plus", "New game", () => openSetup(), { class: "wide" }),
    moreTool(),
  );
}

/** After a loss the review begins with the move that lost. @param {Play} play */
function reviewTool(play) {
  const viewer = viewerOf(play);
  const winner = (play.ended ?? play.end.outcome)?.winner ?? null;
  const hasLost = viewer !== null && winner !== null && winner !== viewer;
  return tool("review", hasLost ? "Turning point" : "Review", () => attempt(() => reviewPlay(play)), {
    "aria-label": hasLost ? "See the turning point" : "Review the game",
  });
}

/** The ways back from an earlier move. @param {Play} play */
function lookingBack(play) {
  return (
    isLookingBack(play) &&
    h(
      "div.buttons",
      { key: "looking-back" },
      button("Back to the game", () => goTo(play.moves.length), { key: "present", icon: "last" }),
      !play.position.is_over && button("Continue from here", playOn, { key: "on", icon: "forward" }),
    )
  );
}

/** Actions that are rarely needed. @param {Play} play */
function actions(play) {
  const isOver = phaseOf(play) === "over";
  return h(
    "div.buttons",
    { key: "actions" },
    button("New game", () => openSetup(), { key: "new", icon: "plus", class: isOver ? "narrow" : "" }),
    !isOver && hasPerson(play) && button("Resign", resign, { key: "resign", icon: "resign" }),
    !isOver &&
      !viewerOf(play) &&
      hasPerson(play) &&
      button("Play the computer", playAgainstComputer, { key: "computer", icon: "swap" }),
    !isOver && isAgainstEngine(play) && button("Swap sides", swapSides, { key: "swap", icon: "swap" }),
  );
}

/** Other views of this game, and files. @param {Play} play */
function further(play) {
  return h(
    "div.tools",
    { key: "further" },
    tool("analyse", "Analyse", () => attempt(() => analysePlay(play))),
    phaseOf(play) !== "over" &&
      tool("review", "Review", () => attempt(() => reviewPlay(play)), { disabled: !play.moves.length }),
    tool("learn", "Rules", () => openRules(play.game.data)),
    tool("share", "Share", () => sharePlay(play)),
    tool("save", "Save", () => saveFile(play), { "aria-label": "Save as a file" }),
    loadTool(),
  );
}

/** @param {Play} play */
function statusOf(play) {
  const ended = outcomeText(play);
  if (ended) return ended;
  if (isLookingBack(play))
    return `Looking back: ${play.at ? `after move ${play.at} of ${play.moves.length}` : "the start"}`;
  const turn = /** @type {"X" | "O"} */ (play.end.turn);
  const phase = phaseOf(play);
  if (phase === "thinking") return `${shownNames(play)[turn]} is thinking …`;
  if (phase === "paused") return "Paused";
  const book = play.book?.at === play.at ? ` (the last move is from the book, ${play.book.how})` : "";
  return turnWords(play.position, shownNames(play), viewerOf(play)) + book;
}

/** @param {import("../board/panels.js").Game} game */
export function gameTitle(game) {
  return h(
    "header.game",
    { key: "game" },
    h("h1", game.title),
    h("p", aboutText(game)),
    iconButton("learn", "How to play", () => openRules(game.data), { class: "rules-button" }),
  );
}

/** What a game is about, without its title. @param {Pick<import("../board/panels.js").Game, "title" | "about">} game */
export function aboutText({ title, about }) {
  return about.startsWith(`${title}: `) ? capital(about.slice(title.length + 2)) : about;
}

/** @param {string} text @param {import("../server/types.d.ts").OutcomeAnswer | null} outcome */
export function statusLine(text, outcome) {
  return h(
    "p.status",
    { key: "status", class: names({ over: outcome, x: outcome?.winner === "X", o: outcome?.winner === "O" }) },
    text,
  );
}

/** @param {Play} play */
function playerList(play) {
  const turn = phaseOf(play) === "over" ? null : play.end.turn;
  const viewer = isAgainstEngine(play) ? viewerOf(play) : null;
  const { won, drawn, lost } = scoreOf(play);
  const isSeries = viewer !== null && won + drawn + lost > 0;
  return h(
    "ul.players",
    { key: "players" },
    /** @type {const} */ (["X", "O"]).map((side) =>
      player(
        side,
        shownNames(play)[side],
        turn === side,
        play.clock && formatTime(timeLeft(play.clock, side, turn === side) / 1000),
        null,
        isSeries ? (side === viewer ? won : lost) : null,
      ),
    ),
  );
}

/**
 * One line for a player.
 * @param {"X" | "O"} side @param {string} name @param {boolean} isToMove @param {string | null} clock
 * @param {import("../ui/dom.js").Node | null} [more] @param {number | null} [score] games won in a series
 */
export function player(side, name, isToMove, clock, more, score = null) {
  return h(
    "li",
    { key: side, class: names({ turn: isToMove, [side.toLowerCase()]: true }) },
    mark(side),
    h("span.name", name === side ? `Player ${side}` : name, isToMove && h("span.hidden", ", to move")),
    more,
    score !== null && h("span.wins", { "aria-label": `${score} won` }, score),
    clock !== null && h("span.clock", { role: "timer", "aria-label": `${side}'s clock` }, clock),
  );
}

export function threatsTool() {
  return tool("threats", "Threats", toggleThreats, { "aria-pressed": String(state.showsThreats) });
}

/**
 * On a phone the hint has the place of the status, and so begins with it.
 * @param {{step: number, found: import("../server/types.d.ts").HintAnswer}} hint @param {string} status
 */
function hintBox(hint, status) {
  return h(
    "div.hint",
    { key: "hint", role: "group", "aria-label": "Hint", tabindex: "0" },
    h(
      "strong",
      h("span.narrow", `${status} ·\u00a0`),
      `Hint ${hint.step} of 3`,
      h("span.wide", `: ${["where to look", "candidates", "the move and why"][hint.step - 1]}`),
    ),
    h("p", hintText(hint)),
  );
}

/** @param {Play} play */
function levelChoice(play) {
  const later = phaseOf(play) === "over" ? " of the next game" : "";
  const engines = /** @type {const} */ (["X", "O"]).filter((side) => play.players[side].kind === "engine");
  return (
    engines.length > 0 &&
    h(
      "div.levels",
      { key: "levels" },
      engines.map((side) =>
        strengthPicker(
          engines.length === 2 ? `Level of ${side}${later}` : `Level${later}`,
          `level-${side}`,
          play.next[side].level ?? "easy",
          (level) => {
            setLevel(side, level);
            prefer({ level });
          },
        ),
      ),
    )
  );
}

/** The score of the games against this level, kept in this browser. @param {Play} play */
function score(play) {
  const { won, drawn, lost } = scoreOf(play);
  if (!isAgainstEngine(play) || won + drawn + lost === 0) return null;
  const clear = () => {
    clearScore(play);
    redraw();
  };
  return h(
    "div.score-line",
    { key: "score" },
    h("p.how", `Your score against this level: ${won} won, ${drawn} drawn, ${lost} lost`),
    button("Clear", clear, { class: "quiet", "aria-label": "Clear the score" }),
  );
}

/**
 * The moves, each a button that shows the position after it.
 * @param {{start: string | null, moves: number[], game: import("../board/panels.js").Game}} line
 * @param {number} at @param {(ply: number) => void} onply
 */
export function moveList(line, at, onply) {
  const total = line.moves.length;
  const name = (/** @type {number} */ ply) => line.game.names[line.moves[ply]];
  return h(
    "div.moves",
    { key: "moves" },
    stepButtons(at, total, onply),
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
              h("span.number", `${ply + 1}.`),
              name(ply),
            ),
          ),
        ),
      ),
  );
}

/** Load a file: a label that looks like a tool. */
function loadTool() {
  const attrs = { key: "load", class: "tool" };
  return fileButton(attrs, ".ngn,.sgf,text/plain", loadFile, icon("load"), h("span", "Load"));
}
