// @ts-check
/** The board editor: marks are placed freely; the server says whether the position is possible. */

import { ask } from "../server/api.js";
import { announce, attempt, errorText, isRejected, redraw, state } from "../shell/app.js";
import { openAnalysis, settleAnalysis } from "./analysis.js";
import { latest } from "../server/tasks.js";

/**
 * @typedef {object} Editor
 * @property {("X" | "O" | ".")[]} marks
 * @property {"X" | "O" | "."} brush
 * @property {number | null} block the block to play, in Ultimate
 * @property {import("../server/types.d.ts").PositionAnswer | null} position the position that was set up, if it is possible
 * @property {string} error why the position is impossible
 * @property {import("../shell/app.js").Failure | null} failed why it could not be checked
 */

/** Edit the position on the board. */
export function openEditor() {
  const analysis = state.analysis;
  if (!analysis) return;
  const { marks, block_to_play: block } = analysis.position;
  analysis.editor = {
    marks: /** @type {Editor["marks"]} */ ([...marks]),
    brush: "X",
    block,
    position: analysis.position,
    error: "",
    failed: null,
  };
  Object.assign(analysis, { guide: null, preview: null });
  settleAnalysis();
}

const checks = latest();

/** Change the board and have it checked. @param {Partial<Editor>} changed */
async function edit(changed) {
  const editor = state.analysis?.editor;
  if (!editor) return;
  const isLatest = checks.next();
  Object.assign(editor, changed, { failed: null });
  redraw();
  try {
    const game = /** @type {import("./analysis.js").Analysis} */ (state.analysis).game.data;
    const request = { game, marks: editor.marks.join(""), block_to_play: editor.block };
    const found = await ask("setup", request, { isTyped: true });
    if (isLatest()) Object.assign(editor, { position: found, error: "" });
  } catch (error) {
    if (!isLatest()) return;
    const text = errorText(error);
    const why = isRejected(error) ? { error: text } : { error: "", failed: { text, retry: () => edit({}) } };
    Object.assign(editor, { position: null, ...why });
  }
  redraw();
}

/** Put the mark of the brush on a cell; the same mark again removes it. @param {number} cell */
export function paint(cell) {
  const editor = state.analysis?.editor;
  if (!editor) return;
  const marks = [...editor.marks];
  marks[cell] = marks[cell] === editor.brush ? "." : editor.brush;
  edit({ marks });
}

/** @param {Editor["brush"]} brush */
export function chooseBrush(brush) {
  if (state.analysis?.editor) state.analysis.editor.brush = brush;
  redraw();
}

export function clearBoard() {
  const editor = state.analysis?.editor;
  if (editor) edit({ marks: editor.marks.map(() => "."), block: null });
}

/** @param {number | null} block */
export function chooseBlock(block) {
  edit({ block });
}

export function closeEditor() {
  if (state.analysis) state.analysis.editor = null;
  settleAnalysis();
}

/** Analyse the position that was set up. */
export async function analyseSetUp() {
  const analysis = state.analysis;
  const found = analysis?.editor?.position;
  if (!analysis || !found) return;
  await attempt(async () => {
    analysis.editor = null;
    const isStart = !/[XO]/.test(found.marks);
    await openAnalysis({ game: analysis.game.data, start: isStart ? null : found.position });
    announce(`Position set up. ${found.status}.`);
  });
}
