// @ts-check
/** Families of games, levels and ratings to choose from, and the way to the dialog for a new game. */

import { attempt, state } from "../shell/app.js";
import { select } from "../ui/controls.js";
import { h, inputValue } from "../ui/dom.js";

/** @type {Record<string, string>} */
export const LEVELS = {
  beginner: "Beginner, overlooks threats",
  easy: "Easy, looks one move ahead",
  difficult: "Difficult, few mistakes",
  insane: "Insane, hardly any mistakes",
  master: "Master, the engine at full strength",
};
const RATING = "elo:";
const RATINGS = { first: 1200, least: 200, most: 2400, step: 50 };
/** @type {Record<string, string>} */
export const FAMILIES = {
  flat: "On a flat board",
  ultimate: "Boards within a board",
  cube: "In a cube",
  hyper: "In four dimensions",
  custom: "Custom games",
};

/** Open the dialog for a new game, which is fetched when it is first needed. @param {Partial<import("./setup.js").Setup>} [chosen] */
export function openSetup(chosen) {
  return attempt(async () => (await import("./setup.js")).openSetup(chosen));
}

/** Whether a name is that of a level, or a rating such as elo:1500. @param {string} name */
export function isLevel(name) {
  return (state.about?.levels ?? Object.keys(LEVELS)).includes(name) || /^elo:([0-2]?\d{1,3}|3000)$/.test(name);
}

/**
 * A choice of levels, and a slider for the ratings between them.
 * @param {string} label @param {string} name @param {string} value a level, or elo:1500
 * @param {(value: string) => void} onchange
 */
export function strengthPicker(label, name, value, onchange) {
  const isRating = value.startsWith(RATING);
  const rating = isRating ? value.slice(RATING.length) : String(RATINGS.first);
  const options = (state.about?.levels ?? Object.keys(LEVELS)).map((level) => [level, LEVELS[level] ?? level]);
  return [
    select(label, name, [...options, [RATING + rating, "A rating of your choice"]], value, onchange),
    isRating &&
      h(
        "label.rating",
        { key: `${name}-rating` },
        h("span", `Elo ${rating}`),
        h("input", {
          type: "range",
          name: `${name}-rating`,
          min: RATINGS.least,
          max: RATINGS.most,
          step: RATINGS.step,
          value: rating,
          onchange: (event) => onchange(RATING + inputValue(event)),
        }),
      ),
  ];
}
