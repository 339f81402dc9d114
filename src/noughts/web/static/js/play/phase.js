// @ts-check
/**
 * A playthrough as a state machine, without a document and without a server.
 *
 * `phaseOf` says who has to act; `settle` in play.js is called after every change and does what the phase asks for.
 * `moves` is the game as it stands, `undone` what was taken back and can be redone. The board may show an earlier
 * position (`at`, `position`): looking back changes neither the game nor its phase.
 */

import { outcomeWords, shownName } from "../ui/words.js";

/**
 * @typedef {import("../server/types.d.ts").Side} Side
 * @typedef {import("../server/types.d.ts").PositionAnswer} Position
 * @typedef {import("../server/types.d.ts").OutcomeAnswer} Outcome
 * @typedef {{kind: "person" | "engine", name: string, level?: string}} Player
 * @typedef {Record<Side, Player>} Players
 *
 * over: nothing is left to do; person: a person is to move; thinking: an engine is; paused: it would be, but waits;
 * failed: it could not move, and a person has to decide; elsewhere: another tab has continued the game.
 * @typedef {"over" | "person" | "thinking" | "paused" | "failed" | "elsewhere"} Phase
 *
 * @typedef {object} Play
 * @property {string} id tells it from other playthroughs in this browser
 * @property {import("../board/panels.js").Game} game
 * @property {string | null} start
 * @property {number[]} moves
 * @property {number[]} undone the moves taken back, in the order in which they are redone
 * @property {Position} end the position after all moves
 * @property {number} at the number of moves on the board
 * @property {Position} position the position on the board
 * @property {number | null} wanted the ply that is being looked up
 * @property {Players} players
 * @property {Players} next the players of the next game
 * @property {number | string | null} pending a move that the server has not confirmed
 * @property {Outcome | null} ended the outcome if it is not decided on the board
 * @property {import("./clock.js").Clock | null} clock
 * @property {{step: number, found: import("../server/types.d.ts").HintAnswer} | null} hint
 * @property {boolean} isHinting whether a hint has been asked for
 * @property {boolean} isPaused
 * @property {boolean} isElsewhere whether another tab has continued it
 * @property {import("../shell/app.js").Failure | null} failed why the engine could not move
 * @property {{at: number, how: "proven" | "not proven"} | null} book the last move from the opening book, by its ply
 * @property {"won" | "drawn" | "lost" | "earlier" | null} counted the result in the score against the computer; earlier
 *   if it was over when it was opened
 * @property {number | null} saved its id among the saved games
 * @property {string} key under which it is saved: a request that is sent again must not save it twice
 * @property {number} focus
 * @property {number | null} pointed
 * @property {boolean} fresh whether the last move has just been made
 * @property {Record<string, string>} comments
 *
 * The fields that decide the phase.
 * @typedef {Pick<Play, "end" | "ended" | "players" | "pending" | "isPaused" | "isElsewhere" | "failed">} Course
 */

const SIDES = /** @type {const} */ (["X", "O"]);

/** @param {Side} side @returns {Side} */
export function opponent(side) {
  return side === "X" ? "O" : "X";
}

/** The side to move after `ply` moves. @param {{start: string | null}} play @param {number} ply @returns {Side} */
export function sideAt(play, ply) {
  const isX = (play.start?.split(" ")[1] ?? "x") === "x";
  return (ply % 2 === 0) === isX ? "X" : "O";
}

/** Who has to act. @param {Course} play @returns {Phase} */
export function phaseOf(play) {
  if (play.isElsewhere) return "elsewhere";
  const turn = play.end.turn;
  if (play.end.outcome || play.ended || turn === null) return "over";
  if (play.pending !== null || play.players[turn].kind === "person") return "person";
  if (play.failed) return "failed";
  return play.isPaused ? "paused" : "thinking";
}

/** Whether a clock runs: the time of a player who cannot move is not charged. @param {Phase} phase */
export function isTimed(phase) {
  return phase === "person" || phase === "thinking";
}

/**
 * The work that an engine has to do, as a text that differs when it has to begin again; null if there is none.
 * @param {Course & Pick<Play, "id" | "moves">} play
 */
export function workOf(play) {
  if (phaseOf(play) !== "thinking") return null;
  const { level } = play.players[/** @type {Side} */ (play.end.turn)];
  return JSON.stringify([play.id, play.moves, level]);
}

/** Whether the board shows an earlier position. @param {Pick<Play, "at" | "moves">} play */
export function isLookingBack(play) {
  return play.at < play.moves.length;
}

/** The outcome on the board; null if the game was not over there. @param {Play} play */
export function outcomeOf(play) {
  return play.position.outcome ?? (isLookingBack(play) ? null : play.ended);
}

/** The side of the only person at the screen; null for two people or none. @param {{players: Players}} play */
export function viewerOf({ players }) {
  const people = SIDES.filter((side) => players[side].kind === "person");
  return people.length === 1 ? people[0] : null;
}

/** The names of the players as they are shown. @param {{players: Players}} play @returns {Record<Side, string>} */
export function shownNames({ players }) {
  return { X: shownName(players.X.name), O: shownName(players.O.name) };
}

/** The outcome as the person at the screen reads it; neutral for two people or none. @param {Play} play */
export function outcomeText(play) {
  const outcome = outcomeOf(play);
  return outcome && outcomeWords(outcome, shownNames(play), viewerOf(play));
}

/**
 * Whether a person may move on the board. A move in an earlier position takes the later moves back; in a
 * game with clocks a person has to take them back first.
 * @param {Play} play
 */
export function mayMove(play) {
  if (play.pending !== null || play.isElsewhere || outcomeOf(play)) return false;
  const turn = play.position.turn;
  if (!turn || play.players[turn].kind !== "person") return false;
  return isLookingBack(play) ? !play.clock : phaseOf(play) === "person";
}

/** Why a person may not move now. @param {Play} play */
export function whyNoMove(play) {
  if (play.isElsewhere) return "this game continues in another tab";
  if (isLookingBack(play) && play.clock) return "you are looking back: go to the last move, or undo";
  return outcomeOf(play) ? "the game is over" : "it is not your turn";
}

/** @param {{players: Players}} play */
export function hasPerson({ players }) {
  return SIDES.some((side) => players[side].kind === "person");
}

/** Whether a person plays against an engine. @param {{players: Players}} play */
export function isAgainstEngine({ players }) {
  return players.X.kind !== players.O.kind;
}

/** @param {Pick<Play, "start" | "players">} play @param {number} ply */
function isPersonAt(play, ply) {
  return play.players[sideAt(play, ply)].kind === "person";
}

/**
 * The ply that undo leads to from a ply: the last turn of a person before it; null if there is none.
 * @param {Pick<Play, "start" | "players">} play @param {number} from
 */
export function plyToUndo(play, from) {
  let ply = from - 1;
  while (ply >= 0 && !isPersonAt(play, ply)) ply -= 1;
  return ply >= 0 ? ply : null;
}

/**
 * The ply that redo leads to: the first turn of a person from `least` on, or the end; null if nothing was taken back.
 * @param {Pick<Play, "start" | "players" | "moves" | "undone">} play @param {number} [least]
 */
export function plyToRedo(play, least = play.moves.length + 1) {
  if (!play.undone.length) return null;
  const total = play.moves.length + play.undone.length;
  let ply = Math.min(least, total);
  while (ply < total && !isPersonAt(play, ply)) ply += 1;
  return ply;
}

/** The moves of the game, and after them those taken back. @param {Pick<Play, "moves" | "undone">} play */
export function allMoves({ moves, undone }) {
  return [...moves, ...undone];
}

/**
 * The game cut or continued to a ply of all its moves, with the rest taken back.
 * @param {Pick<Play, "moves" | "undone">} play @param {number} ply
 */
export function cutAt(play, ply) {
  const all = allMoves(play);
  return { moves: all.slice(0, ply), undone: all.slice(ply) };
}

/** The result for a person who plays against an engine; null for other players, and before the end. @param {Play} play */
export function resultOf(play) {
  const outcome = play.ended ?? play.end.outcome;
  if (!outcome || !isAgainstEngine(play)) return null;
  if (outcome.winner === null) return "drawn";
  return outcome.winner === viewerOf(play) ? "won" : "lost";
}

/** The players of a rematch: people and engines change sides. @param {Players} players @returns {Players} */
export function swapped(players) {
  return { X: players.O, O: players.X };
}
