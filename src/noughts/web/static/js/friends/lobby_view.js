// @ts-check
/** The view of the open challenges. */

import { failure, prefer, state } from "../shell/app.js";
import { mark } from "../board/board.js";
import { miniature } from "../board/miniature.js";
import { openSetup } from "../play/choices.js";
import { button, textField } from "../ui/controls.js";
import { h, inputValue } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { count } from "../ui/words.js";
import { seatIn } from "./friend_seats.js";
import { MAX_NAME } from "./invitation.js";
import { acceptChallenge, lobby, nameOf, openLobby } from "./lobby.js";

/**
 * @typedef {import("../server/types.d.ts").Challenge} Challenge
 * @typedef {import("../server/types.d.ts").ChallengeGame} ChallengeGame
 */

export function drawLobby() {
  const { lists, problem } = lobby;
  return [
    h(
      "section.page.games-page.lobby",
      { key: "lobby", "aria-labelledby": "lobby-title" },
      h(
        "header",
        h("h1", { id: "lobby-title" }, "Open challenges"),
        h("p", "Play someone who is here now: accept a challenge, or post your own and wait for an opponent."),
      ),
      h(
        "div.opening",
        { key: "opening" },
        textField("Your name, as others see it (optional)", {
          maxlength: MAX_NAME,
          value: state.prefs.name,
          autocomplete: "nickname",
          oninput: (event) => prefer({ name: inputValue(event) }),
        }),
        button("Post a challenge", () => openSetup({ opponent: "anyone" }), { class: "primary", icon: "plus" }),
      ),
      problem && failure(problem, openLobby),
      lists && [waiting(lists.challenges), playing(lists.games), more(lists.hidden)],
    ),
  ];
}

/** @param {Challenge[]} challenges */
function waiting(challenges) {
  return h(
    "section.group",
    { key: "waiting", "aria-labelledby": "waiting-title" },
    h("h2", { id: "waiting-title" }, "Waiting for an opponent"),
    challenges.length
      ? h("ul.saved", challenges.map(challengeRow))
      : h("p.none", { key: "none" }, "No one is waiting. Post a challenge, and the first to accept plays you."),
  );
}

/** @param {Challenge} challenge */
function challengeRow(challenge) {
  const { friend, title, side } = challenge;
  const name = nameOf(challenge.name);
  const isMine = Boolean(seatIn(friend).token);
  const turn = side === "X" ? "you move first" : "you move second";
  return h(
    "li",
    { key: friend },
    picture(challenge),
    h(
      "div.text",
      h("strong", name),
      h("span", title),
      h(
        "small",
        h("span.as", "you play ", mark(side), h("span.hidden", side)),
        ` · ${turn}${clockText(challenge.clock)}`,
      ),
    ),
    isMine
      ? h("a.button", { key: "own", href: `#friend=${friend}` }, "Your challenge")
      : button("Play", () => acceptChallenge(friend), {
          key: "play",
          class: "primary",
          "aria-label": `Play ${title} against ${name}`,
        }),
  );
}

/** @param {ChallengeGame[]} games */
function playing(games) {
  return (
    games.length > 0 &&
    h(
      "section.group",
      { key: "playing", "aria-labelledby": "playing-title" },
      h("h2", { id: "playing-title" }, "Games in progress"),
      h("ul.saved", games.map(gameRow)),
    )
  );
}

/** @param {ChallengeGame} listed */
function gameRow(listed) {
  const { friend, title, players, ply, watching } = listed;
  const names = `${nameOf(players.X)} – ${nameOf(players.O)}`;
  const isMine = Boolean(seatIn(friend).token);
  return h(
    "li",
    { key: friend },
    picture(listed),
    h(
      "div.text",
      h("strong", names),
      h("span", title),
      h("small", `${count(ply, "move")}${watching ? ` · ${watching} watching` : ""}${clockText(listed.clock)}`),
    ),
    h(
      "a.button",
      { href: `#friend=${friend}`, "aria-label": `${isMine ? "Continue" : "Watch"} ${title}, ${names}` },
      icon(isMine ? "play" : "eye"),
      isMine ? "Continue" : "Watch",
    ),
  );
}

/** @param {number} hidden */
function more(hidden) {
  return hidden > 0 && h("p.how", { key: "more" }, `and ${hidden} more`);
}

/** @param {Challenge | ChallengeGame} listed */
function picture({ game, marks }) {
  const board = game === null ? undefined : lobby.boards.get(game);
  return h("div.thumb", { key: "thumb" }, board && marks ? miniature(board, marks, { turns: false }) : icon("play"));
}

/** @param {string | null} clock */
function clockText(clock) {
  if (!clock) return "";
  const control = state.about?.time_controls.find(({ text }) => text === clock);
  return ` · ${control ? `${control.seconds / 60} min + ${control.increment} s` : clock}`;
}
