// @ts-check
/** A playthrough at this screen: against a level, a friend beside you, or two engines. */

import { api, Refused } from "./api.js";
import { announce, complain, notify, read, redraw, state, write } from "./app.js";
import { running, spend, start as startClock } from "./clock.js";
import { sound } from "./sound.js";

/**
 * @typedef {import("./api.js").Side} Side
 * @typedef {{kind: "person" | "engine", name: string, level?: string}} Seat
 *
 * @typedef {object} Play
 * @property {import("./panels.js").Game} game
 * @property {string | null} start
 * @property {number[]} moves all moves, those taken back too
 * @property {number} at how many of them are on the board
 * @property {import("./api.js").Position} position
 * @property {Record<Side, Seat>} seats
 * @property {number | null} pending
 * @property {import("./api.js").Outcome | null} ended when it ended otherwise than by its moves
 * @property {import("./clock.js").Clock | null} clock
 * @property {{step: number, found: import("./api.js").Hint} | null} hint
 * @property {boolean} isThinking
 * @property {boolean} isPaused
 * @property {number | null} kept its number among the games kept
 * @property {number} focus
 * @property {number | null} pointed
 * @property {boolean} fresh
 * @property {Record<string, string>} comments
 */

const CURRENT = "noughts.current";
/** How long two engines leave each position on the board, in milliseconds. */
const WATCHING = 700;
/** How long an answer takes at least, so that one sees what happens. */
const BREATH = 250;

/** What the engine is doing for us now; aborted when it is no longer wanted. */
let thinking = new AbortController();

/** @type {Seat} */
export const PERSON = { kind: "person", name: "you" };

/** Whose move it is after so many moves. @param {{start: string | null}} play @param {number} ply @returns {Side} */
export function sideAt(play, ply) {
  const isX = (play.start?.split(" ")[1] ?? "x") === "x";
  return (ply % 2 === 0) === isX ? "X" : "O";
}

/** How it ended, if it did: by its moves or otherwise. @param {Play} play */
export function outcomeOf(play) {
  return play.position.outcome ?? (play.at === play.moves.length ? play.ended : null);
}

/** @param {Play} play @param {number[]} [moves] */
export function placeOf(play, moves = play.moves.slice(0, play.at)) {
  return { game: play.game.data, start: play.start, moves };
}

/** Whether the person at the screen may move now. @param {Play} play */
export function mayMove(play) {
  const turn = play.position.turn;
  return turn !== null && !outcomeOf(play) && play.pending === null && play.seats[turn].kind === "person";
}

/**
 * Begin a playthrough, or go on with one.
 * @param {{game: any, start?: string | null, moves?: number[], at?: number, seats: Record<Side, Seat>, clock?: any, ended?: any,
 *   kept?: number | null, comments?: Record<string, string>}} wish
 */
export async function begin(wish) {
  thinking.abort();
  const game = await api.game(wish.game);
  const moves = wish.moves ?? [];
  const at = Math.min(wish.at ?? moves.length, moves.length);
  const position = await api.position({ game: game.data, start: wish.start ?? null, moves: moves.slice(0, at) });
  state.play = {
    game, start: wish.start ?? null, moves, at, position, seats: wish.seats, pending: null, ended: wish.ended ?? null,
    clock: startClock(wish.clock), hint: null, isThinking: false, isPaused: false, kept: wish.kept ?? null,
    focus: middle(game), pointed: null, fresh: false, comments: wish.comments ?? {},
  };
  state.zoom = 0;
  remember(state.play);
  redraw();
  letEngineMove(state.play);
}

/** The cell the keyboard begins at. @param {import("./panels.js").Game} game */
export function middle(game) {
  if (game.block_size) return Math.floor(game.cells / 2);
  const [width, height] = game.dimensions ?? [1, 1];
  const row = game.has_gravity && game.dimensions?.length === 2 ? height - 1 : Math.floor((height - 1) / 2);
  return game.dimensions ? row * width + Math.floor((width - 1) / 2) : 0;
}

/** Go on where this browser left off; says whether there was anything. */
export async function resume() {
  const was = read(CURRENT, null);
  if (!was) return false;
  try {
    await begin(was);
    return true;
  } catch (error) {
    if (error instanceof Refused && error.status === 0) throw error;
    write(CURRENT, null);
    return false;
  }
}

/** Remember what is played in this browser, so that a reload loses nothing. @param {Play} play */
function remember(play) {
  const { game, start, moves, at, seats, clock, ended, kept, comments } = play;
  write(CURRENT, { game: game.data, start, moves, at, seats, clock: clock && { ...clock, since: null }, ended, kept, comments });
}

let keeping = Promise.resolve();

/** Resolves when everything played so far is kept. */
export function allKept() {
  return keeping;
}

/** Keep the playthrough on the server, one request after the other so that the last one stands. @param {Play} play */
function keep(play) {
  remember(play);
  const result = play.ended && { reason: play.ended.reason, winner: play.ended.winner };
  const body = { ...placeOf(play), x: play.seats.X.name, o: play.seats.O.name, result: play.position.outcome ? null : result };
  if (!body.moves.length) return;
  keeping = keeping.then(() => send(play, body)).catch(complain);
}

/** @param {Play} play @param {any} body */
async function send(play, body) {
  try {
    if (play.kept !== null) return await api.keepAs(play.kept, body);
  } catch (error) {
    // Somebody deleted it: it is kept anew.
    if (!(error instanceof Refused) || error.status !== 404) throw error;
  }
  play.kept = (await api.keep(body)).id;
  if (state.play === play) remember(play);
}

/** A person plays a cell: it is shown at once and then confirmed. @param {number} cell */
export async function playCell(cell) {
  const play = state.play;
  if (!play || play.pending !== null) return;
  if (!mayMove(play)) return say(outcomeOf(play) ? "the game is over" : "it is not your turn");
  if (!play.position.legal.includes(cell)) return say(whyNot(play, cell));
  play.pending = cell;
  play.hint = null;
  redraw();
  await makeMove(play, cell);
}

/** @param {string} text */
function say(text) {
  notify(text, "error");
}

/** Why a cell cannot be played, as far as it shows on the board. @param {Play} play @param {number} cell */
function whyNot(play, cell) {
  const taken = play.position.cells[cell];
  if (taken !== ".") return `${play.game.names[cell]} is taken by ${taken}`;
  if (play.position.block_to_play !== null) return `${play.game.names[cell]} is not in block ${play.position.block_to_play + 1}, which is the one to play`;
  return `${play.game.names[cell]} cannot be played now`;
}

/** A person types a move. @param {string} text */
export async function playText(text) {
  const play = state.play;
  if (!play) return;
  if (!mayMove(play)) return say(outcomeOf(play) ? "the game is over" : "it is not your turn");
  await makeMove(play, text);
}

/** @param {Play} play @param {number | string} move */
async function makeMove(play, move) {
  const before = play.moves.slice(0, play.at);
  try {
    const position = await api.position({ game: play.game.data, start: play.start, moves: [...before, move] });
    if (state.play !== play || play.at !== before.length) return;
    accept(play, position);
  } catch (error) {
    complain(error);
  } finally {
    play.pending = null;
    redraw();
  }
}

/** The server confirmed a move. @param {Play} play @param {import("./api.js").Position} position */
function accept(play, position) {
  const side = /** @type {Side} */ (play.position.turn);
  spend(play.clock, side);
  play.moves = [...position.moves];
  play.at = play.moves.length;
  Object.assign(play, { position, fresh: true, hint: null, ended: null, pending: null });
  state.notice = null;
  sound(position.outcome ? "end" : side);
  announce(position.outcome ? `${position.said} ${position.outcome.text}.` : position.said);
  keep(play);
  redraw();
  letEngineMove(play);
}

/** If it is an engine's turn, let it think. @param {Play} play */
async function letEngineMove(play) {
  const turn = play.position.turn;
  const isAtEnd = play.at === play.moves.length;
  if (!turn || !isAtEnd || play.seats[turn].kind !== "engine" || outcomeOf(play) || play.isPaused) return;
  thinking.abort();
  const mine = (thinking = new AbortController());
  play.isThinking = true;
  redraw();
  try {
    const both = play.seats.X.kind === "engine" && play.seats.O.kind === "engine";
    const [answer] = await Promise.all([
      api.engine(placeOf(play), play.seats[turn].level ?? "easy", secondsFor(play, turn), mine.signal), pause(both ? WATCHING : BREATH)]);
    if (mine.signal.aborted || state.play !== play) return;
    play.isThinking = false;
    accept(play, answer.position);
  } catch (error) {
    complain(error);
  } finally {
    if (mine === thinking) play.isThinking = false;
    redraw();
  }
}

/** How long a timed engine may think. @param {Play} play @param {Side} side */
function secondsFor(play, side) {
  const left = play.clock?.left[side];
  return left === undefined ? 2 : Math.max(0.05, Math.min(3, left / 30_000));
}

/** @param {number} ms */
function pause(ms) {
  return new Promise((done) => setTimeout(done, ms));
}

/** Show the position after so many moves; those after it can still be redone. @param {number} ply */
export async function goTo(ply) {
  const play = state.play;
  if (!play) return;
  thinking.abort();
  const at = Math.max(0, Math.min(ply, play.moves.length));
  try {
    const position = await api.position(placeOf(play, play.moves.slice(0, at)));
    if (state.play !== play) return;
    Object.assign(play, { at, position, hint: null, pending: null, fresh: false, isThinking: false });
    if (play.clock) play.clock.since = null;
    remember(play);
    announce(at ? `After ${at} ${at === 1 ? "move" : "moves"}: ${position.said} ${position.status}.` : `At the start. ${position.status}.`);
    redraw();
  } catch (error) {
    complain(error);
  }
}

/** Take back: to where a person is to move again, so an engine's answer goes too. */
export function undo() {
  const play = state.play;
  if (!play || play.at === 0) return notify("there is nothing to undo", "error");
  if (play.ended && play.at === play.moves.length) {
    play.ended = null;
    if (mayMove(play)) return redraw();
  }
  let ply = play.at - 1;
  const isPersonAt = (/** @type {number} */ at) => play.seats[sideAt(play, at)].kind === "person";
  while (ply > 0 && !isPersonAt(ply) && hasPerson(play)) ply -= 1;
  if (hasPerson(play) && !isPersonAt(ply)) return notify("there is no move of yours to undo", "error");
  return goTo(ply);
}

/** Play again what was taken back. */
export function redo() {
  const play = state.play;
  if (!play || play.at === play.moves.length) return notify("there is nothing to redo", "error");
  let ply = play.at + 1;
  while (ply < play.moves.length && play.seats[sideAt(play, ply)].kind !== "person" && hasPerson(play)) ply += 1;
  return goTo(ply);
}

/** @param {Play} play */
export function hasPerson(play) {
  return play.seats.X.kind === "person" || play.seats.O.kind === "person";
}

/** Drop what was taken back, and go on from here. */
export function playOn() {
  const play = state.play;
  if (!play) return;
  play.moves = play.moves.slice(0, play.at);
  Object.assign(play, { ended: null, isPaused: false });
  keep(play);
  redraw();
  letEngineMove(play);
}

/** Ask for a hint, then for more of it: where to look, which moves, the move and why. */
export async function askHint() {
  const play = state.play;
  if (!play || !mayMove(play)) return notify("there is no move of yours to hint at", "error");
  try {
    if (play.hint) play.hint.step = Math.min(3, play.hint.step + 1);
    else {
      const at = play.at;
      const found = await api.hint(placeOf(play));
      if (play.at !== at || play.hint) return;
      play.hint = { step: 1, found };
    }
    announce(hintText(play.hint));
    redraw();
  } catch (error) {
    complain(error);
  }
}

/** The words of a hint as far as it has been asked for. @param {{step: number, found: import("./api.js").Hint}} hint */
export function hintText({ step, found }) {
  if (step === 1) return `${found.idea} Look at ${found.area_name}.`;
  if (step === 2) return `${found.idea} One of ${found.candidates.map((one) => one.name).join(", ")}.`;
  return `${found.name}: ${found.why.join("; ") || found.worth.text}.`;
}

/** The person to move gives up; against an engine, the person does. */
export function resign() {
  const play = state.play;
  if (!play || outcomeOf(play) || play.position.turn === null) return notify("the game is over", "error");
  const turn = play.position.turn;
  const loser = play.seats[turn].kind === "person" || !hasPerson(play) ? turn : other(turn);
  end(play, "resign", other(loser), `${loser} resigns, ${other(loser)} wins`);
}

/** @param {Play} play @param {string} reason @param {Side} winner @param {string} text */
function end(play, reason, winner, text) {
  thinking.abort();
  play.moves = play.moves.slice(0, play.at);
  Object.assign(play, { ended: { winner, reason, text }, isThinking: false, hint: null, pending: null });
  if (play.clock) play.clock.since = null;
  sound("end");
  announce(text);
  keep(play);
  redraw();
}

/** @param {Side} side @returns {Side} */
export function other(side) {
  return side === "X" ? "O" : "X";
}

/** The two players change sides and play on. */
export function swapSides() {
  const play = state.play;
  if (!play) return;
  thinking.abort();
  play.seats = { X: play.seats.O, O: play.seats.X };
  play.isThinking = false;
  const isAlone = play.seats.X.kind !== play.seats.O.kind;
  notify(isAlone ? `you now play ${play.seats.X.kind === "person" ? "X" : "O"}` : "sides are swapped");
  keep(play);
  redraw();
  letEngineMove(play);
}

/** @param {Side} side @param {string} level */
export function setLevel(side, level) {
  const play = state.play;
  if (!play) return;
  play.seats[side] = { kind: "engine", level, name: level };
  keep(play);
  redraw();
}

/** Stop or go on watching two engines. */
export function togglePause() {
  const play = state.play;
  if (!play) return;
  play.isPaused = !play.isPaused;
  if (play.isPaused) thinking.abort();
  play.isThinking = false;
  redraw();
  if (!play.isPaused) playOn();
}

/** Again with the same players, sides changed. */
export function again() {
  const play = state.play;
  if (!play) return;
  const seats = hasPerson(play) ? { X: play.seats.O, O: play.seats.X } : play.seats;
  begin({ game: play.game.data, start: play.start, seats, clock: play.clock && { seconds: play.clock.seconds, increment: play.clock.increment } })
    .catch(complain);
}

/** Let the clocks run: called a few times a second. */
export function tick() {
  const play = state.play;
  if (!play?.clock || state.view !== "play") return;
  const turn = play.position.turn;
  if (!turn || outcomeOf(play) || play.at !== play.moves.length || play.at === 0 || play.isPaused) return;
  if (running(play.clock, turn) <= 0) {
    play.clock.left[turn] = 0;
    end(play, "time", other(turn), `${turn}'s time is up, ${other(turn)} wins`);
  }
  redraw();
}
