import assert from "node:assert/strict";
import { test } from "node:test";

import { isAborted, latest } from "../../../src/noughts/web/static/js/server/tasks.js";

test("only the latest of several attempts counts", () => {
    const attempts = latest();
    const first = attempts.next();
    assert.ok(first());
    const joined = attempts.current();
    const second = attempts.next();
    assert.deepEqual([first(), joined(), second()], [false, false, true]);
    assert.ok(attempts.current()());
});

test("a cancelled request is told from one that failed", () => {
    assert.ok(isAborted(new DOMException("stopped", "AbortError")));
    assert.ok(!isAborted(new TypeError("no network")));
    assert.ok(!isAborted("AbortError"));
});
