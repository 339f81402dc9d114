// @ts-check
/** The view of a game with a friend by link. */

import { complain, state } from "./app.js";
import { boardOf, framed } from "./boards.js";
import { formatTime } from "./clock.js";
import { entry } from "./commands.js";
import { h, names } from "./dom.js";
import { openAnalysis } from "./analysis.js";
import { linkBox } from "./files.js";
import {
  answer,
  friendOutcome,
  inviteLink,
  joinedGame,
  lookBack,
  mayMoveFriend,
  offer,
  offerText,
  playFriend,
  resignFriend,
} from "./friend.js";
import { button } from "./controls.js";
import { gameTitle, moveList, player, statusLine, threatsButton } from "./play_view.js";
import { show } from "./route.js";
import { openSetup } from "./setup.js";

/**
 * @typedef {import("./friend.js").Friend} Friend
 * @typedef {import("./friend.js").LoadedFriend} LoadedFriend
 */

/** @type {Record<string, string>} */
const WAITING = {
  lost: "The server does not answer. Trying again …",
  gone: "There is no such game here.",
  opening: "Opening the game …",
  open: "Opening the game …",
};

/** @param {Friend} friend */
export function drawFriend(friend) {
  if (!friend.state || !friend.game) {
    return [
      h(
        "section.table.waiting",
        { key: "table", "aria-label": "Board" },
        h("h1", null, WAITING[friend.connection]),
        friend.connection === "gone" && button("New game", () => openSetup({ opponent: "link" })),
      ),
    ];
  }
  return drawLoaded(/** @type {LoadedFriend} */ (friend));
}

/** @param {LoadedFriend} friend */
function drawLoaded(friend) {
  const { game, state: current } = friend;
  const position = friend.past ?? current.position;
  const pending = typeof friend.unconfirmed?.move === "number" ? friend.unconfirmed.move : null;
  const board = boardOf(friend, game, position, {
    legal: new Set(mayMoveFriend(friend) ? position.legal : []),
    turn: current.outcome ? null : position.turn,
    pending: friend.past ? null : pending,
    fresh: friend.fresh,
    onplay: playFriend,
  });
  return [
    h("section.table", { key: "table", "aria-label": "Board" }, framed(board)),
    h(
      "section.panel",
      { key: "panel", "aria-label": "Game with a friend" },
      gameTitle(game),
      players(friend),
      statusLine(statusOf(friend), current.outcome),
      connectionState(friend),
      invitation(friend),
      offerBox(friend),
      buttons(friend),
      moveList(
        { start: current.position.start, moves: current.position.moves, game },
        friend.looking ?? current.position.moves.length,
        (ply) => {
          lookBack(ply).catch(complain);
        },
      ),
      friend.side && entry("friend"),
      watchLink(friend),
      h(
        "div.buttons.further",
        null,
        button(
          "Analyse",
          () => {
            show("analyse");
            openAnalysis({
              game: game.data,
              start: current.position.start,
              moves: current.position.moves,
              names: current.players,
            }).catch(complain);
          },
          { key: "analyse", disabled: !current.outcome && friend.side !== null },
        ),
        button("New game", () => openSetup({ opponent: "link" }), { key: "new" }),
      ),
    ),
  ];
}

/** @param {LoadedFriend} friend */
function players(friend) {
  const { players: who, presence, clock, position, outcome } = friend.state;
  return h(
    "ul.players",
    { key: "players" },
    /** @type {const} */ (["X", "O"]).map((side) => {
      const since = clock?.running === side && !outcome ? (performance.now() - friend.received) / 1000 : 0;
      const name = `${who[side]}${friend.side === side ? " (you)" : ""}`;
      const here = friend.side !== side ? presence[side] : friend.connection === "open" ? "here" : "away";
      return player(
        side,
        name,
        !outcome && position.turn === side,
        clock && formatTime(clock.left[side] - since),
        h("span.presence", { class: here }, { here: "here", away: "away", open: "not here yet" }[here]),
      );
    }),
  );
}

/** @param {LoadedFriend} friend */
function statusOf(friend) {
  const { outcome, position, presence } = friend.state;
  if (outcome) return friendOutcome(friend, outcome);
  if (presence.X === "open" || presence.O === "open") return "Waiting for your friend";
  if (friend.unconfirmed) return "Sending your move …";
  return position.turn === friend.side ? `Your move: ${friend.side}` : position.status;
}

/** @param {LoadedFriend} friend */
function connectionState(friend) {
  const watching = friend.state.watching;
  return h(
    "p.connection",
    { key: "connection", class: names({ lost: friend.connection !== "open" }) },
    friend.connection === "open"
      ? friend.side
        ? "Connected"
        : "Watching"
      : "Not connected: trying again. No move is lost.",
    watching > 0 && ` · ${watching} watching`,
  );
}

/** @param {LoadedFriend} friend */
function invitation(friend) {
  const secret = joinedGame(friend.id).invite;
  const isOpen = friend.state.presence.X === "open" || friend.state.presence.O === "open";
  if (!secret || !isOpen) return null;
  return h(
    "div.box.invitation",
    { key: "invitation" },
    h("h2", null, "Send this link to your friend"),
    linkBox("The first to open it plays", "link-invite", inviteLink(friend.id, secret)),
    state.about?.is_local &&
      h(
        "p",
        null,
        h("small", null, "This server can only be reached from this machine. Start it with --host to let others in."),
      ),
  );
}

/** @param {LoadedFriend} friend */
function watchLink(friend) {
  const isOpen = friend.state.presence.X === "open" || friend.state.presence.O === "open";
  return !isOpen && friend.side && linkBox("Link to watch", "link-watch", `${location.origin}/#friend=${friend.id}`);
}

/** @param {LoadedFriend} friend */
function offerBox(friend) {
  const { offer: offered, players: who } = friend.state;
  if (!offered || !friend.side) return null;
  const isMine = offered.side === friend.side;
  return h(
    "div.box.offer",
    { key: "offer" },
    h("p", null, isMine ? "Waiting for an answer to your offer." : offerText(offered, who)),
    h(
      "div.buttons",
      null,
      !isMine && button("Accept", () => answer(true), { class: "primary", key: "yes" }),
      button(isMine ? "Withdraw" : "Decline", () => answer(false), { key: "no" }),
    ),
  );
}

/** @param {LoadedFriend} friend */
function buttons(friend) {
  const { outcome, offer: offered, position } = friend.state;
  if (!friend.side) return h("div.buttons", { key: "buttons" }, threatsButton());
  return h(
    "div.buttons",
    { key: "buttons" },
    outcome
      ? button("Rematch", () => offer("rematch"), { class: "primary", key: "rematch", disabled: offered !== null })
      : [
          button("Take back", () => offer("takeback"), {
            key: "takeback",
            disabled: offered !== null || !position.moves.length,
          }),
          button("Offer a draw", () => offer("draw"), {
            key: "draw",
            disabled: offered !== null || !position.moves.length,
          }),
          button("Resign", resignFriend, { key: "resign", disabled: !position.moves.length }),
          threatsButton(),
        ],
  );
}

/** Whether the clocks must be drawn again. */
export function hasRunningClock() {
  const current = state.friend?.state;
  return state.view === "friend" && current?.clock?.running && !current.outcome;
}
