// @ts-check
/** The text box: it takes moves as they are written in the game, and commands. */

import { Refused } from "../server/tasks.js";
import { announce, complain, notify, redraw, showHelp, state, toggleThreats } from "./app.js";
import { button, codeArea, codeField } from "../ui/controls.js";
import { h } from "../ui/dom.js";
import { analysePlay } from "../analysis/entrance.js";
import { saveFile, sharePlay } from "../play/files.js";
import { again, askHint, beginInstead, playText, redo, resign, setLevel, swapSides, undo } from "../play/play.js";
import { isLevel, openSetup } from "../play/choices.js";

/** @typedef {"play" | "analyse" | "friend"} Where */

/** Modules of views that are fetched when they are shown. */
const [variations, reader] = [() => import("../analysis/moves.js"), () => import("../analysis/paste.js")];
const friends = () => import("../friends/friend.js");

/** The commands, with their descriptions. */
export const COMMANDS = /** @type {const} */ ([
  ["undo, redo", "take back, play again"],
  ["hint", "where to look; again for more"],
  ["threats", "show or hide threats"],
  ["resign", "give up"],
  ["swap", "change sides"],
  ["new", "choose a game"],
  ["game 4x4x4", "start that game"],
  ["again", "play again, sides swapped"],
  ["level easy", "change the level"],
  ["board", "read out the position"],
  ["moves", "read out the legal moves"],
  ["save, share, analyse", "the same as the buttons"],
  ["help", "this list"],
]);

/** The text box of a view. @param {Where} where */
export function entry(where) {
  const answer = state.notice?.isTyped ? state.notice : null;
  const offered = answer?.offer;
  return h(
    "form.entry",
    {
      key: "entry",
      onsubmit: (event) => {
        event.preventDefault();
        const form = /** @type {HTMLFormElement} */ (event.target);
        const box = /** @type {HTMLInputElement | HTMLTextAreaElement} */ (form.elements.namedItem("text"));
        const text = box.value.trim();
        box.value = "";
        if (text) submit(where, text);
      },
    },
    where === "analyse"
      ? codeArea("Moves, a position, the text of a file, or a command", fieldAttrs(where))
      : codeField("Move or command", fieldAttrs(where)),
    h("button", { type: "submit" }, "Go"),
    answer
      ? h("p.how.notice", { id: "entry-how", class: answer.kind }, answer.text)
      : h("p.how", { id: "entry-how" }, how(where)),
    offered && button(offered.label, () => accept(offered), { class: "offer" }),
  );
}

/** Do what the answer to typed text offers. @param {import("./app.js").Offer} offered */
function accept(offered) {
  state.notice = null;
  redraw();
  offered.run();
}

/** @param {Where} where */
function shownIn(where) {
  return where === "friend" ? state.friend : where === "analyse" ? state.analysis : state.play;
}

/** @param {Where} where */
function fieldAttrs(where) {
  return { name: "text", id: "entry", placeholder: placeholder(where), "aria-describedby": "entry-how" };
}

/** @param {Where} where */
function placeholder(where) {
  const game = shownIn(where)?.game;
  if (where === "analyse") return "moves or a position";
  return game ? `${game.names[Math.floor(game.cells / 2)]}, undo, help …` : "";
}

/** @param {Where} where */
function how(where) {
  const game = shownIn(where)?.game;
  return game ? `Moves: ${game.how_to_type}.` : "";
}

/** @param {Where} where @param {string} text */
async function submit(where, text) {
  // What was wrong with the text before is of no interest any more.
  if (state.notice?.kind === "error") state.notice = null;
  try {
    await obey(where, text);
  } catch (error) {
    if (error instanceof Refused && error.status === 422) {
      // The number of a single move is not worth saying: it is the next one.
      const reason = /\s/.test(text) ? error.message : error.message.replace(/\bmove \d+: /, "");
      notify(`${reason}; or type a command: “help” lists them`, "error");
    } else complain(error, () => submit(where, text));
  }
}

/** Execute a command, or play a move. @param {Where} where @param {string} text */
async function obey(where, text) {
  const [word, ...rest] = text.toLowerCase().split(/\s+/);
  const own = where === "play" ? PLAYING : where === "analyse" ? ANALYSING : WITH_FRIEND;
  const commands = [own, ANYWHERE].find((some) => Object.hasOwn(some, word));
  if (commands) return commands[word](rest.join(" "));
  if (where === "friend") return (await friends()).friendText(text);
  return where === "analyse" ? (await reader()).readText(text) : playText(text);
}

/** @typedef {Record<string, (rest: string) => unknown>} Commands */

/** @type {Commands} */
const ANYWHERE = {
  help: showHelp,
  "?": showHelp,
  threats: () => {
    toggleThreats();
    notify(state.showsThreats ? "threats are shown" : "threats are hidden");
  },
  new: () => openSetup(),
  board: () => notify(spokenBoard()),
  moves: () => notify(spokenMoves()),
};

/** @type {Commands} */
const PLAYING = {
  undo: () => undo(),
  redo: () => redo(),
  hint: () => askHint(),
  resign: () => resign(),
  swap: () => swapSides(),
  again: () => again(),
  save: () => state.play && saveFile(state.play),
  share: () => state.play && sharePlay(state.play),
  analyse: () => state.play && analysePlay(state.play),
  game: (id) => state.play && beginInstead({ game: id, players: state.play.players }),
  level: (name) => {
    if (!isLevel(name))
      return notify(
        `expected a level of ${state.about?.levels.join(", ")}, or a rating such as elo:1500, got ${name || "nothing"}`,
        "error",
      );
    const side = state.play?.players.X.kind === "engine" ? "X" : "O";
    if (state.play?.players[side].kind !== "engine") return notify("no engine plays in this game", "error");
    setLevel(side, name);
    return announce(`level ${name}`);
  },
};

/** @type {Commands} */
const ANALYSING = {
  undo: async () => (await variations()).back(),
  redo: async () => (await variations()).forward(),
};

/** @type {Commands} */
const WITH_FRIEND = {
  resign: async () => (await friends()).resignFriend(),
  undo: async () => (await friends()).offer("takeback"),
  takeback: async () => (await friends()).offer("takeback"),
  draw: async () => (await friends()).offer("draw"),
  rematch: async () => (await friends()).offer("rematch"),
};

/** The game and position on the screen. */
function shown() {
  if (state.view === "friend") return { game: state.friend?.game, position: state.friend?.state?.position };
  const at = state.view === "analyse" ? state.analysis : state.play;
  return { game: at?.game, position: at?.position };
}

/** The marks of each side in words. */
function spokenBoard() {
  const { game, position } = shown();
  if (!game || !position) return "no board is shown here";
  const where = (/** @type {string} */ side) =>
    [...position.marks].flatMap((mark, at) => (mark === side ? [game.names[at]] : [])).join(" ") || "nothing";
  return `X: ${where("X")}. O: ${where("O")}. ${position.status}.`;
}

/** The legal moves, in words. */
function spokenMoves() {
  const { position } = shown();
  return position
    ? `${position.legal_moves.length} moves: ${position.legal_moves.join(" ")}`
    : "no board is shown here";
}
