// @ts-check
/** A game with a friend by link: a seat held by a secret, a line that may be cut at any time, and moves that are played once. */

import { api, socketAddress } from "./api.js";
import { announce, complain, notify, read, redraw, state, write } from "./app.js";
import { middle } from "./play.js";
import { show } from "./route.js";
import { sound } from "./sound.js";

/**
 * @typedef {import("./api.js").Side} Side
 * @typedef {{token?: string, side?: Side, invite?: string, title?: string, x?: string, o?: string, ended?: string, when?: string}} SeatKept
 *   what this browser remembers of a seat
 *
 * @typedef {object} Friend
 * @property {string} id
 * @property {import("./panels.js").Game | null} game
 * @property {any} state what the server said last
 * @property {number} heard when that was, for the clocks
 * @property {Side | null} side null when watching
 * @property {"opening" | "open" | "cut" | "gone"} line
 * @property {{ply: number, move: number | string} | null} unsent a move not yet confirmed; sent again after a cut
 * @property {number | null} looking the ply looked back at, null for the last
 * @property {import("./api.js").Position | null} past
 * @property {number} focus
 * @property {number | null} pointed
 * @property {boolean} fresh
 */

const SEAT = "noughts.friend.";
/** Without a word for so long the line is taken for cut; the server says something every five seconds. */
const SILENCE = 13_000;
const [SOON, LATE] = [300, 5_000];
/** The line is closed so when there is no such game, or no seat for this token: trying again would not help. */
const GONE = [4003, 4004];

/** @type {WebSocket | null} */
let socket = null;
/** @type {number | undefined} */
let watchdog;
/** @type {number | undefined} */
let retry;
let wait = SOON;

/** @param {string} id @returns {SeatKept} */
export function seatKept(id) {
  return read(SEAT + id, {});
}

/** Begin a game and show its link. @param {{game: any, side: "X" | "O" | "random", clock: any}} wish */
export async function invite(wish) {
  const made = await api.invite({ ...wish, start: null, moves: [], name: myName() });
  write(SEAT + made.friend, { token: made.token, side: made.side, invite: made.invite });
  open(made.friend);
}

/** What the others see; the server wants some name. */
function myName() {
  return state.prefs.name.trim() || "guest";
}

/** The link that takes the free seat. @param {string} id @param {string} secret */
export function inviteLink(id, secret) {
  return `${location.origin}/#${new URLSearchParams({ friend: id, invite: secret })}`;
}

/** Follow a link: take the free seat if it is still free, else watch. @param {string} id @param {string | undefined} secret */
export async function follow(id, secret) {
  if (secret && !seatKept(id).token) {
    try {
      const { token, side } = await api.claim(id, secret, myName());
      write(SEAT + id, { token, side });
    } catch (error) {
      if (/** @type {any} */ (error).status !== 403) throw error;
      notify("the seat is taken: you are watching");
    }
  }
  open(id);
}

/** Sit down at a game, or watch it. @param {string} id */
export function open(id) {
  leave();
  state.friend = { id, game: null, state: null, heard: 0, side: null, line: "opening", unsent: null, looking: null, past: null, focus: 0, pointed: null, fresh: false };
  show("friend", `#friend=${id}`);
  connect();
}

/** Stop listening. */
export function leave() {
  clearTimeout(retry);
  clearTimeout(watchdog);
  const old = socket;
  socket = null;
  old?.close();
}

function connect() {
  const friend = state.friend;
  if (!friend) return;
  clearTimeout(retry);
  const mine = (socket = new WebSocket(socketAddress(`/api/friends/${encodeURIComponent(friend.id)}/play`)));
  mine.onopen = () => {
    mine.send(JSON.stringify({ type: "hello", token: seatKept(friend.id).token }));
    listen(mine);
  };
  mine.onmessage = (event) => {
    listen(mine);
    receive(friend, JSON.parse(event.data)).catch(complain);
  };
  mine.onclose = (event) => {
    if (socket === mine) cut(friend, event);
  };
}

/** Take a line that has been silent for long for cut. @param {WebSocket} mine */
function listen(mine) {
  clearTimeout(watchdog);
  watchdog = setTimeout(() => {
    if (socket !== mine) return;
    mine.onclose = null;
    mine.close();
    if (state.friend) cut(state.friend);
  }, SILENCE);
}

/** @param {Friend} friend @param {CloseEvent} [event] */
function cut(friend, event) {
  clearTimeout(watchdog);
  socket = null;
  if (event && GONE.includes(event.code)) {
    friend.line = "gone";
    return redraw();
  }
  if (friend.line === "open") announce("The connection is cut. Trying again.");
  friend.line = "cut";
  retry = setTimeout(connect, wait);
  wait = Math.min(LATE, wait * 1.6);
  return redraw();
}

/** Try at once when the network is back. */
export function reconnect() {
  if (state.view !== "friend" || state.friend?.line !== "cut") return;
  wait = SOON;
  connect();
}

/** The network is gone: what the socket still believes does not matter. */
export function lost() {
  const friend = state.friend;
  if (state.view !== "friend" || !friend || !socket) return;
  const old = socket;
  old.onclose = null;
  old.close();
  cut(friend);
}

/** @param {Friend} friend @param {any} message */
async function receive(friend, message) {
  if (state.friend !== friend) return;
  if (message.type === "beat") return;
  if (message.type === "error") return notify(message.error, "error");
  if (message.type === "refused") {
    friend.unsent = null;
    notify(message.error, "error");
  }
  if (message.type === "welcome") {
    Object.assign(friend, { side: message.side, line: "open" });
    wait = SOON;
  }
  if (message.state) await accept(friend, message);
  if (message.type === "welcome") sendAgain(friend);
  redraw();
}

/** @param {Friend} friend @param {any} message */
async function accept(friend, message) {
  const said = message.state;
  const isOld = friend.state && said.version < friend.state.version;
  if (isOld && message.type !== "welcome") return; // a server started anew counts anew
  const before = friend.state?.position.moves.length ?? null;
  friend.state = said;
  friend.heard = performance.now();
  if (!friend.game) {
    friend.game = await api.game(said.data);
    friend.focus = middle(friend.game);
  }
  const moves = said.position.moves;
  if (friend.unsent && moves.length > friend.unsent.ply) friend.unsent = null;
  friend.fresh = before !== null && moves.length > before;
  if (friend.fresh) friend.looking = friend.past = null;
  tell(friend, message.event, before);
  noteSeat(friend);
  if (said.next && seatKept(friend.id).token) goOn(friend, said.next);
}

/** Note what the list of games says of this one. @param {Friend} friend */
function noteSeat(friend) {
  const kept = seatKept(friend.id);
  if (!kept.token || !friend.side) return;
  const { players, outcome } = friend.state;
  const about = { title: friend.game?.title, x: players.X, o: players.O, side: friend.side, ended: outcome?.text ?? "", when: new Date().toISOString() };
  write(SEAT + friend.id, { ...kept, ...about });
}

/** The games with friends in which this browser has a seat, the latest first. */
export function seatsKept() {
  const ids = Object.keys(localStorage).filter((name) => name.startsWith(SEAT)).map((name) => name.slice(SEAT.length));
  return ids.map((id) => ({ id, ...seatKept(id) })).filter((seat) => seat.title).sort((a, b) => String(b.when).localeCompare(String(a.when)));
}

/** Give a seat up: the list forgets it, and so does this browser. @param {string} id */
export function forgetSeat(id) {
  write(SEAT + id, null);
  redraw();
}

/** Say what happened. @param {Friend} friend @param {any} event @param {number | null} before */
function tell(friend, event, before) {
  const { position, outcome, players } = friend.state;
  if (friend.fresh) {
    sound(outcome ? "end" : position.turn === "X" ? "O" : "X");
    announce(outcome ? `${position.said} ${outcome.text}.` : position.said);
  } else if (event) {
    const who = players?.[event.side] ?? event.side;
    const said = /** @type {Record<string, string>} */ ({
      joined: `${who} has joined.`, offer: offerText(friend.state.offer, players), declined: "The offer was declined.", takeback: `Taken back. ${position.status}.`,
      resign: `${outcome?.text}.`, draw: `${outcome?.text}.`, time: `${outcome?.text}.`,
      presence: event.side && event.side !== friend.side ? `${who} is ${friend.state.presence[event.side]}.` : "",
    })[event.kind];
    if (said) announce(said);
    if (outcome && before !== null && ["resign", "draw", "time"].includes(event.kind)) sound("end");
  }
}

/** @param {any} offer @param {Record<string, string>} players */
export function offerText(offer, players) {
  if (!offer) return "";
  const what = { takeback: "to take back a move", draw: "a draw", rematch: "a rematch" }[/** @type {string} */ (offer.what)];
  return `${players?.[offer.side] ?? offer.side} offers ${what}.`.replace("offers to take", "asks to take");
}

/** Go to the rematch, the sides swapped. @param {Friend} friend @param {string} next */
function goOn(friend, next) {
  const { token } = seatKept(friend.id);
  write(SEAT + next, { token });
  open(next);
  notify("a rematch: sides are swapped");
}

/** A person plays a cell: shown at once, confirmed when the server has it on disk. @param {number | string} move */
function send(move) {
  const friend = state.friend;
  if (!friend) return;
  friend.unsent = { ply: friend.state.position.moves.length, move };
  redraw();
  sendAgain(friend);
}

/** Send what is not yet confirmed; the ply it is meant for keeps it from being played twice. @param {Friend} friend */
function sendAgain(friend) {
  if (!friend.unsent || socket?.readyState !== WebSocket.OPEN) return;
  if (friend.state.position.moves.length !== friend.unsent.ply) friend.unsent = null;
  else socket.send(JSON.stringify({ type: "move", ...friend.unsent }));
}

/** @param {Friend} friend */
export function mayMoveFriend(friend) {
  const said = friend.state;
  return said && !said.outcome && friend.side !== null && said.position.turn === friend.side && !friend.unsent && friend.looking === null
    && said.presence[friend.side === "X" ? "O" : "X"] !== "open";
}

/** @param {number} cell */
export function playFriend(cell) {
  const friend = state.friend;
  if (!friend?.state) return;
  if (!mayMoveFriend(friend)) return notify(whyWait(friend), "error");
  if (!friend.state.position.legal.includes(cell)) return notify(`${friend.game?.names[cell]} cannot be played now`, "error");
  send(cell);
}

/** @param {Friend} friend */
function whyWait(friend) {
  if (friend.side === null) return "you are watching";
  if (friend.state.outcome) return "the game is over";
  if (friend.looking !== null) return "you are looking back: go to the last move to play";
  if (friend.unsent) return "your move is not confirmed yet";
  return friend.state.position.turn === friend.side ? "wait until your friend has come" : "it is not your turn";
}

/** @param {string} text */
export function friendText(text) {
  const friend = state.friend;
  if (!friend?.state) return;
  if (!mayMoveFriend(friend)) return notify(whyWait(friend), "error");
  send(text);
}

/** @param {any} message */
function tellServer(message) {
  if (socket?.readyState !== WebSocket.OPEN) return notify("the connection is cut: wait until it is back", "error");
  socket.send(JSON.stringify(message));
}

/** @param {"takeback" | "draw" | "rematch"} what */
export function offer(what) {
  tellServer({ type: "offer", what });
}

/** @param {boolean} isAccepted */
export function answer(isAccepted) {
  const what = state.friend?.state?.offer?.what;
  if (what) tellServer({ type: isAccepted ? "accept" : "decline", what });
}

export function resignFriend() {
  tellServer({ type: "resign" });
}

/** Look back at a ply; null for the game as it stands. @param {number} ply */
export async function lookBack(ply) {
  const friend = state.friend;
  if (!friend?.game || !friend.state) return;
  const moves = friend.state.position.moves;
  if (ply >= moves.length) friend.looking = friend.past = null;
  else {
    friend.past = await api.position({ game: friend.game.data, start: friend.state.position.start, moves: moves.slice(0, ply) });
    friend.looking = ply;
  }
  friend.fresh = false;
  redraw();
}
