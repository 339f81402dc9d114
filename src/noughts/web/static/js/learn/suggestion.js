// @ts-check
/** After a lost game: the lesson that explains the loss, if there is one that is not done. */

import { ask } from "../server/api.js";
import { redraw } from "../shell/app.js";
import { outcomeOf, viewerOf } from "../play/phase.js";
import { h } from "../ui/dom.js";
import { icon } from "../ui/icons.js";

/** By the last position of a game, the lesson to offer; null while it is not known, or if there is none.
 * @type {WeakMap<object, {href: string, title: string} | null>} */
const offers = new WeakMap();

/** The offer of a lesson, for a finished game. @param {import("../play/phase.js").Play} play */
export function lessonAfter(play) {
  const viewer = viewerOf(play);
  const winner = outcomeOf(play)?.winner;
  if (!viewer || !winner || winner === viewer || play.ended || play.game.family === "custom") return null;
  if (!offers.has(play.end)) find(play);
  const offer = offers.get(play.end);
  return (
    offer &&
    h(
      "a.card.offered",
      { key: "lesson", href: offer.href },
      icon("learn"),
      h("span.text", h("strong", offer.title), h("small", "A short lesson on what decided this game")),
    )
  );
}

/** @param {import("../play/phase.js").Play} play */
async function find({ game, start, moves, end }) {
  offers.set(end, null);
  try {
    const { courses, explaining } = await ask("courses", { lost: { game: game.data, start, moves } });
    if (!explaining.length) return;
    const course = courses.find((each) => each.game === game.id);
    const { doneIn, lessonLink } = await import("./course.js");
    const lessons = course?.lessons.filter(({ id }) => explaining.includes(id)) ?? [];
    const next = lessons.find(({ id }) => !doneIn(game.id).includes(id)) ?? lessons[0];
    if (course && next) offers.set(end, { href: lessonLink(course, next), title: next.title });
    redraw();
  } catch {
    // The game is over; without a server there is no lesson to offer.
  }
}
