// @ts-check
/** Live questions to the engine: one websocket, opened when needed and again when the connection was lost. */

import { redraw } from "../shell/app.js";
import { Connection } from "./connection.js";

/**
 * @typedef {import("./api.js").PositionRequest} PositionRequest
 * @typedef {PositionRequest & import("./api.js").AnalyseOptions & {type: "analyse"}} AnalyseQuestion
 * @typedef {PositionRequest & {type: "review" | "solve", seconds: number}} TimedQuestion
 * @typedef {AnalyseQuestion | TimedQuestion} Question
 *
 * @typedef {{type: "queued", ahead: number}} Queued
 * @typedef {{type: "progress", done: number, of: number}} ReviewProgress
 * @typedef {{type: "progress", text: string, nodes: number, share: number[] | null}} SolveProgress
 * @typedef {{type: "error", error: string}} Failed
 * @typedef {{type: "stopped"}} Stopped
 * @typedef {import("./api.js").AnalysisAnswer} AnalysisAnswer
 * @typedef {import("./api.js").ReviewAnswer} ReviewAnswer
 * @typedef {import("./api.js").SolutionAnswer} SolutionAnswer
 * @typedef {Queued | Failed | Stopped | AnalysisAnswer} AnalyseMessage
 * @typedef {Queued | Failed | Stopped | ReviewProgress | ReviewAnswer} ReviewMessage
 * @typedef {Queued | Failed | Stopped | SolveProgress | SolutionAnswer} SolveMessage
 * @typedef {AnalyseMessage | ReviewMessage | SolveMessage} Message
 */

/**
 * The questions that have not been answered.
 * @type {Map<number, {message: object, handler: (message: any) => void}>}
 */
const open = new Map(); // `any`: the type of the messages depends on the question
let lastId = 0;
let lost = false;

const line = new Connection("/api/think", {
  onopen: () => {
    for (const { message } of open.values()) line.send(message);
  },
  onmessage: (message) => {
    setLost(false);
    receive(message);
  },
  onlost: () => {
    setLost(open.size > 0);
    return open.size > 0;
  },
});

/**
 * Ask for an analysis; the handler gets every message about it. Returns the id to stop it by.
 * @param {Omit<AnalyseQuestion, "type">} question @param {(message: AnalyseMessage) => void} handler
 */
export function analyse(question, handler) {
  return ask({ ...question, type: "analyse" }, handler);
}

/**
 * Ask for a review. @param {Omit<TimedQuestion, "type">} question @param {(message: ReviewMessage) => void} handler
 */
export function review(question, handler) {
  return ask({ ...question, type: "review" }, handler);
}

/**
 * Ask for a proof. @param {Omit<TimedQuestion, "type">} question @param {(message: SolveMessage) => void} handler
 */
export function solve(question, handler) {
  return ask({ ...question, type: "solve" }, handler);
}

/** @param {Question} question @param {(message: any) => void} handler see `open` for the `any` */
function ask(question, handler) {
  const id = (lastId += 1);
  const message = { ...question, id };
  open.set(id, { message, handler });
  if (!line.send(message)) line.open();
  return id;
}

/** Stop a question; its handler gets no more messages. @param {number | null} id */
export function stop(id) {
  if (id !== null && open.delete(id)) line.send({ type: "stop", id });
}

/** Connect now, if questions wait for it. */
export function connect() {
  if (open.size) line.retryNow();
}

/** @param {boolean} isNow */
function setLost(isNow) {
  if (lost === isNow) return;
  lost = isNow;
  redraw();
}

/** Whether questions wait because the connection is lost. */
export function isLost() {
  return lost && open.size > 0;
}

/** @param {Message & {id: number}} message */
function receive(message) {
  const question = open.get(message.id);
  if (!question) return;
  // The server is shutting down: the question is asked again when it is back.
  if (isInterrupted(message)) return line.lose();
  if (isLast(message)) open.delete(message.id);
  question.handler(message);
}

/** Whether the server stopped work that this page did not stop. @param {Message} message */
function isInterrupted(message) {
  return message.type === "stopped" || (message.type === "analysis" && message.reason === "stopped");
}

/** Whether a message is the last one about its question. @param {Message} message */
function isLast(message) {
  if (message.type === "analysis") return message.done;
  return message.type !== "queued" && message.type !== "progress";
}
