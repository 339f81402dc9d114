// @ts-check
/** A proof: a file is chosen or dropped, checked where the page can do so, and played against. */

import { ask } from "../server/api.js";
import { checkProof } from "../server/server.js";
import { boardOf, framed } from "../board/boards.js";
import { linkBox } from "../play/links.js";
import { statusLine } from "../play/play_view.js";
import { attempt, redraw, state } from "../shell/app.js";
import { button, fileButton } from "../ui/controls.js";
import { h } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { pictureOf } from "../board/miniature.js";
import { linkTo } from "../shell/route.js";
import { Refused } from "../server/tasks.js";
import { capital, count } from "../ui/words.js";
import { beginDuel, canTakeBack, claimText, endDuel, here, isMine, takeBack, tryReply } from "./duel.js";
import { readProof } from "./nodes.js";

/**
 * The check of a proof: of a game and a position, if it is accepted; else the reason.
 * @typedef {object} ProofCheck
 * @property {boolean} is_accepted
 * @property {string | null} reason
 * @property {import("../board/panels.js").GameData} game
 * @property {string} position
 * @property {import("../server/types.d.ts").Value} value for the side to move
 * @property {number} positions the number of positions checked
 *
 * @typedef {(file: File) => Promise<ProofCheck>} CheckProof
 * @typedef {{game: import("../board/panels.js").Game, position: import("../server/types.d.ts").PositionAnswer}} Shown
 */

/** That X wins on a board of 4×4 with three in a row: what `noughts solve 4x4:3 --proof FILE` writes, in base64. */
const EXAMPLE =
  "H4sIAAAAAAAA/z2KQQrCMBRE9znF8NcFqY0VP3gPQYoESWugPylJqi3i3U1dyPAW82be5MM8PHK6TTGEnriuaDBiiUkvmhuqaArJZRf8pna/YCn6acZ5u72cLy2tIjZHZxPxtfuo+2ic4IKyKsEBtYrQvEfLDY6scUarepz+fAHmwuhEiAAAAA==";

/** Play against the proof that comes with the page. */
async function openExample() {
  const bytes = Uint8Array.from(atob(EXAMPLE), (char) => char.charCodeAt(0));
  await open(new File([bytes], "4x4-3.ngp"));
}

/** The file that is being checked, or the last one with its result and its position. */
const proof = {
  name: "",
  isChecking: false,
  result: /** @type {ProofCheck | null} */ (null),
  shown: /** @type {Shown | null} */ (null),
  read: /** @type {import("./nodes.js").Proof | null} */ (null),
};

/** @param {File | undefined} file */
async function open(file) {
  if (!file || proof.isChecking) return;
  Object.assign(proof, { name: file.name, isChecking: true, result: null, shown: null, read: null });
  redraw();
  await attempt(async () => {
    try {
      const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
      if (first === 0xfd && second === 0x37)
        throw new Refused(`browsers cannot read files compressed with xz: unpack ${file.name} first`, 0);
      const result = checkProof && (await checkProof(file));
      if (result?.is_accepted) proof.shown = await positionOf(result);
      if (!result || result.is_accepted)
        proof.read = await readProof(file).catch(() => {
          throw new Refused(`${file.name} is not a proof that can be read`, 0);
        });
      proof.result = result;
    } finally {
      proof.isChecking = false;
      redraw();
    }
  });
}

/** @param {ProofCheck} result @returns {Promise<Shown>} */
async function positionOf({ game, position }) {
  const [found, start] = await Promise.all([
    ask("game", { game }),
    ask("position", { game, start: position, moves: [] }),
  ]);
  return { game: found, position: start };
}

export function drawProof() {
  if (state.duel) return drawDuel(state.duel);
  return [
    h(
      "section.page.proof-page",
      { key: "proof", "aria-labelledby": "proof-title" },
      h(
        "header",
        h("h1", { id: "proof-title" }, "Proofs"),
        h(
          "p",
          "A proof answers every move of the opponent, and so shows that a position is won, drawn or lost. ",
          checkProof ? "This page replays all of it, and plays it against you. " : "This page plays it against you. ",
          "The file does not leave this computer.",
        ),
      ),
      chooser(),
      !checkProof &&
        state.about?.is_local &&
        h(
          "details.owner",
          { key: "owner" },
          h("summary", "Check every claim of a proof in a terminal"),
          linkBox("Command", "command-verify", "noughts verify FILE.ngp"),
        ),
      h("div", { key: "result", role: "status" }, result()),
      h("div.buttons", { key: "claims" }, proof.read?.claims.filter(({ goal }) => goal !== "block").map(playButton)),
    ),
  ];
}

/** @param {import("./nodes.js").Claim} claim @param {number} at */
function playButton(claim, at) {
  const read = /** @type {import("./nodes.js").Proof} */ (proof.read);
  const text = `Play against the proof: ${claimText(claim)}`;
  return button(text, () => attempt(() => beginDuel(read, claim)), { key: at, class: "primary", icon: "play" });
}

/** The game against the proof. @param {import("./duel.js").Duel} duel */
function drawDuel(duel) {
  const { game, position, places } = duel;
  const board = boardOf(duel, game, position, {
    legal: new Set(isMine(duel) ? position.legal_cells : []),
    pending: duel.pending,
    fresh: duel.fresh,
    onplay: tryReply,
  });
  const mine = duel.claim.side === "X" ? "O" : "X";
  const turn = position.turn === mine ? `You are ${mine}, your move` : position.status;
  return [
    h("section.table", { key: "table", "aria-label": "Board" }, framed(board)),
    h(
      "section.panel",
      { key: "panel", "aria-label": "Game against a proof" },
      h(
        "header.game",
        { key: "game" },
        h("h1", game.title),
        h("p", `The proof is ${duel.claim.side}, you are ${mine}.`),
      ),
      statusLine(position.outcome?.text ?? turn, position.outcome),
      h("div.guide", { key: "claim", role: "region", "aria-label": "Claim" }, claimOf(duel)),
      h(
        "p.line",
        { key: "line" },
        here(places)
          .moves.map((cell) => game.names[cell])
          .join(" "),
      ),
      h(
        "div.buttons",
        { key: "actions" },
        button("Take back", takeBack, { key: "back", disabled: !canTakeBack(duel) }),
        button("From the start", () => attempt(() => beginDuel(duel.proof, duel.claim)), { key: "again" }),
        button("Close", endDuel, { key: "close", class: "quiet" }),
      ),
    ),
  ];
}

/** What the last move of the proof rests on. @param {import("./duel.js").Duel} duel */
function claimOf({ claim, places }) {
  const { text } = here(places);
  return h("p.task", text || `${claimText(claim)}, whatever you do. Try any move.`);
}

/** Where a file is dropped or chosen. */
function chooser() {
  const over = (/** @type {Event} */ event) => event.preventDefault();
  return h(
    "div.drop-file",
    {
      key: "chooser",
      ondragover: over,
      ondrop: (/** @type {DragEvent} */ event) => {
        event.preventDefault();
        open(event.dataTransfer?.files[0]);
      },
    },
    fileButton({ class: "primary" }, ".ngp,.xz", open, icon("load"), h("span", "Choose a file")),
    h("p.how", "or drop it here: a proof is a file whose name ends in .ngp"),
    button("Try an example: X wins on 4×4, 3 in a row", openExample, { key: "example", class: "quiet" }),
  );
}

function result() {
  if (proof.isChecking) return h("p", { key: "checking" }, `${checkProof ? "Checking" : "Reading"} ${proof.name} …`);
  const found = proof.result;
  if (!found) return proof.read && h("p", { key: "read" }, `${proof.name} was read. This page has not checked it.`);
  if (!found.is_accepted)
    return h(
      "div.checked.rejected",
      { key: "rejected" },
      h("h2", `${proof.name} is not accepted`),
      h("p", `${capital(found.reason ?? "")}.`),
    );
  return h(
    "div.checked",
    { key: "accepted" },
    proof.shown && h("span.picture", pictureOf(proof.shown.game, proof.shown.position)),
    h(
      "div",
      h("h2", proof.shown ? `${proof.shown.game.title}: ${verdict(found, proof.shown)}` : "Accepted"),
      h("p", `Accepted: ${count(found.positions, "position")} of ${proof.name} were checked.`),
      proof.shown &&
        h(
          "a.button",
          { href: linkTo({ game: found.game, start: found.position, moves: [], view: "analyse" }) },
          icon("analyse"),
          "Analyse",
        ),
    ),
  );
}

/** @param {ProofCheck} found @param {Shown} shown */
function verdict({ value }, { position }) {
  if (value === "draw") return "a draw";
  const winner = (position.turn === "X") === (value === "win") ? "X" : "O";
  return `${winner} wins`;
}
