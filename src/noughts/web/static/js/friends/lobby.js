// @ts-check
/** Open challenges: who waits for an opponent, and what is being played; the list is read again every few seconds. */

import { ask } from "../server/api.js";
import { fetchLobby } from "../server/friends.js";
import { Refused } from "../server/tasks.js";
import { announce, attempt, errorText, notify, redraw, state } from "../shell/app.js";
import { takeSeat } from "./invitation.js";

/**
 * @typedef {import("../server/types.d.ts").LobbyAnswer} Lists
 * @typedef {import("../server/types.d.ts").Challenge} Challenge
 */

const READ_MS = 2000;
const FORBIDDEN = 403;

export const lobby = {
  lists: /** @type {Lists | null} */ (null),
  /** Why the list could not be read. */
  problem: "",
  /** The boards of the listed games, by id, for their pictures. @type {Map<string, import("../board/panels.js").Game>} */
  boards: new Map(),
};

/** @type {number | undefined} */
let timer;

/** Show the list, and read it again while it is in view. */
export async function openLobby() {
  clearInterval(timer);
  timer = setInterval(() => {
    if (state.view !== "lobby") clearInterval(timer);
    else if (!document.hidden) readList();
  }, READ_MS);
  await readList();
}

async function readList() {
  const before = lobby.lists;
  try {
    lobby.lists = await fetchLobby();
    lobby.problem = "";
    if (before) announceNew(before.challenges, lobby.lists.challenges);
    await Promise.all(gamesOf(lobby.lists).map(fetchBoard));
  } catch (error) {
    lobby.problem = errorText(error);
  }
  redraw();
}

/** @param {Challenge[]} before @param {Challenge[]} now */
function announceNew(before, now) {
  const known = new Set(before.map(({ friend }) => friend));
  const [first, ...others] = now.filter(({ friend }) => !known.has(friend));
  if (first)
    announce(`${nameOf(first.name)} waits for an opponent: ${first.title}${others.length ? ", and others" : ""}.`);
}

/** The ids of the listed games. @param {Lists} lists */
function gamesOf({ challenges, games }) {
  return [...new Set([...challenges, ...games].flatMap(({ game, marks }) => (game && marks ? [game] : [])))];
}

/** @param {string} id */
async function fetchBoard(id) {
  if (!lobby.boards.has(id)) lobby.boards.set(id, await ask("game", { game: id }));
}

/** A player's name, or a word for one who has none. @param {string} name */
export function nameOf(name) {
  return !name || name === "guest" ? "A guest" : name;
}

/** Accept a challenge. @param {string} friend */
export async function acceptChallenge(friend) {
  await attempt(async () => {
    try {
      await takeSeat(friend);
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== FORBIDDEN) throw error;
      notify("this challenge is no longer open", "error");
      await readList();
    }
  });
}
