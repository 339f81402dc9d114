// @ts-check
/** The review beside the board: the guide from mistake to mistake, the accuracy of both sides, the list of mistakes. */

import { percent } from "./analysis.js";
import { button } from "../ui/controls.js";
import { h, names } from "../ui/dom.js";
import { countResults, current, isTrying, mistakesOf, summaryText } from "./guide.js";
import { again } from "../play/play.js";
import { beginGuide, endGuide, nextMistake, showAnswer, startReview, taskText } from "./review.js";
import { show } from "../shell/route.js";
import { count } from "../ui/words.js";
import { mistakeLabel, moveButton, SIGNS } from "./tree_view.js";

/**
 * @typedef {import("./analysis.js").Analysis} Analysis
 * @typedef {import("./guide.js").Guide} Guide
 * @typedef {import("./tree.js").Branch} Branch
 */

/** The guide, directly below the board. @param {Analysis} analysis */
export function guideBox(analysis) {
  const { guide, reviewing } = analysis;
  if (reviewing?.isGuided)
    return h("div.guide", { key: "guide" }, h("p.task", "Looking for the turning point …"), progress(reviewing));
  if (!guide) return null;
  return guide.phase === "done" ? ended(analysis, guide) : task(guide);
}

/** @param {Guide} guide */
function task(guide) {
  const mistake = /** @type {import("../server/types.d.ts").ReviewedMove} */ (current(guide));
  const isSettled = guide.phase === "right" || guide.phase === "shown";
  const isLast = guide.at === guide.mistakes.length - 1;
  return h(
    "div.guide",
    { key: "guide", class: guide.phase, role: "region", "aria-label": "Guided review" },
    h("p.count", `Mistake ${guide.at + 1} of ${guide.mistakes.length}`),
    h("p.task", isSettled ? "" : taskText(mistake)),
    guide.verdict && h("p.verdict", { class: names({ good: isSettled }) }, guide.verdict),
    h(
      "div.buttons",
      isSettled &&
        button(isLast ? "Summary" : "Next mistake", nextMistake, {
          key: "next",
          class: "primary",
          "aria-keyshortcuts": "Enter",
          onmount: (/** @type {HTMLElement} */ node) => node.focus({ preventScroll: true }),
        }),
      isTrying(guide) && button("Show the answer", showAnswer, { key: "answer" }),
      isTrying(guide) && button("Skip", nextMistake, { key: "skip", class: "quiet" }),
      button("Close", endGuide, { key: "close", class: "quiet" }),
    ),
  );
}

/** @param {Analysis} analysis @param {Guide} guide */
function ended(analysis, guide) {
  const { found, shown, skipped } = countResults(guide);
  const mine = analysis.mine && analysis.reviewed?.found.accuracy[analysis.mine];
  const other =
    guide.side !== null && mistakesOf(analysis.reviewed?.found.moves ?? [], null).length > guide.mistakes.length;
  return h(
    "div.guide.done",
    { key: "guide", role: "region", "aria-label": "Guided review" },
    h("p.task", summaryText(guide)),
    (shown > 0 || skipped > 0 || found > 0) && h("p.count", `${found} found, ${shown} shown, ${skipped} skipped`),
    typeof mine === "number" && h("p.count", `Your moves were ${percent(mine)} accurate.`),
    h(
      "div.buttons",
      analysis.mine && button("Play again", playAgain, { key: "again", class: "primary" }),
      guide.mistakes.length > 0 && button("Once more", () => beginGuide(guide.side), { key: "more" }),
      other && button("Both sides", () => beginGuide(null), { key: "both" }),
      h("a.button", { key: "puzzles", href: "#view=puzzles" }, "Puzzles"),
      button("Close", endGuide, { key: "close", class: "quiet" }),
    ),
  );
}

function playAgain() {
  show("play");
  again();
}

/** @param {{done: number, of: number}} reviewing @param {boolean} [isHidden] */
function progress({ done, of }, isHidden = false) {
  return h(
    "div.progress",
    { class: names({ awaited: isHidden }) },
    h("progress", { max: of, value: done, "aria-label": "Positions reviewed" }),
    `${done} of ${count(of, "position")}`,
  );
}

/**
 * The review has its room from its beginning: what is below it stays where it is when it arrives.
 * @param {Analysis} analysis
 */
export function reviewBox(analysis) {
  const { reviewing, reviewed } = analysis;
  const canReview = analysis.root.kids.length > 0 && reviewing === null;
  const found = reviewed?.line.filter(mistakeLabel) ?? [];
  const line = (reviewing ?? reviewed)?.line;
  return h(
    "div.box.review",
    { key: "review", "aria-busy": reviewing && "true" },
    h(
      "header",
      h("h2", "Review"),
      button(reviewed ? "Review again" : "Review the line", () => startReview(), {
        disabled: !canReview,
        key: "start",
        class: analysis.position.is_over && !reviewed ? "primary" : "",
      }),
    ),
    line && [
      // A guided review has its bar below the board; here it only keeps the room.
      reviewing ? progress(reviewing, reviewing.isGuided) : guides(analysis, found),
      summary(reviewed?.found, analysis.names),
      h(
        "div.found-mistakes",
        { key: "mistakes", style: { "--moves": line.length - 1 } },
        found.length > 0 && mistakes(analysis, found),
      ),
    ],
  );
}

/** @param {import("../server/types.d.ts").ReviewAnswer | undefined} review @param {Record<string, string>} who */
function summary(review, who) {
  const name = (/** @type {"X" | "O"} */ side) => (who[side] && who[side] !== side ? `${side} ${who[side]}` : side);
  return h(
    "table",
    { key: "summary", class: names({ awaited: !review }) },
    h("thead", h("tr", h("td"), h("th", { scope: "col" }, name("X")), h("th", { scope: "col" }, name("O")))),
    h(
      "tbody",
      h(
        "tr",
        h("th", { scope: "row" }, "Accuracy"),
        h("td", percent(review?.accuracy.X ?? null)),
        h("td", percent(review?.accuracy.O ?? null)),
      ),
      /** @type {import("../server/types.d.ts").Label[]} */ (Object.keys(SIGNS)).map((label) =>
        h(
          "tr",
          { key: label },
          h("th", { scope: "row" }, h("span.sign", { class: `is-${label.replace(" ", "-")}` }, SIGNS[label]), label),
          h("td", review?.labels.X[label] ?? "–"),
          h("td", review?.labels.O[label] ?? "–"),
        ),
      ),
    ),
  );
}

/** The ways through the mistakes of the line that was reviewed. @param {Analysis} analysis @param {Branch[]} found */
function guides(analysis, found) {
  if (!found.length) return h("p.progress", { key: "none" }, "No mistakes in this line.");
  const sides = analysis.mine ? /** @type {const} */ ([analysis.mine, null]) : /** @type {const} */ ([null]);
  return h(
    "div.buttons",
    { key: "guides" },
    sides.map((side) =>
      button(side ? "Step through my mistakes" : "Step through all mistakes", () => beginGuide(side), {
        key: String(side),
        class: side === sides[0] ? "" : "quiet",
      }),
    ),
  );
}

/** @param {Analysis} analysis @param {Branch[]} found */
function mistakes(analysis, found) {
  return h(
    "ol.mistakes",
    { "aria-label": "Mistakes" },
    found.map((at) =>
      h(
        "li",
        { key: at.ply },
        h("div.what", moveButton(analysis, at), h("span", mistakeLabel(at))),
        button("Try again", () => beginGuide(null, at), {
          "aria-label": `Try again at move ${at.ply}`,
          key: "try",
        }),
      ),
    ),
  );
}
