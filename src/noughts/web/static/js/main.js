// @ts-check
/** The page: its frame, its views, and its address. */

import { api, Refused } from "./api.js";
import { complain, drawWith, prefer, redraw, state } from "./app.js";
import { analyseHere, halt, openAnalysis } from "./analysis.js";
import { drawAnalysis } from "./analysis_view.js";
import { focusCell } from "./board.js";
import { h, patch } from "./dom.js";
import { icon } from "./icons.js";
import { drawShare } from "./files.js";
import { follow, leave, goOffline, open as openFriend, reconnect } from "./friend.js";
import { drawFriend, hasRunningClock } from "./friend_view.js";
import { drawGames, listSaved } from "./games_view.js";
import { drawHelp } from "./help.js";
import { openLearn } from "./learn.js";
import { drawLearn } from "./learn_view.js";
import { PERSON, begin, rememberClock, resume, tick } from "./play.js";
import { drawPlay } from "./play_view.js";
import { readRoute, settle } from "./route.js";
import { drawSetup } from "./setup.js";

const TICK_MS = 200;
const THEMES = /** @type {const} */ (["auto", "light", "dark"]);
const TABS = /** @type {const} */ ([
  ["play", "Play"],
  ["analyse", "Analyse"],
  ["learn", "Learn"],
  ["games", "Games"],
]);

/** @type {Element} */
const app = /** @type {Element} */ (document.getElementById("app"));

let drawn = state.view;

function draw() {
  // The analysis is no longer shown: leave the engine to others.
  if (drawn === "analyse" && state.view !== "analyse") halt();
  drawn = state.view;
  document.documentElement.dataset.theme = state.prefs.theme;
  document.title = titleOf();
  patch(app, [
    header(),
    h("main", { id: "main", key: "main", class: state.view }, view()),
    notice(),
    state.setup && drawSetup(state.setup),
    state.shared && drawShare(state.shared),
    state.showsKeys && drawHelp(),
  ]);
}

function titleOf() {
  const game = { play: state.play?.game, analyse: state.analysis?.game, friend: state.friend?.game }[
    /** @type {string} */ (state.view)
  ];
  return game ? `${game.title} · noughts` : "noughts";
}

function header() {
  const current = state.view === "friend" ? "play" : state.view;
  return h(
    "header.top",
    { key: "top" },
    h(
      "a.skip",
      {
        href: "#main",
        onclick: (/** @type {Event} */ event) => {
          event.preventDefault();
          skip();
        },
      },
      "Skip to the board",
    ),
    h("a.brand", { href: "#view=play", "aria-label": "noughts" }, brandMark(), h("span", null, "noughts")),
    h(
      "nav",
      { "aria-label": "Views" },
      TABS.map(([name, text]) =>
        h("a", { key: name, href: `#view=${name}`, "aria-current": current === name ? "page" : null }, text),
      ),
    ),
    h(
      "div.settings",
      { role: "group", "aria-label": "Settings" },
      h(
        "button.quiet",
        {
          type: "button",
          "aria-label": `Colours: ${state.prefs.theme}`,
          title: `Colours: ${state.prefs.theme}`,
          onclick: nextTheme,
        },
        icon(state.prefs.theme),
      ),
      h(
        "button.quiet",
        {
          type: "button",
          "aria-pressed": String(state.prefs.sound),
          "aria-label": "Sound",
          title: state.prefs.sound ? "Sound is on" : "Sound is off",
          onclick: () => prefer({ sound: !state.prefs.sound }),
        },
        icon(state.prefs.sound ? "loud" : "silent"),
      ),
      h(
        "button.quiet",
        {
          type: "button",
          "aria-label": "Help",
          title: "Help: keys and commands",
          onclick: () => {
            state.showsKeys = true;
            redraw();
          },
        },
        icon("help"),
      ),
    ),
  );
}

function brandMark() {
  return h(
    "svg",
    { viewBox: "0 0 32 32", "aria-hidden": "true", focusable: "false" },
    h("path.x", { d: "M4 6l9 9M13 6l-9 9" }),
    h("circle.o", { cx: 22.5, cy: 21.5, r: 6.5 }),
  );
}

function skip() {
  const cell = { play: state.play?.focus, analyse: state.analysis?.focus, friend: state.friend?.focus }[
    /** @type {string} */ (state.view)
  ];
  if (cell !== undefined) focusCell(cell);
  else document.querySelector("main")?.scrollIntoView();
}

function nextTheme() {
  prefer({ theme: THEMES[(THEMES.indexOf(state.prefs.theme) + 1) % THEMES.length] });
}

function view() {
  if (state.view === "analyse") return state.analysis ? drawAnalysis(state.analysis) : opening();
  if (state.view === "learn") return state.learn ? drawLearn(state.learn) : opening();
  if (state.view === "games") return drawGames();
  if (state.view === "friend") return state.friend ? drawFriend(state.friend) : opening();
  return state.play ? drawPlay(state.play) : opening();
}

function opening() {
  return h("section.table.waiting", { key: "table", "aria-label": "Board" }, h("h1", null, "Setting up the board …"));
}

function notice() {
  if (!state.notice || state.notice.isTyped) return null;
  return h(
    "aside.notice",
    { key: "notice", class: state.notice.kind, "aria-label": "Notice" },
    h("p", null, state.notice.text),
    h(
      "button.quiet",
      {
        type: "button",
        "aria-label": "Dismiss",
        onclick: () => {
          state.notice = null;
          redraw();
        },
      },
      icon("close"),
    ),
  );
}

/** Show the view of the address. */
async function go() {
  const route = readRoute();
  if (route.friend) {
    if (state.friend?.id === route.friend && !route.invite && state.view === "friend") return;
    settle(`#friend=${route.friend}`);
    await (route.invite ? follow(route.friend, route.invite) : openFriend(route.friend));
    return;
  }
  if (state.view === "friend") leave();
  if (route.game) await openLink(route);
  else await openView(route.view);
  redraw();
}

/** A shared position or playthrough. @param {import("./route.js").Route} route */
async function openLink(route) {
  const game = gameNamed(/** @type {string} */ (route.game));
  const wanted = { game, start: route.start ?? null, moves: route.moves ?? [], at: route.ply };
  if (route.view === "analyse") {
    state.view = "analyse";
    await openAnalysis(wanted);
  } else {
    await begin({ ...wanted, players: { X: { ...PERSON, name: "X" }, O: { ...PERSON, name: "O" } } });
    state.view = "play";
  }
  settle(`#view=${state.view}`);
}

/** An id, or a custom game as data. @param {string} text */
function gameNamed(text) {
  if (!text.startsWith("{")) return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused(`expected a game id or a game as JSON in the link, got ${text}`, 422);
  }
}

/** @param {import("./route.js").View} name */
async function openView(name) {
  state.view = name;
  redraw();
  if (name === "games") await listSaved();
  if (name === "learn") openLearn();
  if (name === "play" && !state.play) await firstPlay();
  if (name === "analyse" && state.analysis) analyseHere();
  else if (name === "analyse")
    await openAnalysis(
      state.play
        ? { game: state.play.game.data, start: state.play.start, moves: state.play.moves, at: state.play.at }
        : { game: "3x3" },
    );
}

/** Resume the last playthrough, or begin a first one. */
async function firstPlay() {
  const level = state.prefs.level;
  if (!(await resume()))
    await begin({ game: "3x3", players: { X: PERSON, O: { kind: "engine", level, name: level } } });
}

async function start() {
  drawWith(draw);
  draw();
  const listed = Promise.all([api.about(), api.catalogue()]).then(([about, catalogue]) => {
    Object.assign(state, { about, catalogue: catalogue.games });
    redraw();
  });
  try {
    await go();
  } catch (error) {
    complain(error);
    // The error stays on the screen, over a working board.
    if (state.view === "play" && !state.play) await openView("play").catch(complain);
    if (state.view === "analyse" && !state.analysis) await openView("analyse").catch(complain);
  }
  await listed.catch(complain);
}

addEventListener("hashchange", () => {
  state.notice = null;
  go().catch(complain);
});
addEventListener("pagehide", rememberClock);
addEventListener("online", reconnect);
addEventListener("offline", goOffline);
addEventListener("keydown", (event) => {
  const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(/** @type {Element} */ (event.target).tagName);
  if (event.key === "/" && !isTyping && !event.ctrlKey && !document.querySelector("dialog[open]")) {
    event.preventDefault();
    document.getElementById("entry")?.focus();
  }
});
setInterval(() => {
  tick();
  if (hasRunningClock()) redraw();
}, TICK_MS);

start().catch(complain);
