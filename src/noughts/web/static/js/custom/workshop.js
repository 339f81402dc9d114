// @ts-check
/** The workshop: a draft of a game, its check by the server, and My own games, which are stored in this browser. */

import { ask } from "../server/api.js";
import { announce, attempt, isRejected, notify, offerUndo, redraw, state } from "../shell/app.js";
import * as make from "./custom_game.js";
import { customGames } from "./custom_games.js";
import { readGame, show, visits } from "../shell/route.js";
import { read, write } from "../shell/storage.js";
import { latest } from "../server/tasks.js";
import { count } from "../ui/words.js";

/**
 * @typedef {import("../board/panels.js").GameData} GameData
 * @typedef {import("./custom_games.js").CustomGame} CustomGame
 *
 * @typedef {object} Draft
 * @property {"rules" | "drawing" | "shared"} mode
 * @property {make.Rules} rules
 * @property {make.Drawing} drawing
 * @property {make.Drawing[]} past for undo
 * @property {make.Drawing[]} future for redo
 * @property {"cells" | "lines"} tool
 * @property {readonly number[]} line the line that is being drawn
 * @property {make.Point} focus
 * @property {number | null} pointed the line that is pointed at in the list
 * @property {GameData | null} shared the game of a link
 * @property {import("../board/panels.js").Game | null} game the game as the server understood it when it last answered
 * @property {string} problem why there is no game, in plain words
 */

const DRAFT = "noughts.draft";
const MAX_PAST = 100;
/** Time without a change after which the server is asked. */
const CALM_MS = 120;

/** @type {Draft} */
export const draft = {
  mode: "rules",
  rules: make.FIRST_RULES,
  drawing: make.EMPTY,
  ...read(DRAFT, {}),
  past: [],
  future: [],
  tool: "cells",
  line: [],
  focus: { x: 0, y: 0 },
  pointed: null,
  shared: null,
  game: null,
  problem: "",
};

/** Open the view: with the game of a link, or with the draft. @param {import("../shell/route.js").Route} route */
export async function openWorkshop(route) {
  const shared = route.game === undefined ? null : readGame(route.game);
  if (shared !== null) Object.assign(draft, { mode: "shared", shared });
  else if (draft.mode === "shared")
    Object.assign(draft, { mode: typeof draft.shared === "string" ? "rules" : "drawing" });
  await check();
}

/** Change the draft, remember and draw it, and have it checked after a pause. @param {Partial<Draft>} changed */
export function changeDraft(changed) {
  Object.assign(draft, changed);
  write(DRAFT, { mode: draft.mode === "shared" ? "rules" : draft.mode, rules: draft.rules, drawing: draft.drawing });
  redraw();
  clearTimeout(timer);
  if (wanted() === null) attempt(check);
  else timer = setTimeout(() => attempt(check), CALM_MS);
}

/** @type {number | undefined} */
let timer;
const checks = latest();
/** The data, as JSON, that `draft.game` and `draft.problem` are about. */
let checked = "";

/** The data of the draft; null if it is not complete. @returns {GameData | null} */
function wanted() {
  if (draft.mode === "shared") return draft.shared;
  if (draft.mode === "rules") return make.idOf(draft.rules);
  return make.missing(draft.drawing) ? null : make.toData(draft.drawing);
}

/** Let the server check the draft. */
async function check() {
  clearTimeout(timer);
  const [isLatest, data] = [checks.next(), wanted()];
  const found = data === null ? { game: null, problem: make.missing(draft.drawing) } : await understand(data);
  if (!isLatest()) return;
  Object.assign(draft, found);
  checked = JSON.stringify(data);
  redraw();
}

/** @param {GameData} data */
async function understand(data) {
  try {
    return { game: await ask("game", { game: data }, { isTyped: draft.mode !== "rules" }), problem: "" };
  } catch (error) {
    if (!isRejected(error) || draft.mode === "shared") throw error;
    return { game: null, problem: make.sentence(/** @type {Error} */ (error).message) };
  }
}

/** Whether the server has checked the draft as it is now. */
export function isChecked() {
  return checked === JSON.stringify(wanted());
}

/**
 * Call `act` with the game of the draft, once the server has checked the last change.
 * @param {(game: import("../board/panels.js").Game) => unknown} act
 */
export async function withCheckedGame(act) {
  await attempt(async () => {
    const isHere = visits.current();
    while (!isChecked()) await check();
    if (draft.game && isHere()) await act(draft.game);
  });
}

/** Change the drawing; the previous one is kept for undo. @param {make.Drawing} drawing @param {Partial<Draft>} [more] */
export function draw(drawing, more = {}) {
  if (drawing === draft.drawing) return changeDraft(more);
  return changeDraft({ drawing, past: [...draft.past.slice(-MAX_PAST), draft.drawing], future: [], ...more });
}

export function undoDrawing() {
  const before = draft.past.at(-1);
  if (before)
    changeDraft({
      drawing: before,
      past: draft.past.slice(0, -1),
      future: [draft.drawing, ...draft.future],
      line: [],
    });
}

export function redoDrawing() {
  const [after, ...future] = draft.future;
  if (after) changeDraft({ drawing: after, past: [...draft.past, draft.drawing], future, line: [] });
}

/** Place a cell, or take it away. @param {make.Point} point */
export function toggleCell(point) {
  const cell = make.cellAt(draft.drawing, point);
  draw(cell === -1 ? make.addCell(draft.drawing, point) : make.removeCell(draft.drawing, cell), { focus: point });
}

/** Extend the line being drawn to a cell. @param {make.Point} point */
export function leadLine(point) {
  const cell = make.cellAt(draft.drawing, point);
  if (cell === -1) return;
  changeDraft({ line: make.extendLine(draft.line, cell), focus: point });
  announce(`${count(draft.line.length, "cell")} on this line`);
}

/** Finish the line being drawn. */
export function finishLine() {
  if (!draft.line.length) return;
  const refused = make.refusal(draft.drawing, draft.line);
  if (refused) {
    if (draft.line.length > 1) changeDraft({ line: [] });
    return notify(refused, "error");
  }
  state.notice = null;
  draw(make.addLine(draft.drawing, draft.line), { line: [] });
  announce(`line ${draft.drawing.lines.length} is drawn`);
}

/** The game of the draft, as requests name it; null if it is not complete. @returns {GameData | null} */
export function draftData() {
  return isChecked() ? (draft.game?.data ?? null) : wanted();
}

/** Save the draft among My own games; a game of the same name is replaced. */
export function saveDraft() {
  return withCheckedGame(({ title, data }) => {
    customGames.add({ title, data });
    notify(`${title} is saved in My own games`);
  });
}

/** Whether the draft is saved as it is. */
export function isSaved() {
  const data = JSON.stringify(draftData());
  return customGames.all().some((game) => JSON.stringify(game.data) === data);
}

/** Delete one of My own games; this can be undone for a few seconds. @param {CustomGame} game */
export function deleteSaved(game) {
  offerUndo(`${game.title} is deleted`, {
    undo: customGames.remove(game),
    several: "games of your own are deleted",
  });
}

/** Open a game in the workshop, to change it. @param {import("../board/panels.js").Game} game */
export function editGame(game) {
  const rules = make.rulesOf(game);
  const drawing = rules ? null : make.toDrawing(game);
  if (!rules && !drawing) return notify("this game cannot be changed here", "error");
  if (rules) changeDraft({ mode: "rules", rules });
  else draw(/** @type {make.Drawing} */ (drawing), { mode: "drawing", line: [] });
  return show("own");
}

/** Open one of My own games in the workshop. @param {CustomGame} saved */
export async function editSaved(saved) {
  await attempt(async () => editGame(await ask("game", { game: saved.data })));
}
