// @ts-check
/** A game against a proof: the person tries every reply, and the proof answers and says what its move rests on. */

import { ask } from "../server/api.js";
import { announce, attempt, redraw, state } from "../shell/app.js";
import { middle } from "../play/play.js";
import { sound } from "../shell/sound.js";
import { sleep } from "../server/tasks.js";
import { answerOf, begin, follow } from "./walk.js";

/**
 * A place in the game; `text` says what the last move of the proof rests on.
 * @typedef {object} Place
 * @property {number[]} moves
 * @property {import("../server/types.d.ts").PositionAnswer} position
 * @property {import("./walk.js").Walk | null} walk null where the proof has ended
 * @property {string} text
 *
 * @typedef {object} Duel
 * @property {import("./nodes.js").Proof} proof
 * @property {import("./nodes.js").Claim} claim
 * @property {import("../board/panels.js").Game} game
 * @property {Place[]} places from the first position
 * @property {import("../server/types.d.ts").PositionAnswer} position the last one, which the board shows
 * @property {number | null} pending
 * @property {boolean} fresh
 * @property {number} focus
 * @property {number | null} pointed
 */

const REPLY_MS = 400;

/** `X wins`, as proofs name their claims. @param {import("./nodes.js").Claim} claim */
export function claimText({ side, goal }) {
  return `${side} ${goal === "win" ? "wins" : "does not lose"}`;
}

/** @param {import("./nodes.js").Proof} proof @param {import("./nodes.js").Claim} claim */
export async function beginDuel(proof, claim) {
  const game = await ask("game", { game: proof.game });
  const position = await ask("position", { game: proof.game, start: proof.position, moves: [] });
  const first = { moves: [], position, walk: begin(proof, claim, game), text: "" };
  state.zoom = 0;
  state.duel = {
    ...{ proof, claim, game, position },
    places: [first],
    pending: null,
    fresh: false,
    focus: middle(game),
    pointed: null,
  };
  await reply(state.duel);
}

/** Whether the person is to move. @param {Duel} duel */
export function isMine({ claim, position, pending, places }) {
  return position.turn !== null && position.turn !== claim.side && pending === null && here(places).walk !== null;
}

/** @param {Place[]} places */
export function here(places) {
  return places[places.length - 1];
}

/** Play a reply, and let the proof answer it. @param {number} cell */
export async function tryReply(cell) {
  const duel = state.duel;
  if (!duel || !isMine(duel) || !duel.position.legal_cells.includes(cell)) return;
  duel.pending = cell;
  redraw();
  await attempt(async () => {
    try {
      await advance(duel, cell, true, "");
      await sleep(REPLY_MS);
      await reply(duel);
    } finally {
      duel.pending = null;
      redraw();
    }
  });
}

/** Let the proof move, if it is its turn. @param {Duel} duel */
async function reply(duel) {
  const { walk } = here(duel.places);
  if (!walk || duel.position.turn !== duel.claim.side) return redraw();
  const answer = answerOf(walk, duel.game, duel.position);
  const [{ cell }, reason] = [answer, plain(answer.reason)];
  const claim = claimText(duel.claim);
  if (cell === null) {
    here(duel.places).walk = null;
    here(duel.places).text = `${claim}, by ${reason}.`;
  } else
    await advance(duel, cell, false, `The proof plays ${duel.game.names[cell]}${reason && `: ${reason}`}. ${claim}.`);
  announce(here(duel.places).text);
  return redraw();
}

/** What a move rests on, for players: without the number of the node, and nothing for a plain move. @param {string} reason */
function plain(reason) {
  return reason.replace(/, node \d+/, "").replace(/^a move(, )?/, "");
}

/** @param {Duel} duel @param {number} cell @param {boolean} isReply @param {string} text */
async function advance(duel, cell, isReply, text) {
  const { moves, walk } = here(duel.places);
  const after = walk && follow(walk, duel.game, duel.position, cell, isReply);
  const played = [...moves, cell];
  const position = await ask("position", { game: duel.proof.game, start: duel.proof.position, moves: played });
  const said = after
    ? text
    : "The page cannot follow this proof beyond this reply. Take it back and try another one.";
  duel.places.push({ moves: played, position, walk: after, text: said });
  Object.assign(duel, { position, pending: null, fresh: true });
  sound(position.ply % 2 ? "X" : "O");
  redraw();
}

/** Take back the last reply and what followed. */
export function takeBack() {
  const duel = state.duel;
  if (!duel) return;
  do duel.places.pop();
  while (duel.places.length > 1 && here(duel.places).position.turn === duel.claim.side);
  Object.assign(duel, { position: here(duel.places).position, fresh: false });
  redraw();
}

/** Whether there is a reply to take back. @param {Duel} duel */
export function canTakeBack({ places, claim, pending }) {
  return pending === null && places.slice(0, -1).some(({ position }) => position.turn !== claim.side);
}

export function endDuel() {
  state.duel = null;
  redraw();
}
