// @ts-check
/** The view of a game with a friend by link. */

import { attempt, state } from "../shell/app.js";
import { boardOf, framed } from "../board/boards.js";
import { celebration } from "../board/celebration.js";
import { formatTime } from "../play/clock.js";
import { entry } from "../shell/commands.js";
import { h, names } from "../ui/dom.js";
import { openAnalysis } from "../analysis/entrance.js";
import { button, moreTool, sheet, tool } from "../ui/controls.js";
import { copy, linkBox, qrFigure, reachOf } from "../play/links.js";
import {
  EMOTES,
  answer,
  friendOutcome,
  lookBack,
  mayMoveFriend,
  offer,
  offerText,
  open,
  openRematch,
  playFriend,
  resignFriend,
  say,
} from "./friend.js";
import { seatIn } from "./friend_seats.js";
import { GUEST, invitationForm, inviteLink, takeSeat } from "./invitation.js";
import { gameTitle, moveList, player, statusLine, threatsTool } from "../play/play_view.js";
import { linkForOthers, pageAddress, show } from "../shell/route.js";
import { openSetup } from "../play/choices.js";
import { turnWords } from "../ui/words.js";

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
  if (friend.invitation && friend.connection !== "gone") {
    const form = invitationForm(friend, friend.invitation);
    return [h("section.table.waiting", { key: "table", "aria-label": "Invitation" }, form)];
  }
  if (!friend.state || !friend.game) {
    return [
      h(
        "section.table.waiting",
        { key: "table", "aria-label": "Board" },
        h("h1", WAITING[friend.connection]),
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
    legal: new Set(mayMoveFriend(friend) ? position.legal_cells : []),
    turn: current.outcome ? null : position.turn,
    pending: friend.past ? null : pending,
    fresh: friend.fresh,
    onplay: playFriend,
  });
  return [
    h("section.table", { key: "table", "aria-label": "Board" }, framed(board), celebrated(friend)),
    h(
      "section.panel",
      { key: "panel", "aria-label": "Game with a friend" },
      gameTitle(game),
      players(friend),
      statusLine(statusOf(friend), current.outcome),
      connectionState(friend),
      invitation(friend),
      offerBox(friend),
      tools(friend),
      emotes(),
      sheet(
        moveList(
          { start: current.position.start, moves: current.position.cells, game },
          friend.looking ?? current.position.ply,
          lookBack,
        ),
        actions(friend),
        watchLink(friend),
        friend.side && entry("friend"),
      ),
    ),
  ];
}

/** @param {LoadedFriend} friend */
function celebrated({ id, fresh, side, state: { outcome } }) {
  return fresh && side && outcome?.winner === side && celebration(side, id);
}

/** @param {LoadedFriend} friend */
function players(friend) {
  const { players: who, presence, clock, position, outcome, series } = friend.state;
  const isSeries = series.won.X + series.won.O + series.drawn > 0;
  return h(
    "ul.players",
    { key: "players" },
    /** @type {const} */ (["X", "O"]).map((side) => {
      const since = clock?.running === side && !outcome ? (performance.now() - friend.received) / 1000 : 0;
      const isMine = friend.side === side;
      const name = who[side] === GUEST ? (isMine ? "You" : "Guest") : `${who[side]}${isMine ? " (you)" : ""}`;
      const here = friend.side !== side ? presence[side] : friend.connection === "open" ? "here" : "away";
      return player(
        side,
        name,
        !outcome && position.turn === side,
        clock && formatTime(clock.left[side] - since),
        friend.emotes[side]
          ? h("span.emote", { key: "emote" }, EMOTES[friend.emotes[side]] ?? "")
          : h("span.presence", { class: here }, { here: "here", away: "away", open: "not here yet" }[here]),
        isSeries ? series.won[side] : null,
      );
    }),
  );
}

/** @param {LoadedFriend} friend */
function statusOf(friend) {
  const { outcome, position } = friend.state;
  if (outcome) return friendOutcome(friend, outcome);
  if (isWaiting(friend)) return friend.state.is_challenge ? "Waiting for an opponent" : "Waiting for your friend";
  if (friend.isResigning) return "You resigned";
  if (friend.unconfirmed) return "Sending your move …";
  const { X, O } = friend.state.players;
  const shown = (/** @type {string} */ name) => (name === GUEST ? "Guest" : name);
  return turnWords(friend.past ?? position, { X: shown(X), O: shown(O) }, friend.side);
}

/** Trouble with the connection, and who watches. @param {LoadedFriend} friend */
function connectionState(friend) {
  const { watching } = friend.state;
  const isLost = friend.connection !== "open";
  const says = [
    isLost ? "Not connected: trying again. No move is lost." : !friend.side && "Watching",
    watching > 0 && `${watching} watching`,
  ];
  return h("p.connection", { key: "connection", class: names({ lost: isLost }) }, says.filter(Boolean).join(" · "));
}

/** @param {LoadedFriend} friend */
function invitation(friend) {
  const secret = seatIn(friend.id).invite;
  const { is_challenge: isChallenge, is_listed: isListed } = friend.state;
  if (!isWaiting(friend)) return null;
  if (!secret) return isListed && !friend.side && openSeat(friend);
  const link = inviteLink(friend.id, secret);
  return h(
    "div.box.invitation",
    { key: "invitation" },
    isChallenge && challengeState(friend),
    h(
      "h2",
      isChallenge ? "Or send a link" : state.about?.is_local ? "Invite a friend" : "Send this link to your friend",
    ),
    state.about?.is_local ? linkHere(link) : linkForAll(link),
  );
}

/** @param {string} link */
function linkForAll(link) {
  return [
    linkBox("The first person to open it plays", "link-invite", link),
    qrFigure(linkForOthers(link), "Or scan the code with a phone."),
  ];
}

/** A link that only this computer can open: for a friend who uses another browser of it. @param {string} link */
function linkHere(link) {
  return [
    h("p", "Open the link in another browser, and your friend can play beside you."),
    button("Copy the link", () => copy("link-invite", link), { key: "copy", class: "primary", icon: "copy" }),
    h("input.hidden", {
      id: "link-invite",
      type: "text",
      readonly: true,
      tabindex: "-1",
      "aria-hidden": "true",
      value: link,
    }),
    reachOf("open the link"),
  ];
}

/** @param {LoadedFriend} friend */
function isWaiting({ state: { presence } }) {
  return presence.X === "open" || presence.O === "open";
}

/** Whether the own challenge is listed. @param {LoadedFriend} friend */
function challengeState({ id, state: { is_listed: isListed } }) {
  return [
    h("h2", { key: "challenge" }, "Your challenge"),
    h(
      "p",
      { key: "listed", role: "status" },
      isListed
        ? "It is in the list of open challenges while this page is open. The first to accept plays you."
        : "It is no longer listed: no one accepted it within half an hour, or you have posted many others.",
    ),
    h(
      "div.buttons",
      { key: "again" },
      !isListed && button("List it again", () => open(id), { class: "primary", key: "list" }),
      h("a.button", { href: "#view=lobby", key: "lobby" }, "Open challenges"),
    ),
  ];
}

/** A challenge that a spectator can accept. @param {LoadedFriend} friend */
function openSeat({ id, state: { presence, players } }) {
  const side = presence.X === "open" ? "X" : "O";
  return h(
    "div.box.invitation",
    { key: "invitation" },
    h("h2", `${players[side === "X" ? "O" : "X"]} waits for an opponent`),
    h(
      "div.buttons",
      button(`Play ${side}`, () => attempt(() => takeSeat(id)), { class: "primary", key: "play" }),
    ),
  );
}

/** @param {LoadedFriend} friend */
function watchLink(friend) {
  return (
    !isWaiting(friend) &&
    friend.side &&
    linkBox("Link to watch", "link-watch", `${pageAddress()}#friend=${friend.id}`)
  );
}

/** @param {LoadedFriend} friend */
function offerBox(friend) {
  const { offer: offered, players: who } = friend.state;
  if (!offered || !friend.side) return null;
  const isMine = offered.side === friend.side;
  return h(
    "div.box.offer",
    { key: "offer" },
    h("p", isMine ? "Waiting for an answer to your offer." : offerText(offered, who)),
    h(
      "div.buttons",
      !isMine && button("Accept", () => answer(true), { class: "primary", key: "yes" }),
      button(isMine ? "Withdraw" : "Decline", () => answer(false), { key: "no" }),
    ),
  );
}

/** The tools for every move; after the end, the rematch. @param {LoadedFriend} friend */
function tools(friend) {
  const { outcome, offer: offered, position, next } = friend.state;
  const isBusy = offered !== null || !position.ply || friend.isResigning;
  return h(
    "div.tools",
    { key: "tools", role: "group", "aria-label": "Moves" },
    next && tool("forward", "Rematch", () => openRematch(friend.id, next), { class: "primary" }),
    friend.side && [
      outcome && !next && tool("again", "Rematch", () => offer("rematch"), { class: "primary", disabled: isBusy }),
      !outcome && tool("undo", "Take back", () => offer("takeback"), { disabled: isBusy }),
      !outcome && tool("friends", "Draw", () => offer("draw"), { disabled: isBusy, "aria-label": "Offer a draw" }),
      tool("smile", "Say", () => {}, { popovertarget: "emotes", "aria-label": "Say something" }),
    ],
    h("span.wide.slot", { key: "threats" }, threatsTool()),
    outcome && tool("analyse", "Analyse", () => analyse(friend)),
    moreTool(),
  );
}

/** The messages to choose from, in a box that opens over the board. */
function emotes() {
  return h(
    "div.emotes",
    {
      key: "emotes",
      id: "emotes",
      popover: "",
      "aria-label": "Say something",
      onclick: () => document.getElementById("emotes")?.hidePopover(),
    },
    Object.entries(EMOTES).map(([name, text]) => button(text, () => say(name), { key: name })),
  );
}

/** Actions that are rarely needed. @param {LoadedFriend} friend */
function actions(friend) {
  const { outcome, position } = friend.state;
  const mayResign = friend.side && !outcome;
  return h(
    "div.buttons",
    { key: "actions" },
    button("New game", () => openSetup({ opponent: "link" }), { key: "new", icon: "plus" }),
    button("Analyse", () => analyse(friend), {
      key: "analyse",
      icon: "analyse",
      disabled: !outcome && friend.side !== null,
    }),
    mayResign &&
      button("Resign", resignFriend, {
        key: "resign",
        icon: "resign",
        disabled: !position.ply || friend.isResigning,
      }),
  );
}

/** @param {LoadedFriend} friend */
function analyse(friend) {
  show("analyse");
  const { start, cells } = friend.state.position;
  attempt(() => openAnalysis({ game: friend.game.data, start, moves: cells, names: friend.state.players }));
}
