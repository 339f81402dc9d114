// Work of the core in WebAssembly, for tests/test_wasm.py: `wasm_scenarios.mjs WASM SCENARIO < ARGUMENTS` prints the
// result of a scenario as JSON.
import { readFileSync } from "node:fs";
import * as core from "../../site/core.js";

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
};

await core.load(readFileSync(process.argv[2]));
const input = JSON.parse(readFileSync(0, "utf8"), decode);
console.log(JSON.stringify(await scenarios[process.argv[3]](...input), encode));
