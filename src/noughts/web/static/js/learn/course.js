// @ts-check
/** Courses for players: the choice of a lesson, the move that is tried, and its refutation on the board. */

import { ask } from "../server/api.js";
import { announce, errorText, notify, redraw, state } from "../shell/app.js";
import { offerFocus } from "../board/board.js";
import { middle } from "../play/play.js";
import { replaceAddress } from "../shell/route.js";
import { sound } from "../shell/sound.js";
import { read, write } from "../shell/storage.js";
import { latest, sleep } from "../server/tasks.js";
import { opponent } from "../play/phase.js";

/**
 * @typedef {import("../server/types.d.ts").CourseAnswer} Course
 * @typedef {import("../server/types.d.ts").LessonAnswer} Lesson
 *
 * The lesson on the board. asking: a move is to be found; judging: a try is looked at; wrong, slower: the try did not do
 * what is asked, and another may follow; replying: moves are shown; right: it is done.
 * @typedef {object} Study
 * @property {Course} course
 * @property {Lesson} lesson
 * @property {import("../board/panels.js").Game} game
 * @property {import("../server/types.d.ts").PositionAnswer} position
 * @property {"asking" | "judging" | "wrong" | "slower" | "replying" | "right"} phase
 * @property {string} verdict
 * @property {readonly number[]} refuted the wrong move with the moves that refute it, shown on the board
 * @property {number | null} pending
 * @property {import("../shell/app.js").Failure | null} failed
 * @property {boolean} fresh
 * @property {number} focus
 * @property {number | null} pointed
 *
 * @typedef {object} Courses
 * @property {Course[]} all
 * @property {Study | null} study
 */

const PROGRESS = "noughts.courses";
const REPLY_MS = 700;
const THINKING_SECONDS = 1;

/** The ids of the lessons of a game that are done. @param {string} game @returns {string[]} */
export function doneIn(game) {
  return read(PROGRESS, /** @type {Record<string, string[]>} */ ({}))[game] ?? [];
}

/** @param {Study} study */
function markDone({ course, lesson }) {
  const done = doneIn(course.game);
  if (!done.includes(lesson.id)) write(PROGRESS, { ...read(PROGRESS, {}), [course.game]: [...done, lesson.id] });
}

/** The first lesson that is not done, or the first of all. @param {Course} course */
export function nextIn({ game, lessons }) {
  const done = doneIn(game);
  return lessons.find(({ id }) => !done.includes(id)) ?? lessons[0];
}

/** The address of a lesson. @param {Course} course @param {Lesson} lesson */
export function lessonLink({ game }, { id }) {
  return `#${new URLSearchParams({ view: "learn", course: game, lesson: id })}`;
}

const openings = latest();

/** Show the lesson of the address, or all courses. @param {import("../shell/route.js").Route} route */
export async function openCourses({ fields }) {
  const isLatest = openings.next();
  const courses = (state.courses ??= { all: (await ask("courses", {})).courses, study: null });
  if (!isLatest()) return;
  const course = courses.all.find(({ game }) => game === fields.get("course")?.replaceAll(" ", "+"));
  if (!course) courses.study = null;
  else await openLesson(course, course.lessons.find(({ id }) => id === fields.get("lesson")) ?? nextIn(course));
  redraw();
}

/** @param {Course} course @param {Lesson} lesson */
export async function openLesson(course, lesson) {
  const isLatest = openings.next();
  const [game, position] = await Promise.all([
    ask("game", { game: course.game }),
    ask("position", { game: course.game, start: lesson.start }),
  ]);
  if (!isLatest() || !state.courses) return;
  state.courses.study = {
    ...{ course, lesson, game, position, phase: "asking", verdict: "", pending: null, failed: null, fresh: false },
    ...{ refuted: [], focus: middle(game), pointed: null },
  };
  state.zoom = 0;
  if (state.view === "learn") replaceAddress(lessonLink(course, lesson));
  announce(`${lesson.title}. ${lesson.text} ${lesson.task}`);
  redraw();
  offerFocus(state.courses.study.focus);
}

/** The same lesson from the start. */
export function retryLesson() {
  const study = state.courses?.study;
  return study && openLesson(study.course, study.lesson);
}

/** Whether a click on the board is a try. @param {Study} study */
export function mayTry({ phase }) {
  return phase === "asking" || phase === "wrong" || phase === "slower";
}

/** Try a move. @param {number} cell */
export async function tryMove(cell) {
  const study = state.courses?.study;
  if (!study || !mayTry(study)) return;
  const name = study.game.names[cell];
  if (!study.position.legal_cells.includes(cell)) return notify(`${name} cannot be played now`, "error");
  sound(study.position.turn ?? "note");
  const isRight = study.lesson.accepted.includes(cell);
  Object.assign(study, {
    phase: isRight ? "replying" : "judging",
    pending: cell,
    failed: null,
    refuted: [],
    verdict: isRight ? `${name} is right.` : `Looking at ${name} …`,
  });
  if (isRight) markDone(study);
  redraw();
  try {
    if (isRight) await finish(study, cell);
    else await refute(study, cell);
  } catch (error) {
    if (!isShown(study)) return;
    const again = () => (isRight ? retryLesson() : tryMove(cell));
    Object.assign(study, { phase: "asking", pending: null, failed: { text: errorText(error), retry: again } });
    redraw();
  }
}

/** @param {Study} study */
function isShown(study) {
  return state.courses?.study === study;
}

/** Show that a right move does what is asked. @param {Study} study @param {number} cell */
async function finish(study, cell) {
  const { lesson } = study;
  const isToTheEnd = lesson.goal === "win";
  const line = lesson.cells[0] === cell || !isToTheEnd ? lesson.cells : (await replyTo(study, cell)).cells;
  await playOut(study, isToTheEnd ? [cell, ...line.slice(line === lesson.cells ? 1 : 0)] : [cell]);
  if (!isShown(study)) return;
  settle(study, "right", `${study.game.names[cell]} is right. ${success(study)}`);
  sound("win");
}

/** What a right move achieves. @param {Study} study */
function success({ lesson: { goal, within, turn, accepted }, position }) {
  if (goal === "win") return position.is_over ? `${turn} wins.` : `${turn} wins, whatever ${opponent(turn)} does.`;
  const others = accepted.length > 1 ? ` ${accepted.length} moves do this here.` : " No other move does.";
  if (goal === "hold")
    return `${opponent(turn)} cannot win ${within === 1 ? "at once" : `in ${within} moves`}.${others}`;
  return `It gives nothing away.${others}`;
}

/** Show on the board what is wrong with a move. @param {Study} study @param {number} cell */
async function refute(study, cell) {
  const { lesson, game } = study;
  const name = game.names[cell];
  const found = await replyTo(study, cell);
  if (!isShown(study)) return;
  if (found.value === "loss" && lesson.goal === "win") {
    // The move wins, but not in time.
    return settle(study, "slower", `${name} wins too, but more slowly. Find the win in ${count(lesson.within)}.`);
  }
  study.refuted = [cell, ...found.cells];
  settle(study, "wrong", `${refutation(study, name, found)} Try another move.`);
}

/** The best reply to a move, with the line that follows. @param {Study} study @param {number} cell */
async function replyTo({ course, lesson }, cell) {
  const request = { game: course.game, start: lesson.start, moves: [cell], lines: 1, seconds: THINKING_SECONDS };
  const { is_over: isOver } = await ask("position", { game: course.game, start: lesson.start, moves: [cell] });
  if (isOver) return { cells: [], value: null, plies: null };
  const [best] = (await ask("analyse", request)).moves;
  return { cells: best.cells, value: best.value, plies: best.plies };
}

/** @param {Study} study @param {string} name of the wrong move
 * @param {{cells: number[], value: string | null, plies: number | null}} found */
function refutation({ lesson, game }, name, { cells, value, plies }) {
  const other = opponent(lesson.turn);
  const reply = cells.length ? `${other} answers ${game.names[cells[0]]}` : "";
  const isLost = value === "win";
  if (isLost) {
    const moves = plies ? Math.ceil(plies / 2) : 0;
    const when = moves > 1 ? ` and wins in ${count(moves)}` : " and wins";
    return `${name} loses: ${reply}${when}.`;
  }
  if (lesson.goal !== "win")
    return value === "draw" ? `${name} only draws: ${reply}.` : `${name} gives it away: ${reply}.`;
  return `${name} does not win in ${count(lesson.within)}: ${reply}.`;
}

/** @param {number} moves */
function count(moves) {
  return moves === 1 ? "one move" : `${moves} moves`;
}

/** Show moves from the start of the lesson, one after the other. @param {Study} study @param {number[]} moves */
async function playOut(study, moves) {
  const { course, lesson } = study;
  for (let ply = study.position.ply + 1; ply <= moves.length; ply += 1) {
    if (ply > 1) await sleep(REPLY_MS);
    if (!isShown(study)) return;
    const request = { game: course.game, start: lesson.start, moves: moves.slice(0, ply) };
    const position = await ask("position", request);
    Object.assign(study, { position, pending: null, fresh: true });
    redraw();
    if (position.is_over) return;
  }
}

/** @param {Study} study @param {"wrong" | "slower" | "right"} phase @param {string} verdict */
function settle(study, phase, verdict) {
  Object.assign(study, { phase, verdict, pending: null });
  announce(verdict);
  redraw();
}
