// @ts-check
/**
 * A game with a friend by link. A secret token says which side this browser plays; the connection may be lost at any
 * time, and every move is played once.
 */

import { ask } from "../server/api.js";
import { offerFocus } from "../board/board.js";
import {
  announce,
  attempt,
  commitNow,
  complain,
  isRejected,
  notify,
  offerUndo,
  redraw,
  state,
} from "../shell/app.js";
import { connectTo, resignGame } from "../server/friends.js";
import { seatIn, friendSeats, rememberSeat } from "./friend_seats.js";
import { opponent } from "../play/phase.js";
import { middle } from "../play/play.js";
import { show } from "../shell/route.js";
import { sound, soundEnd } from "../shell/sound.js";
import { latest } from "../server/tasks.js";
import { outcomeWords, turnWords } from "../ui/words.js";

/**
 * @typedef {import("../server/types.d.ts").Side} Side
 * @typedef {import("../server/types.d.ts").FriendState} FriendState
 * @typedef {import("../server/types.d.ts").Offer} OfferName
 *
 * @typedef {object} Friend
 * @property {string} id
 * @property {import("../board/panels.js").Game | null} game
 * @property {FriendState | null} state the last state that the server sent
 * @property {number} received when the state arrived, for the clocks
 * @property {Side | null} side null for a spectator
 * @property {"opening" | "open" | "lost" | "gone"} connection
 * @property {{ply: number, move: number | string} | null} unconfirmed a move to be sent again after a lost connection
 * @property {number | null} looking the ply that is looked back at, null for the last
 * @property {import("../server/types.d.ts").PositionAnswer | null} past
 * @property {number} focus
 * @property {number | null} pointed
 * @property {boolean} fresh whether the last move has just been made
 * @property {Record<Side, string | null>} emotes what each player has just said
 * @property {boolean} isResigning whether the person has resigned and can still undo it
 * @property {string | null} invitation the secret of an invitation that waits for the person's answer
 *
 * A friend game with its state, as it is after the first message.
 * @typedef {Friend & {game: import("../board/panels.js").Game, state: FriendState}} LoadedFriend
 *
 * @typedef {{kind: string, side: Side | null, name: string | null}} Event
 * @typedef {{type: "heartbeat"}} Heartbeat
 * @typedef {{type: "welcome", side: Side | null, state: FriendState}} Welcome
 * @typedef {{type: "state", event: Event, state: FriendState}} Update
 * @typedef {{type: "refused", error: string, state: FriendState | null}} RefusedMessage
 * @typedef {Heartbeat | Welcome | Update | RefusedMessage} Message
 * @typedef {{type: "offer" | "accept" | "decline", what: OfferName} | {type: "emote", emote: string}} Action
 */

const EMOTE_MS = 5_000;
/** The messages that players can send each other. @type {Record<string, string>} */
export const EMOTES = {
  hello: "Hello!",
  nice: "Nice move!",
  oops: "Oops!",
  thinking: "Let me think …",
  thanks: "Thank you!",
  "good-game": "Good game!",
};
/** Close codes for a wrong token and a game that does not exist: trying again would not help. */
const FORBIDDEN = 4003;
const FINAL_CODES = [FORBIDDEN, 4004];
export const TAKEN = "This game has two players already: you are watching.";

/** The connection to the game on the screen. @type {import("../server/connection.js").Connection | null} */
let line = null;

/** A game of which nothing is known yet. @param {string} id @returns {Friend} */
export function waiting(id) {
  return {
    id,
    game: null,
    state: null,
    received: 0,
    side: null,
    connection: "opening",
    unconfirmed: null,
    looking: null,
    past: null,
    focus: 0,
    pointed: null,
    fresh: false,
    emotes: { X: null, O: null },
    isResigning: false,
    invitation: null,
  };
}

/** Play or watch a game, or look at it before the answer to an invitation.
 * @param {string} id @param {string | null} [invitation] */
export function open(id, invitation = null) {
  leave();
  const friend = (state.friend = { ...waiting(id), invitation });
  show("friend", `#friend=${id}`);
  const mine = (line = connectTo(id, {
    onopen: () => mine.send({ type: "hello", token: seatIn(id).token }),
    onmessage: (message) => attempt(() => receive(friend, message)),
    onlost: (code) => disconnected(friend, code),
  }));
  mine.open();
}

/** Close the connection. */
export function leave() {
  commitNow();
  line?.close();
  line = null;
}

/** @param {Friend} friend @param {number | null} code @returns {boolean} whether to connect again */
function disconnected(friend, code) {
  if (code === FORBIDDEN && seatIn(friend.id).token) {
    // Someone else has accepted the same invitation or challenge, and was faster.
    rememberSeat(friend.id, { token: undefined, side: undefined });
    open(friend.id);
    notify(TAKEN);
    return false;
  }
  const isFinal = code !== null && FINAL_CODES.includes(code);
  if (friend.connection === "open" && !isFinal) announce("The connection is lost. Trying again.");
  friend.connection = isFinal ? "gone" : "lost";
  redraw();
  return !isFinal;
}

/** Connect at once when the network is back. */
export function reconnect() {
  if (state.friend?.connection === "lost") line?.retryNow();
}

/** Give up the connection when the network is gone, even if the socket has not noticed. */
export function goOffline() {
  if (state.friend?.connection !== "gone") line?.lose();
}

/** @param {Friend} friend @param {Message} message */
async function receive(friend, message) {
  if (state.friend !== friend || message.type === "heartbeat") return;
  if (message.type === "refused") {
    friend.unconfirmed = null;
    notify(message.error, "error");
  }
  if (message.type === "welcome") {
    Object.assign(friend, { side: message.side, connection: "open" });
  }
  if (message.state) await accept(friend, message.state, message);
  if (message.type === "welcome") sendAgain(friend);
  redraw();
}

/** @param {Friend} friend @param {FriendState} received @param {Welcome | Update | RefusedMessage} message */
async function accept(friend, received, message) {
  const isOld = friend.state && received.version < friend.state.version;
  if (isOld && message.type !== "welcome") return; // after a restart of the server versions may begin lower
  const before = friend.state?.position.ply ?? null;
  friend.state = received;
  friend.received = performance.now();
  if (!friend.game) {
    const game = await ask("game", { game: received.data });
    friend.game = game;
    friend.focus = middle(game);
  }
  const { ply } = received.position;
  if (friend.unconfirmed && ply > friend.unconfirmed.ply) friend.unconfirmed = null;
  friend.fresh = before !== null && ply > before;
  const isLookingAtNothing = friend.looking !== null && friend.looking >= ply;
  if (friend.fresh || isLookingAtNothing) friend.looking = friend.past = null;
  if (before === null && !friend.invitation) announceBeginning(friend, received);
  report(friend, received, message.type === "state" ? message.event : null, before);
  rememberGame(friend, received);
  // Everyone who is here moves to the rematch; a game that is opened again later only offers it.
  if (received.next && before !== null) openRematch(friend.id, received.next);
}

/** Tell screen readers what is played, and bring the keyboard to the board.
 * @param {Friend} friend @param {FriendState} received */
function announceBeginning(friend, { position, players, presence, outcome }) {
  const isWaiting = presence.X === "open" || presence.O === "open";
  const now = outcome
    ? friendOutcome(friend, outcome)
    : isWaiting
      ? "Waiting for an opponent"
      : turnWords(position, players, friend.side);
  announce(`${friend.game?.title}. ${now}.`);
  if (!isWaiting) offerFocus(friend.focus);
}

/** Remember the data that the list of games shows. @param {Friend} friend @param {FriendState} received */
function rememberGame(friend, { players, outcome, position: { start, cells } }) {
  if (!seatIn(friend.id).token || !friend.side) return;
  rememberSeat(friend.id, {
    title: friend.game?.title,
    x: players.X,
    o: players.O,
    side: friend.side,
    ended: outcome ? friendOutcome(friend, outcome) : "",
    when: new Date().toISOString(),
    ...(friend.game && { line: { data: friend.game.data, start, moves: cells } }),
  });
}

/** The outcome as this player, or a spectator, reads it. @param {Friend} friend @param {import("../server/types.d.ts").OutcomeAnswer} outcome */
export function friendOutcome(friend, outcome) {
  return outcomeWords(outcome, /** @type {FriendState} */ (friend.state).players, friend.side);
}

/**
 * Announce what happened.
 * @param {Friend} friend @param {FriendState} received @param {Event | null} event @param {number | null} before
 */
function report(friend, received, event, before) {
  const { position, outcome } = received;
  if (friend.fresh) {
    if (outcome) soundEnd(outcome, friend.side);
    else sound(opponent(position.turn ?? "X"));
    announce(outcome ? `${position.announcement} ${friendOutcome(friend, outcome)}.` : position.announcement);
  } else if (event) {
    if (event.kind === "emote" && event.side && event.name) showEmote(friend, event.side, event.name);
    if (event.kind === "emote" && event.side !== friend.side) sound("note");
    const text = eventText(friend, received, event);
    if (text) announce(text);
    if (outcome && before !== null && ["resign", "draw", "time"].includes(event.kind)) soundEnd(outcome, friend.side);
  }
}

/** @param {Friend} friend @param {FriendState} received @param {Event} event */
function eventText(friend, { position, outcome, players, presence, offer: offered }, { kind, side, name }) {
  switch (kind) {
    case "joined":
      return `${side ? players[side] : "a spectator"} has joined.`;
    case "offer":
      return offered ? offerText(offered, players) : "";
    case "declined":
      return "The offer was declined.";
    case "takeback":
      return `Taken back. ${position.status}.`;
    case "resign":
    case "draw":
    case "time":
      return outcome ? `${friendOutcome(friend, outcome)}.` : "";
    case "presence":
      return side && side !== friend.side ? `${players[side]} is ${presence[side]}.` : "";
    case "expired":
      return "No one has accepted: your challenge is no longer listed.";
    case "emote":
      return side && side !== friend.side ? `${players[side]}: ${EMOTES[name ?? ""] ?? ""}` : "";
    default:
      return "";
  }
}

/** @param {NonNullable<FriendState["offer"]>} offered @param {Record<Side, string>} players */
export function offerText(offered, players) {
  const text = { takeback: "asks to take back a move", draw: "offers a draw", rematch: "offers a rematch" };
  return `${players[offered.side]} ${text[offered.what]}.`;
}

/** Go to the rematch, to play with the sides swapped or to watch. @param {string} id @param {string} next */
export function openRematch(id, next) {
  const { token } = seatIn(id);
  if (token) rememberSeat(next, { token });
  open(next);
  notify(token ? "Rematch: sides are swapped." : "You are watching the rematch.");
}

/**
 * Make a move: it is shown at once, and confirmed when the server has saved it.
 * @param {LoadedFriend} friend @param {number | string} move
 */
function send(friend, move) {
  friend.unconfirmed = { ply: friend.state.position.ply, move };
  redraw();
  sendAgain(friend);
}

/** Send an unconfirmed move; its ply keeps it from being played twice. @param {Friend} friend */
function sendAgain(friend) {
  if (!friend.unconfirmed || !friend.state) return;
  if (friend.state.position.ply !== friend.unconfirmed.ply) friend.unconfirmed = null;
  else line?.send({ type: "move", ...friend.unconfirmed });
}

/** The friend game on the screen, once its state is known. @returns {LoadedFriend | null} */
function loaded() {
  const friend = state.friend;
  return friend?.state && friend.game ? /** @type {LoadedFriend} */ (friend) : null;
}

/** @param {LoadedFriend} friend */
export function mayMoveFriend({ side, state: { outcome, position, presence }, unconfirmed, looking, isResigning }) {
  const isTurn = side !== null && !outcome && position.turn === side && presence[opponent(side)] !== "open";
  return isTurn && !unconfirmed && looking === null && !isResigning;
}

/** @param {number} cell */
export function playFriend(cell) {
  const friend = loaded();
  if (!friend) return;
  if (!mayMoveFriend(friend)) return notify(whyNot(friend), "error");
  if (!friend.state.position.legal_cells.includes(cell)) {
    return notify(`${friend.game.names[cell]} cannot be played now`, "error");
  }
  send(friend, cell);
}

/** Why the person may not move now. @param {LoadedFriend} friend */
function whyNot(friend) {
  if (friend.side === null) return "you are watching";
  if (friend.state.outcome) return "the game is over";
  if (friend.looking !== null) return "you are looking back: go to the last move to play";
  if (friend.isResigning) return "you have resigned";
  if (friend.unconfirmed) return "your move is not confirmed yet";
  return friend.state.position.turn === friend.side ? "wait until your friend has joined" : "it is not your turn";
}

/** Play a move that was typed. @param {string} text */
export function friendText(text) {
  const friend = loaded();
  if (!friend) return;
  if (!mayMoveFriend(friend)) return notify(whyNot(friend), "error");
  send(friend, text);
}

/** @param {Action} action */
function act(action) {
  if (!line?.send(action)) notify("the connection is lost: wait until it is back", "error");
}

/** @param {OfferName} what */
export function offer(what) {
  act({ type: "offer", what });
}

/** @param {boolean} isAccepted */
export function answer(isAccepted) {
  const what = state.friend?.state?.offer?.what;
  if (what) act({ type: isAccepted ? "accept" : "decline", what });
}

/** Resign; until it is final, it can be undone. */
export function resignFriend() {
  const friend = loaded();
  if (!friend?.side || friend.state.outcome || friend.isResigning) return;
  const { id } = friend;
  friend.isResigning = true;
  rememberSeat(id, { isResigned: true });
  const undo = () => {
    friend.isResigning = false;
    rememberSeat(id, { isResigned: undefined });
  };
  offerUndo("You resigned.", { undo, commit: () => sendResignation(id) });
}

const RESIGN_RETRY_MS = 2000;

/**
 * Send a resignation until the server has it: while another view is shown, while the page is closed, and on the next visit.
 * @param {string} id
 */
async function sendResignation(id) {
  const { token, isResigned } = seatIn(id);
  if (!token || !isResigned) return;
  try {
    await resignGame(id, token);
  } catch (error) {
    if (!isRejected(error)) {
      setTimeout(() => sendResignation(id), RESIGN_RETRY_MS);
      return;
    }
    complain(error);
  }
  rememberSeat(id, { isResigned: undefined });
  if (state.friend?.id === id) state.friend.isResigning = false;
  redraw();
}

/** Send the resignations that the server did not get before the page was left. */
export function sendResignations() {
  for (const { id } of friendSeats()) sendResignation(id);
}

/** Send a message to the other player. @param {string} emote */
export function say(emote) {
  act({ type: "emote", emote });
}

/** Show the message of a player for a while. @param {Friend} friend @param {Side} side @param {string} emote */
function showEmote(friend, side, emote) {
  friend.emotes[side] = emote;
  setTimeout(() => {
    if (friend.emotes[side] !== emote) return;
    friend.emotes[side] = null;
    redraw();
  }, EMOTE_MS);
}

const looks = latest();

/** Look back at a ply; at the last one, return to the present. @param {number} ply */
export async function lookBack(ply) {
  const friend = loaded();
  if (!friend) return;
  const isLatest = looks.next();
  const { cells, start } = friend.state.position;
  try {
    const isPast = ply < cells.length;
    const past = isPast ? await ask("position", { game: friend.game.data, start, moves: cells.slice(0, ply) }) : null;
    // Meanwhile moves may have been taken back.
    if (!isLatest() || (isPast && ply >= friend.state.position.ply)) return;
    Object.assign(friend, { past, looking: isPast ? ply : null, fresh: false });
  } catch (error) {
    if (isLatest() && state.friend === friend) complain(error, () => lookBack(ply));
  }
  redraw();
}
