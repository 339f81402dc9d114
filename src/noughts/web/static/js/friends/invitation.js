// @ts-check
/** Inviting a friend, and following an invitation: a link, its QR code, and the question whether to join. */

import { claimSide, createFriendGame } from "../server/friends.js";
import { Refused } from "../server/tasks.js";
import { attempt, notify, prefer, state } from "../shell/app.js";
import { button, textField } from "../ui/controls.js";
import { h } from "../ui/dom.js";
import { TAKEN, open } from "./friend.js";
import { pictureOf } from "../board/miniature.js";
import { seatIn, rememberSeat } from "./friend_seats.js";
import { pageAddress, visits } from "../shell/route.js";

/** @typedef {import("../server/types.d.ts").Side} Side */

/** The longest name that the server accepts. */
export const MAX_NAME = 40;
/** The name of players who have given none. */
export const GUEST = "guest";

/**
 * Create a game and show its link; an open challenge is listed for everyone, too.
 * @param {import("../board/panels.js").GameData} game @param {Side | "random"} side @param {string | null} control
 * @param {boolean} isChallenge
 */
export async function invite(game, side, control, isChallenge) {
  const request = { game, side, time_control: control, name: ownName(), is_challenge: isChallenge };
  const made = await createFriendGame(request);
  rememberSeat(made.friend, { token: made.token, side: made.side, invite: made.invite });
  open(made.friend);
}

/** The name that the others see. */
function ownName() {
  return state.prefs.name.trim() || GUEST;
}

/** The link to join as the other player. @param {string} id @param {string} secret */
export function inviteLink(id, secret) {
  return `${pageAddress()}#${new URLSearchParams({ friend: id, invite: secret })}`;
}

/**
 * Open a game: with an invitation, join if the other side is free, otherwise watch. A newcomer is asked first.
 * An invitation is remembered until it is answered, since it is not in the address.
 * @param {string} id @param {string | undefined} invite the secret of an invitation, if the address has one
 */
export async function follow(id, invite) {
  if (invite) rememberSeat(id, { invitation: invite });
  const { token, invitation } = seatIn(id);
  if (!invitation || token) return watch(id);
  if (state.prefs.name) return join(id, invitation);
  return open(id, invitation);
}

/** Open a game without its invitation. @param {string} id */
function watch(id) {
  rememberSeat(id, { invitation: undefined });
  open(id);
}

/** Take the free side; if it is taken, watch. @param {string} id @param {string} invitation */
async function join(id, invitation) {
  const isWanted = visits.current();
  try {
    await takeSeat(id, invitation);
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 403) throw error;
    if (!isWanted()) return;
    watch(id);
    notify(TAKEN);
  }
}

/** Take the free side of a game, an open challenge if there is no invitation, and show it.
 * @param {string} id @param {string | null} [invitation] */
export async function takeSeat(id, invitation = null) {
  const isWanted = visits.current();
  const { token, side } = await claimSide(id, { invite: invitation, name: ownName() });
  rememberSeat(id, { token, side, invitation: undefined });
  if (isWanted()) open(id);
}

/**
 * The question whether to join, before the first game with a friend: what is played, and with whom.
 * @param {import("./friend.js").Friend} friend @param {string} invitation
 */
export function invitationForm({ id, game, state: current }, invitation) {
  const onsubmit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const name = /** @type {HTMLInputElement} */ (form.elements.namedItem("name")).value.trim();
    if (name) prefer({ name });
    attempt(() => join(id, invitation));
  };
  return h(
    "form.box.asks-name",
    { key: "welcome", onsubmit },
    game && current && h("div.picture", { key: "picture" }, pictureOf(game, current.position)),
    h("h1", game && current ? `${inviter(current)} invites you to play ${game.title}` : "You are invited to a game"),
    h("p", game?.about),
    textField("Your name, as your friend sees it (optional)", {
      name: "name",
      maxlength: MAX_NAME,
      autocomplete: "nickname",
    }),
    h(
      "div.buttons",
      h(
        "button.primary",
        { type: "submit", onmount: (/** @type {HTMLButtonElement} */ node) => node.focus() },
        "Join the game",
      ),
      button("Only watch", () => watch(id), { class: "quiet" }),
    ),
  );
}

/** The name of the player who is there already. @param {import("../server/types.d.ts").FriendState} current */
function inviter({ players, presence }) {
  const name = players[presence.X === "open" ? "O" : "X"];
  return name === GUEST ? "A friend" : name;
}
