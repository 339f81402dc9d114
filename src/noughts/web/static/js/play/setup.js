// @ts-check
/** Choosing a game and an opponent. */

import { ask } from "../server/api.js";
import { attempt, closeDialog, complain, errorText, prefer, redraw, shownGame, state } from "../shell/app.js";
import { mark } from "../board/board.js";
import { newClock } from "./clock.js";
import { button, choice, codeField, explained, select, textField } from "../ui/controls.js";
import { h, inputValue } from "../ui/dom.js";
import { dialog, dialogHeader } from "../shell/frame.js";
import { icon } from "../ui/icons.js";
import { FEATURED, home, loadSample } from "../home/home.js";
import { invite } from "../friends/invitation.js";
import { emptyBoard } from "../board/line_drawing.js";
import { pictureOf } from "../board/miniature.js";
import { PERSON, beginInstead } from "./play.js";
import { remembered } from "./saving.js";
import { FAMILIES, strengthPicker } from "./choices.js";
import { latest } from "../server/tasks.js";
import { reachOf } from "./links.js";

/**
 * @typedef {import("../server/types.d.ts").CatalogueEntry} CatalogueEntry
 *
 * @typedef {object} Setup
 * @property {import("../board/panels.js").GameData} game
 * @property {import("../board/panels.js").Game | null} shown the game as the server describes it, once it has
 * @property {boolean} isChoosing whether the games to choose from are shown
 * @property {boolean} showsAll whether those include the lesser known ones
 * @property {string} typed an id that is being typed
 * @property {"level" | "here" | "link" | "anyone" | "watch"} opponent
 * @property {"X" | "O" | "random"} side
 * @property {string} level
 * @property {string} other the level of O when two engines are watched
 * @property {string} control the time control, empty for none
 * @property {string} error
 * @property {boolean} isBusy
 */

const OPPONENTS = /** @type {const} */ ([
  ["level", "The computer", "a level of your choice"],
  ["here", "A friend here", "take turns on this device"],
  ["link", "A friend by link", "each on their own screen"],
  ["anyone", "Anyone", "post an open challenge"],
  ["watch", "Watch", "two levels play each other"],
]);

/** The game on the screen, or the one that was played or analysed last in this browser. */
function lastGame() {
  return (shownGame() ?? state.play?.game ?? state.analysis?.game)?.data ?? remembered()?.game;
}

/** Open the dialog, with the games to choose from if none has been seen before. @param {Partial<Setup>} [chosen] */
export function openSetup(chosen = {}) {
  const known = chosen.game ?? lastGame();
  /** @type {Setup} */
  const setup = {
    game: known ?? "3x3",
    shown: null,
    isChoosing: known === undefined,
    showsAll: false,
    typed: "",
    opponent: "level",
    side: "X",
    level: state.prefs.level,
    other: "difficult",
    control: "",
    error: "",
    isBusy: false,
    ...chosen,
  };
  if (setup.opponent === "anyone" && !state.about?.has_lobby) setup.opponent = "link";
  // Without a server friends take turns on this device.
  if (setup.opponent === "link" && !state.about?.has_friends) setup.opponent = "here";
  state.setup = setup;
  redraw();
  describeGame(setup);
}

/** Fetch the description of the chosen game. @param {Setup} setup */
async function describeGame(setup) {
  await attempt(async () => {
    const wanted = setup.game;
    const shown = await ask("game", { game: wanted });
    if (state.setup === setup && setup.game === wanted) choose({ shown });
  });
}

/** @param {Partial<Setup>} changed */
function choose(changed) {
  // The dialog may have been closed while an answer was on its way.
  if (!state.setup) return;
  Object.assign(state.setup, { error: "" }, changed);
  redraw();
}

const choices = latest();

/** @param {import("../board/panels.js").GameData} game */
async function chooseGame(game) {
  const isLatest = choices.next();
  try {
    const shown = await ask("game", { game }, { isTyped: true });
    if (isLatest()) choose({ game: shown.data, shown, isChoosing: false, typed: "" });
  } catch (error) {
    if (isLatest()) choose({ error: errorText(error) });
  }
}

function closed() {
  state.setup = null;
  redraw();
}

/** The dialog. @param {Setup} setup */
export function drawSetup(setup) {
  return dialog(
    "setup",
    closed,
    h(
      "form",
      {
        method: "dialog",
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          if (setup.typed.trim()) chooseGame(setup.typed.trim());
          else if (!setup.isChoosing) start(setup);
        },
      },
      dialogHeader("setup", titleOf(setup)),
      setup.isChoosing
        ? gamePicker(setup)
        : h(
            "div.columns",
            { key: "columns" },
            chosenGame(setup),
            h("div.choices", opponentPicker(setup), details(setup)),
          ),
      footer(setup),
    ),
    {
      onmount: (/** @type {HTMLDialogElement} */ node) => {
        node.showModal();
        // Enter starts the game.
        /** @type {HTMLElement | null} */ (node.querySelector(".primary"))?.focus();
      },
      onclick: (/** @type {MouseEvent} */ event) => event.target === event.currentTarget && closeDialog(),
    },
  );
}

/** @param {Setup} setup */
function titleOf({ isChoosing, opponent }) {
  const withFriend = opponent === "link" || opponent === "here";
  return isChoosing ? (withFriend ? "Play a friend: choose a game" : "Choose a game") : "New game";
}

/** @param {Setup} setup */
function footer(setup) {
  const start =
    { link: "Create a link", anyone: "Post a challenge" }[/** @type {string} */ (setup.opponent)] ?? "Start";
  return h(
    "footer",
    h("p.error", { role: "alert" }, setup.error),
    setup.isChoosing
      ? button("Back", () => choose({ isChoosing: false, typed: "" }), { key: "back" })
      : h("button.primary", { type: "submit", key: "start", disabled: setup.isBusy }, start),
  );
}

/** The game that will be played, and the way to another. @param {Setup} setup */
function chosenGame(setup) {
  const game = setup.shown;
  return h(
    "div.chosen-game",
    { key: "chosen" },
    h("div.picture", game && emptyBoard(game)),
    h("h3", game?.title ?? "…"),
    h("p.how", game?.about),
    button("Choose another game", () => choose({ isChoosing: true }), { key: "change" }),
  );
}

/** @param {Setup} setup */
function gamePicker(setup) {
  const featured = FEATURED.flatMap((id) => state.catalogue.find((entry) => entry.id === id) ?? []);
  const others = state.catalogue.filter((entry) => !featured.includes(entry));
  const families = [...new Set(others.map((entry) => entry.family))];
  return h(
    "div.games",
    { key: "games" },
    picks(setup, "Best known", featured),
    setup.showsAll
      ? families.map((family) =>
          picks(
            setup,
            FAMILIES[family],
            others.filter((entry) => entry.family === family),
          ),
        )
      : button("All games", () => choose({ showsAll: true }), { key: "all", icon: "down" }),
    h(
      "div.typed",
      { key: "typed" },
      codeField("Or type any game, by name or size", {
        value: setup.typed,
        placeholder: "gomoku, 6x6:5, ultimate:4 …",
        oninput: (event) => choose({ typed: inputValue(event) }),
      }),
      h("button", { type: "submit", disabled: !setup.typed.trim() }, "Choose"),
      h("a.button.quiet", { href: "#view=own", onclick: closeDialog }, icon("edit"), "Make your own"),
    ),
  );
}

/** @param {Setup} setup @param {string} title @param {CatalogueEntry[]} entries */
function picks(setup, title, entries) {
  return h(
    "section",
    { key: title, "aria-label": title },
    h("h3", title),
    h(
      "ul.picks",
      entries.map((entry) => pick(setup, entry)),
    ),
  );
}

/** @param {Setup} setup @param {CatalogueEntry} entry */
function pick(setup, entry) {
  const sample = home.samples.get(entry.id);
  return h(
    "li",
    { key: entry.id, onmount: () => loadSample(entry) },
    h(
      "button.pick",
      {
        type: "button",
        "aria-pressed": String(setup.game === entry.id),
        onclick: () => chooseGame(entry.id),
      },
      h("span.picture", sample && pictureOf(sample.game, sample.position)),
      h("span", entry.title),
    ),
  );
}

/** @param {Setup} setup */
function opponentPicker(setup) {
  return h(
    "fieldset.opponents",
    h("legend", "Opponent"),
    OPPONENTS.filter(
      ([kind]) => (kind !== "link" || state.about?.has_friends) && (kind !== "anyone" || state.about?.has_lobby),
    ).map(([kind, name, about]) =>
      choice(
        kind,
        setup.opponent === kind,
        { name: "opponent", onchange: () => choose({ opponent: kind }) },
        explained(name, about),
      ),
    ),
  );
}

/** @param {Setup} setup */
function details(setup) {
  const { opponent } = setup;
  const isApart = opponent === "link" || opponent === "anyone";
  return h(
    "div.details",
    opponent === "level" && strengthPicker("Level", "level", setup.level, (level) => choose({ level })),
    opponent === "watch" && [
      strengthPicker("X is", "level-x", setup.level, (level) => choose({ level })),
      strengthPicker("O is", "level-o", setup.other, (other) => choose({ other })),
    ],
    (opponent === "level" || isApart) && sidePicker(setup),
    isApart &&
      textField("Your name (optional)", {
        maxlength: "40",
        value: state.prefs.name,
        autocomplete: "nickname",
        oninput: (event) => prefer({ name: inputValue(event) }),
      }),
    isApart && reachOf(opponent === "link" ? "open the link" : "see the challenge"),
    select("Clock", "clock", clockChoices(), setup.control, (control) => choose({ control })),
  );
}

function clockChoices() {
  const controls = state.about?.time_controls ?? [];
  const timed = controls.map(({ text, seconds, increment }) => [text, `${seconds / 60} min + ${increment} s`]);
  return [["", "No clock"], ...timed];
}

/** @param {Setup} setup */
function sidePicker(setup) {
  const sides = /** @type {const} */ ([
    ["X", "X, first"],
    ["O", "O, second"],
    ["random", "Random"],
  ]);
  return h(
    "fieldset.sides",
    { key: "sides" },
    h("legend", "You play"),
    sides.map(([side, text]) =>
      choice(
        side,
        setup.side === side,
        { name: "side", onchange: () => choose({ side }) },
        side !== "random" && mark(side),
        h("span", text),
      ),
    ),
  );
}

/** @param {Setup} setup */
async function start(setup) {
  choose({ isBusy: true });
  try {
    const game = await ask("game", { game: setup.game });
    // The dialog may have been closed.
    const isWanted = () => state.setup === setup;
    if (!isWanted()) return;
    prefer({ level: setup.level });
    const control = state.about?.time_controls.find(({ text }) => text === setup.control);
    if (setup.opponent === "link" || setup.opponent === "anyone") {
      await invite(game.data, setup.side, control?.text ?? null, setup.opponent === "anyone");
    } else {
      const clock = control ? newClock(control) : null;
      await beginInstead({ game: game.data, players: playersFor(setup), clock }, { isWanted });
    }
    if (isWanted()) closeDialog();
  } catch (error) {
    if (state.setup === setup) choose({ error: errorText(error), isBusy: false });
    else complain(error);
  }
}

/** @param {Setup} setup @returns {Record<"X" | "O", import("./phase.js").Player>} */
function playersFor(setup) {
  const engine = (/** @type {string} */ level) => /** @type {const} */ ({ kind: "engine", level, name: level });
  if (setup.opponent === "watch") return { X: engine(setup.level), O: engine(setup.other) };
  if (setup.opponent === "here") return { X: { ...PERSON, name: "X" }, O: { ...PERSON, name: "O" } };
  const isX = setup.side === "random" ? Math.random() < 0.5 : setup.side === "X";
  return isX ? { X: PERSON, O: engine(setup.level) } : { X: engine(setup.level), O: PERSON };
}
