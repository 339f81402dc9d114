// @ts-check
/** The view of the courses for players: all of them, or one lesson on the board. */

import { redraw } from "../shell/app.js";
import { actions, exerciseBoard, nextButton, taskBox } from "../exercise/exercise_view.js";
import { playAtOnce } from "../home/home.js";
import { button } from "../ui/controls.js";
import { h, names } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { pictureOf } from "../board/miniature.js";
import { ask } from "../server/api.js";
import { doors } from "./doors.js";
import { doneIn, lessonLink, nextIn, openLesson, taskText } from "./course.js";

/**
 * @typedef {import("./course.js").Courses} Courses
 * @typedef {import("./course.js").Course} Course
 * @typedef {import("./course.js").Study} Study
 */

/** @param {Courses} courses */
export function drawCourses({ all, study }) {
  return study ? lesson(study) : overview(all);
}

/** @param {Course[]} all */
function overview(all) {
  return [
    h(
      "section.page.courses",
      { key: "courses", "aria-labelledby": "courses-title" },
      h("header", h("h1", { id: "courses-title" }, "Learn"), doors("play")),
      h("p.about", "Each lesson has one idea, and one move for you to find. A wrong move is answered on the board."),
      h("ul.course-list", all.map(courseCard)),
    ),
  ];
}

/** Boards of the first positions, by game. @type {Map<string, import("../ui/dom.js").Node>} */
const pictures = new Map();

/** @param {Course} course */
async function loadPicture({ game, lessons }) {
  try {
    const [described, position] = await Promise.all([
      ask("game", { game }),
      ask("position", { game, start: lessons[lessons.length - 1].start }),
    ]);
    pictures.set(game, pictureOf(described, position, { turns: false }));
    redraw();
  } catch {
    // A course can be chosen without its picture.
  }
}

/** @param {Course} course */
function courseCard(course) {
  const { game, title, about, lessons } = course;
  const known = doneIn(game);
  const done = lessons.filter(({ id }) => known.includes(id)).length;
  const next = nextIn(course);
  const state = done === 0 ? `${lessons.length} lessons` : `${done} of ${lessons.length} done`;
  return h(
    "li.course",
    { key: game, onmount: () => loadPicture(course) },
    h(
      "a.course-head",
      { href: lessonLink(course, next) },
      h("span.picture", pictures.get(game)),
      h(
        "span.text",
        h("strong", title),
        h("small", about),
        h("span.bar", { "aria-hidden": "true", style: { "--share": done / lessons.length } }),
        h("small.count", done === lessons.length ? icon("check") : null, state),
        h(
          "span.begin",
          done === lessons.length ? "Once more" : done ? `Continue: ${next.title}` : "Start",
          icon("forward"),
        ),
      ),
    ),
    h(
      "ol.titles",
      { "aria-label": `Lessons on ${title}` },
      lessons.map((each, at) => lessonEntry(course, each, at)),
    ),
  );
}

/** A lesson in a list, with its number or a check mark. @param {Course} course @param {import("./course.js").Lesson} each
 * @param {number} at @param {boolean} [isShown] whether it is on the screen */
function lessonEntry(course, each, at, isShown = false) {
  const isDone = doneIn(course.game).includes(each.id);
  return h(
    "li",
    { key: each.id, class: names({ done: isDone }) },
    h(
      "a",
      { href: lessonLink(course, each), "aria-current": isShown ? "step" : null },
      h("span.number", { "aria-hidden": "true" }, isDone ? icon("check") : at + 1),
      each.title,
      isDone && h("span.hidden", ", done"),
    ),
  );
}

/** @param {Study} study */
function lesson(study) {
  const { course, lesson } = study;
  const after = course.lessons[course.lessons.indexOf(lesson) + 1];
  return [
    exerciseBoard(study),
    h(
      "section.panel.exercise.lesson",
      { key: "panel", "aria-label": "Lesson" },
      h(
        "header.game",
        { key: "game" },
        h("a.way-back", { href: "#view=learn" }, icon("back"), `Learn: ${course.title}`),
        h("h1", lesson.title),
      ),
      h("p.idea", { key: "idea" }, lesson.text),
      taskBox(study, taskText(lesson)),
      actions(
        study,
        after
          ? nextButton("Next lesson", () => openLesson(course, after))
          : nextButton(`Play ${course.title}`, () => playAtOnce(course.game)),
        after && button("Skip", () => openLesson(course, after), { key: "skip", class: "quiet" }),
      ),
      steps(study),
    ),
  ];
}

/** The lessons of the course, with those that are done. @param {Study} study */
function steps({ course, lesson }) {
  return h(
    "ol.lessons",
    { key: "steps", "aria-label": `Lessons on ${course.title}` },
    course.lessons.map((each, at) => lessonEntry(course, each, at, each === lesson)),
  );
}
