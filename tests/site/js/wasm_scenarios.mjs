// Work of the core in WebAssembly, for tests/site/test_wasm.py: `wasm_scenarios.mjs WASM SCENARIO < ARGUMENTS` prints the
// result of a scenario as JSON.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as checker from "../../../site/checker.js";
import * as core from "../../../site/core.js";
import { failureOf, nonsense } from "./wasm_nonsense.mjs";

/** JSON with bytes. */
function decode(_key, value) {
    return typeof value?.bytes === "string" ? new Uint8Array(Buffer.from(value.bytes, "base64")) : value;
}

function encode(_key, value) {
    return typeof value === "bigint" ? value.toString() : value;
}

function makeGame({ rules, weights, network }) {
    return core.make_game(...rules, new core.Weights(...weights), network);
}

function stateOf(position) {
    const { legal_moves, moves, ply, last_move, turn, side_to_move, is_over, winner, _line_winner, cells } = position;
    const { blocks, open_blocks, block_to_play, hash, _key, _score, _winning_line } = position;
    const completing = [0, 1].flatMap((side) => [
        position._completing(side, false),
        position._completing(side, true),
    ]);
    const sides = [turn, side_to_move, is_over, winner, _line_winner, cells, blocks];
    const places = [legal_moves, moves, ply, last_move, open_blocks, block_to_play, _winning_line, completing];
    return [...sides, ...places, hash, _key, _score];
}

function replay(position, moves) {
    const states = [stateOf(position)];
    for (const move of moves) {
        position.play(move);
        states.push(stateOf(position));
    }
    for (let i = 0; i < moves.length; ++i) {
        position.undo();
        states.push(stateOf(position));
    }
    return states;
}

function search(game, setUp, limits, network = null) {
    const engine = new core.Engine(1, 16, network);
    const symmetry = new core.Symmetry(makeGame(game), game.geometric);
    const position = new core.Position(makeGame(game), ...setUp);
    return engine.search(position, ...limits, null, symmetry);
}

function solverOf(game, setUp) {
    const compiled = makeGame(game);
    return new core.Solver(new core.Position(compiled, ...setUp), new core.Symmetry(compiled, game.geometric), 16);
}

function readerOf(bytes) {
    let at = 0;
    return (size) => new Uint8Array(bytes.subarray(at, (at += size)));
}

const scenarios = {
    perft: (games) => games.map(([game, depth]) => new core.Position(makeGame(game)).perft(depth)),

    /** The states of a position before the first move, after each, and again while all are taken back. */
    replay: (games) =>
        games.map(([game, playthroughs]) => {
            const compiled = makeGame(game);
            return playthroughs.map((moves) => replay(new core.Position(compiled), moves));
        }),

    /** The nodes of searches to a fixed depth, and their seconds. */
    nodes: (cases) =>
        cases.map(([game, setUp, depth]) => {
            const { nodes, seconds } = search(game, setUp, [0, depth, 0, 1]);
            return [nodes, seconds];
        }),

    /** Estimates by the network of the game after each move, with each instruction set. */
    estimates(game, moves) {
        const compiled = makeGame(game);
        return core.instruction_sets().map((name) => {
            core.set_instruction_set(name);
            const position = new core.Position(compiled);
            const found = moves.map(
                (move) => (position.play(move), position.is_over ? null : core.estimate(position)),
            );
            return [core.instruction_set(), found];
        });
    },

    symmetries(game, setUps) {
        const compiled = makeGame(game);
        const symmetry = new core.Symmetry(compiled, game.geometric);
        const { orbit_sizes, generators, elements, size, note } = symmetry;
        const positions = setUps.map((setUp) => new core.Position(compiled, ...setUp));
        const images = positions.map((each) => [symmetry.canonical_hash(each), symmetry.least_image(each)]);
        const moves = positions.map((each) => core.fixed_depth_best_moves(each, 3, symmetry));
        return [orbit_sizes, generators, elements, size, note, images, moves];
    },

    /** Bounds and certificates of positions. */
    solve: (cases) =>
        cases.map(([game, setUp]) => {
            const solver = solverOf(game, setUp);
            const { lower, upper, move, move_is_proven } = solver.solve(0, 0, null);
            return [lower, upper, move, move_is_proven, ...solver.certificate()];
        }),

    /** A solve that is saved after some nodes and continued by another solver, and what damaged saves do. */
    resume(game, setUp, nodes) {
        const first = solverOf(game, setUp);
        const { lower, upper } = first.solve(0, nodes, null);
        const pieces = [];
        first.save((bytes) => pieces.push(bytes));
        const saved = Buffer.concat(pieces);
        const second = solverOf(game, setUp);
        second.load(readerOf(saved));
        const { lower: value, nodes: more } = second.solve(0, 0, null);
        const damaged = [saved.subarray(0, 100), Buffer.from("nonsense")];
        const refusals = damaged.map((bytes) => failureOf(() => solverOf(game, setUp).load(readerOf(bytes))));
        return [lower === upper, value, more, refusals];
    },

    /** Reports of a search, and the ways to end one. */
    progress(game) {
        const position = new core.Position(makeGame(game));
        const engine = new core.Engine(1, 16);
        const search = (progress, seconds = 0, depth = 0) => engine.search(position, seconds, depth, 0, 2, progress);
        const depths = [];
        search((report) => depths.push([report.depth, report.lines.length]), 0, 6);
        const ended = search((report) => report.depth < 3);
        let asked = 0;
        core.set_interrupt(() => ++asked > 3);
        const interrupted = search(null);
        core.set_interrupt(null);
        const thrown = failureOf(() => search(() => undefined.property));
        const nested = failureOf(() => search(() => search(null)));
        const timed = search(null, 0.2);
        return [depths, ended.depth, interrupted.lines.length, thrown[0], nested, timed.seconds, timed.lines.length];
    },

    /** What wrong arguments throw, and whether the core still works afterwards. */
    nonsense(game) {
        const compiled = makeGame(game);
        const position = new core.Position(compiled);
        return [
            nonsense(compiled, position, game).map((each) => [String(each), ...failureOf(each)]),
            position.perft(3),
        ];
    },

    /** A solve that would recurse deeper than the stack of a browser, for a second. */
    deep(game, setUp) {
        const { lower, upper } = solverOf(game, setUp).solve(1, 0, null);
        return [lower, upper];
    },

    /** Verdicts of the second checker. */
    async check(files) {
        await checker.load(readFileSync(join(dirname(process.argv[2]), "checker.wasm")));
        return files.map((bytes) => checker.check(bytes));
    },
};

await core.load(readFileSync(process.argv[2]));
const input = JSON.parse(readFileSync(0, "utf8"), decode);
console.log(JSON.stringify(await scenarios[process.argv[3]](...input), encode));
