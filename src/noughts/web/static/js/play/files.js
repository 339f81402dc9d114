// @ts-check
/** Playthroughs as files and as links. */

import { ask } from "../server/api.js";
import { Refused } from "../server/tasks.js";
import { attempt, notify, redraw, state } from "../shell/app.js";
import { allMoves, outcomeOf } from "./phase.js";
import { PERSON, beginInstead } from "./play.js";
import { linkButton, onlyHere } from "./links.js";
import { linkTo, visits } from "../shell/route.js";
import { isLevel } from "./choices.js";
import { dialog, dialogHeader } from "../shell/frame.js";

/** @typedef {import("./phase.js").Play} Play */

/** Save a text as a file. @param {string} text @param {string} filename */
export function saveText(text, filename) {
  saveBlob(new Blob([text], { type: "text/plain" }), filename);
}

/** @param {Blob} blob @param {string} filename */
export function saveBlob(blob, filename) {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = filename;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** Save as `.ngn`. @param {Play} play */
export async function saveFile(play) {
  const ended = play.position.outcome ? null : play.ended;
  await attempt(async () => {
    const tags = { X: play.players.X.name, O: play.players.O.name };
    const file = await ask("export", {
      game: play.game.data,
      start: play.start,
      moves: play.moves,
      tags,
      comments: play.comments,
      result: ended && { reason: ended.reason, winner: ended.winner },
    });
    saveText(file.text, file.filename);
    notify(`saved as ${file.filename}`);
  });
}

/** Open the first playthrough of a file. @param {File} file */
export async function loadFile(file) {
  await attempt(async () => {
    const isWanted = visits.current();
    const { plays } = await ask("import", { text: await file.text() }, { isTyped: true }).catch((error) => {
      throw error instanceof Refused && error.status === 422
        ? new Refused(`${file.name} is not a game that noughts can read: ${error.message}`, 422)
        : error;
    });
    if (!plays.length) throw new Refused(`there is no game in ${file.name}`, 422);
    const rest = plays.length > 1 ? `: the first of ${plays.length} games` : "";
    await openPlay(plays[0], null, { note: `loaded ${file.name}${rest}`, isWanted });
  });
}

/**
 * Open a playthrough that was saved or loaded.
 * @param {import("../server/types.d.ts").PlaythroughAnswer} play @param {number | null} saved
 * @param {Parameters<typeof beginInstead>[1]} options
 */
export async function openPlay(play, saved, options) {
  const byRules = play.outcome !== null && ["line", "full", "count"].includes(play.outcome.reason);
  const wanted = {
    game: play.data,
    start: play.start,
    moves: play.cells,
    players: { X: playerNamed(play.tags.X, "X"), O: playerNamed(play.tags.O, "O") },
    // A finished game stays as it was saved: continuing it after a takeback saves a new one.
    ended: byRules ? null : play.outcome,
    saved: play.outcome ? null : saved,
    comments: play.comments,
  };
  await beginInstead(wanted, options);
}

/** The player with a name: a level, or a person. @param {string | undefined} name @param {string} side */
function playerNamed(name, side) {
  if (name && isLevel(name)) return { kind: /** @type {const} */ ("engine"), level: name, name };
  return name === "you" ? PERSON : { ...PERSON, name: shorten(name || side) };
}

const LONGEST_NAME = 40;

/** Shorten the name of a file, which may have any length. @param {string} name */
function shorten(name) {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
}

/** @param {Play} play */
export function sharePlay(play) {
  state.notice = null;
  state.shared = play;
  redraw();
}

/** The dialog that gives links. @param {Play} shared */
export function drawShare(shared) {
  const { game, start, at, position } = shared;
  const [whole, here] = [
    linkTo({ game: game.data, start, moves: allMoves(shared), ply: at }),
    linkTo({ game: game.data, start: position.position, moves: [] }),
  ];
  const closed = () => {
    state.shared = null;
    redraw();
  };
  return dialog("share", closed, [
    dialogHeader("share", "Share"),
    linkButton("Whole game", "link-play", whole),
    outcomeOf(shared) ? null : linkButton("This position only", "link-position", here),
    onlyHere(),
  ]);
}
