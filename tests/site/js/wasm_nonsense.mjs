// Wrong arguments for every function of site/core.js.
import * as core from "../../../site/core.js";

/** The kind and the message of what `work` throws. */
export function failureOf(work) {
    try {
        work();
        return ["", ""];
    } catch (failure) {
        return [failure.kind ?? failure.name, failure.message];
    }
}

const NO_MOVES = ["", "b2", "1", null, undefined, NaN, 0.5, 2 ** 40, -1, 99, {}, [], true, 10n];

export function nonsense(game, position, { rules, weights, geometric }) {
    const lines = new core.Weights(...weights);
    const symmetry = new core.Symmetry(game, geometric);
    const other = core.make_game(4, [[[0, 1], []]], [], [], [], [], false, false, false, lines);
    const over = new core.Position(other);
    for (const move of [0, 2, 1]) over.play(move);
    return [
        ...NO_MOVES.map((move) => () => position.play(move)),
        ...NO_MOVES.slice(0, 8).map((depth) => () => position.perft(depth)),
        ...wrongPositions(game, position, other),
        ...wrongGames(rules, lines),
        ...wrongSymmetries(game, position, symmetry, other, geometric),
        ...wrongSearches(position, over, other),
        ...wrongSolvers(position, over, symmetry, other),
    ];
}

function wrongPositions(game, position, other) {
    const empty = position.cells.map(() => -1);
    const freed = new core.Position(game);
    freed.free();
    return [
        () => position.perft(-1),
        () => position.undo(),
        () => position._completing(2, false),
        () => position._same(null),
        () => freed.play(0),
        () => new core.Position(null),
        () => new core.Position(other).play(4),
        () => new core.Position(game, [0, 0], 0, -1, []),
        () => new core.Position(game, empty.fill(7), 0, -1, []),
        () => new core.Position(game, "xo", 0, -1, []),
        () => new core.Position(game, empty.fill(-1), 5, -1, []),
        () => new core.Position(game, empty.fill(-1), 0, -1),
    ];
}

function wrongGames(rules, weights) {
    return [
        () => core.make_game(...rules, {}),
        () => core.make_game(-1, ...rules.slice(1), weights),
        () => core.make_game(1e6, ...rules.slice(1), weights),
        () => core.make_game(rules[0], [[[0, 99999], []]], ...rules.slice(2), weights),
        () => core.make_game(rules[0], [7], ...rules.slice(2), weights),
        () => core.make_game(rules[0], [[[0, 1]]], ...rules.slice(2), weights),
        () => core.make_game(...rules, weights, "network"),
    ];
}

function wrongSymmetries(game, position, symmetry, other, geometric) {
    return [
        () => new core.Symmetry(game, [[70000]]),
        () => new core.Symmetry(game, "geometric"),
        () => new core.Symmetry(game, geometric, 0),
        () => new core.Symmetry(position, geometric),
        () => symmetry.canonical_hash(new core.Position(other)),
        () => symmetry.least_image(null),
    ];
}

function wrongSearches(position, over, other) {
    const engine = new core.Engine(1, 1);
    const bytes = new Uint8Array([1, 2, 3]);
    return [
        () => new core.Engine(0, 16),
        () => new core.Engine(1000, 16),
        () => new core.Engine(1, 0),
        () => new core.Engine(1, 1e9),
        () => new core.Engine(1, 4095),
        () => new core.Engine(1, 16, bytes),
        () => new core.Engine(1, 16, "network"),
        () => new core.Engine(4, 16).search(position, 0, 1, 0, 1, null),
        () => engine.search(over, 0, 1, 0, 1, null),
        () => engine.search(position, -1, 1, 0, 1, null),
        () => engine.search(position, NaN, 1, 0, 1, null),
        () => engine.search(position, Infinity, 1, 0, 1, null),
        () => engine.search(position, 0, -1, 0, 1, null),
        () => engine.search(position, 0, 1, -5, 1, null),
        () => engine.search(position, 0, 1, 0.5, 1, null),
        () => engine.search(position, 0, 1, 0, 0, null),
        () => engine.search(position, 0, 1, 0, 1, null, new core.Symmetry(other, [])),
        () => engine.search(position, 0, 1, 0, 1, null, null, [[99, 0]]),
        () => engine.search(position, 0, 1, 0, 1, null, null, [[0, 5]]),
        () => engine.search(position, 0, 1, 0, 1, null, null, 5),
        () => engine.search(position, 0, 1, 0, 1, "progress"),
        () => core.fixed_depth_best_moves(position, 0, null),
        () => core.fixed_depth_best_moves(position, 100, null),
        () => core.fixed_depth_best_moves(over, 1, null),
        () => core.forced_win(position, -1),
        () => core.fork_threat_win(over, 10),
        () => core.estimate(over),
        () => core.estimate(position, bytes),
        () => core.set_instruction_set("mmx"),
    ];
}

function wrongSolvers(position, over, symmetry, other) {
    const solver = new core.Solver(position, symmetry, 1);
    const stranger = new core.Symmetry(other, []);
    return [
        () => new core.Solver(over, stranger, 1),
        () => new core.Solver(position, stranger, 1),
        () => new core.Solver(position, null, 1),
        () => new core.Solver(position, symmetry, 0),
        () => solver.solve(-1, 0, null),
        () => solver.certificate(),
        () => solver.turn_to(over),
        () => solver.load(() => "text"),
        () => solver.load(() => new Uint8Array([1, 2])),
    ];
}
