import assert from "node:assert/strict";
import { test } from "node:test";

import {
    beside,
    child,
    commentsOn,
    find,
    grow,
    isAnnotated,
    isAside,
    lineThrough,
    MAX_BRANCHES,
    MAX_NESTING,
    movesTo,
    pack,
    plant,
    promote,
    prune,
    raise,
    restore,
    treeOf,
    unpack,
    variationsOf,
} from "../../../src/noughts/web/static/js/analysis/tree.js";

function sample() {
    const root = plant([4, 0, 8]);
    grow(find(root, [4]), [2, 3]);
    grow(find(root, [4]), [6]);
    find(root, [4, 2]).comment = "a fork - or_not.* 100%";
    root.comment = "the start";
    return root;
}

test("the variations of a tree are lines from the root, and make it again", () => {
    const root = sample();
    const variations = variationsOf(root);
    assert.deepEqual(
        variations.map(({ moves }) => moves),
        [
            [4, 2, 3],
            [4, 6],
        ],
    );
    assert.deepEqual(variations[0].comments, { 2: "a fork - or_not.* 100%" });
    const line = lineThrough(root);
    const play = {
        cells: movesTo(line.at(-1)),
        comments: commentsOn(line),
        variations: variations.map(({ moves, comments }) => ({ cells: moves, comments })),
    };
    assert.equal(pack(treeOf(play)), pack(root));
});

test("a variation is raised one place, and a removed one put back", () => {
    const root = sample();
    const last = find(root, [4, 6]);
    assert.ok(isAside(last) && !isAside(find(root, [4, 0, 8])));
    raise(last);
    assert.deepEqual(
        find(root, [4]).kids.map(({ move }) => move),
        [0, 6, 2],
    );
    raise(last);
    assert.deepEqual(movesTo(lineThrough(root).at(-1)), [4, 6]);
    raise(last);
    const before = pack(root);
    const inner = find(root, [4, 2]);
    const at = inner.parent.kids.indexOf(inner);
    prune(inner);
    assert.notEqual(pack(root), before);
    restore(inner, at);
    assert.equal(pack(root), before);
});

test("a tree survives being written and read", () => {
    const text = pack(sample());
    assert.equal(pack(unpack(text, 9)), text);
    const read = unpack(text, 9);
    assert.equal(find(read, [4, 2]).comment, "a fork - or_not.* 100%");
    assert.equal(read.comment, "the start");
    assert.deepEqual(movesTo(lineThrough(read).at(-1)), [4, 0, 8]);
    assert.deepEqual(
        find(read, [4]).kids.map((kid) => kid.move),
        [0, 2, 6],
    );
});

test("an empty tree is an empty text", () => {
    assert.equal(pack(plant()), "");
    assert.deepEqual(unpack("", 9).kids, []);
});

test("a variation of a variation finds its place", () => {
    const root = plant([1, 2, 3]);
    grow(find(root, [1]), [5, 6]);
    grow(find(root, [1, 5]), [7, 8]);
    assert.equal(pack(unpack(pack(root), 9)), pack(root));
    assert.ok(find(unpack(pack(root), 9), [1, 5, 7, 8]));
});

test("nonsense is not a tree", () => {
    for (const text of ["_1", "1*", "1_2", "x", "1.x", "1-half"]) assert.equal(unpack(text, 9), null, text);
});

test("a tree that is too large or not on the board is not read", () => {
    const line = (length) => Array.from({ length }, (_, ply) => ply % 9).join(".");
    assert.ok(unpack(line(MAX_BRANCHES), 9));
    assert.equal(unpack(line(MAX_BRANCHES + 1), 9), null);
    const nested = (depth) => `1${"_2.3".repeat(depth)}${"*".repeat(depth)}`;
    assert.ok(unpack(nested(MAX_NESTING), 9));
    assert.equal(unpack(nested(MAX_NESTING + 1), 9), null);
    assert.equal(unpack("4.9", 9), null);
});

test("writing a deep tree does not exhaust the stack", () => {
    const root = plant([0]);
    let at = root.kids[0];
    for (let depth = 0; depth < 20_000; depth += 1) {
        grow(at, [1]);
        at = grow(at, [2]);
    }
    assert.ok(pack(root).startsWith("0.1_2.1_2.1_2"));
});

test("a comment that was cut is dropped, not the tree", () => {
    assert.equal(find(unpack("4-%E2%28-", 9), [4]).comment, "");
});

test("a promoted variation is the main line", () => {
    const root = sample();
    promote(find(root, [4, 2, 3]));
    assert.deepEqual(movesTo(lineThrough(root).at(-1)), [4, 2, 3]);
});

test("pruning returns the branch before", () => {
    const root = sample();
    assert.equal(prune(find(root, [4, 2])), find(root, [4]));
    assert.equal(find(root, [4, 2]), null);
});

test("variations beside a move are walked in a circle", () => {
    const root = sample();
    const first = find(root, [4, 0]);
    assert.equal(beside(first, 1).move, 2);
    assert.equal(beside(first, -1).move, 6);
    assert.equal(beside(root, 1), root);
});

test("a known move is not added twice", () => {
    const root = sample();
    assert.equal(child(root, 4), root.kids[0]);
    assert.equal(root.kids.length, 1);
});

test("one line without a comment is not annotated", () => {
    assert.equal(isAnnotated(plant([1, 2])), false);
    assert.equal(isAnnotated(sample()), true);
});

test("comments of a line come and go by ply", () => {
    const root = plant([4, 0], { 0: "the start", 2: "a corner" });
    assert.equal(find(root, [4, 0]).comment, "a corner");
    assert.deepEqual(commentsOn(lineThrough(root)), { 0: "the start", 2: "a corner" });
});
