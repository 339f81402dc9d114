// @ts-check
/** Requests to the server, and the types of its answers. See docs/web-api.md; nothing here knows a rule. */

import { send } from "./server.js";
import { isAborted, sleep } from "./tasks.js";

/**
 * @typedef {import("../board/panels.js").Game} Game
 * @typedef {"X" | "O"} Side
 * @typedef {"win" | "draw" | "loss"} Value
 * @typedef {string | Record<string, unknown>} GameData an id, or a custom game as an object
 * @typedef {{winner: Side | null, reason: string, points: number[], text: string, how: string}} Outcome
 * @typedef {{text: string, seconds: number, increment: number}} TimeControl in seconds; the text is `5+3`
 * @typedef {{game: GameData, start?: string | null, moves: (number | string)[]}} PositionRequest
 *
 * @typedef {object} About
 * @property {string} version
 * @property {string[]} levels
 * @property {string[]} algorithms
 * @property {string[]} orders
 * @property {string[]} evaluations
 * @property {string[]} labels
 * @property {TimeControl[]} time_controls
 * @property {boolean} is_local
 * @property {boolean} has_friends whether friends can be invited by a link
 * @property {boolean} checks_proofs
 *
 * @typedef {object} CatalogueEntry
 * @property {string} id
 * @property {string} name
 * @property {string} title
 * @property {string} about
 * @property {import("../board/panels.js").Family} family
 * @property {number[]} sample the moves of a short playthrough
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
 * @property {string | null} place_to_play the block to play, in words
 * @property {{X: number[], O: number[]}} threats
 * @property {string} status
 * @property {string} announcement
 *
 * @typedef {{score: number | null, value: Value | null, plies: number | null, chance: number, text: string}} Worth
 * @typedef {{move: number, name: string, worth: Worth, source: "store" | "book" | "solver" | "search"}} Candidate
 * @typedef {Candidate & {x_chance: number, pv: number[], pv_names: string[]}} EngineLine
 * @typedef {{move: number, name: string, position: Position, book: "proven" | "not proven" | null}} EngineMove
 * @typedef {{control: string, left: Record<Side, number>}} ClockReading in seconds
 *
 * @typedef {object} Hint
 * @property {string} idea
 * @property {number[]} area
 * @property {string} area_name
 * @property {Candidate[]} candidates
 * @property {number} move
 * @property {string} name
 * @property {string[]} why
 * @property {Worth} worth
 *
 * @typedef {object} AnalysisAnswer
 * @property {"analysis"} type
 * @property {boolean} done
 * @property {number} depth
 * @property {number} nodes
 * @property {number} nps
 * @property {EngineLine[]} lines
 * @property {"time" | "proven" | "stopped" | null} reason
 *
 * @typedef {object} ReviewedMove
 * @property {number} ply
 * @property {Side} side
 * @property {number} cell
 * @property {string} move
 * @property {string} label
 * @property {string} best
 * @property {number} best_cell
 * @property {string[]} line
 * @property {number[]} line_cells
 * @property {Worth} before for the side that moved
 *
 * @typedef {object} ReviewAnswer
 * @property {"review"} type
 * @property {Record<Side, number | null>} accuracy
 * @property {Record<Side, Record<string, number>>} labels
 * @property {ReviewedMove[]} moves
 * @property {(Worth & {ply: number})[]} graph
 *
 * @typedef {object} SolutionAnswer
 * @property {"solution"} type
 * @property {Value | null} value
 * @property {Value} lower
 * @property {Value} upper
 * @property {string | null} name
 * @property {number} nodes
 *
 * The check of a proof: of a game and a position, if it is accepted; else the reason.
 * @typedef {object} ProofCheck
 * @property {boolean} is_accepted
 * @property {string | null} reason
 * @property {GameData} game
 * @property {string} position
 * @property {Value} value for the side to move
 * @property {number} positions the number of positions checked
 *
 * A position with one solution; the first `steps` moves of the solver in the line are the only right ones.
 * @typedef {object} Puzzle
 * @property {string} id
 * @property {string} game
 * @property {string} title the name of the game
 * @property {string} start
 * @property {Side} turn
 * @property {string} text the task
 * @property {"win" | "draw"} goal
 * @property {number[]} line
 * @property {number} steps
 * @property {number} rating
 *
 * A board that was set up by hand.
 * @typedef {{game: GameData, cells: string, block_to_play: number | null}} SetupRequest
 *
 * @typedef {object} TraceNode see docs/trace-format.md
 * @property {number} id
 * @property {number | null} parent
 * @property {number | null} move
 * @property {Side | null} side
 * @property {Side | null} winner
 * @property {number | null} alpha
 * @property {number | null} beta
 * @property {number | null} value
 * @property {string} note
 * @property {number} entered
 * @property {number | null} left
 * @property {number[]} legal
 * @property {number[]} pruned
 * @property {string} cutoff
 *
 * A step of a search in words.
 * @typedef {object} ReplayStep
 * @property {string} kind enter, leave, cut; in a grown tree select, expand, simulate, backpropagate
 * @property {"node" | "pruned" | "more"} part the part of the tree that it makes visible
 * @property {number} node
 * @property {string} text
 * @property {string} tally
 * @property {boolean} mark whether it is a cutoff or the begin of a round
 * @property {Record<string, Record<string, string>>} writes new texts by node and name
 * @property {{text: string, choices: string[], right: number} | null} question for a reader who predicts the step
 * @property {{move: number, side: Side}[]} rollout
 *
 * @typedef {"depth_first" | "monte_carlo" | "proof_number"} TreeFamily
 * @typedef {object} Trace
 * @property {(Side | null)[]} cells
 * @property {string[]} names
 * @property {TreeFamily} family
 * @property {number[]} principal
 * @property {TraceNode[]} nodes
 * @property {boolean} is_whole
 * @property {ReplayStep[]} replay
 *
 * @typedef {{playthroughs: number, wins: number, draws: number, losses: number}} LearningPoint
 * @typedef {{curve: LearningPoint[], is_whole: boolean}} Learning
 * @typedef {{algorithm: string, game: string, playthroughs: number, exploration: number}} LearnOptions
 *
 * @typedef {object} ComparedSearch
 * @property {string} algorithm
 * @property {string} order
 * @property {string} label
 * @property {number | null} nodes
 * @property {number | null} reduction
 * @property {string} note
 * @typedef {{depth: number | null, rows: ComparedSearch[]}} Comparison
 *
 * @typedef {object} Playthrough
 * @property {string} game
 * @property {GameData} data
 * @property {string | null} start
 * @property {number[]} moves
 * @property {Record<string, string>} tags
 * @property {Outcome | null} outcome
 * @property {Record<string, string>} comments
 * @typedef {Playthrough & {id: number, x: string, o: string}} SavedPlaythrough
 *
 * @typedef {object} SavedGame
 * @property {number} id
 * @property {string} game
 * @property {string} title
 * @property {string} x
 * @property {string} o
 * @property {number} plies
 * @property {string} updated
 * @property {Outcome | null} outcome
 *
 * @typedef {PositionRequest & SaveOptions} SaveRequest
 * @typedef {object} SaveOptions
 * @property {string} key saving again with the same key changes the same game
 * @property {string} x
 * @property {string} o
 * @property {{reason: string, winner: Side | null} | null} result
 * @property {string | null} time_control
 * @property {(number | null)[]} clocks the mover's time after each move, in seconds
 *
 * @typedef {{lines: number, every: boolean, seconds: number, resumed?: boolean}} AnalyseOptions
 * @typedef {object} TraceOptions
 * @property {string} algorithm
 * @property {string} order
 * @property {number | null} depth of the search, or of the rollouts
 * @property {string} evaluate
 * @property {number} simulations
 * @property {number} nodes
 * @property {boolean} replay
 * @typedef {{depth: number | null, evaluate: string, seconds: number}} CompareOptions
 *
 * @typedef {object} ExportOptions
 * @property {Record<string, string>} tags
 * @property {Record<string, string>} comments
 * @property {"ngn" | "sgf"} format
 * @property {{reason: string, winner: Side | null} | null} result
 *
 * @typedef {"takeback" | "draw" | "rematch"} OfferName
 * @typedef {"here" | "away" | "open"} Presence
 * @typedef {{game: GameData, side: Side | "random", name: string, time_control: string | null}} FriendRequest
 * @typedef {{friend: string, side: Side, token: string}} JoinAnswer
 *
 * @typedef {object} FriendState
 * @property {number} version
 * @property {GameData} data
 * @property {Position} position
 * @property {Record<Side, string>} players
 * @property {Record<Side, Presence>} presence
 * @property {number} watching
 * @property {{what: OfferName, side: Side} | null} offer
 * @property {Outcome | null} outcome
 * @property {{control: string, left: Record<Side, number>, running: Side | null} | null} clock in seconds
 * @property {{won: Record<Side, number>, drawn: number}} series the score, with the games of which this is the rematch
 * @property {string | null} next
 *
 * @typedef {{size: number, path: string}} QrCode the dark modules as the path of an SVG
 */

/** A request that the server refused, with its message; status 0 if the server cannot be reached. */
export class Refused extends Error {
  /** @param {string} message @param {number} status */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** Attempts at a request that exceeds the rate limit, and the longest wait between them. */
const [MAX_TRIES, MAX_WAIT_SECONDS] = [3, 5];

/**
 * Send a request and return the answer. The caller names its type, which the server's tests check.
 * @template T
 * @param {string} method @param {string} path @param {unknown} [body]
 * @param {object} [options]
 * @param {AbortSignal} [options.signal]
 * @param {boolean} [options.isFinal] whether it is sent even if the page is being left
 * @param {number} [options.tries] attempts made so far
 * @returns {Promise<T>}
 */
async function ask(method, path, body, { signal, isFinal = false, tries = 1 } = {}) {
  const { status, answer, wait } = await send(method, path, body, { signal, isFinal }).catch((error) => {
    throw isAborted(error) ? error : new Refused("the server does not answer", 0);
  });
  if (status === 429 && tries < MAX_TRIES && wait > 0 && wait <= MAX_WAIT_SECONDS) {
    await sleep(wait * 1000);
    return ask(method, path, body, { signal, isFinal, tries: tries + 1 });
  }
  if (status >= 400) throw new Refused(answer.error ?? `the server answered ${status}`, status);
  return answer;
}

/** @type {Map<string, Promise<Game>>} */
const GAMES = new Map();
/** @type {Map<string, Promise<Position>>} */
const POSITIONS = new Map();
/** By date. @type {Map<string, Promise<Puzzle>>} */
const DAILY = new Map();
/** @type {Map<string, Promise<{puzzles: Puzzle[]}>>} */
const PUZZLES = new Map();
const MAX_CACHED = 500;

/**
 * Return a cached answer, or ask for it; a failed request can be sent again.
 * @template T
 * @param {Map<string, Promise<T>>} cache @param {string} key @param {() => Promise<T>} request
 */
function cached(cache, key, request) {
  const known = cache.get(key);
  if (known) return known;
  if (cache.size >= MAX_CACHED) cache.delete(/** @type {string} */ (cache.keys().next().value));
  const answer = request();
  cache.set(key, answer);
  answer.catch(() => cache.delete(key));
  return answer;
}

export const api = {
  /** @returns {Promise<About>} */
  about: () => ask("GET", "/api/about"),
  /** @returns {Promise<{games: CatalogueEntry[]}>} */
  catalogue: () => ask("GET", "/api/catalogue"),
  /** @param {GameData} game @returns {Promise<Game>} */
  game: (game) => cached(GAMES, JSON.stringify(game), () => ask("POST", "/api/game", { game })),
  /** @param {PositionRequest} position @returns {Promise<Position>} */
  position: (position) => cached(POSITIONS, JSON.stringify(position), () => ask("POST", "/api/position", position)),
  /**
   * @param {PositionRequest} position @param {string} level @param {ClockReading | null} clock
   * @param {AbortSignal} signal @returns {Promise<EngineMove>}
   */
  move: (position, level, clock, signal) => ask("POST", "/api/move", { ...position, level, clock }, { signal }),
  /** @param {PositionRequest} position @returns {Promise<Hint>} */
  hint: (position) => ask("POST", "/api/hint", { ...position, seconds: 1 }),
  /** @param {PositionRequest} position @param {AnalyseOptions} options @returns {Promise<AnalysisAnswer>} */
  analyse: (position, options) => ask("POST", "/api/analyse", { ...position, ...options }),
  /** @param {File} file @returns {Promise<ProofCheck>} */
  checkProof: (file) => ask("POST", "/api/proof", file),
  /** @returns {Promise<{puzzles: Puzzle[]}>} */
  puzzles: () => cached(PUZZLES, "all", () => ask("GET", "/api/puzzles")),
  /** The puzzle of a day, which is the same for everyone. @param {string} date `2026-11-16` @returns {Promise<Puzzle>} */
  dailyPuzzle: (date) => cached(DAILY, date, () => ask("GET", `/api/puzzles/daily?date=${date}`)),
  /** Make a puzzle of a position, if it has one solution. @param {PositionRequest} position @returns {Promise<{puzzle: Puzzle | null}>} */
  makePuzzle: (position) => ask("POST", "/api/puzzle", position),
  /** @param {SetupRequest} setup @returns {Promise<Position>} */
  setUp: (setup) => ask("POST", "/api/setup", setup),
  /**
   * @param {PositionRequest} position @param {TraceOptions} options @param {AbortSignal} signal
   * @returns {Promise<Trace>}
   */
  trace: (position, options, signal) => ask("POST", "/api/trace", { ...position, ...options }, { signal }),
  /** @param {LearnOptions} options @param {AbortSignal} signal @returns {Promise<Learning>} */
  learn: (options, signal) => ask("POST", "/api/learn", options, { signal }),
  /** @param {PositionRequest} position @param {CompareOptions} options @returns {Promise<Comparison>} */
  compare: (position, options) => ask("POST", "/api/compare", { ...position, ...options }),
  /** @param {string} text @returns {Promise<{plays: Playthrough[]}>} */
  import: (text) => ask("POST", "/api/import", { text }),
  /**
   * @param {PositionRequest} position @param {ExportOptions} options
   * @returns {Promise<{text: string, filename: string}>}
   */
  export: (position, options) => ask("POST", "/api/export", { ...position, ...options }),
  /** @returns {Promise<{games: SavedGame[]}>} */
  savedGames: () => ask("GET", "/api/games?limit=100"),
  /** @param {SaveRequest} play @returns {Promise<{id: number}>} */
  save: (play) => ask("POST", "/api/games", play),
  /** @param {number} id @param {SaveRequest} play @returns {Promise<{id: number}>} */
  update: (id, play) => ask("PUT", `/api/games/${id}`, play),
  /** @param {number} id @returns {Promise<SavedPlaythrough>} */
  savedGame: (id) => ask("GET", `/api/games/${id}`),
  /** @param {number} id @returns {Promise<{id: number}>} */
  deleteGame: (id) => ask("DELETE", `/api/games/${id}`, undefined, { isFinal: true }),
  /** @param {FriendRequest} request @returns {Promise<JoinAnswer & {invite: string}>} */
  createFriendGame: (request) => ask("POST", "/api/friends", request),
  /** @param {string} text @returns {Promise<QrCode>} */
  qr: (text) => ask("POST", "/api/qr", { text }),
  /** @param {string} friend @param {string} invite @param {string} name @returns {Promise<JoinAnswer>} */
  claim: (friend, invite, name) => ask("POST", `/api/friends/${encodeURIComponent(friend)}/claim`, { invite, name }),
  /** @param {string} friend @param {string} token @returns {Promise<FriendState>} */
  resign: (friend, token) =>
    ask("POST", `/api/friends/${encodeURIComponent(friend)}/resign`, { token }, { isFinal: true }),
};
