// @ts-check
/** What a move that is not right does, in a sentence. Pure functions. */

import { count } from "../ui/words.js";
import { opponent } from "../play/phase.js";

/**
 * @typedef {import("./exercise.js").Task} Task
 * @typedef {import("../server/types.d.ts").ReasonsAnswer} Explained
 */

/** @param {number} moves */
export function within(moves) {
  return moves === 1 ? "at once" : `in ${count(moves, "move")}`;
}

/**
 * The verdict on a move that is not right, from its explanation. A win that takes longer is no mistake.
 * @param {Pick<Task, "goal" | "moves" | "turn" | "aim">} task @param {number} step from 0 @param {Explained} found
 * @returns {{isSlower: boolean, text: string}}
 */
export function judgeOther({ goal, moves, turn, aim }, step, found) {
  const { move, value, plies } = found;
  const left = moves - step;
  if (goal === "win" && value === "win") {
    const slow = plies ? `, ${within(Math.ceil(plies / 2))}` : ", but more slowly";
    return { isSlower: true, text: `${move} wins too${slow}. Find the win ${within(left)}.` };
  }
  if (isMissedWin({ goal, moves }, step) && value !== "loss")
    return { isSlower: false, text: `${move} does not ${aim ?? `win ${within(left)}`}.` };
  return {
    isSlower: false,
    text: `${move} ${failing(goal, aim ?? `win ${within(left)}`, found)}${replyText(goal, turn, found)}`,
  };
}

/** Whether the next move wins, so that the reply to another one says nothing. @param {Pick<Task, "goal" | "moves">} task @param {number} step */
export function isMissedWin({ goal, moves }, step) {
  return goal === "win" && moves - step === 1;
}

/** @param {Task["goal"]} goal @param {string} aim @param {Explained} found */
function failing(goal, aim, { value, plies }) {
  if (value === "loss") return plies ? `loses ${within(Math.ceil(plies / 2))}` : "loses";
  if (goal === "win") return `does not ${aim}`;
  return value === "draw" ? "only draws" : "is not the move";
}

/** The reply with what it does. @param {Task["goal"]} goal @param {"X" | "O"} turn @param {Explained} found */
function replyText(goal, turn, { line, value, reply_why: [why] }) {
  const [, reply] = line;
  if (!reply) return ".";
  const isFork = value === "loss" && why?.startsWith("makes two threats");
  const effect = why ?? quietEffect(goal, value);
  return `: ${opponent(turn)} answers ${reply}, which ${effect}.${isFork ? ` ${turn} cannot stop both.` : ""}`;
}

/** What a reply does that threatens nothing. @param {Task["goal"]} goal @param {Explained["value"]} value */
function quietEffect(goal, value) {
  if (value === "loss") return "wins by force";
  if (value === "draw") return "holds the draw";
  return goal === "win" ? "holds" : "leaves less than the right move";
}
