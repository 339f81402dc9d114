// @ts-check
/** What the page asks of the server. See docs/web-api.md; nothing here knows a rule. */

/**
 * @typedef {import("./panels.js").Game} Game
 * @typedef {"X" | "O"} Side
 * @typedef {{winner: Side | null, reason: string, points?: number[], text: string}} Outcome
 * @typedef {{game: any, start?: string | null, moves: (number | string)[]}} Place
 * @typedef {{score: number | null, value: "win" | "draw" | "loss" | null, plies: number | null, chance: number, text: string}} Worth
 * @typedef {{move: number, name: string, worth: Worth, x_chance: number, pv: number[], pv_names: string[]}} EngineLine
 *
 * @typedef {object} Position
 * @property {string} game
 * @property {string | null} start
 * @property {number[]} moves
 * @property {string[]} names
 * @property {string} position
 * @property {number} ply
 * @property {Side | null} turn
 * @property {string} cells
 * @property {number[]} legal
 * @property {number | null} last
 * @property {boolean} is_over
 * @property {Outcome | null} outcome
 * @property {number[] | null} winning_line
 * @property {number[]} winning_cells
 * @property {string | null} blocks
 * @property {number | null} block_to_play
 * @property {{X: number[], O: number[]}} threats
 * @property {string} status
 * @property {string} said
 *
 * @typedef {object} Hint
 * @property {string} idea
 * @property {number[]} area
 * @property {string} area_name
 * @property {{move: number, name: string, worth: Worth}[]} candidates
 * @property {number} move
 * @property {string} name
 * @property {string[]} why
 * @property {Worth} worth
 */

/** What the server refused, in its own words. */
export class Refused extends Error {
  /** @param {string} message @param {number} status */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

const SHELF = "noughts.shelf";

/** The secret of this browser's shelf of kept games. */
function shelf() {
  const known = localStorage.getItem(SHELF);
  if (known) return known;
  const letters = "abcdefghijklmnopqrstuvwxyz0123456789";
  const made = [...crypto.getRandomValues(new Uint8Array(40))].map((byte) => letters[byte % 36]).join("");
  localStorage.setItem(SHELF, made);
  return made;
}

/** How often a request that came too soon is sent again, and for how many seconds it waits at most. */
const [PATIENT, LONGEST] = [3, 5];

/**
 * @param {string} method @param {string} path @param {any} [body] @param {AbortSignal} [signal] @param {number} [tries]
 * @returns {Promise<any>}
 */
async function ask(method, path, body, signal, tries = 1) {
  const headers = { "X-Shelf": shelf(), ...(body === undefined ? {} : { "Content-Type": "application/json" }) };
  let answer;
  try {
    answer = await fetch(path, { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch (error) {
    if (/** @type {Error} */ (error).name === "AbortError") throw error;
    throw new Refused("the server does not answer", 0);
  }
  const wait = Number(answer.headers.get("Retry-After"));
  if (answer.status === 429 && tries < PATIENT && wait > 0 && wait <= LONGEST) {
    // Nothing was done: the server asked for a little patience.
    await new Promise((done) => setTimeout(done, wait * 1000));
    return ask(method, path, body, signal, tries + 1);
  }
  const said = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refused(said.error ?? `the server answered ${answer.status}`, answer.status);
  return said;
}

/** @type {Map<string, Promise<Game>>} */
const GAMES = new Map();
/** @type {Map<string, Promise<Position>>} */
const POSITIONS = new Map();
const KEEP = 500;

/** Ask once, remember the answer; what failed may be asked again. @template T @param {Map<string, Promise<T>>} memory @param {string} key @param {() => Promise<T>} how */
function once(memory, key, how) {
  const known = memory.get(key);
  if (known) return known;
  if (memory.size >= KEEP) memory.delete(/** @type {string} */ (memory.keys().next().value));
  const asked = how();
  memory.set(key, asked);
  asked.catch(() => memory.delete(key));
  return asked;
}

export const api = {
  about: () => ask("GET", "/api/about"),
  catalogue: () => ask("GET", "/api/catalogue"),
  /** @param {any} game an id or data @returns {Promise<Game>} */
  game: (game) => once(GAMES, JSON.stringify(game), () => ask("POST", "/api/game", { game })),
  /** @param {Place} place @returns {Promise<Position>} */
  position: (place) => once(POSITIONS, JSON.stringify(place), () => ask("POST", "/api/position", place)),
  /** @param {Place} place @param {string} level @param {number} seconds @param {AbortSignal} signal */
  engine: (place, level, seconds, signal) => ask("POST", "/api/engine", { ...place, level, seconds }, signal),
  /** @param {Place} place @returns {Promise<Hint>} */
  hint: (place) => ask("POST", "/api/hint", { ...place, seconds: 1 }),
  /** @param {Place} place @param {any} options */
  analyse: (place, options) => ask("POST", "/api/analyse", { ...place, ...options }),
  /** @param {Place} place @param {any} options @param {AbortSignal} [signal] */
  trace: (place, options, signal) => ask("POST", "/api/trace", { ...place, ...options }, signal),
  /** @param {Place} place @param {any} options @param {AbortSignal} [signal] */
  compare: (place, options, signal) => ask("POST", "/api/compare", { ...place, ...options }, signal),
  /** @param {string} text */
  import: (text) => ask("POST", "/api/import", { text }),
  /** @param {Place} place @param {any} options */
  export: (place, options) => ask("POST", "/api/export", { ...place, ...options }),
  kept: () => ask("GET", "/api/games?limit=100"),
  /** @param {any} play */
  keep: (play) => ask("POST", "/api/games", play),
  /** @param {number} id @param {any} play */
  keepAs: (id, play) => ask("PUT", `/api/games/${id}`, play),
  /** @param {number} id */
  open: (id) => ask("GET", `/api/games/${id}`),
  /** @param {number} id */
  forget: (id) => ask("DELETE", `/api/games/${id}`),
  /** @param {any} wish */
  invite: (wish) => ask("POST", "/api/friends", wish),
  /** @param {string} friend @param {string} invite @param {string} name */
  claim: (friend, invite, name) => ask("POST", `/api/friends/${encodeURIComponent(friend)}/claim`, { invite, name }),
};

/** The address of a websocket of this server. @param {string} path */
export function socketAddress(path) {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;
}
