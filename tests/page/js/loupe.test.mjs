import assert from "node:assert/strict";
import { test } from "node:test";

import { windowOn } from "../../../src/noughts/web/static/js/board/loupe.js";

const LARGE_PX = 40;

test("a second tap at the same place hits the same cell, and the loupe stays on the board", () => {
    for (const [count, small] of [
        [15, 20.8],
        [19, 16.3],
        [15, 31],
        [30, 16],
    ])
        for (let cell = 0; cell < count; cell++) {
            const { first, shown, start } = windowOn(cell, count, small);
            const finger = (cell + 0.5) * small;
            assert.equal(first + Math.floor((finger - start) / LARGE_PX), cell, `${cell} of ${count}`);
            assert.ok(first >= 0 && first + shown <= count);
            assert.ok(start >= 0 && start + shown * LARGE_PX <= count * small + 0.01);
        }
});

test("in the middle of a board the tapped cell is in the middle of the loupe", () => {
    const { first, shown } = windowOn(7, 15, 20.8);
    assert.deepEqual([first, shown], [5, 5]);
});

test("a board smaller than the loupe is shown whole", () => {
    assert.deepEqual(windowOn(1, 3, 20), { first: 0, shown: 3, start: 0 });
});
