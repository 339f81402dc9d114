// @ts-check
/** Checking a proof: a file is chosen or dropped, and every claim in it checked on this computer. */

import { ask } from "../server/api.js";
import { checkProof } from "../server/server.js";
import { linkBox } from "../play/links.js";
import { attempt, redraw } from "../shell/app.js";
import { fileButton } from "../ui/controls.js";
import { h } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { pictureOf } from "../board/miniature.js";
import { linkTo } from "../shell/route.js";
import { capital, count } from "../ui/words.js";

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

/** The file that is being checked, or the last one with its result and its position. */
const proof = {
  name: "",
  isChecking: false,
  result: /** @type {ProofCheck | null} */ (null),
  shown: /** @type {Shown | null} */ (null),
};

/** @param {File | undefined} file */
async function check(file) {
  const verify = checkProof;
  if (!file || proof.isChecking || !verify) return;
  Object.assign(proof, { name: file.name, isChecking: true, result: null, shown: null });
  redraw();
  await attempt(async () => {
    try {
      const result = await verify(file);
      proof.shown = result.is_accepted ? await positionOf(result) : null;
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
  return [
    h(
      "section.page.proof-page",
      { key: "proof", "aria-labelledby": "proof-title" },
      h(
        "header",
        h("h1", { id: "proof-title" }, "Check a proof"),
        h(
          "p",
          "A proof answers every move of the opponent, and so shows that a position is won, drawn or lost. ",
          checkProof && "This page replays all of it. The file does not leave this computer.",
        ),
      ),
      checkProof ? chooser() : elsewhere(),
      h("div", { key: "result", role: "status" }, result()),
    ),
  ];
}

/** Says how to check a proof if this page cannot. */
function elsewhere() {
  return h(
    "div.box",
    { key: "elsewhere" },
    h("p", "Proofs are checked where the file is: in a terminal on your computer, every claim is replayed by"),
    linkBox("Command", "command-verify", "noughts verify FILE.ngp"),
  );
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
        check(event.dataTransfer?.files[0]);
      },
    },
    fileButton({ class: "primary" }, ".ngp", check, icon("load"), h("span", "Choose a file")),
    h("p.how", "or drop it here: a .ngp file, as ", h("code", "noughts solve --proof"), " writes it"),
  );
}

function result() {
  if (proof.isChecking) return h("p", { key: "checking" }, `Checking ${proof.name} …`);
  const found = proof.result;
  if (!found) return null;
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
