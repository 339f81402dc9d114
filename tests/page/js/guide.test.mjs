import assert from "node:assert/strict";
import { test } from "node:test";

import {
    countResults,
    current,
    isTrying,
    judge,
    judging,
    mistakesOf,
    next,
    reveal,
    startGuide,
    summaryText,
} from "../../../src/noughts/web/static/js/analysis/guide.js";

const MOVES = [
    { ply: 1, side: "X", label: "best" },
    { ply: 2, side: "O", label: "blunder" },
    { ply: 3, side: "X", label: "missed win" },
    { ply: 4, side: "O", label: "inaccuracy" },
    { ply: 5, side: "X", label: "good" },
];

test("only the mistakes of my side are shown, in order", () => {
    assert.deepEqual(
        mistakesOf(MOVES, "O").map((move) => move.ply),
        [2, 4],
    );
    assert.deepEqual(
        mistakesOf(MOVES, null).map((move) => move.ply),
        [2, 3, 4],
    );
});

test("a wrong try can be repeated, a right one is settled", () => {
    let guide = startGuide(MOVES, "O");
    assert.equal(current(guide).ply, 2);
    guide = judge(judging(guide, "b2"), false, "not it");
    assert.ok(isTrying(guide));
    guide = judge(guide, true, "right");
    assert.ok(!isTrying(guide));
    assert.equal(countResults(guide).found, 1);
});

test("an answer that was shown does not count as found later", () => {
    const guide = judge(reveal(startGuide(MOVES, "O"), "b2"), true, "right");
    assert.deepEqual(countResults(guide), { found: 0, shown: 1, skipped: 0, total: 2 });
});

test("moving on without a try skips the mistake, and the last step ends with a summary", () => {
    let guide = next(judge(startGuide(MOVES, "O"), true, "right"));
    assert.equal(current(guide).ply, 4);
    guide = next(guide);
    assert.equal(guide.phase, "done");
    assert.equal(current(guide), undefined);
    assert.equal(summaryText(guide), "You found 1 of 2 better moves.");
    assert.equal(next(guide), guide);
});

test("a game without mistakes is done at once", () => {
    const guide = startGuide(MOVES.slice(0, 1), "X");
    assert.equal(guide.phase, "done");
    assert.equal(summaryText(guide), "You made no mistakes in this game.");
});
