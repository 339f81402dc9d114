// @ts-check
/** Courses for players: the choice of a lesson, and which are done. */

import { newExercise, present } from "../exercise/exercise.js";
import { ask } from "../server/api.js";
import { latest } from "../server/tasks.js";
import { redraw, state } from "../shell/app.js";
import { replaceAddress } from "../shell/route.js";
import { read, write } from "../shell/storage.js";
import { count } from "../ui/words.js";

/**
 * @typedef {import("../server/types.d.ts").CourseAnswer} Course
 * @typedef {import("../server/types.d.ts").LessonAnswer} Lesson
 * @typedef {import("../exercise/exercise.js").Exercise & {course: Course, lesson: Lesson}} Study
 *
 * @typedef {object} Courses
 * @property {Course[]} all
 * @property {Study | null} study
 */

const PROGRESS = "noughts.courses";

/** The ids of the lessons of a game that are done. @param {string} game @returns {string[]} */
export function doneIn(game) {
  return read(PROGRESS, /** @type {Record<string, string[]>} */ ({}))[game] ?? [];
}

/** @param {Course} course @param {Lesson} lesson */
function markDone(course, lesson) {
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
  const { start, turn, goal, within: moves, accepted, cells } = lesson;
  const exercise = await newExercise({
    ...{ game: course.game, start, turn, goal, moves, steps: 1, accepted, cells, idea: "", aim: aimOf(lesson) },
    reason: lesson.right,
    missed: lesson.wrong,
    success: () => success(lesson),
    ontry: (isRight) => isRight && markDone(course, lesson),
  });
  if (!isLatest() || !state.courses) return;
  const study = (state.courses.study = { ...exercise, course, lesson });
  if (state.view === "learn") replaceAddress(lessonLink(course, lesson));
  present(study, `${lesson.title}. ${lesson.text} ${taskText(lesson)}`);
}

/** What is to be done: "make two threats at once". @param {Lesson} lesson */
function aimOf({ task }) {
  return task.slice(task.indexOf(": ") + 2).replace(/\.$/, "");
}

/** What a right move has to do with the idea. @param {Lesson} lesson */
function success({ right, accepted }) {
  const others = accepted.length - 1;
  return `Right. ${right}${others ? ` ${count(others, "other move")} ${others === 1 ? "does" : "do"} it, too.` : ""}`;
}

/** The task, with the number of right moves if there are several. @param {Lesson} lesson */
export function taskText({ task, accepted }) {
  const several = ["Two", "Three", "Four"][accepted.length - 2];
  return several ? `${task} ${several} moves do it: find one.` : task;
}
