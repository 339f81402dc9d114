// @ts-check
/**
 * A playthrough at this screen: against a level, against a friend beside you, or between two engines.
 * Every change ends in `settle`, which alone starts and stops engines and clocks; see phase.js.
 */

import { ask } from "../server/api.js";
import { focusCell } from "../board/board.js";
import { announce, attempt, commitNow, complain, errorText, notify, offerUndo, redraw, state } from "../shell/app.js";
import * as clocks from "./clock.js";
import {
  cutAt,
  hasPerson,
  isAgainstEngine,
  isLookingBack,
  isTimed,
  mayMove,
  opponent,
  outcomeText,
  phaseOf,
  plyToRedo,
  plyToUndo,
  resultOf,
  shownNames,
  sideAt,
  swapped,
  viewerOf,
  whyNoMove,
  workOf,
} from "./phase.js";
import { addToScore } from "./score.js";
import { replaceAddress, show, visits } from "../shell/route.js";
import { forget, isTaken, markSaved, randomId, remember, remembered, save, snapshot } from "./saving.js";
import { sound, soundEnd } from "../shell/sound.js";
import { isAborted, latest, Refused, sleep } from "../server/tasks.js";
import { shownName, turnWords } from "../ui/words.js";

/**
 * @typedef {import("../server/types.d.ts").Side} Side
 * @typedef {import("../server/types.d.ts").PositionAnswer} Position
 * @typedef {import("./phase.js").Play} Play
 * @typedef {import("./phase.js").Player} Player
 * @typedef {import("./saving.js").Start} Start
 */

/** Time for which each position stays on the board when two engines play. */
const WATCH_MS = 700;
/** Minimum time of an engine's move, so that people can follow. */
const MIN_MOVE_MS = 250;
/** Time of a running clock that is lost at most if the browser crashes. */
const REMEMBER_MS = 1000;

/** @type {Player} */
export const PERSON = { kind: "person", name: "you" };

// --- what has to be done now ---

/** The engine's present work: see `workOf`. */
let work = { key: /** @type {string | null} */ (null), abort: new AbortController() };
/** The playthrough whose resignation can still be undone; it is not saved yet. @type {Play | null} */
let held = null;

/** Do what the phase of a playthrough asks for, and remember and draw it. Called after every change. @param {Play} play */
function settle(play) {
  if (state.play !== play) return;
  const isOthers = isTaken(play);
  if (isOthers && phaseOf(play) !== "over") Object.assign(play, { isElsewhere: true, pending: null });
  const phase = phaseOf(play);
  if (play.clock && isTimed(phase)) clocks.run(play.clock, play.moves.length);
  else if (play.clock) clocks.pause(play.clock, play.end.turn);
  const wanted = workOf(play);
  if (wanted !== work.key) {
    work.abort.abort();
    work = { key: wanted, abort: new AbortController() };
    if (wanted) think(play);
  }
  if (!isOthers) keepScore(play);
  if (!isOthers && held !== play) save(play);
  if (!isOthers) rememberNow();
  redraw();
}

/** Count the result of a game against the computer once it is over; taken back, it no longer counts. @param {Play} play */
function keepScore(play) {
  const result = resultOf(play);
  if (play.counted === result || (play.counted === "earlier" && result)) return;
  if (play.counted && play.counted !== "earlier") addToScore(play, play.counted, -1);
  if (result) addToScore(play, result, 1);
  play.counted = result;
}

/** When the playthrough was last remembered. */
let rememberedAt = 0;

/** Remember the playthrough with the time used so far, unless it is another tab's. */
export function rememberNow() {
  rememberedAt = performance.now();
  if (state.play && !isTaken(state.play)) remember(state.play);
}

/** Change a playthrough and settle it. @param {Play} play @param {Partial<Play>} fields */
function change(play, fields) {
  Object.assign(play, { hint: null, failed: null, fresh: false }, fields);
  settle(play);
}

/** The playthrough, if this tab may change it; another tab's is left alone. */
function changeable() {
  const play = state.play;
  if (!play?.isElsewhere) return play;
  refuse(whyNoMove(play));
  return null;
}

/** Let the engine move. @param {Play} play */
async function think(play) {
  const mine = work;
  const turn = /** @type {Side} */ (play.end.turn);
  const level = play.players[turn].level ?? "easy";
  const clock = play.clock && clocks.reading(play.clock, turn);
  try {
    const request = { game: play.game.data, start: play.start, moves: play.moves, level, clock };
    const [answer] = await Promise.all([
      ask("move", request, { signal: mine.abort.signal }),
      sleep(hasPerson(play) ? MIN_MOVE_MS : WATCH_MS),
    ]);
    if (work !== mine) return;
    play.book = answer.book && { at: answer.position.ply, how: answer.book };
    accept(play, answer.position, isLookingBack(play));
  } catch (error) {
    if (work !== mine || isAborted(error)) return;
    change(play, { failed: { text: `No move was made: ${errorText(error)}.`, retry: () => change(play, {}) } });
    announce(/** @type {import("../shell/app.js").Failure} */ (play.failed).text);
  }
}

/** Try again what failed while the connection was lost. */
export function retryNow() {
  state.play?.failed?.retry();
}

/** Show the running clock, and end the game when its time is up: called a few times a second. */
export function tick() {
  const play = state.play;
  if (!play?.clock || !isTimed(phaseOf(play)) || checkFlag(play)) return;
  if (performance.now() - rememberedAt > REMEMBER_MS) rememberNow();
  if (state.view === "play") redraw();
}

/** End the game if the time of the side to move is up; returns whether it was. @param {Play} play */
function checkFlag(play) {
  const turn = play.end.turn;
  if (!play.clock || !turn || play.clock.since === null || clocks.timeLeft(play.clock, turn, true) > 0) return false;
  end(play, "time", opponent(turn));
  return true;
}

// --- beginning ---

const beginnings = latest();

/**
 * Begin or resume a playthrough; returns false if the person has left before the server answered.
 * @param {Start} wanted @param {() => boolean} [isWanted]
 */
export async function begin(wanted, isWanted = () => true) {
  const isLatest = beginnings.next();
  const { start = null, moves = [], clock = null, ended = null, saved = null, comments = {}, players } = wanted;
  const game = await ask("game", { game: wanted.game });
  const at = Math.min(wanted.at ?? moves.length, moves.length);
  const [end, position] = await Promise.all(
    [moves.length, at].map((ply) => ask("position", { game: game.data, start, moves: moves.slice(0, ply) })),
  );
  if (!isLatest() || !isWanted()) return false;
  commitNow();
  const play = (state.play = /** @type {Play} */ ({
    ...{ id: wanted.id ?? randomId(), game, start, moves, undone: wanted.undone ?? [], end, at, position },
    ...{ players, next: wanted.next ?? players, ended, clock, saved, key: wanted.key ?? randomId(), comments },
    ...{ wanted: null, pending: null, hint: null, isHinting: false, isPaused: false, isElsewhere: false },
    counted: wanted.counted ?? null,
    ...{ failed: null, book: null, focus: middle(game), pointed: null, fresh: false },
  }));
  if (phaseOf(play) === "over") play.counted ??= "earlier";
  state.zoom = 0;
  if (!wanted.isUnsaved) markSaved(play);
  // From now on this tab continues it.
  remember(play);
  settle(play);
  return true;
}

/** The cell that the keyboard begins at. @param {import("../board/panels.js").Game} game */
export function middle(game) {
  if (game.block_size) return Math.floor(game.cells / 2);
  const [width, height] = game.dimensions ?? [1, 1];
  const row = game.has_gravity && game.dimensions?.length === 2 ? height - 1 : Math.floor((height - 1) / 2);
  return game.dimensions ? row * width + Math.floor((width - 1) / 2) : 0;
}

/** Resume the playthrough of the last visit; returns whether there was one. */
export async function resume() {
  const last = remembered();
  if (!last) return false;
  try {
    await begin(last);
    return true;
  } catch (error) {
    if (!(error instanceof Refused) || error.status === 0 || error.status >= 500) throw error;
    forget();
    return false;
  }
}

/**
 * Show a playthrough in place of the running one, and offer the way back to that.
 * @param {Start} wanted
 * @param {object} [options]
 * @param {string} [options.note] to be shown with it
 * @param {() => boolean} [options.isWanted] by default, while the person stays in the same view
 * @param {boolean} [options.isLink] whether it comes from the address, which is replaced
 */
export async function beginInstead(wanted, { note = "", isWanted = visits.current(), isLink = false } = {}) {
  const [shown, last] = [state.play, remembered()];
  if (!(await begin(wanted, isWanted))) return undefined;
  if (isLink) replaceAddress("#view=play");
  show("play");
  if (!isLink) announceBeginning();
  const before = shown ? snapshot(shown) : last;
  if (!before?.moves?.length || before.isOver || before.id === state.play?.id) return note && notify(note);
  const back = () => attempt(async () => (await begin(before, visits.current())) && show("play"));
  const where = `${before.title} is in My games`;
  return notify(note ? `${note}; ${where}` : where, "note", { label: "Back to it", run: back });
}

/** Tell screen readers what is played and whose move it is, and bring the keyboard to the board. */
function announceBeginning() {
  const { game, position, players, focus } = /** @type {Play} */ (state.play);
  announce(`${game.title}. ${turnWords(position, shownNames({ players }), viewerOf({ players }))}.`);
  // After the view has been drawn.
  queueMicrotask(() => focusCell(focus));
}

/** Play again with the same players, sides swapped. */
export function again() {
  const play = state.play;
  if (!play) return;
  const players = hasPerson(play) ? swapped(play.next) : play.next;
  const clock = play.clock && clocks.newClock(play.clock.control);
  attempt(() => begin({ game: play.game.data, start: play.start, players, clock }));
}

/** Leave a playthrough to the tab that has continued it: called when the storage of this browser changes. */
export function yieldToOtherTab() {
  if (state.play && isTaken(state.play)) settle(state.play);
}

/** Continue here the game that another tab has continued. */
export function takeOver() {
  attempt(resume);
}

// --- moves ---

/** Play a cell for the person at the screen: it is shown at once and then confirmed. @param {number} cell */
export async function playCell(cell) {
  const play = changeable();
  if (!play || play.pending !== null) return;
  if (!mayMove(play)) return refuse(whyNoMove(play));
  if (!play.position.legal_cells.includes(cell)) return refuse(whyIllegal(play, cell));
  await makeMove(play, cell);
}

/** Play a move that was typed. @param {string} text */
export async function playText(text) {
  const play = changeable();
  if (!play || play.pending !== null) return;
  if (!mayMove(play)) return refuse(whyNoMove(play));
  await makeMove(play, text);
}

/** @param {string} text */
function refuse(text) {
  notify(text, "error");
}

/** Why a cell cannot be played, in words. @param {Play} play @param {number} cell */
function whyIllegal(play, cell) {
  const name = play.game.names[cell];
  const mark = play.position.marks[cell];
  if (mark !== ".") return `${name} is taken by ${mark}`;
  const place = play.position.place_to_play;
  return place === null ? `${name} cannot be played now` : `${name} is not in ${place}, where you must play`;
}

/** @param {Play} play @param {number | string} move */
async function makeMove(play, move) {
  const { moves, position: before, at } = play;
  // A position that was asked for before the move is no longer wanted.
  looks.next();
  change(play, { pending: move, wanted: null });
  const isStale = () => state.play !== play || play.moves !== moves || play.pending !== move;
  try {
    const request = { game: play.game.data, start: play.start, moves: [...moves.slice(0, at), move] };
    const position = await ask("position", request, { isTyped: typeof move === "string" });
    // Meanwhile the person may have looked back: the move counts, and the board stays.
    if (!isStale()) accept(play, position, play.position !== before && play.at <= at);
  } catch (error) {
    if (isStale()) return;
    change(play, { pending: null });
    if (typeof move === "string") throw error;
    complain(error, () => playCell(move));
  }
}

/**
 * Take over a move that the server confirmed.
 * @param {Play} play @param {Position} position after it @param {boolean} isLooking whether the board stays as it is
 */
function accept(play, position, isLooking) {
  if (checkFlag(play)) return;
  const ply = position.ply - 1;
  const side = sideAt(play, ply);
  if (play.clock) clocks.press(play.clock, side, ply);
  state.notice = null;
  const board = isLooking ? {} : { at: ply + 1, position, fresh: true, wanted: null };
  change(play, { moves: position.cells, undone: [], end: position, ended: null, pending: null, ...board });
  if (position.outcome) soundEnd(position.outcome, viewerOf(play));
  else sound(side);
  announce(position.outcome ? `${position.announcement} ${outcomeText(play)}.` : position.announcement);
}

// --- looking back, taking back ---

const looks = latest();

/**
 * Ask for the position after the first moves of a playthrough. Resolves to null if it is no longer wanted.
 * @param {Play} play @param {number} ply @param {() => unknown} retry
 */
async function fetchPly(play, ply, retry) {
  const isLatest = looks.next();
  const { moves } = cutAt(play, ply);
  play.wanted = ply;
  redraw();
  try {
    const position = await ask("position", { game: play.game.data, start: play.start, moves });
    return isLatest() && state.play === play ? position : null;
  } catch (error) {
    if (isLatest() && state.play === play) complain(error, retry);
    return null;
  } finally {
    if (isLatest()) play.wanted = null;
    redraw();
  }
}

/**
 * Whether a fetched position belongs to these moves: others may have been played since it was asked for.
 * @param {Position} position @param {number[]} moves
 */
function isAfter(position, moves) {
  return moves.length === position.ply && moves.every((move, ply) => move === position.cells[ply]);
}

/** Show the position after `ply` moves; a move that was taken back is played again. @param {number} ply */
export async function goTo(ply) {
  const play = state.play;
  if (!play) return;
  if (ply > play.moves.length) return redoTo(play, ply);
  const at = Math.max(0, ply);
  const position = await fetchPly(play, at, () => goTo(ply));
  if (!position || !isAfter(position, play.moves.slice(0, at))) return;
  Object.assign(play, { at, position, hint: null, fresh: false });
  settle(play);
  describe(play);
}

/** Announce the position on the board. @param {Play} play */
function describe({ at, position }) {
  const after = `After ${at} ${at === 1 ? "move" : "moves"}: ${position.announcement}`;
  announce(`${at ? after : "At the start."} ${position.status}.`);
}

/**
 * Take the game back or forward to a ply of all its moves.
 * @param {Play} play @param {number} ply @param {Partial<Play>} [fields] what changes with it
 */
async function cutTo(play, ply, fields = {}) {
  const position = await fetchPly(play, ply, () => cutTo(play, ply, fields));
  const cut = cutAt(play, ply);
  if (!position || play.isElsewhere || !isAfter(position, cut.moves)) return;
  if (play.clock) clocks.restore(play.clock, ply);
  change(play, { ...cut, end: position, at: ply, position, ended: null, pending: null, ...fields });
  describe(play);
}

/** Take back to a person's turn, including an engine's answer; after a resignation or a loss on time, take that back. */
export function undo() {
  const play = changeable();
  if (!play) return undefined;
  if (play.ended && !isLookingBack(play)) return reopen(play);
  const ply = plyToUndo(play, play.wanted ?? play.at);
  return ply === null ? refuse("there is nothing to undo") : cutTo(play, ply);
}

/** Continue a game that a resignation or the clock has ended. @param {Play} play */
function reopen(play) {
  if (play.clock && play.ended?.reason === "time") clocks.restore(play.clock, play.moves.length);
  change(play, { ended: null });
}

/** Replay what was taken back. */
export function redo() {
  const play = changeable();
  return play && redoTo(play, (play.wanted ?? play.moves.length) + 1);
}

/** @param {Play} play @param {number} least */
function redoTo(play, least) {
  const ply = plyToRedo(play, least);
  return ply === null ? refuse("there is nothing to redo") : cutTo(play, ply);
}

/** Continue from the position on the board, without the moves after it. */
export function playOn() {
  const play = changeable();
  return play && cutTo(play, play.at, { undone: [], isPaused: false });
}

// --- hints ---

/** Show a hint, then more of it: where to look, which moves, the move and why. */
export async function askHint() {
  const play = changeable();
  if (!play || play.isHinting) return;
  if (!mayMove(play)) return refuse(whyNoMove(play));
  if (play.hint) return showHint(play, { ...play.hint, step: Math.min(3, play.hint.step + 1) });
  const { position } = play;
  const moves = play.moves.slice(0, play.at);
  play.isHinting = true;
  redraw();
  try {
    const found = await ask("hint", { game: play.game.data, start: play.start, moves, seconds: 1 });
    if (state.play === play && play.position === position && play.pending === null)
      showHint(play, { step: 1, found });
  } catch (error) {
    if (state.play === play) complain(error, askHint);
  } finally {
    play.isHinting = false;
    redraw();
  }
}

/** @param {Play} play @param {NonNullable<Play["hint"]>} hint */
function showHint(play, hint) {
  play.hint = hint;
  announce(hintText(hint));
  redraw();
}

/** Most reasons for a move in a hint; the strongest come first. */
const MOST_REASONS = 3;

/** The text of a hint up to its step. @param {NonNullable<Play["hint"]>} hint */
export function hintText({ step, found }) {
  if (step === 1) return `${found.idea} ${found.area_name && `Look at ${found.area_name}.`}`.trim();
  if (step === 2) return `${found.idea} ${found.choice}`;
  return `${found.move}: ${found.why.slice(0, MOST_REASONS).join("; ") || found.text}.`;
}

// --- ends and players ---

/** Resign for the person to move; against an engine, for the person. This can be undone for a few seconds. */
export function resign() {
  const play = changeable();
  if (!play) return;
  const turn = play.end.turn;
  if (phaseOf(play) === "over" || !turn) return refuse("the game is over");
  if (!hasPerson(play)) return refuse("only a person can resign");
  const loser = play.players[turn].kind === "person" ? turn : opponent(turn);
  held = play;
  end(play, "resign", opponent(loser));
  const release = () => {
    if (held === play) held = null;
  };
  offerUndo(`${outcomeText(play)}`, {
    undo: () => {
      release();
      if (play.ended) reopen(play);
    },
    commit: () => {
      release();
      save(play);
    },
  });
}

/** @param {Play} play @param {"resign" | "time"} reason @param {Side} winner */
function end(play, reason, winner) {
  const ended = play.game.forfeits.find((outcome) => outcome.reason === reason && outcome.winner === winner) ?? null;
  const { moves, end: position } = play;
  change(play, { ended, undone: [], at: moves.length, position, wanted: null, pending: null });
  if (ended) soundEnd(ended, viewerOf(play));
  announce(`${outcomeText(play)}.`);
}

/** Let the computer play the side that is not to move, in a game of two people at this screen. */
export function playAgainstComputer() {
  const play = changeable();
  const turn = play?.end.turn;
  if (!play || !turn || phaseOf(play) === "over") return;
  const { level } = state.prefs;
  /** @type {import("./phase.js").Player} */
  const computer = { kind: "engine", level, name: level };
  const players = turn === "X" ? { X: PERSON, O: computer } : { X: computer, O: PERSON };
  change(play, { players, next: players });
  notify(`${shownName(level)} now plays ${opponent(turn)}`);
}

/** Let a person and an engine change sides and continue. */
export function swapSides() {
  const play = changeable();
  if (!play) return;
  if (!isAgainstEngine(play)) return refuse("you can swap sides only against the computer");
  if (phaseOf(play) === "over") return refuse("the game is over: “Play again” changes sides");
  const players = swapped(play.players);
  change(play, { players, next: players, pending: null });
  notify(`you now play ${players.X.kind === "person" ? "X" : "O"}`);
}

/** Set the level of an engine; after the end, that of the next game. @param {Side} side @param {string} level */
export function setLevel(side, level) {
  const play = changeable();
  if (!play) return;
  /** @type {Player} */
  const engine = { kind: "engine", level, name: level };
  const next = { ...play.next, [side]: engine };
  change(play, phaseOf(play) === "over" ? { next } : { next, players: { ...play.players, [side]: engine } });
}

/** Pause or resume a game between two engines. */
export function togglePause() {
  const play = changeable();
  if (play) change(play, { isPaused: !play.isPaused });
}
