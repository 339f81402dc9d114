// @ts-check
// The compiled core for translated Python: the names of src/noughts/_core.pyi over those of site/core.js. The core must
// be loaded before the first Python module is imported.
import * as core from "../../core.js";
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

export {
  MAX_CELLS as $MAX_CELLS,
  MAX_LINES as $MAX_LINES,
  MAX_LINE_LENGTH as $MAX_LINE_LENGTH,
  MAX_GUARDS as $MAX_GUARDS,
  MAX_THREADS as $MAX_THREADS,
  WIN as $WIN,
  DECIDED as $DECIDED,
  BELIEVED as $BELIEVED,
} from "../../core.js";
export const $SANITIZED = false;
export const $MAX_BATCH = 4096;

/** Call the core; its errors become Python's. @template T @param {() => T} work @returns {T} */
function ask(work) {
  try {
    return work();
  } catch (problem) {
    if (!(problem instanceof core.CoreError)) throw problem;
    throw error(problem.kind === "Interrupted" ? "KeyboardInterrupt" : problem.kind, problem.message);
  }
}

// --- games and positions --------------------------------------------------------------------------------------------

/** @type {any[]} The enumeration of sides, X first. */
let sides = [null, null];

/** @param {any} x @param {any} o */
export function $register_sides(x, o) {
  sides = [x, o];
  return null;
}

/** @param {number | null} number */
const sideOf = (number) => (number === null ? null : sides[number]);

export const $Weights = cls("Weights", [], {
  $__init__: fn(
    "__init__",
    "line outer tempo block free_move exposed threatened lined_up",
    /** @this {any} @param {any[]} weights */ function (...weights) {
      this.core = new core.Weights(.../** @type {[any, any, any, any, any, any, any, any]} */ (weights));
      return null;
    },
  ),
});

export const $Game = cls("Game", [], {});

const RULES =
  "cells lines rests_on block_of sends outer_lines misere counts_blocks keeps_won_blocks_open weights network";

export const $make_game = fn("make_game", RULES, (...rules) => {
  const [weights, network = new Uint8Array()] = rules.splice(9);
  const game = $Game();
  const make = /** @type {(...rules: any[]) => any} */ (core.make_game);
  game.core = ask(() => make(...rules, weights.core, network));
  return game;
});

/** @param {any} game */
export const $planes_of = (game) => ask(() => core.planes_of(game.core));

/** A property that asks the core. @param {(owner: any) => any} find */
const asking = (find) =>
  property(
    /** @this {any} */ function () {
      return ask(() => find(this.core));
    },
  );

export const $Symmetry = cls("Symmetry", [], {
  $__init__: fn("__init__", "game geometric limit", function (game, geometric, limit) {
    this.core = ask(() => new core.Symmetry(game.core, geometric, limit));
    return null;
  }),
  $orbit_sizes: asking((it) => it.orbit_sizes),
  $generators: asking((it) => it.generators),
  $elements: asking((it) => it.elements),
  $size: asking((it) => it.size),
  $note: asking((it) => it.note),
  $bytes: asking((it) => it.bytes),
  /** @this {any} @param {any} position */
  $canonical_hash(position) {
    return ask(() => integer(this.core.canonical_hash(position.core)));
  },
  /** @this {any} @param {any} position */
  $least_image(position) {
    return ask(() => tuple(this.core.least_image(position.core)));
  },
});

/** The cell that a move names, or null if it is a number that no cell has. @param {any} position @param {any} move */
function cellOf(position, move) {
  if (isText(move)) return position.$parse_move(move);
  if (typeof move === "number" && Number.isInteger(move)) return move >= 0 && move < core.MAX_CELLS ? move : null;
  if (typeof move === "bigint") return null;
  const kind = move === null ? "None" : builtins.$type(move).$__name__;
  throw error("TypeError", `expected a move as a cell number or as text, got ${kind}`);
}

export const $Position = cls("Position", [], {
  $__init__: fn("__init__", "game cells turn block_to_play owners", function (game, ...set_up) {
    this.core = ask(() => new core.Position(game.core, ...set_up));
    return null;
  }),
  /** @this {any} @param {any} move */
  $play(move) {
    const cell = cellOf(this, move);
    if (cell === null || !this.core.is_legal(cell)) {
      this.$_refuse?.(move);
      throw error("ValueError", "illegal move");
    }
    this.core.play(cell);
    return null;
  },
  /** @this {any} */
  $undo() {
    return ask(() => this.core.undo());
  },
  /** @this {any} @param {any} move */
  $is_legal(move) {
    if (isText(move)) throw error("TypeError", "expected a move as a cell number, got str");
    const cell = cellOf(this, move);
    return cell !== null && this.core.is_legal(cell);
  },
  /** @this {any} @param {number} depth */
  $perft(depth) {
    return ask(() => this.core.perft(depth));
  },
  $_completing: fn("_completing", "side playable", function (side, playable) {
    return ask(() => this.core._completing(side, playable));
  }),
  /** @this {any} @param {any} other */
  $_same(other) {
    return this.core._same(other.core);
  },
  $legal_moves: asking((it) => it.legal_moves),
  $moves: asking((it) => it.moves),
  $ply: asking((it) => it.ply),
  $last_move: asking((it) => it.last_move),
  $turn: asking((it) => sideOf(it.turn)),
  $side_to_move: asking((it) => sideOf(it.side_to_move)),
  $is_over: asking((it) => it.is_over),
  $winner: asking((it) => sideOf(it.winner)),
  $_line_winner: asking((it) => sideOf(it._line_winner)),
  $cells: asking((it) => it.cells.map(sideOf)),
  $blocks: asking((it) => it.blocks.map(sideOf)),
  $open_blocks: asking((it) => it.open_blocks),
  $block_to_play: asking((it) => it.block_to_play),
  $hash: asking((it) => integer(it.hash)),
  $_key: asking((it) => integer(it._key)),
  $_score: asking((it) => it._score),
  $_winning_line: asking((it) => it._winning_line),
  $_bytes: asking((it) => it._bytes),
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
  owner.core ??= makeTable(owner);
  holders.add((owner.reference ??= new WeakRef(owner)));
  return owner.core;
}

/** @param {any} owner */
function makeTable(owner) {
  freeTables(MAX_TABLES_MB - owner.megabytes);
  try {
    return ask(owner.make);
  } catch (problem) {
    if (!isInstance(problem, builtins.$MemoryError)) throw problem;
    freeTables(0);
    return ask(owner.make);
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
    owner.core.free();
    owner.core = null;
    holders.delete(owner.reference);
    used -= owner.megabytes;
  }
}

/** Work with a table, which must not be freed meanwhile. @param {any} owner @param {(core: any) => any} work */
function useTable(owner, work) {
  const table = tableOf(owner);
  const wasBusy = owner.isBusy;
  owner.isBusy = true;
  try {
    return ask(() => work(table));
  } finally {
    owner.isBusy = wasBusy;
  }
}

// --- searches -------------------------------------------------------------------------------------------------------

/** @param {core.Report} found */
const reportOf = (found) => ({
  $depth: found.depth,
  $nodes: found.nodes,
  $seconds: float(found.seconds),
  $hashfull: found.hashfull,
  $lines: found.lines.map(({ move, score, proven, pv }) => ({
    $move: move,
    $score: score,
    $proven: proven,
    $pv: pv,
  })),
});

export const $Engine = cls("Engine", [], {
  $__init__: fn("__init__", "threads megabytes network", function (threads, megabytes, network = null) {
    this.megabytes = megabytes;
    this.make = () => new core.Engine(threads, megabytes, network);
    tableOf(this);
    return null;
  }),
  $search: fn(
    "search",
    "position seconds depth nodes lines progress symmetry known prompt target",
    function (
      position,
      seconds,
      depth,
      nodes,
      lines,
      progress,
      symmetry = null,
      known = [],
      prompt = false,
      target = 0,
    ) {
      const report = progress && ((/** @type {core.Report} */ found) => progress(reportOf(found)));
      const limits = [number(seconds), depth, number(nodes), lines];
      const rest = [symmetry?.core ?? null, known, prompt, number(target)];
      return reportOf(useTable(this, (table) => table.search(position.core, ...limits, report, ...rest)));
    },
  ),
  /** @this {any} */
  $stop() {
    this.core?.stop();
    return null;
  },
  /** @this {any} */
  $clear() {
    useTable(this, (table) => table.clear());
    return null;
  },
  /** @this {any} @param {any} game */
  $spread(game) {
    return useTable(this, (table) => table.spread(game.core));
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
    const found = ask(() =>
      core.fixed_depth_best_moves(position.core, depth, symmetry?.core ?? null, watch, number(nodes)),
    );
    return tuple(found);
  },
);
/** @param {any} position @param {number} nodes */
export const $forced_win = (position, nodes) => ask(() => core.forced_win(position.core, nodes));
/** @param {any} position @param {number} nodes */
export const $fork_threat_win = (position, nodes) => tuple(ask(() => core.fork_threat_win(position.core, nodes)));
export const $estimate = fn("estimate", "position network", (position, network = null) =>
  ask(() => core.estimate(position.core, network)),
);
export const $instruction_set = () => core.instruction_set();
export const $instruction_sets = () => core.instruction_sets();
/** @param {any} name */
export function $set_instruction_set(name) {
  ask(() => core.set_instruction_set(text(name)));
  return null;
}

// --- the solver -----------------------------------------------------------------------------------------------------

/** @param {core.SolveProgress} found */
const progressOf = (found) => ({
  $nodes: found.nodes,
  $seconds: float(found.seconds),
  $attacker: sideOf(found.attacker),
  $proof: found.proof,
  $disproof: found.disproof,
  $share: found.share && tuple(found.share.map(float)),
  $hashfull: found.hashfull,
  $table_bytes: found.table_bytes,
  $line: found.line,
});

export const $Solver = cls("Solver", [], {
  $__init__: fn("__init__", "position symmetry megabytes", function (position, symmetry, megabytes) {
    this.megabytes = megabytes;
    this.root = new core.Position(position.core);
    this.make = () => new core.Solver(this.root, symmetry.core, megabytes);
    tableOf(this);
    return null;
  }),
  $solve: fn("solve", "seconds nodes progress", function (seconds, nodes, progress) {
    const report = progress && ((/** @type {core.SolveProgress} */ found) => progress(progressOf(found)));
    const found = useTable(this, (table) => table.solve(number(seconds), number(nodes), report));
    return {
      $lower: found.lower,
      $upper: found.upper,
      $move: found.move,
      $move_is_proven: found.move_is_proven,
      $nodes: found.nodes,
      $seconds: float(found.seconds),
    };
  }),
  /** @this {any} @param {any} position */
  $turn_to(position) {
    const isPossible = useTable(this, (table) => table.turn_to(position.core));
    if (isPossible) this.root = new core.Position(position.core);
    return isPossible;
  },
  /** @this {any} */
  $certificate() {
    if (!this.core) throw error("RuntimeError", "the table with the proof was freed");
    return tuple(useTable(this, (table) => table.certificate()));
  },
  /** @this {any} */
  $stop() {
    this.core?.stop();
    return null;
  },
  /** @this {any} @param {any} write */
  $save(write) {
    useTable(this, (table) => table.save(write));
    return null;
  },
  /** @this {any} @param {any} read */
  $load(read) {
    useTable(this, (table) => table.load(read));
    return null;
  },
});
