// @ts-check
// The core in WebAssembly, with the interface of noughts._core (src/noughts/_core.pyi). Call `load` first, with the
// bytes of noughts.wasm.
//
// Sides are 0 for X and 1 for O; null stands for None. Hashes are BigInts. Every failure is a CoreError, whose `kind` is
// the name of the exception that the same call raises in Python. Objects are freed when JavaScript collects them;
// `free` does it at once.

/** @typedef {{ [name: string]: (...numbers: (number | bigint)[]) => any }} Exports */
/** @typedef {{ report: ((reader: Reader) => unknown) | null, write: ((bytes: Uint8Array) => unknown) | null,
 *     read: ((size: number) => Uint8Array) | null, watch: (() => unknown) | null, raised: unknown[] }} Call */

const KINDS = ["", "ValueError", "RuntimeError", "MemoryError", "OSError", "Interrupted"];

export class CoreError extends Error {
  /** @param {string} kind @param {string} message */
  constructor(kind, message) {
    super(message);
    this.name = "CoreError";
    this.kind = kind;
  }
}

// --- the instance ---------------------------------------------------------------------------------------------------

/** @type {WebAssembly.Instance | null} */
let instance = null;
/** @type {(() => unknown) | null} */
let interrupt = null;
/** @type {Call[]} Stack of the running calls: a callback may call the core again. */
let calls = [];

const freed = new FinalizationRegistry(
  (/** @type {{ owner: WebAssembly.Instance, free: string, handle: number }} */ it) =>
    release(it.owner, it.free, it.handle),
);

/** Start the core. Objects of a core that was loaded earlier become invalid.
 * @param {BufferSource | WebAssembly.Module} source the bytes of noughts.wasm, or the module compiled from them */
export async function load(source) {
  const imports = { noughts: callbacks, wasi_snapshot_preview1: system };
  const started = await WebAssembly.instantiate(/** @type {BufferSource} */ (source), imports);
  instance = started instanceof WebAssembly.Instance ? started : started.instance;
  calls = [];
  exports()._initialize();
  readConstants();
}

/** Set a function that is called every few milliseconds while the core works; returning true stops the work.
 * @param {(() => unknown) | null} ask */
export function set_interrupt(ask) {
  interrupt = ask;
}

/** @returns {Exports} */
function exports() {
  if (!instance) throw new CoreError("RuntimeError", "the core is not loaded");
  return /** @type {Exports} */ (instance.exports);
}

/** @returns {ArrayBuffer} */
function memory() {
  return /** @type {WebAssembly.Memory} */ (/** @type {unknown} */ (exports().memory)).buffer;
}

/** @param {WebAssembly.Instance} owner @param {string} free @param {number} handle */
function release(owner, free, handle) {
  if (owner === instance) exports()[free](handle);
}

/** Call a function of the core with numbers and handles.
 * @param {string} name @param {...(number | bigint)} numbers */
function call(name, ...numbers) {
  let result;
  try {
    result = exports()[name](...numbers);
  } catch (failure) {
    if (failure instanceof CoreError) throw failure;
    instance = null;
    throw new CoreError("RuntimeError", `the core has failed and must be loaded again: ${failure}`);
  }
  const error = exports().take_error();
  if (error) throw new CoreError(KINDS[error], errorMessage());
  return result;
}

function errorMessage() {
  const { error_address, error_bytes } = exports();
  return new TextDecoder().decode(new Uint8Array(memory(), error_address() >>> 0, error_bytes() >>> 0));
}

/** Call a function of the core that may call back. An exception in a callback stops the work and is thrown afterwards.
 * @param {Partial<Call>} callbacks @param {string} name @param {...(number | bigint)} numbers */
function callWith(callbacks, name, ...numbers) {
  /** @type {Call} */
  const running = { report: null, write: null, read: null, watch: null, ...callbacks, raised: [] };
  calls.push(running);
  try {
    return call(name, ...numbers);
  } catch (failure) {
    throw running.raised.length ? running.raised[0] : failure;
  } finally {
    calls.pop();
    if (running.raised.length) throw running.raised[0];
  }
}

/** Run a callback; if it throws, return `failed` to the core.
 * @template Answer @param {(running: Call) => Answer} ask @param {Answer} failed @returns {Answer} */
function callBack(ask, failed) {
  const running = calls[calls.length - 1];
  if (running.raised.length) return failed;
  try {
    return ask(running);
  } catch (failure) {
    running.raised.push(failure);
    return failed;
  }
}

const callbacks = {
  report: () => callBack((running) => (running.report?.(new Reader()) === false ? 0 : 1), 0),
  interrupt() {
    if (!calls.length) return interrupt?.() ? 1 : 0;
    return callBack((running) => (running.watch?.(), interrupt?.() ? 1 : 0), 1);
  },
  /** @param {number} address @param {number} size */
  write: (address, size) =>
    callBack((running) => void running.write?.(new Uint8Array(memory(), address, size).slice()), undefined),
  /** @param {number} address @param {number} size */
  read: (address, size) =>
    callBack((running) => {
      const bytes = bytesOf("what read() returns", running.read?.(size)).subarray(0, size);
      new Uint8Array(memory(), address, size).set(bytes);
      return bytes.length;
    }, 0),
};

// The WASI calls of the C library: a clock, and standard streams that are always closed.
const BAD_FILE = 8;
const system = {
  /** @param {number} _clock @param {bigint} _precision @param {number} address */
  clock_time_get(_clock, _precision, address) {
    new DataView(memory()).setBigUint64(address, BigInt(Math.round(performance.now() * 1e6)), true);
    return 0;
  },
  fd_close: () => BAD_FILE,
  fd_seek: () => BAD_FILE,
  fd_write: () => BAD_FILE,
};

// --- the buffers ----------------------------------------------------------------------------------------------------

/** Fills the input of the core; see core/wasm/boundary.hpp. */
class Writer {
  /** @type {(number | Uint8Array)[]} */
  #parts = [];
  #words = 0;

  /** @param {string} what @param {unknown} value */
  number(what, value) {
    this.#add(integer(what, value));
    return this;
  }

  /** @param {string} what @param {unknown} values */
  list(what, values) {
    const items = listOf(what, values);
    this.#add(items.length);
    for (const item of items) this.number(what, item);
    return this;
  }

  /** @param {string} what @param {unknown} values */
  lists(what, values) {
    const items = listOf(what, values);
    this.#add(items.length);
    for (const item of items) this.list(what, item);
    return this;
  }

  /** @param {string} what @param {unknown} value */
  bytes(what, value) {
    const bytes = bytesOf(what, value);
    this.#add(bytes.length);
    this.#parts.push(bytes);
    this.#words += Math.ceil(bytes.length / 4);
    return this;
  }

  /** @param {unknown} value bytes, or null */
  network(value) {
    this.#add(value === null ? 0 : 1);
    return value === null ? this : this.bytes("a network", value);
  }

  send() {
    let address = call("prepare_input", this.#words) >>> 0;
    const view = new DataView(memory());
    for (const part of this.#parts)
      if (typeof part === "number") {
        view.setInt32(address, part, true);
        address += 4;
      } else {
        new Uint8Array(memory(), address, part.length).set(part);
        address += 4 * Math.ceil(part.length / 4);
      }
  }

  /** @param {number} number */
  #add(number) {
    this.#parts.push(number);
    this.#words += 1;
  }
}

/** Reads a copy of the core's output. */
class Reader {
  #view;
  #at = 0;

  constructor() {
    const { output_address, output_words } = exports();
    const start = output_address() >>> 0;
    this.#view = new DataView(memory().slice(start, start + 4 * output_words()));
  }

  number() {
    this.#at += 4;
    return this.#view.getInt32(this.#at - 4, true);
  }

  real() {
    this.#at += 8;
    return this.#view.getFloat64(this.#at - 8, true);
  }

  list() {
    return Array.from({ length: this.number() }, () => this.number());
  }

  lists() {
    return Array.from({ length: this.number() }, () => this.list());
  }

  bytes() {
    const size = this.number();
    const start = this.#at;
    this.#at += 4 * Math.ceil(size / 4);
    return new Uint8Array(this.#view.buffer, start, size);
  }

  text() {
    return new TextDecoder().decode(this.bytes());
  }
}

/** @param {string} name @param {...(number | bigint)} numbers */
function ask(name, ...numbers) {
  call(name, ...numbers);
  return new Reader();
}

// --- arguments ------------------------------------------------------------------------------------------------------

/** @param {unknown} value */
function described(value) {
  if (value === null || ["undefined", "boolean", "number", "bigint"].includes(typeof value)) return String(value);
  return typeof value === "string" ? JSON.stringify(value.slice(0, 40)) : typeof value;
}

/** @param {string} what @param {unknown} value @returns {never} */
function refuse(what, value) {
  throw new CoreError("TypeError", `expected ${what}, got ${described(value)}`);
}

/** @param {string} what @param {unknown} value */
function integer(what, value) {
  if (typeof value !== "number" || (value | 0) !== value) refuse(`${what} as a whole number of 32 bits`, value);
  return /** @type {number} */ (value);
}

/** @param {string} what @param {unknown} value */
function real(what, value) {
  return typeof value === "number" ? value : refuse(`${what} as a number`, value);
}

/** @param {string} what @param {unknown} value @returns {unknown[]} */
function listOf(what, value) {
  return Array.isArray(value) || ArrayBuffer.isView(value)
    ? /** @type {any} */ (value)
    : refuse(`${what} as an array`, value);
}

/** @param {string} what @param {unknown} value */
function bytesOf(what, value) {
  return value instanceof Uint8Array ? value : refuse(`${what} as a Uint8Array`, value);
}

/** @param {number} number of a side, cell or block, -1 for none */
function orNull(number) {
  return number < 0 ? null : number;
}

/** @param {bigint} value as the core returns it: signed */
function unsigned(value) {
  return BigInt.asUintN(64, value);
}

/** An object of the core. */
class Handle {
  #owner = instance;
  #handle;
  #free;
  #uses = 0;

  /** @param {number} handle @param {string} free the function that frees it */
  constructor(handle, free) {
    this.#handle = handle >>> 0;
    this.#free = free;
    freed.register(
      this,
      { owner: /** @type {WebAssembly.Instance} */ (this.#owner), free, handle: this.#handle },
      this,
    );
  }

  /** Free the memory of the core; the object cannot be used afterwards. */
  free() {
    if (this.#uses) throw new CoreError("RuntimeError", "this object is in use");
    if (this.#owner === instance && this.#handle) exports()[this.#free](this.#handle);
    this.#handle = 0;
    freed.unregister(this);
  }

  /** The address of an object; throws if it has another class or was freed.
   * @param {unknown} object @param {abstract new (...args: any[]) => Handle} kind @param {string} what */
  static of(object, kind, what) {
    return object instanceof kind ? object.at : refuse(what, object);
  }

  /** @returns {number} */
  get at() {
    if (!this.#handle) throw new CoreError("RuntimeError", "this object was freed");
    if (this.#owner !== instance) throw new CoreError("RuntimeError", "this object belongs to a core loaded before");
    return this.#handle;
  }

  /** Run work that must not be reentered from a callback.
   * @template Result @param {() => Result} work @returns {Result} */
  use(work) {
    if (this.#uses) throw new CoreError("RuntimeError", "this object is in use");
    this.#uses += 1;
    try {
      return work();
    } finally {
      this.#uses -= 1;
    }
  }
}

// --- games ----------------------------------------------------------------------------------------------------------

/** Weights of the evaluation, see noughts.games.evaluation. */
export class Weights {
  /** @param {ArrayLike<number>} line @param {ArrayLike<number>} outer @param {number} tempo @param {number} block
   * @param {number} free_move @param {number} exposed @param {number} threatened @param {number} lined_up */
  constructor(line, outer, tempo, block, free_move, exposed, threatened, lined_up) {
    this.line = line;
    this.outer = outer;
    this.numbers = [tempo, block, free_move, exposed, threatened, lined_up];
  }
}

/** The compiled rules of a game; made by `make_game`. */
export class Game extends Handle {}

/** @param {number} cells @param {ArrayLike<[ArrayLike<number>, ArrayLike<number>]>} lines with their guards
 * @param {ArrayLike<ArrayLike<number>>} rests_on @param {ArrayLike<number>} block_of @param {ArrayLike<number>} sends
 * @param {ArrayLike<ArrayLike<number>>} outer_lines @param {boolean} misere @param {boolean} counts_blocks
 * @param {boolean} keeps_won_blocks_open @param {Weights} weights @param {Uint8Array} network */
export function make_game(
  cells,
  lines,
  rests_on,
  block_of,
  sends,
  outer_lines,
  misere,
  counts_blocks,
  keeps_won_blocks_open,
  weights,
  network = new Uint8Array(),
) {
  if (!(weights instanceof Weights)) refuse("weights as Weights", weights);
  const input = new Writer().number("cells", cells);
  const pairs = listOf("lines", lines);
  input.number("lines", pairs.length);
  for (let i = 0; i < pairs.length; ++i) {
    const pair = listOf("a line with its guards", pairs[i]);
    input.list("a line", pair[0]).list("guards", pair[1]);
  }
  input.lists("rests_on", rests_on).list("block_of", block_of).list("sends", sends).lists("outer_lines", outer_lines);
  for (const flag of [misere, counts_blocks, keeps_won_blocks_open]) input.number("a flag", Number(Boolean(flag)));
  input.list("weights of lines", weights.line).list("weights of outer lines", weights.outer);
  for (const weight of weights.numbers) input.number("a weight", weight);
  input.bytes("a network", network).send();
  return new Game(call("make_game"), "game_free");
}

/** The symmetries of a game, as permutations of its cells. */
export class Symmetry extends Handle {
  /** @param {Game} game @param {ArrayLike<ArrayLike<number>>} geometric @param {number} limit */
  constructor(game, geometric, limit = 10000) {
    const at = gameAt(game);
    new Writer().lists("permutations", geometric).send();
    super(callWith({}, "symmetry_new", at, integer("a limit", limit)), "symmetry_free");
  }

  get orbit_sizes() {
    return ask("symmetry_orbit_sizes", this.at).list();
  }
  get generators() {
    return ask("symmetry_generators", this.at).lists();
  }
  get elements() {
    return ask("symmetry_elements", this.at).lists();
  }
  /** @returns {number} */
  get size() {
    return call("symmetry_size", this.at) >>> 0;
  }
  get note() {
    return ask("symmetry_note", this.at).text();
  }
  /** @returns {number} */
  get bytes() {
    return call("symmetry_bytes", this.at) >>> 0;
  }

  /** @param {Position} position */
  canonical_hash(position) {
    return unsigned(call("symmetry_canonical_hash", this.at, positionAt(position)));
  }

  /** The least of all symmetric images: marks, block to play, owners, and the permutation from cells of the image.
   * @param {Position} position @returns {[number[], number, number[], number[]]} */
  least_image(position) {
    const found = ask("symmetry_least_image", this.at, positionAt(position));
    return [found.list(), found.number(), found.list(), found.list()];
  }
}

export class Position extends Handle {
  /** The start of a game, a copy of a position, or a position with these marks.
   * @param {Game | Position} from @param {ArrayLike<number>} [cells] @param {number} [turn]
   * @param {number} [block_to_play] @param {ArrayLike<number>} [owners] */
  constructor(from, cells, turn, block_to_play, owners) {
    super(newPosition(from, cells, turn, block_to_play, owners), "position_free");
  }

  /** @param {number} move */
  play(move) {
    if (!call("position_play", this.at, integer("a move", move))) throw new CoreError("ValueError", "illegal move");
  }
  /** @returns {number} */
  undo() {
    return call("position_undo", this.at);
  }
  /** @param {number} move @returns {boolean} */
  is_legal(move) {
    return Boolean(call("position_is_legal", this.at, integer("a move", move)));
  }
  /** The number of playthroughs of `depth` plies; exact up to 2^53.
   * @param {number} depth @returns {number} */
  perft(depth) {
    return callWith({}, "position_perft", this.at, integer("a depth", depth));
  }
  /** @param {number} side @param {boolean} playable */
  _completing(side, playable) {
    return ask("position_completing", this.at, integer("a side", side), Number(Boolean(playable))).list();
  }
  /** @param {Position} other @returns {boolean} */
  _same(other) {
    return Boolean(call("position_same", this.at, positionAt(other)));
  }

  get legal_moves() {
    return ask("position_legal_moves", this.at).list();
  }
  get moves() {
    return ask("position_moves", this.at).list();
  }
  /** @returns {number} */
  get ply() {
    return call("position_ply", this.at);
  }
  get last_move() {
    return orNull(call("position_last_move", this.at));
  }
  get turn() {
    return this.is_over ? null : this.side_to_move;
  }
  /** @returns {number} */
  get side_to_move() {
    return call("position_side_to_move", this.at);
  }
  get is_over() {
    return Boolean(call("position_is_over", this.at));
  }
  get winner() {
    return orNull(call("position_winner", this.at));
  }
  get _line_winner() {
    return orNull(call("position_line_winner", this.at));
  }
  get cells() {
    return ask("position_cells", this.at).list().map(orNull);
  }
  get blocks() {
    return ask("position_blocks", this.at).list().map(orNull);
  }
  get open_blocks() {
    return ask("position_open_blocks", this.at).list();
  }
  get block_to_play() {
    return orNull(call("position_block_to_play", this.at));
  }
  get hash() {
    return unsigned(call("position_hash", this.at));
  }
  get _key() {
    return unsigned(call("position_key", this.at));
  }
  /** @returns {number} */
  get _score() {
    return call("position_score", this.at);
  }
  get _winning_line() {
    return ask("position_winning_line", this.at).list();
  }
  /** @returns {number} */
  get _bytes() {
    return call("position_bytes", this.at) >>> 0;
  }
}

/** @param {unknown} from @param {unknown} cells @param {unknown} turn @param {unknown} block_to_play
 * @param {unknown} owners @returns {number} */
function newPosition(from, cells, turn, block_to_play, owners) {
  if (from instanceof Position) return call("position_copy", from.at);
  const game = gameAt(from);
  if (cells === undefined) return call("position_new", game);
  new Writer().list("cells", cells).list("owners", owners).send();
  return call("position_set_up", game, integer("a side", turn), integer("a block", block_to_play));
}

/** @param {unknown} game */
function gameAt(game) {
  return Handle.of(game, Game, "a Game");
}

/** @param {unknown} position */
function positionAt(position) {
  return Handle.of(position, Position, "a Position");
}

/** @param {unknown} symmetry or null */
function symmetryAt(symmetry) {
  return symmetry === null ? 0 : Handle.of(symmetry, Symmetry, "a Symmetry");
}

/** @param {Game} game @returns {number} */
export function planes_of(game) {
  return call("planes_of", gameAt(game));
}

/** The planes of a position, one after the other. @param {Position} position */
export function planes(position) {
  return ask("fill_planes", positionAt(position)).bytes();
}

/** 1 for each legal move. @param {Position} position */
export function legal_mask(position) {
  return ask("fill_legal_mask", positionAt(position)).bytes();
}

// --- searches -------------------------------------------------------------------------------------------------------

/** @typedef {{ move: number, score: number, proven: boolean, pv: number[] }} RootVariation */
/** @typedef {{ depth: number, nodes: number, seconds: number, hashfull: number, lines: RootVariation[] }} Report */

/** @param {Reader} found @returns {Report} */
function reportIn(found) {
  return {
    depth: found.number(),
    nodes: found.real(),
    seconds: found.real(),
    hashfull: found.number(),
    lines: Array.from({ length: found.number() }, () => ({
      move: found.number(),
      score: found.number(),
      proven: found.number() !== 0,
      pv: found.list(),
    })),
  };
}

/** The playing search, with its table. There is one thread. */
export class Engine extends Handle {
  /** @param {number} threads @param {number} megabytes
   * @param {Uint8Array | null} network null for that of each game, empty for none */
  constructor(threads, megabytes, network = null) {
    new Writer().network(network).send();
    super(call("engine_new", integer("threads", threads), integer("megabytes", megabytes)), "engine_free");
  }

  /** A limit of 0 means none; `progress` returns false to end the search.
   * @param {Position} position @param {number} seconds @param {number} depth @param {number} nodes
   * @param {number} lines @param {((report: Report) => unknown) | null} progress @param {Symmetry | null} symmetry
   * @param {ArrayLike<[number, number]>} known @param {boolean} prompt @param {number} target @returns {Report} */
  search(position, seconds, depth, nodes, lines, progress, symmetry = null, known = [], prompt = false, target = 0) {
    const numbers = [
      this.at,
      positionAt(position),
      real("seconds", seconds),
      integer("depth", depth),
      real("nodes", nodes),
      integer("lines", lines),
      Number(progress !== null),
      symmetryAt(symmetry),
      Number(Boolean(prompt)),
      real("a target", target),
    ];
    const pairs = Array.from(listOf("known moves", known), (pair) => listOf("a known move with its score", pair));
    return this.use(() => {
      new Writer()
        .list(
          "known moves",
          pairs.flatMap((pair) => [pair[0], pair[1]]),
        )
        .send();
      callWith({ report: progress && ((found) => progress(reportIn(found))) }, "engine_search", ...numbers);
      return reportIn(new Reader());
    });
  }

  stop() {
    call("engine_stop", this.at);
  }
  clear() {
    this.use(() => call("engine_clear", this.at));
  }
  /** @param {Game} game @returns {number} */
  spread(game) {
    return call("engine_spread", this.at, gameAt(game));
  }
}

/** The best score at a fixed depth, all moves that have it, and the nodes; `watch` may throw to end it.
 * @param {Position} position @param {number} depth @param {Symmetry | null} symmetry
 * @param {(() => unknown) | null} watch @param {number} nodes @returns {[number, number[], number]} */
export function fixed_depth_best_moves(position, depth, symmetry, watch = null, nodes = 0) {
  const numbers = [positionAt(position), integer("depth", depth), symmetryAt(symmetry), real("nodes", nodes)];
  callWith({ watch }, "fixed_depth_best_moves", ...numbers);
  const found = new Reader();
  return [found.number(), found.list(), found.real()];
}

/** @param {Position} position @param {number} nodes */
export function forced_win(position, nodes) {
  return ask("forced_win", positionAt(position), integer("nodes", nodes)).list();
}

/** @param {Position} position @param {number} nodes @returns {[number, number[]]} */
export function fork_threat_win(position, nodes) {
  const found = ask("fork_threat_win", positionAt(position), integer("nodes", nodes));
  return [found.number(), found.list()];
}

/** @param {Position} position @param {Uint8Array | null} network @returns {number} */
export function estimate(position, network = null) {
  const at = positionAt(position);
  new Writer().network(network).send();
  return call("estimate", at);
}

export function instruction_set() {
  return ask("instruction_set").text();
}

export function instruction_sets() {
  const found = ask("instruction_sets");
  return Array.from({ length: found.number() }, () => found.text());
}

/** @param {string} name */
export function set_instruction_set(name) {
  new Writer().bytes("a name", new TextEncoder().encode(String(name))).send();
  call("set_instruction_set");
}

// --- the solver -----------------------------------------------------------------------------------------------------

/** `share` is the estimated share of the work that is done, and its range; null while it is unknown.
 * @typedef {{ nodes: number, seconds: number, attacker: number, proof: number, disproof: number, hashfull: number,
 *     table_bytes: number, share: number[] | null, line: number[] }} SolveProgress */
/** @typedef {{ lower: number, upper: number, move: number, move_is_proven: boolean, nodes: number,
 *     seconds: number }} SolveResult */

/** @param {Reader} found @returns {SolveProgress} */
function progressIn(found) {
  return {
    nodes: found.real(),
    seconds: found.real(),
    attacker: found.number(),
    proof: found.real(),
    disproof: found.real(),
    hashfull: found.number(),
    table_bytes: found.real(),
    share: shareIn(found),
    line: found.list(),
  };
}

/** @param {Reader} found */
function shareIn(found) {
  const share = [found.real(), found.real(), found.real()];
  return share[2] > 0 ? share : null;
}

/** Solves one position, in one or several runs. */
export class Solver extends Handle {
  #reporting = false;

  /** @param {Position} position @param {Symmetry} symmetry @param {number} megabytes */
  constructor(position, symmetry, megabytes) {
    const of = Handle.of(symmetry, Symmetry, "a Symmetry");
    super(call("solver_new", positionAt(position), of, integer("megabytes", megabytes)), "solver_free");
  }

  /** @param {number} seconds @param {number} nodes @param {((progress: SolveProgress) => unknown) | null} progress
   * @returns {SolveResult} */
  solve(seconds, nodes, progress) {
    const limits = [real("seconds", seconds), real("nodes", nodes), Number(progress !== null)];
    const report = progress && ((/** @type {Reader} */ found) => this.#report(progress, progressIn(found)));
    return this.use(() => {
      callWith({ report }, "solver_solve", this.at, ...limits);
      const found = new Reader();
      return {
        lower: found.number(),
        upper: found.number(),
        move: found.number(),
        move_is_proven: found.number() !== 0,
        nodes: found.real(),
        seconds: found.real(),
      };
    });
  }

  /** @param {(progress: SolveProgress) => unknown} progress @param {SolveProgress} found */
  #report(progress, found) {
    this.#reporting = true;
    try {
      return progress(found);
    } finally {
      this.#reporting = false;
    }
  }

  /** @param {Position} position @returns {boolean} */
  turn_to(position) {
    return this.use(() => Boolean(call("solver_turn_to", this.at, positionAt(position))));
  }

  /** The text of the certificate and the symmetries it refers to. @returns {[string, number[][]]} */
  certificate() {
    return this.use(() => {
      callWith({}, "solver_certificate", this.at);
      const found = new Reader();
      return [found.text(), found.lists()];
    });
  }

  stop() {
    call("solver_stop", this.at);
  }

  /** Save the table by calls of `write(bytes)`. May be called from `progress`.
   * @param {(bytes: Uint8Array) => unknown} write */
  save(write) {
    const save = () => void callWith({ write }, "solver_save", this.at);
    return this.#reporting ? save() : this.use(save);
  }

  /** @param {(size: number) => Uint8Array} read returns at most `size` bytes, none at the end */
  load(read) {
    return this.use(() => void callWith({ read }, "solver_load", this.at));
  }
}

// --- constants ------------------------------------------------------------------------------------------------------

export let MAX_CELLS = 0;
export let MAX_LINES = 0;
export let MAX_LINE_LENGTH = 0;
export let MAX_GUARDS = 0;
export let MAX_THREADS = 0;
export let WIN = 0;
export let DECIDED = 0;
export let BELIEVED = 0;

function readConstants() {
  const found = ask("constants");
  [MAX_CELLS, MAX_LINES, MAX_LINE_LENGTH, MAX_GUARDS, MAX_THREADS, WIN, DECIDED, BELIEVED] = Array.from(
    { length: 8 },
    () => found.number(),
  );
}
