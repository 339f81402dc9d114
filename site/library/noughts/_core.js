// @ts-check
// The module noughts._core (src/noughts/_core.pyi) for translated Python. Call `load` before the first Python module is
// imported.
import {
  builtins,
  cls,
  error,
  float,
  fn,
  integer,
  isInstance,
  isText,
  number,
  property,
  text,
  tuple,
} from "../../../pyjs/runtime/index.js";
import { Handle, Reader, Writer, ask, call, callWith, int32, listOf, refuse, start } from "../../core.js";

export let $MAX_CELLS = 0;
export let $MAX_LINES = 0;
export let $MAX_LINE_LENGTH = 0;
export let $MAX_GUARDS = 0;
export let $MAX_THREADS = 0;
export let $WIN = 0;
export let $DECIDED = 0;
export let $BELIEVED = 0;
export const $SANITIZED = false;
export const $MAX_BATCH = 4096;

/** @param {BufferSource | WebAssembly.Module} source the bytes of noughts.wasm, or the module compiled from them */
export async function load(source) {
  await start(source);
  const found = ask("constants");
  const next = () => found.number();
  [$MAX_CELLS, $MAX_LINES, $MAX_LINE_LENGTH, $MAX_GUARDS] = [next(), next(), next(), next()];
  [$MAX_THREADS, $WIN, $DECIDED, $BELIEVED] = [next(), next(), next(), next()];
}

// --- values ---------------------------------------------------------------------------------------------------------

/** @type {any[]} The enumeration of sides, X first. */
let sides = [null, null];

/** @param {any} x @param {any} o */
export function $register_sides(x, o) {
  sides = [x, o];
  return null;
}

/** @param {number} number -1 for none */
const sideOf = (number) => sides[number] ?? null;
/** @param {number} number of a cell or block, -1 for none */
const orNull = (number) => (number < 0 ? null : number);
/** @param {bigint} value as the core returns it: signed */
const unsigned = (value) => integer(BigInt.asUintN(64, value));
/** @param {unknown} value */
const flag = (value) => Number(Boolean(value));

/** The address of an object of the core. @param {any} object @param {any} kind its class */
const addressOf = (object, kind) =>
  object instanceof kind ? object.handle.at : refuse(`a ${kind.$__name__}`, object);
/** @param {any} game */
const gameAt = (game) => addressOf(game, $Game);
/** @param {any} position */
const positionAt = (position) => addressOf(position, $Position);
/** @param {any} symmetry or null */
const symmetryAt = (symmetry) => (symmetry === null ? 0 : addressOf(symmetry, $Symmetry));

/** An attribute that a function of the core returns. @param {string} name @param {(result: any) => any} convert */
const computed = (name, convert = (result) => result) =>
  property(
    /** @this {any} */ function () {
      return convert(call(name, this.handle.at));
    },
  );

/** An attribute that a function of the core writes to its output. @param {string} name @param {(found: Reader) => any} read */
const written = (name, read = (found) => found.list()) =>
  property(
    /** @this {any} */ function () {
      return read(ask(name, this.handle.at));
    },
  );

// --- games ----------------------------------------------------------------------------------------------------------

export const $Weights = cls("Weights", [], {
  $__init__: fn(
    "__init__",
    "line outer tempo block free_move exposed threatened lined_up",
    /** @this {any} @param {any[]} numbers */ function (line, outer, ...numbers) {
      Object.assign(this, { line, outer, numbers });
      return null;
    },
  ),
});

export const $Game = cls("Game", [], {});

const RULES =
  "cells lines rests_on block_of sends outer_lines misere counts_blocks keeps_won_blocks_open weights network";

export const $make_game = fn("make_game", RULES, (cells, lines, rests_on, block_of, sends, outer_lines, ...rest) => {
  const [weights, network = new Uint8Array()] = rest.splice(3);
  if (!isInstance(weights, $Weights)) refuse("weights as Weights", weights);
  const input = new Writer().number("cells", cells);
  input.number("lines", listOf("lines", lines).length);
  for (const pair of lines) {
    const [line, guards] = listOf("a line with its guards", pair);
    input.list("a line", line).list("guards", guards);
  }
  input.lists("rests_on", rests_on).list("block_of", block_of).list("sends", sends).lists("outer_lines", outer_lines);
  for (const rule of rest) input.number("a flag", flag(rule));
  input.list("weights of lines", weights.line).list("weights of outer lines", weights.outer);
  for (const weight of weights.numbers) input.number("a weight", weight);
  input.bytes("a network", network).send();
  const game = $Game();
  game.handle = new Handle(call("make_game"), "game_free");
  return game;
});

/** @param {any} game */
export const $planes_of = (game) => call("planes_of", gameAt(game));

export const $Symmetry = cls("Symmetry", [], {
  $__init__: fn("__init__", "game geometric limit", function (game, geometric, limit = 10000) {
    const at = gameAt(game);
    new Writer().lists("permutations", geometric).send();
    this.handle = new Handle(callWith({}, "symmetry_new", at, int32("a limit", limit)), "symmetry_free");
    return null;
  }),
  $orbit_sizes: written("symmetry_orbit_sizes"),
  $generators: written("symmetry_generators", (found) => found.lists()),
  $elements: written("symmetry_elements", (found) => found.lists()),
  $size: computed("symmetry_size", (size) => size >>> 0),
  $note: written("symmetry_note", (found) => found.text()),
  $bytes: computed("symmetry_bytes", (size) => size >>> 0),
  /** @this {any} @param {any} position */
  $canonical_hash(position) {
    return unsigned(call("symmetry_canonical_hash", this.handle.at, positionAt(position)));
  },
  /** @this {any} @param {any} position */
  $least_image(position) {
    const found = ask("symmetry_least_image", this.handle.at, positionAt(position));
    return tuple([found.list(), found.number(), found.list(), found.list()]);
  },
});

// --- positions ------------------------------------------------------------------------------------------------------

/** The cell that a move names, or null if it is a number that no cell has. @param {any} position @param {any} move */
function cellOf(position, move) {
  if (isText(move)) return position.$parse_move(move);
  if (typeof move === "number" && Number.isInteger(move)) return move >= 0 && move < $MAX_CELLS ? move : null;
  return typeof move === "bigint" ? null : refuse("a move as a cell number or as text", move);
}

/** The address of a new position.
 * @param {any} [from] a game, or a position to copy @param {any} [cells] @param {any} [turn] @param {any} [block_to_play]
 * @param {any} [owners] @returns {number} */
function newPosition(from, cells, turn, block_to_play, owners) {
  if (from instanceof $Position) return call("position_copy", positionAt(from));
  const game = gameAt(from);
  if (cells === undefined) return call("position_new", game);
  new Writer().list("cells", cells).list("owners", owners).send();
  return call("position_set_up", game, int32("a side", turn), int32("a block", block_to_play));
}

export const $Position = cls("Position", [], {
  $__init__: fn("__init__", "game cells turn block_to_play owners", function (...from) {
    this.handle = new Handle(newPosition(...from), "position_free");
    return null;
  }),
  /** @this {any} @param {any} move */
  $play(move) {
    const cell = cellOf(this, move);
    if (cell !== null && call("position_play", this.handle.at, cell)) return null;
    this.$_refuse?.(move);
    throw error("ValueError", "illegal move");
  },
  /** @this {any} */
  $undo() {
    return call("position_undo", this.handle.at);
  },
  /** @this {any} @param {any} move */
  $is_legal(move) {
    if (isText(move)) refuse("a move as a cell number", move);
    const cell = cellOf(this, move);
    return cell !== null && Boolean(call("position_is_legal", this.handle.at, cell));
  },
  /** @this {any} @param {number} depth */
  $perft(depth) {
    return callWith({}, "position_perft", this.handle.at, int32("a depth", depth));
  },
  $_completing: fn("_completing", "side playable", function (side, playable) {
    return ask("position_completing", this.handle.at, int32("a side", side), flag(playable)).list();
  }),
  /** @this {any} @param {any} other */
  $_same(other) {
    return Boolean(call("position_same", this.handle.at, positionAt(other)));
  },
  $legal_moves: written("position_legal_moves"),
  $moves: written("position_moves"),
  $ply: computed("position_ply"),
  $last_move: computed("position_last_move", orNull),
  get $turn() {
    return this.$is_over ? null : this.$side_to_move;
  },
  $side_to_move: computed("position_side_to_move", sideOf),
  $is_over: computed("position_is_over", Boolean),
  $winner: computed("position_winner", sideOf),
  $_line_winner: computed("position_line_winner", sideOf),
  $cells: written("position_cells", (found) => found.list().map(sideOf)),
  $blocks: written("position_blocks", (found) => found.list().map(sideOf)),
  $open_blocks: written("position_open_blocks"),
  $block_to_play: computed("position_block_to_play", orNull),
  $hash: computed("position_hash", unsigned),
  $_key: computed("position_key", unsigned),
  $_score: computed("position_score"),
  $_winning_line: written("position_winning_line"),
  $_bytes: computed("position_bytes", (size) => size >>> 0),
});

// --- tables ---------------------------------------------------------------------------------------------------------

const MAX_TABLES_MB = 256;
/** @type {Set<WeakRef<any>>} Engines and solvers with a table, the least recently used first. */
const holders = new Set();

/** The object of the core that holds the table of an engine or a solver. JavaScript does not see how large tables are,
 * and would collect them too late: those used least recently are freed, and made again, empty, when they are needed.
 * @param {any} owner with the megabytes of its table, and a function that makes it */
function tableOf(owner) {
  holders.delete(owner.reference);
  owner.handle ??= makeTable(owner);
  holders.add((owner.reference ??= new WeakRef(owner)));
  return owner.handle;
}

/** @param {any} owner */
function makeTable(owner) {
  freeTables(MAX_TABLES_MB - owner.megabytes);
  try {
    return owner.make();
  } catch (problem) {
    if (!isInstance(problem, builtins.$MemoryError)) throw problem;
    freeTables(0);
    return owner.make();
  }
}

/** Free tables until the others take no more than some megabytes. @param {number} most */
function freeTables(most) {
  for (const reference of holders) if (!reference.deref()) holders.delete(reference);
  const living = Array.from(holders, (reference) => reference.deref());
  let used = living.reduce((sum, owner) => sum + owner.megabytes, 0);
  for (const owner of living) {
    if (used <= most) return;
    if (owner.isBusy) continue;
    owner.handle.free();
    owner.handle = null;
    holders.delete(owner.reference);
    used -= owner.megabytes;
  }
}

/** Work with a table, which must neither be freed nor used by a callback meanwhile.
 * @template Result @param {any} owner @param {(address: number) => Result} work @returns {Result} */
function useTable(owner, work) {
  if (owner.isBusy) throw error("RuntimeError", "this object is in use");
  const { at } = tableOf(owner);
  owner.isBusy = true;
  try {
    return work(at);
  } finally {
    owner.isBusy = false;
  }
}

// --- searches -------------------------------------------------------------------------------------------------------

/** @param {Reader} found */
const reportIn = (found) => ({
  $depth: found.number(),
  $nodes: found.real(),
  $seconds: float(found.real()),
  $hashfull: found.number(),
  $lines: Array.from({ length: found.number() }, () => ({
    $move: found.number(),
    $score: found.number(),
    $proven: found.number() !== 0,
    $pv: found.list(),
  })),
});

export const $Engine = cls("Engine", [], {
  $__init__: fn("__init__", "threads megabytes network", function (threads, megabytes, network = null) {
    this.megabytes = megabytes;
    this.make = () => {
      new Writer().network(network).send();
      const address = call("engine_new", int32("threads", threads), int32("megabytes", megabytes));
      return new Handle(address, "engine_free");
    };
    tableOf(this);
    return null;
  }),
  $search: fn(
    "search",
    "position seconds depth nodes lines progress symmetry known prompt target",
    /** @this {any} */ function (
      position,
      seconds,
      depth,
      nodes,
      lines,
      progress,
      symmetry = null,
      known = [],
      ...rest
    ) {
      const [prompt = false, target = 0] = rest;
      const limits = [number(seconds), int32("depth", depth), number(nodes), int32("lines", lines)];
      const options = [flag(progress !== null), symmetryAt(symmetry), flag(prompt), number(target)];
      const pairs = listOf("known moves", known).flatMap((pair) => listOf("a known move with its score", pair));
      return useTable(this, (at) => {
        new Writer().list("known moves", pairs).send();
        const report = progress && ((/** @type {Reader} */ found) => progress(reportIn(found)));
        callWith({ report }, "engine_search", at, positionAt(position), ...limits, ...options);
        return reportIn(new Reader());
      });
    },
  ),
  /** @this {any} */
  $stop() {
    if (this.handle) call("engine_stop", this.handle.at);
    return null;
  },
  /** @this {any} */
  $clear() {
    useTable(this, (at) => call("engine_clear", at));
    return null;
  },
  /** @this {any} @param {any} game */
  $spread(game) {
    return call("engine_spread", tableOf(this).at, gameAt(game));
  },
});

export const $Mcts = cls("Mcts", [], {
  $__init__() {
    throw error("RuntimeError", "a page has no tree search with an evaluation");
  },
});

export const $fixed_depth_best_moves = fn(
  "fixed_depth_best_moves",
  "position depth symmetry watch nodes",
  (position, depth, symmetry, watch = null, nodes = 0) => {
    const numbers = [positionAt(position), int32("depth", depth), symmetryAt(symmetry), number(nodes)];
    callWith({ watch }, "fixed_depth_best_moves", ...numbers);
    const found = new Reader();
    return tuple([found.number(), found.list(), found.real()]);
  },
);
/** @param {any} position @param {number} nodes */
export const $forced_win = (position, nodes) => ask("forced_win", positionAt(position), int32("nodes", nodes)).list();
/** @param {any} position @param {number} nodes */
export function $fork_threat_win(position, nodes) {
  const found = ask("fork_threat_win", positionAt(position), int32("nodes", nodes));
  return tuple([found.number(), found.list()]);
}
export const $estimate = fn("estimate", "position network", (position, network = null) => {
  const at = positionAt(position);
  new Writer().network(network).send();
  return call("estimate", at);
});
export const $instruction_set = () => ask("instruction_set").text();
export function $instruction_sets() {
  const found = ask("instruction_sets");
  return Array.from({ length: found.number() }, () => found.text());
}
/** @param {any} name */
export function $set_instruction_set(name) {
  new Writer().bytes("a name", new TextEncoder().encode(text(name))).send();
  call("set_instruction_set");
  return null;
}

// --- the solver -----------------------------------------------------------------------------------------------------

/** `$share` is the estimated share of the work that is done, and its range; null while it is unknown.
 * @param {Reader} found */
const progressIn = (found) => ({
  $nodes: found.real(),
  $seconds: float(found.real()),
  $attacker: sideOf(found.number()),
  $proof: found.real(),
  $disproof: found.real(),
  $hashfull: found.number(),
  $table_bytes: found.real(),
  $share: shareIn(found),
  $line: found.list(),
});

/** @param {Reader} found */
function shareIn(found) {
  const share = [found.real(), found.real(), found.real()];
  return share[2] > 0 ? tuple(share.map(float)) : null;
}

export const $Solver = cls("Solver", [], {
  $__init__: fn("__init__", "position symmetry megabytes", function (position, symmetry, megabytes) {
    this.megabytes = megabytes;
    this.root = $Position(position);
    this.make = () => {
      const numbers = [addressOf(symmetry, $Symmetry), int32("megabytes", megabytes)];
      return new Handle(call("solver_new", positionAt(this.root), ...numbers), "solver_free");
    };
    tableOf(this);
    return null;
  }),
  $solve: fn("solve", "seconds nodes progress", function (seconds, nodes, progress) {
    const limits = [number(seconds), number(nodes), flag(progress !== null)];
    const report = progress && ((/** @type {Reader} */ found) => progress(progressIn(found)));
    return useTable(this, (at) => {
      callWith({ report }, "solver_solve", at, ...limits);
      const found = new Reader();
      return {
        $lower: found.number(),
        $upper: found.number(),
        $move: found.number(),
        $move_is_proven: found.number() !== 0,
        $nodes: found.real(),
        $seconds: float(found.real()),
      };
    });
  }),
  /** @this {any} @param {any} position */
  $turn_to(position) {
    const isPossible = useTable(this, (at) => Boolean(call("solver_turn_to", at, positionAt(position))));
    if (isPossible) this.root = $Position(position);
    return isPossible;
  },
  /** @this {any} */
  $certificate() {
    if (!this.handle) throw error("RuntimeError", "the table with the proof was freed");
    return useTable(this, (at) => {
      callWith({}, "solver_certificate", at);
      const found = new Reader();
      return tuple([found.text(), found.lists()]);
    });
  },
  /** @this {any} */
  $stop() {
    if (this.handle) call("solver_stop", this.handle.at);
    return null;
  },
  /** @this {any} @param {any} write */
  $save(write) {
    useTable(this, (at) => callWith({ write }, "solver_save", at));
    return null;
  },
  /** @this {any} @param {any} read */
  $load(read) {
    useTable(this, (at) => callWith({ read }, "solver_load", at));
    return null;
  },
});
