// @ts-check
/** The front page: games with small boards that play by themselves, and games to continue. */

import { ask } from "../server/api.js";
import { attempt, redraw, state } from "../shell/app.js";
import { PERSON, beginInstead } from "../play/play.js";
import { resultOfToday, today } from "../puzzles/daily.js";
import { remembered } from "../play/saving.js";

/**
 * A small board that replays a sample: its first `ply` moves are on the board.
 * @typedef {object} Sample
 * @property {import("../board/panels.js").Game} game
 * @property {number[]} moves
 * @property {number} ply
 * @property {import("../server/types.d.ts").PositionAnswer} position
 *
 * A playthrough at this screen that is not over.
 * @typedef {object} Running
 * @property {import("../board/panels.js").Game} game
 * @property {import("../server/types.d.ts").PositionAnswer} position
 * @property {Record<"X" | "O", import("../play/play.js").Player>} players
 *
 * @typedef {object} Home
 * @property {Map<string, Sample>} samples by game id
 * @property {Running | null} running
 * @property {boolean} isRunningKnown whether it is known if there is a game to continue, which stands above the tiles
 * @property {boolean} showsAll
 * @property {Daily | null} daily
 *
 * The puzzle of the day as a picture and a sentence.
 * @typedef {object} Daily
 * @property {import("../board/panels.js").Game} game
 * @property {import("../server/types.d.ts").PositionAnswer} position
 * @property {string} task
 * @property {boolean | undefined} result whether the first try was right; undefined if there was none
 */

/** The games of the first row, best known first. */
export const FEATURED = ["3x3", "7x6:4+gravity", "ultimate:3", "15x15:5", "4x4x4"];
/** Time between two moves, which are made on different boards. */
const MOVE_MS = 1100;
/** Turns for which a finished sample stays on its board. */
const REST_TURNS = 3;
/** Share of a sample that is on its board at first. */
const FIRST_SHARE = 0.6;

/** @type {Home} */
export const home = { samples: new Map(), running: null, isRunningKnown: false, showsAll: false, daily: null };

/** @type {number | undefined} */
let timer;
/** @type {Map<string, number>} */
const resting = new Map();
let turn = 0;

/** Show the games to continue, and let the small boards play while the page is in view. */
export async function openHome() {
  clearInterval(timer);
  timer = setInterval(() => {
    if (state.view !== "home") clearInterval(timer);
    else if (!document.hidden && !matchMedia("(prefers-reduced-motion: reduce)").matches) playOneMove();
  }, MOVE_MS);
  await Promise.all([findRunning(), findDaily()]);
}

/** Put the puzzle of the day on its small board. */
async function findDaily() {
  try {
    const puzzle = await today();
    const game = await ask("game", { game: puzzle.game });
    const position = await ask("position", { game: puzzle.game, start: puzzle.start, moves: [] });
    home.daily = { game, position, task: `${puzzle.title}: ${puzzle.text}.`, result: resultOfToday() };
  } catch {
    // The tile leads to the puzzles even without a picture.
    home.daily = null;
  }
  redraw();
}

async function findRunning() {
  home.running = await readRunning();
  home.isRunningKnown = true;
  redraw();
}

/** @returns {Promise<Running | null>} */
async function readRunning() {
  const last = remembered();
  if (!last?.moves?.length || last.isOver) return null;
  const { start = null, moves, players } = last;
  try {
    const game = await ask("game", { game: last.game });
    const position = await ask("position", { game: game.data, start, moves });
    return position.outcome ? null : { game, position, players };
  } catch {
    // A playthrough that cannot be read cannot be continued; the games below still work.
    return null;
  }
}

/** The boards of games made in this browser, once the server has described them. @type {Map<string, import("../board/panels.js").Game>} */
export const customBoards = new Map();

/** Describe a game made in this browser. @param {import("../custom/custom_games.js").CustomGame} custom */
export async function loadCustomBoard(custom) {
  await attempt(async () => {
    customBoards.set(custom.title, await ask("game", { game: custom.data }));
    redraw();
  });
}

/** Put the sample of a game on its small board. @param {import("../server/types.d.ts").CatalogueEntry} entry */
export async function loadSample(entry) {
  const { id, sample } = entry;
  if (home.samples.has(id)) return;
  await attempt(async () => {
    const game = await ask("game", { game: id });
    const ply = Math.ceil(sample.length * FIRST_SHARE);
    const position = await ask("position", { game: id, moves: sample.slice(0, ply) });
    home.samples.set(id, { game, moves: sample, ply, position });
    redraw();
  });
}

/** The ply after this one: at the end a sample rests, then it begins again. @param {string} id @param {Sample} sample */
export function nextPly(id, { ply, moves }) {
  if (ply < moves.length) return ply + 1;
  const rested = (resting.get(id) ?? 0) + 1;
  resting.set(id, rested % REST_TURNS);
  return rested < REST_TURNS ? ply : 0;
}

/** Make the next move on the next board. */
async function playOneMove() {
  const shown = FEATURED.filter((id) => home.samples.has(id));
  if (!shown.length) return;
  const id = shown[turn++ % shown.length];
  const sample = /** @type {Sample} */ (home.samples.get(id));
  const ply = nextPly(id, sample);
  if (ply === sample.ply) return;
  try {
    const position = await ask("position", { game: id, moves: sample.moves.slice(0, ply) });
    Object.assign(sample, { ply, position });
    if (state.view === "home") redraw();
  } catch {
    // The server cannot be reached: the picture stays as it is.
  }
}

/** Play a game against the computer, at the level played last. @param {import("../board/panels.js").GameData} game */
export async function playAtOnce(game) {
  const level = state.prefs.level;
  await attempt(() => beginInstead({ game, players: { X: PERSON, O: { kind: "engine", level, name: level } } }));
}

export function toggleAll() {
  home.showsAll = !home.showsAll;
  redraw();
  if (home.showsAll)
    requestAnimationFrame(() => document.querySelector(".families")?.scrollIntoView({ block: "nearest" }));
}
