import assert from "node:assert/strict";
import { test } from "node:test";

import { bandsOf, curveText } from "../../../src/noughts/web/static/js/learn/learner.js";

const CURVE = [
    { playthroughs: 500, wins: 50, draws: 10, losses: 40 },
    { playthroughs: 1000, wins: 90, draws: 10, losses: 0 },
];

test("results are stacked to one, losses at the bottom", () => {
    const [losses, draws, wins] = bandsOf(CURVE);
    assert.deepEqual([losses.name, draws.name, wins.name], ["losses", "draws", "wins"]);
    assert.deepEqual(losses, { name: "losses", lower: [0, 0], upper: [0.4, 0] });
    assert.deepEqual(draws.lower, losses.upper);
    assert.deepEqual(wins.lower, [0.5, 0.1]);
    assert.deepEqual(wins.upper, [1, 1]);
});

test("a curve in words has its first and its last point", () => {
    assert.equal(
        curveText(CURVE),
        "After 500 games: 50 wins, 10 draws, 40 losses. After 1,000 games: 90 wins, 10 draws, 0 losses.",
    );
    assert.equal(curveText(CURVE.slice(1)), "After 1,000 games: 90 wins, 10 draws, 0 losses.");
});
