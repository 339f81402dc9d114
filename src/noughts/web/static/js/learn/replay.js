// @ts-check
/** The replay of a recorded search: the state after some steps, the question about the next one, and its answer. */

/**
 * @typedef {import("../server/types.d.ts").ReplayStep} ReplayStep
 * @typedef {import("../server/types.d.ts").TraceAnswer} Trace
 * @typedef {import("../server/types.d.ts").TraceNode} TraceNode
 * @typedef {import("../server/types.d.ts").Side} Side
 *
 * The state of a tree after some steps.
 * @typedef {object} Frame
 * @property {ReplayStep | null} step the last one
 * @property {Set<number>} seen the nodes reached so far
 * @property {Set<number>} cut the nodes whose pruned branches are shown
 * @property {Set<number>} open the nodes entered and not left; in a grown tree the path of the current round
 * @property {Map<number, Record<string, string>>} texts at each node, by name
 *
 * A replay that stands after some steps, with the verdict on the prediction of the last one.
 * @typedef {{steps: ReplayStep[], at: number, verdict: Verdict | null}} Replay
 * @typedef {{isRight: boolean, text: string}} Verdict
 * @typedef {{right: number, asked: number}} Score
 */

const OPENING = ["enter", "select"];
const CLOSING = ["leave", "backpropagate"];

/** @param {readonly ReplayStep[]} steps @param {number} at the number of steps made @returns {Frame} */
export function frameAt(steps, at) {
  /** @type {Frame} */
  const frame = { step: null, seen: new Set(), cut: new Set(), open: new Set(), texts: new Map() };
  for (const step of steps.slice(0, at)) {
    (step.part === "pruned" ? frame.cut : frame.seen).add(step.node);
    if (OPENING.includes(step.kind)) frame.open.add(step.node);
    if (CLOSING.includes(step.kind)) frame.open.delete(step.node);
    for (const [node, texts] of Object.entries(step.writes))
      frame.texts.set(Number(node), { ...frame.texts.get(Number(node)), ...texts });
    frame.step = step;
  }
  return frame;
}

/** Go to a step, as far as there are steps. @param {Replay} replay @param {number} at */
export function goTo(replay, at) {
  replay.at = Math.max(0, Math.min(at, replay.steps.length));
  replay.verdict = null;
}

/**
 * Go to the next step that is marked: a cutoff, or the beginning of a round. With predictions, stop before it.
 * @param {Replay} replay @param {boolean} isPredicting
 */
export function goToMark(replay, isPredicting) {
  const { steps, at } = replay;
  const next = steps.findIndex((step, index) => index >= at && step.mark && !(isPredicting && index === at));
  const isAsked = isPredicting && steps[next]?.question;
  goTo(replay, next < 0 ? steps.length : isAsked ? next : next + 1);
}

/** The question about the next step, if there is one. @param {Replay} replay */
export function questionOf({ steps, at }) {
  return steps[at]?.question ?? null;
}

/** Take the predicted step and count the prediction. @param {Replay} replay @param {number} choice @param {Score} score */
export function predict(replay, choice, score) {
  const question = questionOf(replay);
  if (!question) return;
  const isRight = choice === question.right;
  score.asked += 1;
  if (isRight) score.right += 1;
  goTo(replay, replay.at + 1);
  replay.verdict = { isRight, text: isRight ? "Right." : `No, ${question.choices[question.right]}.` };
}

/** The marks on the board at a node. @param {Trace} trace @param {TraceNode} node */
export function boardAt(trace, node) {
  const marks = [...trace.marks];
  for (let at = /** @type {TraceNode | null} */ (node); at && at.parent !== null; at = trace.nodes[at.parent]) {
    marks[/** @type {number} */ (at.cell)] = trace.nodes[at.parent].side;
  }
  return marks;
}

/** The name of the move to a node. @param {TraceNode} node */
export function moveName({ move }) {
  return move ?? "the root";
}
