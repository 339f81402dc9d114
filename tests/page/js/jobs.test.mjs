import assert from "node:assert/strict";
import { test } from "node:test";

import { wantedJobs } from "../../../src/noughts/web/static/js/analysis/jobs.js";

const ANALYSIS = {
    search: 1,
    position: { is_over: false },
    isOn: true,
    showsWorths: true,
    shownLines: 3,
    round: 0,
    failed: null,
    reviewing: null,
    guide: null,
    isSolving: false,
    editor: null,
};

const wanted = (changed, isShown = true) => wantedJobs({ ...ANALYSIS, ...changed }, isShown);

test("the engine works on the position that is shown, and only while it is", () => {
    assert.ok(wanted({}).analyse);
    assert.equal(wanted({}, false).analyse, null);
    assert.deepEqual(wantedJobs(null, true), { analyse: null, review: null, solve: null });
});

test("another position, a longer search or other lines are other work", () => {
    const keys = [{}, { search: 2 }, { round: 1 }, { showsWorths: false }, { showsWorths: false, shownLines: 5 }];
    assert.equal(new Set(keys.map((changed) => wanted(changed).analyse)).size, keys.length);
    // The lines to show are among those of all moves.
    assert.equal(wanted({ shownLines: 5 }).analyse, wanted({}).analyse);
});

test("nothing is analysed when it is over, off, failed, edited, or would give an answer away", () => {
    for (const changed of [
        { position: { is_over: true } },
        { isOn: false },
        { failed: { text: "", retry() {} } },
        { editor: {} },
        { guide: { phase: "trying" } },
        { guide: { phase: "wrong" } },
        { reviewing: { id: 1 } },
    ])
        assert.equal(wanted(changed).analyse, null, JSON.stringify(changed));
    assert.ok(wanted({ guide: { phase: "shown" } }).analyse);
    assert.ok(wanted({ guide: { phase: "done" } }).analyse);
});

test("a review continues out of sight, a proof does not", () => {
    const busy = { reviewing: { id: 7 }, isSolving: true };
    assert.deepEqual(wanted(busy), { analyse: null, review: "7", solve: "1" });
    assert.deepEqual(wanted(busy, false), { analyse: null, review: "7", solve: null });
});
