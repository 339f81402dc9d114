// @ts-check
/**
 * The playthrough of this screen, remembered in this browser, so that a reload loses nothing, and saved on the server.
 * Of several tabs that have the same playthrough, the one that wrote last continues it.
 */

import { changeGame, saveGame } from "../server/saved_games.js";
import { Refused } from "../server/tasks.js";
import { complain, state } from "../shell/app.js";
import * as clocks from "./clock.js";
import { phaseOf, sideAt } from "./phase.js";
import { read, write } from "../shell/storage.js";

/**
 * @typedef {import("./phase.js").Play} Play
 *
 * The settings of a playthrough that begins or is resumed.
 * @typedef {object} Start
 * @property {import("../board/panels.js").GameData} game
 * @property {import("./phase.js").Players} players
 * @property {string} [id]
 * @property {string | null} [start]
 * @property {number[]} [moves]
 * @property {number[]} [undone]
 * @property {number} [at]
 * @property {import("./phase.js").Players} [next]
 * @property {clocks.Clock | null} [clock]
 * @property {import("../server/types.d.ts").OutcomeAnswer | null} [ended]
 * @property {number | null} [saved]
 * @property {Play["counted"]} [counted]
 * @property {string} [key] under which it is saved
 * @property {boolean} [isUnsaved] whether its last change has not been saved on the server
 * @property {Record<string, string>} [comments]
 *
 * A playthrough as this browser remembers it.
 * @typedef {Start & {id: string, tab: string, title: string, isOver: boolean}} Remembered
 */

const CURRENT = "noughts.current";
/** Tells the tabs of this browser apart. */
const TAB = randomId();

export function randomId() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The playthrough of the last visit, or of another tab. */
export function remembered() {
  return read(CURRENT, /** @type {Remembered | null} */ (null));
}

/** Remember a playthrough, and that this tab continues it. @param {Play} play */
export function remember(play) {
  write(CURRENT, snapshot(play));
}

export function forget() {
  write(CURRENT, null);
}

/** Everything needed to resume a playthrough. @param {Play} play @returns {Remembered} */
export function snapshot(play) {
  const { id, key, game, start, moves, undone, at, players, next, clock, ended, saved, counted, comments } = play;
  return {
    ...{ id, key, start, moves, undone, at, players, next, ended, saved, counted, comments },
    game: game.data,
    title: game.title,
    clock: clock && clocks.stopped(clock, play.end.turn),
    isUnsaved: isUnsaved(play),
    isOver: phaseOf(play) === "over",
    tab: TAB,
  };
}

/** Whether another tab has continued a playthrough. @param {Play} play */
export function isTaken(play) {
  const last = remembered();
  if (!last || last.tab === TAB) return false;
  return last.id === play.id || (last.saved !== null && last.saved === play.saved);
}

/** The last request to save each playthrough. @type {WeakMap<Play, string>} */
const sent = new WeakMap();
let saving = Promise.resolve();

/** Resolves when everything played so far is saved. */
export function allSaved() {
  return saving;
}

/** What is saved; the key is added when it is sent. @typedef {Omit<import("../server/types.d.ts").SaveRequest, "key">} Content */

/** @param {Play} play @returns {Content} */
function requestFor(play) {
  const { game, start, moves, players, ended, clock, end } = play;
  return {
    game: game.data,
    start,
    moves,
    x: players.X.name,
    o: players.O.name,
    result: ended && !end.outcome ? { reason: ended.reason, winner: ended.winner } : null,
    time_control: clock && clock.control.text,
    clocks: clock ? clocks.afterMoves(clock, moves.length, (ply) => sideAt(play, ply)) : [],
  };
}

/** @param {Play} play */
function isUnsaved(play) {
  return sent.get(play) !== JSON.stringify(requestFor(play));
}

/** Treat a playthrough as saved in its present state. @param {Play} play */
export function markSaved(play) {
  sent.set(play, JSON.stringify(requestFor(play)));
}

/**
 * Save a playthrough if it has changed, one request after the other, so that the last state stays. While moves can be
 * redone it is not final: looking for a better move must not change what was saved.
 * @param {Play} play
 */
export function save(play) {
  if (!play.moves.length || play.undone.length || !isUnsaved(play)) return;
  const request = requestFor(play);
  const isOver = phaseOf(play) === "over";
  markSaved(play);
  saving = saving
    .then(() => send(play, request, isOver))
    .catch((error) => {
      sent.delete(play);
      complain(error, () => save(play));
    });
}

/** @param {Play} play @param {Content} request @param {boolean} isOver */
async function send(play, request, isOver) {
  const id = (await update(play, request)) ?? (await create(play, request));
  // A finished game stays as it was saved: what follows after a takeback is saved as another one.
  Object.assign(play, isOver ? { saved: null, key: randomId() } : { saved: id });
  const last = remembered();
  if (last?.id === play.id && last.tab === TAB) write(CURRENT, { ...last, saved: play.saved, key: play.key });
}

/**
 * Bring a saved game up to date; returns null if there is none, or if it was deleted or finished elsewhere.
 * @param {Play} play @param {Content} request
 */
function update({ saved, key }, request) {
  return saved === null ? null : unlessLost(() => changeGame(saved, { ...request, key }));
}

/**
 * Save a new game. If the answer to an earlier request was lost, its key finds the game of that request.
 * @param {Play} play @param {Content} request
 */
async function create(play, request) {
  const id = await unlessLost(() => saveGame({ ...request, key: play.key }));
  if (id !== null) return id;
  play.key = randomId();
  return saveGame({ ...request, key: play.key });
}

/** The id that a request gives; null if the saved game was deleted or has been finished. @param {() => Promise<number>} request */
async function unlessLost(request) {
  try {
    return await request();
  } catch (error) {
    if (error instanceof Refused && [404, 409].includes(error.status)) return null;
    throw error;
  }
}

/** Says what is lost without browser storage; on loopback the server keeps the games anyway. */
export function forgettingText() {
  const what = state.about?.is_local
    ? "Settings, games with friends and games of your own"
    : "Your games and settings";
  return `This browser stores nothing for this page. ${what} are forgotten when you close it.`;
}
