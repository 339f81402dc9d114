// @ts-check
/** The page: its frame, its views, and its address. */

import { ask } from "./server/api.js";
import {
  commitNow,
  complain,
  drawWith,
  errorText,
  failure,
  holder,
  isRejected,
  notify,
  redraw,
  shownGame,
  state,
} from "./shell/app.js";
import { openAnalysis } from "./analysis/entrance.js";
import { focusCell } from "./board/board.js";
import { h, patch } from "./ui/dom.js";
import { drawShare } from "./play/files.js";
import { header, notice } from "./shell/frame.js";
import { friendSeats } from "./friends/friend_seats.js";
import { listen } from "./shell/keys.js";
import { drawHelp } from "./shell/help.js";
import { openHome } from "./home/home.js";
import { drawHome } from "./home/home_view.js";
import { PERSON, begin, beginInstead, rememberNow, resume, retryNow, tick, yieldToOtherTab } from "./play/play.js";
import { drawPlay } from "./play/play_view.js";
import { readGame, readRoute, replaceAddress, visits } from "./shell/route.js";
import { followCurrentMoves } from "./ui/scrolling.js";
import { isLasting } from "./shell/storage.js";
import { forgettingText } from "./play/saving.js";
import { connect, isLost } from "./server/server.js";
import { Refused } from "./server/tasks.js";

const TICK_MS = 200;

/**
 * How a view is drawn, and what opening it begins; a view with a tab is in the navigation.
 * @typedef {object} Screen
 * @property {string} [tab]
 * @property {import("./ui/icons.js").Icon} [icon] of the tab
 * @property {() => import("./ui/dom.js").Content} draw
 * @property {(route: import("./shell/route.js").Route) => unknown} [open]
 */

/**
 * A module that the first view does not need, perhaps with a style sheet: it is fetched when it is first asked for, and
 * the page drawn again.
 * @template T @param {() => Promise<T>} load @param {string} [sheet] @returns {() => T | null}
 */
function lazily(load, sheet) {
  /** @type {T | null} */
  let module = null;
  let isAsked = false;
  const fetchIt = async () => {
    isAsked = true;
    try {
      const [loaded] = await Promise.all([load(), sheet && fetchSheet(sheet)]);
      module = loaded;
    } catch {
      isAsked = false;
      state.failed = { text: errorText(new Refused("the server does not answer", 0)), retry: go };
    }
    redraw();
  };
  return () => {
    if (!isAsked) fetchIt();
    return module;
  };
}

/** Modules whose functions are called before their views are drawn, or after. */
const [analysing, friends] = [() => import("./analysis/analysis.js"), () => import("./friends/friend.js")];
const setupDialog = lazily(() => import("./play/setup.js"));
const gamesView = lazily(() => import("./home/games_view.js"));
/** Add a style sheet to the page. @param {string} href */
function fetchSheet(href) {
  if (document.querySelector(`link[href="${href}"]`)) return null;
  return new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement("link"), {
      rel: "stylesheet",
      href,
      onload: resolve,
      onerror: reject,
    });
    document.head.append(link);
  });
}

const analysisView = lazily(() => import("./analysis/analysis_view.js"));
const puzzlesView = lazily(() => import("./puzzles/puzzles_view.js"));
const learnView = lazily(() => import("./learn/learn_view.js"), "css/learn.css");
const courseView = lazily(() => import("./learn/course_view.js"), "css/rules.css");
const workshopView = lazily(() => import("./custom/workshop_view.js"));
const friendView = lazily(() => import("./friends/friend_view.js"));
const rulesView = lazily(() => import("./rules/rules_view.js"), "css/rules.css");
const lobbyView = lazily(() => import("./friends/lobby_view.js"));
const proofView = lazily(() => import("./proof/proof_view.js"));

/** @type {Record<import("./shell/route.js").View, Screen>} */
const SCREENS = {
  home: { draw: drawHome, open: openHome },
  play: { tab: "Play", icon: "play", draw: () => (state.play ? drawPlay(state.play) : opening()), open: openPlaying },
  analyse: {
    tab: "Analyse",
    icon: "analyse",
    draw: () => (state.analysis && analysisView()?.drawAnalysis(state.analysis)) || opening(),
    open: async () => (await analysing()).openAnalysing(),
  },
  puzzles: {
    tab: "Puzzles",
    icon: "puzzle",
    draw: () =>
      (state.puzzles?.solving && puzzlesView()?.drawPuzzles(state.puzzles, state.puzzles.solving)) || opening(),
    open: async (route) => (await import("./puzzles/puzzles.js")).openPuzzles(route),
  },
  learn: {
    tab: "Learn",
    icon: "learn",
    draw: () =>
      (state.isThinkingShown
        ? state.learn && learnView()?.drawLearn(state.learn)
        : state.courses && courseView()?.drawCourses(state.courses)) || opening(),
    open: openLearning,
  },
  games: {
    tab: "My games",
    icon: "games",
    draw: () => gamesView()?.drawGames() ?? opening(),
    open: () => import("./home/games_view.js").then(({ listSaved }) => listSaved()),
  },
  own: {
    draw: () => workshopView()?.drawWorkshop() ?? opening(),
    open: (route) => import("./custom/workshop.js").then(({ openWorkshop }) => openWorkshop(route)),
  },
  lobby: {
    draw: () => lobbyView()?.drawLobby() ?? opening(),
    open: () => import("./friends/lobby.js").then(({ openLobby }) => openLobby()),
  },
  proof: { draw: () => proofView()?.drawProof() ?? opening() },
  friend: {
    draw: () => (state.friend && friendView()?.drawFriend(state.friend)) || opening(),
    open: openFriendGame,
  },
};

const TABS = Object.entries(SCREENS).flatMap(([name, { tab, icon }]) =>
  tab && icon ? [{ name, text: tab, icon }] : [],
);

/** @type {Element} */
const app = /** @type {Element} */ (document.getElementById("app"));

let drawn = state.view;
/** The subject of the view: a new game, like a new view, is shown from its top. @type {unknown} */
let subject = null;

function draw() {
  const before = drawn;
  drawn = state.view;
  // The engine stops when the analysis is left, and friends are told when the friend game is left.
  if (before === "analyse" && drawn !== "analyse") analysing().then(({ settleAnalysis }) => settleAnalysis());
  if (before === "friend" && drawn !== "friend") friends().then(({ leave }) => state.view === "friend" || leave());
  document.documentElement.dataset.theme = state.prefs.theme;
  document.title = titleOf();
  patch(app, [
    header(TABS, skip, holder()?.game),
    h("main", { id: "main", key: "main", class: state.view }, view()),
    isLost() && offline(),
    !(state.setup || state.shared || state.showsHelp || state.rules) && notice(),
    state.setup && setupDialog()?.drawSetup(state.setup),
    state.shared && drawShare(state.shared),
    state.showsHelp && drawHelp(),
    state.rules && rulesView()?.drawRules(state.rules),
  ]);
  followCurrentMoves(app);
  const shown =
    { play: state.play, friend: state.friend, learn: holder()?.game }[/** @type {string} */ (state.view)] ??
    state.view;
  if (shown !== subject) scrollTo(0, 0);
  subject = shown;
}

function titleOf() {
  const game = shownGame();
  return game ? `${game.title} · noughts` : "noughts";
}

function skip() {
  const cell = holder()?.focus;
  if (cell !== undefined) focusCell(cell);
  else document.querySelector("main")?.scrollIntoView();
}

/** The view, or the reason why it cannot be drawn. */
function view() {
  if (state.failed) return troubled(state.failed);
  try {
    return SCREENS[state.view].draw();
  } catch (error) {
    console.error(error);
    return troubled({ text: errorText(error), retry: () => location.reload() });
  }
}

/** Shown while questions wait because the connection is lost. */
function offline() {
  const text = "The server does not answer. The engine will continue when the server is back.";
  return h("aside.offline", { key: "offline", "aria-label": "Connection" }, failure(text, connect));
}

/** @param {import("./shell/app.js").Failure} failed */
function troubled({ text, retry }) {
  return h("section.table.waiting", { key: "troubled", "aria-label": "Error" }, failure(text, retry));
}

function opening() {
  return h("section.table.waiting", { key: "table", "aria-label": "Board" }, h("h1", "Setting up the board …"));
}

/** Show the view of the address. If the server cannot be reached, say so and offer to try again. */
async function go() {
  const isCurrent = visits.next();
  state.failed = null;
  const route = readRoute();
  const asking = askAbout().then(
    () => null,
    (error) => error,
  );
  try {
    await (route.game && route.view !== "own" ? openLink(route) : openView(route));
    // Only the front page needs the catalogue of the server; the other views work without it.
    const error = route.view === "home" && (await asking);
    if (error) throw error;
  } catch (error) {
    if (!isCurrent()) return;
    if (isRejected(error) && (route.game || route.friend)) await refuseLink(error);
    else state.failed = { text: errorText(error), retry: go };
  }
  redraw();
  const error = await asking;
  if (error && isCurrent() && !state.failed) complain(error, go);
  else if (isCurrent()) warnOfForgetting();
}

let isWarned = false;

/** Say once that nothing is kept in this browser, when there is nothing else to say. */
function warnOfForgetting() {
  if (isWarned || isLasting() || state.notice) return;
  isWarned = true;
  // My games says so itself.
  if (state.view !== "games") notify(forgettingText());
}

/** Report an invalid address, over a view that works. @param {unknown} error */
async function refuseLink(error) {
  replaceAddress(`#view=${state.view === "friend" ? "play" : state.view}`);
  await go();
  notify(`this link cannot be opened: ${errorText(error)}`, "error");
}

/** A shared position or playthrough. @param {import("./shell/route.js").Route} route */
async function openLink(route) {
  const game = readGame(/** @type {string} */ (route.game));
  const wanted = { game, start: route.start ?? null, moves: route.moves ?? [], at: route.ply };
  const isCurrent = visits.current();
  state.view = route.view === "analyse" ? "analyse" : "play";
  redraw();
  // A link may be wrong like anything typed: it is asked so first, and the view gets the kept answers.
  const { data } = await ask("game", { game }, { isTyped: true });
  await ask("position", { game: data, start: wanted.start, moves: wanted.moves }, { isTyped: true });
  if (!isCurrent()) return undefined;
  // The analysis has its own address for each position.
  if (state.view === "analyse") return openAnalysis({ ...wanted, tree: route.fields.get("tree") });
  const players = { X: { ...PERSON, name: "X" }, O: { ...PERSON, name: "O" } };
  return beginInstead({ ...wanted, players }, { isLink: true });
}

/** @param {import("./shell/route.js").Route} route */
async function openView(route) {
  state.view = route.view;
  redraw();
  await SCREENS[route.view].open?.(route);
}

/** One of the two doors: courses for players, or searches step by step. @param {import("./shell/route.js").Route} route */
async function openLearning(route) {
  state.isThinkingShown = route.fields.get("door") === "think";
  if (state.isThinkingShown) (await import("./learn/search_lesson.js")).openLearn();
  else await (await import("./learn/course.js")).openCourses(route);
}

/** Resume the last playthrough, or begin a first one. */
async function openPlaying() {
  const level = state.prefs.level;
  if (state.play || (await resume())) return;
  await begin({ game: "3x3", players: { X: PERSON, O: { kind: "engine", level, name: level } } });
}

/** @param {import("./shell/route.js").Route} route */
async function openFriendGame({ friend, invite }) {
  const id = /** @type {string} */ (friend);
  replaceAddress(`#friend=${id}`);
  await (await import("./friends/invitation.js")).follow(id, invite);
}

/** Whether the clocks of a game with a friend run on the screen. */
function hasRunningClock() {
  const current = state.friend?.state;
  return state.view === "friend" && current?.clock?.running && !current.outcome;
}

/** Tell the game with a friend about the network. @param {"reconnect" | "goOffline"} what */
async function tellFriend(what) {
  if (state.friend) (await friends())[what]();
}

/** Send the resignations that the server did not get before the page was left. */
async function sendResignations() {
  if (friendSeats().some(({ isResigned }) => isResigned)) (await friends()).sendResignations();
}

/** Ask once what the server offers. */
async function askAbout() {
  if (state.about) return;
  const [about, catalogue] = await Promise.all([ask("about", {}), ask("catalogue", {})]);
  Object.assign(state, { about, catalogue: catalogue.games });
  redraw();
}

addEventListener("hashchange", () => {
  state.notice = null;
  go();
});
// Report errors that nothing else has handled.
addEventListener("error", (event) => complain(event.error ?? event.message));
addEventListener("unhandledrejection", (event) => complain(event.reason));
addEventListener("pagehide", () => {
  commitNow();
  rememberNow();
});
addEventListener("storage", yieldToOtherTab);
addEventListener("pageshow", yieldToOtherTab);
addEventListener("online", () => tellFriend("reconnect"));
addEventListener("online", retryNow);
addEventListener("online", connect);
addEventListener("offline", () => tellFriend("goOffline"));
listen();
setInterval(() => {
  tick();
  if (hasRunningClock()) redraw();
}, TICK_MS);

drawWith(draw);
draw();
go();
sendResignations();
