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
 * @param {Pick<Task, "goal" | "moves" | "turn">} task @param {number} step from 0 @param {Explained} found
 * @returns {{isSlower: boolean, text: string}}
 */
export function judgeOther({ goal, moves, turn }, step, found) {
  const { move, value, plies } = found;
  const left = moves - step;
  if (goal === "win" && value === "win") {
    const slow = plies ? `, ${within(Math.ceil(plies / 2))}` : ", but more slowly";
    return { isSlower: true, text: `${move} wins too${slow}. Find the win ${within(left)}.` };
  }
  return { isSlower: false, text: `${move} ${failing(goal, left, found)}${replyText(turn, found)}` };
}

/** @param {Task["goal"]} goal @param {number} left @param {Explained} found */
function failing(goal, left, { value, plies }) {
  if (value === "loss") return plies ? `loses ${within(Math.ceil(plies / 2))}` : "loses";
  if (goal === "win") return `does not win ${within(left)}`;
  return value === "draw" ? "only draws" : "is not the move";
}

/** The reply with what it does. @param {"X" | "O"} turn @param {Explained} found */
function replyText(turn, { line, value, reply_why: [why] }) {
  const [, reply] = line;
  if (!reply) return ".";
  const isFork = value === "loss" && why?.startsWith("makes two threats");
  return `: ${opponent(turn)} answers ${reply}${why ? `, which ${why}` : ""}.${isFork ? ` ${turn} cannot stop both.` : ""}`;
}
