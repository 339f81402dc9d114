// @ts-check
/** My games: everything played here, at this screen and with friends; open, continue, analyse, delete. */

import { deleteGame, findGame, listGames } from "../server/saved_games.js";
import { Refused } from "../server/tasks.js";
import { attempt, commitNow, complain, offerUndo, redraw, state } from "../shell/app.js";
import { button, iconButton } from "../ui/controls.js";
import { h } from "../ui/dom.js";
import { openPlay } from "../play/files.js";
import { icon } from "../ui/icons.js";
import { forgetSeat, friendSeats } from "../friends/friend_seats.js";
import { openAnalysis } from "../analysis/entrance.js";
import { show, visits } from "../shell/route.js";
import { howWon, savedPicture } from "./saved_pictures.js";
import { allSaved, forgettingText } from "../play/saving.js";
import { isLasting } from "../shell/storage.js";
import { capital, count, outcomeWords, shownName } from "../ui/words.js";

/**
 * @typedef {import("../server/types.d.ts").SavedGame} SavedGame
 * @typedef {ReturnType<typeof friendSeats>[number]} FriendSeat
 * @typedef {import("./saved_pictures.js").Line} Line
 */

/** The ids of deleted games that can still be restored; they are hidden. @type {Set<string | number>} */
const hidden = new Set();
/** @type {Promise<unknown>} */
let deleting = Promise.resolve();
const SEVERAL = "games are deleted";
const NOT_FOUND = 404;

/** Read the list again. */
export async function listSaved() {
  commitNow();
  await Promise.all([allSaved(), deleting]);
  state.saved = await listGames();
  redraw();
}

export function drawGames() {
  const friends = friendSeats().filter(({ id }) => !hidden.has(id));
  const saved = state.saved && state.saved.filter(({ id }) => !hidden.has(id));
  return [
    h(
      "section.page.games-page",
      { key: "games", "aria-labelledby": "games-title" },
      h("h1", { id: "games-title" }, "My games"),
      !isLasting() && h("p.how", { key: "forgetting" }, forgettingText()),
      saved === null && h("p", { key: "loading" }, "Loading …"),
      saved?.length === 0 && friends.length === 0 && nothingYet(),
      friends.length > 0 && group("With friends", friends.map(friendRow)),
      saved !== null && saved.length > 0 && group(friends.length ? "On this device" : "", saved.map(row)),
    ),
  ];
}

/** @param {string} title @param {import("../ui/dom.js").Node[]} rows */
function group(title, rows) {
  return h("div.group", { key: `group ${title}` }, title && h("h2", title), h("ul.saved", rows));
}

function nothingYet() {
  return h(
    "div.empty",
    { key: "empty" },
    icon("play"),
    h("h2", "No games yet"),
    h("p", "Every game you play is kept here: continue it, or look at it again."),
    h("a.button.primary", { href: "#view=home" }, "Choose a game"),
  );
}

/** @param {FriendSeat} game */
function friendRow(game) {
  const other = (game.side === "X" ? game.o : game.x) ?? "";
  const name = `${game.title} with ${other}`;
  return h(
    "li",
    { key: game.id },
    game.line && savedPicture(`${game.id} ${game.when}`, () => /** @type {Line} */ (game.line)),
    description(String(game.title), `You against ${other}`, game.ended || "Not finished", [when(game.when ?? "")]),
    h(
      "div.buttons",
      h(
        "a.button",
        { href: `#friend=${game.id}`, "aria-label": `Go to ${name}`, key: "open" },
        game.ended ? "Open" : "Continue",
      ),
      iconButton("trash", `Remove ${name}`, () => removeFriendGame(game.id, name), { key: "delete" }),
    ),
  );
}

/** @param {SavedGame} entry */
function row(entry) {
  const name = `${entry.title}, ${playersOf(entry)}`;
  const picture = `${entry.id} ${entry.updated}`;
  return h(
    "li",
    { key: entry.id },
    savedPicture(picture, async () => {
      const { data, start, cells } = await findGame(entry.id);
      return { data, start, moves: cells };
    }),
    description(entry.title, playersOf(entry), resultOf(entry, picture), [
      count(entry.plies, "move"),
      when(entry.updated),
    ]),
    h(
      "div.buttons",
      button(entry.outcome ? "Open" : "Continue", () => openSaved(entry.id), {
        "aria-label": `${entry.outcome ? "Open" : "Continue"} ${name}`,
        key: "open",
      }),
      button("Analyse", () => analyseSaved(entry.id), { "aria-label": `Analyse ${name}`, key: "analyse" }),
      iconButton("trash", `Delete ${name}`, () => deleteSaved(entry), { key: "delete" }),
    ),
  );
}

/** @param {string} title @param {string} players @param {string} result @param {string[]} more */
function description(title, players, result, more) {
  return h("div.text", h("strong", title), h("span", players), h("small", [capital(result), ...more].join(" · ")));
}

/** @param {SavedGame} entry */
function playersOf({ x, o }) {
  if (o === "you" && x !== "you") return `You, as O, against ${shownName(x)}`;
  if (x === "X" && o === "O") return "Two players on this device";
  return `${shownName(x)} against ${o === "you" ? "you" : shownName(o)}`;
}

/** The outcome as the person who played it reads it. @param {SavedGame} entry @param {string} picture */
function resultOf({ outcome, x, o }, picture) {
  if (!outcome) return "Not finished";
  const viewer = (x === "you") === (o === "you") ? null : x === "you" ? "X" : "O";
  // The list does not know the line that won, but the position on the picture does.
  const how = outcome.reason === "line" ? howWon(picture) : outcome.how;
  return outcomeWords({ ...outcome, how }, { X: shownName(x), O: shownName(o) }, viewer).trim();
}

/** @param {string} text */
function when(text) {
  const date = new Date(text);
  return Number.isNaN(date.getTime())
    ? text
    : date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

/** @param {number} id */
async function openSaved(id) {
  await attempt(async () => {
    const isWanted = visits.current();
    await openPlay(await findGame(id), id, { isWanted });
  });
}

/** Analyse a saved game; the one being played stays as it is. @param {number} id */
async function analyseSaved(id) {
  await attempt(async () => {
    const isWanted = visits.current();
    const { data, start, cells, tags, comments } = await findGame(id);
    if (!isWanted()) return;
    show("analyse");
    await openAnalysis({ game: data, start, moves: cells, names: tags, comments });
  });
}

/** Delete a saved game; this can be undone for a few seconds. @param {SavedGame} entry */
function deleteSaved(entry) {
  hidden.add(entry.id);
  const undo = () => hidden.delete(entry.id);
  const commit = () => {
    deleting = Promise.all([deleting, deleteNow(entry)]);
  };
  offerUndo(`${entry.title} is deleted`, { undo, commit, several: SEVERAL });
}

/** @param {SavedGame} entry */
async function deleteNow(entry) {
  try {
    await deleteGame(entry.id);
  } catch (error) {
    const isGone = error instanceof Refused && error.status === NOT_FOUND;
    if (!isGone) {
      hidden.delete(entry.id);
      return complain(error, () => deleteSaved(entry));
    }
  }
  if (state.play?.saved === entry.id) state.play.saved = null;
  state.saved = state.saved && state.saved.filter(({ id }) => id !== entry.id);
}

/** Remove a friend game from this browser; this can be undone for a few seconds. @param {string} id @param {string} name */
function removeFriendGame(id, name) {
  hidden.add(id);
  const undo = () => hidden.delete(id);
  const commit = () => {
    forgetSeat(id);
    undo();
  };
  offerUndo(`${name} is removed`, { undo, commit, several: SEVERAL });
}
