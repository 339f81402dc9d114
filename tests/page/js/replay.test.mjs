import assert from "node:assert/strict";
import { test } from "node:test";

import { drawTree, nodesOf, sizesOf } from "../../../src/noughts/web/static/js/learn/layout.js";
import {
    boardAt,
    frameAt,
    goTo,
    goToMark,
    predict,
    questionOf,
} from "../../../src/noughts/web/static/js/learn/replay.js";

const step = (kind, node, more = {}) => ({
    kind,
    node,
    part: kind === "cut" ? "pruned" : "node",
    text: "",
    tally: "",
    mark: kind === "cut",
    writes: {},
    question: null,
    rollout: [],
    ...more,
});
const QUESTION = { text: "Which?", choices: ["a1", "b2"], right: 1 };
const ROUNDS = [
    step("expand", 0),
    step("expand", 1),
    step("backpropagate", 0, { writes: { 0: { visits: "n 1" } } }),
    step("select", 1, { mark: true, question: QUESTION }),
    step("backpropagate", 1),
    step("backpropagate", 0, { writes: { 0: { visits: "n 2", value: "0" } } }),
    step("select", 1, { mark: true, question: QUESTION }),
];
const replay = (at = 0) => ({ steps: ROUNDS, at, verdict: null });

test("a frame has the nodes, the path and the latest texts", () => {
    const frame = frameAt(ROUNDS, 6);
    assert.deepEqual([...frame.seen], [0, 1]);
    assert.deepEqual([...frame.open], []);
    assert.deepEqual(frame.texts.get(0), { visits: "n 2", value: "0" });
    assert.deepEqual([...frameAt(ROUNDS, 4).open], [1]);
    assert.equal(frameAt(ROUNDS, 0).step, null);
});

test("a cutoff shows branches and leaves the path alone", () => {
    const frame = frameAt([step("enter", 0), step("enter", 1), step("cut", 1)], 3);
    assert.deepEqual([...frame.cut], [1]);
    assert.deepEqual([...frame.open], [0, 1]);
});

test("a replay stays within its steps", () => {
    const one = replay();
    goTo(one, -3);
    assert.equal(one.at, 0);
    goTo(one, 99);
    assert.equal(one.at, ROUNDS.length);
});

test("the next mark is the begin of a round; a reader who predicts stops before it", () => {
    const shown = replay();
    goToMark(shown, false);
    assert.equal(shown.at, 4);
    const predicted = replay();
    goToMark(predicted, true);
    assert.equal(predicted.at, 3);
    assert.equal(questionOf(predicted), QUESTION);
    goToMark(predicted, true);
    assert.equal(predicted.at, 6);
    goToMark(predicted, true);
    assert.equal(predicted.at, ROUNDS.length);
});

test("predictions are counted, and the step is taken either way", () => {
    const score = { right: 0, asked: 0 };
    const one = replay(3);
    predict(one, 0, score);
    assert.deepEqual(one.verdict, { isRight: false, text: "No, b2." });
    assert.equal(one.at, 4);
    goTo(one, 6);
    assert.equal(one.verdict, null);
    predict(one, 1, score);
    assert.deepEqual(score, { right: 1, asked: 2 });
    assert.equal(questionOf(one), null);
    predict(one, 1, score);
    assert.equal(score.asked, 2);
});

const NODES = [
    { id: 0, parent: null, cell: null, side: "X", pruned: [] },
    { id: 1, parent: 0, cell: 4, side: "O", pruned: [] },
    { id: 2, parent: 1, cell: 0, side: "X", pruned: [] },
    { id: 3, parent: 0, cell: 5, side: "O", pruned: [7, 8] },
];

test("the board at a node has the marks of the moves that lead to it", () => {
    const trace = { marks: Array(9).fill(null), nodes: NODES };
    assert.deepEqual(boardAt(trace, NODES[2]), ["O", null, null, null, "X", null, null, null, null]);
});

test("a growing tree has room only for the nodes that are shown", () => {
    const { across, down } = sizesOf({ family: "monte_carlo", leaves: null });
    const trace = { family: "monte_carlo", leaves: null };
    const whole = drawTree(trace, NODES);
    assert.equal(whole.height, 2 * down);
    assert.ok(whole.places[3].x > whole.places[1].x);
    assert.equal(whole.places[3].stubs.length, 2);
    const first = drawTree(trace, NODES, (id) => id < 2);
    assert.equal(first.width, across);
    assert.equal(first.height, down);
    assert.equal(first.places[0].x, first.places[1].x);
});

test("a typed tree is drawn with the branches that were never visited, down to their leaves", () => {
    // [3] / [[1 2] 4] where MIN cuts after its first branch
    const branch = (value, ...children) => ({ value, children });
    const branches = [
        branch(null, 1, 2),
        branch(3),
        branch(null, 3, 6),
        branch(null, 4, 5),
        branch(1),
        branch(2),
        branch(4),
    ];
    const nodes = [
        { id: 0, parent: null, cell: null, move: null, side: "X", pruned: [2] },
        { id: 1, parent: 0, cell: 1, move: "a", side: null, pruned: [] },
    ];
    const names = ["", "a", "b", "b1", "b1a", "b1b", "b2"];
    const drawn = nodesOf({ leaves: "3 / ...", branches, nodes, names });
    assert.deepEqual(
        drawn.slice(2).map(({ move, parent, side, leaf, cutAt }) => [move, parent, side, leaf, cutAt]),
        [
            ["b", 0, "O", null, 0],
            ["b1", 2, "X", null, 0],
            ["b1a", 3, null, 1, 0],
            ["b1b", 3, null, 2, 0],
            ["b2", 2, null, 4, 0],
        ],
    );
    assert.deepEqual(
        drawn.slice(0, 2).map(({ leaf, pruned }) => [leaf, pruned]),
        [
            [null, []],
            [3, []],
        ],
    );
    const places = drawTree({ family: "depth_first", leaves: "3 / ..." }, drawn).places;
    assert.equal(new Set(drawn.filter(({ side }) => side === null).map(({ id }) => places[id].x)).size, 4);
});
