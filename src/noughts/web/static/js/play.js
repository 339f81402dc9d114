// @ts-check
/** A playthrough at this screen: against a level, against a friend beside you, or between two engines. */

import { api, Refused } from "./api.js";
import { announce, complain, notify, redraw, state } from "./app.js";
import * as clocks from "./clock.js";
import { sound } from "./sound.js";
import { read, write } from "./storage.js";
import { outcomeWords, shownName } from "./words.js";

/**
 * @typedef {import("./api.js").Side} Side
 * @typedef {{kind: "person" | "engine", name: string, level?: string}} Player
 *
 * @typedef {object} Play
 * @property {import("./panels.js").Game} game
 * @property {string | null} start
 * @property {number[]} moves all moves, including those taken back
 * @property {number} at the number of moves on the board
 * @property {import("./api.js").Position} position
 * @property {Record<Side, Player>} players
 * @property {number | null} pending
 * @property {import("./api.js").Outcome | null} ended the outcome if it is not decided on the board
 * @property {clocks.Clock | null} clock
 * @property {{step: number, found: import("./api.js").Hint} | null} hint
 * @property {boolean} isThinking
 * @property {boolean} isPaused
 * @property {{at: number, how: "proven" | "not proven"} | null} book the last move from the opening book, by its ply
 * @property {number | null} saved its id among the saved games
 * @property {number} focus
 * @property {number | null} pointed
 * @property {boolean} fresh whether the last move has just been made
 * @property {Record<string, string>} comments
 *
 * The settings of a new playthrough.
 * @typedef {object} Start
 * @property {import("./api.js").GameData} game
 * @property {string | null} [start]
 * @property {number[]} [moves]
 * @property {number} [at]
 * @property {Record<Side, Player>} players
 * @property {clocks.Clock | null} [clock]
 * @property {import("./api.js").Outcome | null} [ended]
 * @property {number | null} [saved]
 * @property {Record<string, string>} [comments]
 */

const CURRENT = "noughts.current";
/** Time for which each position stays on the board when two engines play. */
const WATCH_MS = 700;
/** Minimum time of an engine's move, so that people can follow. */
const MIN_MOVE_MS = 250;

/** The engine's present work; aborted when it is no longer wanted. */
let thinking = new AbortController();

/** @type {Player} */
export const PERSON = { kind: "person", name: "you" };

/** The side to move after `ply` moves. @param {{start: string | null}} play @param {number} ply @returns {Side} */
export function sideAt(play, ply) {
  const isX = (play.start?.split(" ")[1] ?? "x") === "x";
  return (ply % 2 === 0) === isX ? "X" : "O";
}

/** The outcome, on the board or otherwise; null while it is not over. @param {Play} play */
export function outcomeOf(play) {
  return play.position.outcome ?? (play.at === play.moves.length ? play.ended : null);
}

/** The side of the only person at the screen; null for two people or none. @param {Play} play @returns {Side | null} */
export function viewerOf({ players }) {
  const people = /** @type {const} */ (["X", "O"]).filter((side) => players[side].kind === "person");
  return people.length === 1 ? people[0] : null;
}

/** The names of the players as they are shown. @param {Play} play @returns {Record<Side, string>} */
export function shownNames({ players }) {
  return { X: shownName(players.X.name), O: shownName(players.O.name) };
}

/** The outcome as the person at the screen reads it; neutral for two people or none. @param {Play} play */
export function outcomeText(play) {
  const outcome = outcomeOf(play);
  return outcome && outcomeWords(outcome, shownNames(play), viewerOf(play));
}

/** The position on the board as a request. @param {Play} play @param {number[]} [moves] */
export function positionRequest(play, moves = play.moves.slice(0, play.at)) {
  return { game: play.game.data, start: play.start, moves };
}

/** Whether the person at the screen may move now. @param {Play} play */
export function mayMove(play) {
  const turn = play.position.turn;
  return turn !== null && !outcomeOf(play) && play.pending === null && play.players[turn].kind === "person";
}

/** Begin or resume a playthrough. @param {Start} wanted */
export async function begin(wanted) {
  thinking.abort();
  const { start = null, moves = [], clock = null, ended = null, saved = null, comments = {}, players } = wanted;
  const game = await api.game(wanted.game);
  const at = Math.min(wanted.at ?? moves.length, moves.length);
  const position = await api.position({ game: game.data, start, moves: moves.slice(0, at) });
  state.play = {
    game,
    start,
    moves,
    at,
    position,
    players,
    pending: null,
    ended,
    clock,
    hint: null,
    isThinking: false,
    isPaused: false,
    book: null,
    saved,
    focus: middle(game),
    pointed: null,
    fresh: false,
    comments,
  };
  state.zoom = 0;
  remember(state.play);
  runClock(state.play);
  redraw();
  letEngineMove(state.play);
}

/** The cell that the keyboard begins at. @param {import("./panels.js").Game} game */
export function middle(game) {
  if (game.block_size) return Math.floor(game.cells / 2);
  const [width, height] = game.dimensions ?? [1, 1];
  const row = game.has_gravity && game.dimensions?.length === 2 ? height - 1 : Math.floor((height - 1) / 2);
  return game.dimensions ? row * width + Math.floor((width - 1) / 2) : 0;
}

/** Resume the playthrough of the last visit; returns whether there was one. */
export async function resume() {
  const last = read(CURRENT, /** @type {Start | null} */ (null));
  if (!last) return false;
  try {
    await begin(last);
    return true;
  } catch (error) {
    if (error instanceof Refused && error.status === 0) throw error;
    write(CURRENT, null);
    return false;
  }
}

/** Remember the playthrough in this browser, so that a reload loses nothing. @param {Play} play */
function remember(play) {
  const { game, start, moves, at, players, clock, ended, saved, comments } = play;
  const stopped = clock && clocks.stopped(clock, play.position.turn);
  write(CURRENT, { game: game.data, start, moves, at, players, clock: stopped, ended, saved, comments });
}

/** Remember the time used so far, when the page is left. */
export function rememberClock() {
  if (state.play?.clock) remember(state.play);
}

let saving = Promise.resolve();

/** Resolves when everything played so far is saved. */
export function allSaved() {
  return saving;
}

/**
 * Save the playthrough on the server, one request after the other, so that the last state stays.
 * @param {Play} play
 */
function save(play) {
  remember(play);
  const result = play.ended && { reason: play.ended.reason, winner: play.ended.winner };
  const request = {
    ...positionRequest(play),
    x: play.players.X.name,
    o: play.players.O.name,
    result: play.position.outcome ? null : result,
    time_control: play.clock && play.clock.control.text,
    clocks: play.clock ? clocks.afterMoves(play.clock, play.at, (ply) => sideAt(play, ply)) : [],
  };
  if (!request.moves.length) return;
  const isOver = outcomeOf(play) !== null;
  saving = saving.then(() => sendToSave(play, request, isOver)).catch(complain);
}

/** @param {Play} play @param {import("./api.js").SaveRequest} request @param {boolean} isOver */
async function sendToSave(play, request, isOver) {
  const id = (await updateSaved(play, request)) ?? (await api.save(request)).id;
  // A finished game stays as it was saved: what follows after a takeback is saved as another one.
  play.saved = isOver ? null : id;
  if (state.play === play) remember(play);
}

/**
 * Bring a saved game up to date; returns null if there is none, or if it was deleted or finished elsewhere.
 * @param {Play} play @param {import("./api.js").SaveRequest} request
 */
async function updateSaved(play, request) {
  if (play.saved === null) return null;
  try {
    return (await api.update(play.saved, request)).id;
  } catch (error) {
    if (error instanceof Refused && [404, 409].includes(error.status)) return null;
    throw error;
  }
}

/** Play a cell for the person at the screen: it is shown at once and then confirmed. @param {number} cell */
export async function playCell(cell) {
  const play = state.play;
  if (!play || play.pending !== null) return;
  if (!mayMove(play)) return refuse(outcomeOf(play) ? "the game is over" : "it is not your turn");
  if (!play.position.legal.includes(cell)) return refuse(whyIllegal(play, cell));
  play.pending = cell;
  play.hint = null;
  redraw();
  await makeMove(play, cell);
}

/** @param {string} text */
function refuse(text) {
  notify(text, "error");
}

/** Why a cell cannot be played, as far as the board shows it. @param {Play} play @param {number} cell */
function whyIllegal(play, cell) {
  const name = play.game.names[cell];
  const mark = play.position.cells[cell];
  if (mark !== ".") return `${name} is taken by ${mark}`;
  const place = play.position.place_to_play;
  return place === null ? `${name} cannot be played now` : `${name} is not in ${place}, where you must play`;
}

/** Play a move that was typed. @param {string} text */
export async function playText(text) {
  const play = state.play;
  if (!play) return;
  if (!mayMove(play)) return refuse(outcomeOf(play) ? "the game is over" : "it is not your turn");
  await makeMove(play, text);
}

/** @param {Play} play @param {number | string} move */
async function makeMove(play, move) {
  const before = play.moves.slice(0, play.at);
  try {
    const position = await api.position({ game: play.game.data, start: play.start, moves: [...before, move] });
    if (state.play !== play || play.at !== before.length || outcomeOf(play)) return;
    accept(play, position);
  } catch (error) {
    complain(error);
  } finally {
    play.pending = null;
    redraw();
  }
}

/** Take over a move that the server confirmed. @param {Play} play @param {import("./api.js").Position} position */
function accept(play, position) {
  const side = /** @type {Side} */ (play.position.turn);
  if (checkFlag(play)) return;
  if (play.clock) clocks.press(play.clock, side, play.at);
  play.moves = [...position.moves];
  play.at = play.moves.length;
  Object.assign(play, { position, fresh: true, hint: null, ended: null, pending: null });
  state.notice = null;
  sound(position.outcome ? "end" : side);
  announce(position.outcome ? `${position.announcement} ${outcomeText(play)}.` : position.announcement);
  save(play);
  runClock(play);
  redraw();
  letEngineMove(play);
}

/** If it is an engine's turn, let it move. @param {Play} play */
async function letEngineMove(play) {
  const turn = play.position.turn;
  const isAtEnd = play.at === play.moves.length;
  if (!turn || !isAtEnd || play.players[turn].kind !== "engine" || outcomeOf(play) || play.isPaused) return;
  thinking.abort();
  const mine = (thinking = new AbortController());
  play.isThinking = true;
  redraw();
  try {
    const clock = play.clock && clocks.reading(play.clock, turn);
    const [answer] = await Promise.all([
      api.move(positionRequest(play), play.players[turn].level ?? "easy", clock, mine.signal),
      wait(hasPerson(play) ? MIN_MOVE_MS : WATCH_MS),
    ]);
    if (mine.signal.aborted || state.play !== play) return;
    play.isThinking = false;
    play.book = answer.book && { at: answer.position.moves.length, how: answer.book };
    accept(play, answer.position);
  } catch (error) {
    complain(error);
  } finally {
    if (mine === thinking) play.isThinking = false;
    redraw();
  }
}

/** @param {number} ms */
function wait(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Show the position after `ply` moves; those after it can still be redone. @param {number} ply */
export async function goTo(ply) {
  const play = state.play;
  if (!play) return;
  thinking.abort();
  const at = Math.max(0, Math.min(ply, play.moves.length));
  try {
    const position = await api.position(positionRequest(play, play.moves.slice(0, at)));
    if (state.play !== play) return;
    Object.assign(play, { at, position, hint: null, pending: null, fresh: false, isThinking: false });
    if (play.clock) clocks.restore(play.clock, at);
    remember(play);
    const after = `After ${at} ${at === 1 ? "move" : "moves"}: ${position.announcement}`;
    announce(`${at ? after : "At the start."} ${position.status}.`);
    redraw();
  } catch (error) {
    complain(error);
  }
}

/** Take back to a person's turn, including an engine's answer. */
export function undo() {
  const play = state.play;
  if (!play || play.at === 0) return notify("there is nothing to undo", "error");
  if (play.ended && play.at === play.moves.length) {
    if (play.clock && play.ended.reason === "time") clocks.restore(play.clock, play.at);
    play.ended = null;
    if (mayMove(play)) {
      remember(play);
      return redraw();
    }
  }
  let ply = play.at - 1;
  const isPersonAt = (/** @type {number} */ at) => play.players[sideAt(play, at)].kind === "person";
  while (ply > 0 && !isPersonAt(ply) && hasPerson(play)) ply -= 1;
  if (hasPerson(play) && !isPersonAt(ply)) return notify("you have not made a move yet", "error");
  goTo(ply);
}

/** Replay what was taken back. */
export function redo() {
  const play = state.play;
  if (!play || play.at === play.moves.length) return notify("there is nothing to redo", "error");
  let ply = play.at + 1;
  while (ply < play.moves.length && play.players[sideAt(play, ply)].kind !== "person" && hasPerson(play)) ply += 1;
  goTo(ply);
}

/** @param {Play} play */
export function hasPerson(play) {
  return play.players.X.kind === "person" || play.players.O.kind === "person";
}

/** Drop the moves that were taken back, and continue from here. */
export function playOn() {
  const play = state.play;
  if (!play) return;
  play.moves = play.moves.slice(0, play.at);
  Object.assign(play, { ended: null, isPaused: false });
  save(play);
  runClock(play);
  redraw();
  letEngineMove(play);
}

/** Show a hint, then more of it: where to look, which moves, the move and why. */
export async function askHint() {
  const play = state.play;
  if (!play || !mayMove(play)) return refuse(play && outcomeOf(play) ? "the game is over" : "it is not your turn");
  try {
    if (play.hint) play.hint.step = Math.min(3, play.hint.step + 1);
    else {
      const at = play.at;
      const found = await api.hint(positionRequest(play));
      if (play.at !== at || play.hint) return;
      play.hint = { step: 1, found };
    }
    announce(hintText(play.hint));
    redraw();
  } catch (error) {
    complain(error);
  }
}

/** The text of a hint up to its step. @param {{step: number, found: import("./api.js").Hint}} hint */
export function hintText({ step, found }) {
  if (step === 1) return `${found.idea} Look at ${found.area_name}.`;
  if (step === 2) return `${found.idea} One of ${found.candidates.map((one) => one.name).join(", ")}.`;
  return `${found.name}: ${found.why.join("; ") || found.worth.text}.`;
}

/** Resign for the person to move; against an engine, for the person. */
export function resign() {
  const play = state.play;
  if (!play || outcomeOf(play) || play.position.turn === null) return notify("the game is over", "error");
  const turn = play.position.turn;
  const loser = play.players[turn].kind === "person" || !hasPerson(play) ? turn : opponent(turn);
  end(play, "resign", opponent(loser));
}

/** @param {Play} play @param {"resign" | "time"} reason @param {Side} winner */
function end(play, reason, winner) {
  thinking.abort();
  if (play.clock) clocks.pause(play.clock, play.position.turn);
  play.moves = play.moves.slice(0, play.at);
  const ended = play.game.forfeits.find((outcome) => outcome.reason === reason && outcome.winner === winner);
  Object.assign(play, { ended, isThinking: false, hint: null, pending: null });
  sound("end");
  announce(`${outcomeText(play)}.`);
  save(play);
  redraw();
}

/** @param {Side} side @returns {Side} */
export function opponent(side) {
  return side === "X" ? "O" : "X";
}

/** Let the two players change sides and continue. */
export function swapSides() {
  const play = state.play;
  if (!play) return;
  thinking.abort();
  play.players = { X: play.players.O, O: play.players.X };
  play.isThinking = false;
  const isAgainstEngine = play.players.X.kind !== play.players.O.kind;
  notify(isAgainstEngine ? `you now play ${play.players.X.kind === "person" ? "X" : "O"}` : "sides are swapped");
  savePlayers(play);
  redraw();
  letEngineMove(play);
}

/** @param {Side} side @param {string} level */
export function setLevel(side, level) {
  const play = state.play;
  if (!play) return;
  play.players[side] = { kind: "engine", level, name: level };
  savePlayers(play);
  redraw();
}

/** Save a change of players; a finished game keeps those who played it. @param {Play} play */
function savePlayers(play) {
  if (outcomeOf(play)) remember(play);
  else save(play);
}

/** Pause or resume a game between two engines. */
export function togglePause() {
  const play = state.play;
  if (!play) return;
  play.isPaused = !play.isPaused;
  if (play.isPaused) {
    thinking.abort();
    if (play.clock) clocks.pause(play.clock, play.position.turn);
  }
  play.isThinking = false;
  redraw();
  if (!play.isPaused) playOn();
}

/** Play again with the same players, sides swapped. */
export function again() {
  const play = state.play;
  if (!play) return;
  const players = hasPerson(play) ? { X: play.players.O, O: play.players.X } : play.players;
  const clock = play.clock && clocks.newClock(play.clock.control);
  begin({ game: play.game.data, start: play.start, players, clock }).catch(complain);
}

/**
 * Let the clock of the side to move run, unless the game is over, paused, or shown at an earlier move.
 * @param {Play} play
 */
function runClock(play) {
  const isRunning = play.position.turn && !outcomeOf(play) && play.at === play.moves.length && !play.isPaused;
  if (play.clock && isRunning) clocks.run(play.clock, play.at);
  return isRunning;
}

/** Show the running clock, and end the game when its time is up: called a few times a second. */
export function tick() {
  const play = state.play;
  if (!play?.clock || !runClock(play)) return;
  if (!checkFlag(play) && state.view === "play") redraw();
}

/** End the game if the time of the side to move is up; returns whether it was. @param {Play} play */
function checkFlag(play) {
  const turn = play.position.turn;
  if (!play.clock || !turn || play.clock.since === null || clocks.timeLeft(play.clock, turn, true) > 0) return false;
  end(play, "time", opponent(turn));
  return true;
}
