// @ts-check
/** The view of the front page: games to continue, tiles of games, all games. */

import { prefer, state } from "../shell/app.js";
import { mark } from "../board/board.js";
import { button, tool } from "../ui/controls.js";
import { h } from "../ui/dom.js";
import { friendSeats } from "../friends/friend_seats.js";
import { FEATURED, home, loadCustomBoard, loadSample, customBoards, playAtOnce, toggleAll } from "./home.js";
import { icon } from "../ui/icons.js";
import { emptyBoard } from "../board/line_drawing.js";
import { pictureOf } from "../board/miniature.js";
import { customGames, customLink } from "../custom/custom_games.js";
import { opponent, shownNames, viewerOf } from "../play/phase.js";
import { openRules } from "../rules/rules.js";
import { TODAY, isSolvedLate } from "../puzzles/daily.js";
import { FAMILIES, openSetup, strengthPicker } from "../play/choices.js";
import { turnWords } from "../ui/words.js";

/** @typedef {import("../server/types.d.ts").CatalogueEntry} CatalogueEntry */

/** Nothing is drawn below the title until it is known what stands there: tiles that move are hard to hit. */
export function drawHome() {
  return [
    h(
      "section.page.home-page",
      { key: "home", "aria-labelledby": "home-title" },
      h(
        "header.welcome",
        h("h1", { id: "home-title" }, "What shall we play?"),
        state.about &&
          h(
            "div.opponent",
            strengthPicker("Opponent", "level", state.prefs.level, (level) => prefer({ level })),
            state.about.has_lobby &&
              h("a.button", { key: "lobby", href: "#view=lobby" }, icon("friends"), "Open challenges"),
          ),
      ),
      state.catalogue.length > 0 && home.isRunningKnown && choices(),
    ),
  ];
}

/** Everything that can be played. */
function choices() {
  const featured = FEATURED.map((id) => state.catalogue.find((entry) => entry.id === id)).filter((entry) => !!entry);
  return [
    continued(),
    h("ul.tiles", { key: "tiles" }, featured.map(tile), daily(), workshop(), withFriend()),
    customTiles(),
    h(
      "div.all",
      { key: "all" },
      button(home.showsAll ? "Fewer games" : "All games", toggleAll, {
        "aria-expanded": String(home.showsAll),
        icon: home.showsAll ? "up" : "down",
      }),
      h("a.button.quiet", { key: "proof", href: "#view=proof" }, icon("check"), "Proofs"),
    ),
    home.showsAll && allGames(),
  ];
}

/** The games that are not over: at this screen, and with friends. */
function continued() {
  const friends = friendSeats().filter((game) => !game.ended);
  return (
    (home.running || friends.length > 0) &&
    h(
      "ul.continue",
      { key: "continue", "aria-label": "Games to continue" },
      home.running && runningGame(home.running),
      friends
        .slice(0, 2)
        .map((game) =>
          h(
            "li",
            { key: game.id },
            h(
              "a.card",
              { href: `#friend=${game.id}` },
              icon("friends"),
              h(
                "span.text",
                h("strong", `Continue ${game.title}`),
                h("small", `with ${game.side === "X" ? game.o : game.x}, by link`),
              ),
            ),
          ),
        ),
    )
  );
}

/** @param {import("./home.js").Running} running */
function runningGame({ game, position, players }) {
  const [names, viewer] = [shownNames({ players }), viewerOf({ players })];
  const against = viewer ? `Against ${names[opponent(viewer)]}` : "On this device";
  return h(
    "li",
    { key: "running" },
    h(
      "a.card.running",
      { href: "#view=play" },
      pictureOf(game, position),
      h(
        "span.text",
        h("strong", `Continue ${game.title}`),
        h("small", `${against} · ${turnWords(position, names, viewer)}`),
      ),
      icon("forward"),
    ),
  );
}

/** A game: a click plays it at once. @param {CatalogueEntry} entry */
function tile(entry) {
  const sample = home.samples.get(entry.id);
  return h(
    "li.tile",
    { key: entry.id, onmount: () => loadSample(entry) },
    h(
      "button.face",
      { type: "button", "aria-label": `Play ${entry.title}`, onclick: () => playAtOnce(entry.id) },
      h("span.picture", sample && pictureOf(sample.game, sample.position)),
      h("strong", entry.title),
      h("small", entry.about),
    ),
    h(
      "div.foot",
      tool("learn", "Rules", () => openRules(entry.id), { "aria-label": `Rules: how to play ${entry.title}` }),
      tool("settings", "Options", () => openSetup({ game: entry.id }), {
        "aria-label": `Options for ${entry.title}`,
      }),
    ),
  );
}

/** The games made in this browser. */
function customTiles() {
  const games = customGames.all();
  return (
    games.length > 0 &&
    h(
      "section",
      { key: "custom", "aria-labelledby": "custom-games" },
      h("h2", { id: "custom-games" }, "My own games"),
      h("ul.tiles.small", games.map(customTile)),
    )
  );
}

/** @param {import("../custom/custom_games.js").CustomGame} custom */
function customTile(custom) {
  const game = customBoards.get(custom.title);
  return h(
    "li.tile",
    { key: custom.title, onmount: () => loadCustomBoard(custom) },
    h(
      "button.face",
      { type: "button", "aria-label": `Play ${custom.title}`, onclick: () => playAtOnce(custom.data) },
      h("span.picture", game && emptyBoard(game)),
      h("strong", custom.title),
    ),
    h(
      "a.button.quiet",
      { href: customLink(custom.data), title: "More", "aria-label": `More about ${custom.title}` },
      icon("more"),
    ),
  );
}

function workshop() {
  return h(
    "li.tile",
    { key: "workshop" },
    h(
      "a.face",
      { href: "#view=own" },
      h("span.picture", sketch()),
      h("strong", "Make your own"),
      h("small", "Any size, any rule, or a board that you draw."),
    ),
  );
}

/** The corners and the middle of the sketch of a drawn board. */
const SKETCHED = [
  [3, 0.6],
  [1, 2],
  [5, 2],
  [3, 2.6],
  [1, 4],
  [5, 4],
  [3, 5.4],
];

function sketch() {
  return h(
    "svg.sketch",
    { viewBox: "0 0 6 6", "aria-hidden": "true", focusable: "false" },
    h("path", { d: "M3 .6L1 2v2l2 1.4L5 4V2zM1 2l2 .6L5 2M3 2.6v2.8M1 4l2 -1.4L5 4" }),
    SKETCHED.map(([x, y]) => h("rect", { x: x - 0.36, y: y - 0.36, width: 0.72, height: 0.72, rx: 0.17 })),
  );
}

/** The puzzle of the day, which is the same for everyone. */
function daily() {
  const today = home.daily;
  const missed = isSolvedLate() ? "Solved today, not at the first try." : "Not solved today: have another look.";
  const done = today?.result ? "Solved today." : missed;
  const about =
    today?.result === undefined ? (today?.task ?? "A new one every day.") : `${done} A new one comes tomorrow.`;
  return h(
    "li.tile",
    { key: "daily" },
    h(
      "a.face",
      { href: `#view=puzzles&puzzle=${TODAY}` },
      h("span.picture", today ? pictureOf(today.game, today.position) : icon("puzzle")),
      h("strong", "Puzzle of the day"),
      h("small", about),
    ),
  );
}

function withFriend() {
  const { has_friends: hasLinks, is_local: isLocal } = state.about ?? {};
  const about = !hasLinks
    ? "Take turns on this device."
    : isLocal
      ? "Take turns on this device, or each on your own."
      : "Send a link and play on two screens, or take turns on one.";
  return h(
    "li.tile",
    { key: "friend" },
    h(
      "button.face",
      { type: "button", onclick: () => openSetup({ opponent: "link" }) },
      h("span.picture", h("span.facing", mark("X"), mark("O"))),
      h("strong", "Play a friend"),
      h("small", about),
    ),
  );
}

/** The rest of the catalogue, by family. */
function allGames() {
  const rest = state.catalogue.filter((entry) => !FEATURED.includes(entry.id));
  const families = [...new Set(rest.map((entry) => entry.family))];
  return h(
    "div.families",
    { key: "families" },
    families.map((family) =>
      h(
        "section",
        { key: family, "aria-labelledby": `family-${family}` },
        h("h2", { id: `family-${family}` }, FAMILIES[family]),
        h("ul.tiles.small", rest.filter((entry) => entry.family === family).map(tile)),
      ),
    ),
  );
}
