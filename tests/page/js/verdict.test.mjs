import assert from "node:assert/strict";
import { test } from "node:test";

import { judgeOther } from "../../../src/noughts/web/static/js/exercise/verdict.js";

const TASK = { goal: "win", moves: 2, turn: "X" };
const FOUND = { move: "a1", value: "win", plies: 7, line: ["a1", "b2"], reply_why: [] };

test("a win that takes longer is no mistake", () => {
    const slower = judgeOther(TASK, 0, FOUND);
    assert.deepEqual(slower, { isSlower: true, text: "a1 wins too, in 4 moves. Find the win in 2 moves." });
    assert.equal(judgeOther(TASK, 1, FOUND).text, "a1 wins too, in 4 moves. Find the win at once.");
});

test("a refutation says how soon the move loses, and what the reply does", () => {
    const lost = { ...FOUND, value: "loss", plies: 2, reply_why: ["completes the row a1–c1 and wins"] };
    assert.deepEqual(judgeOther(TASK, 0, lost), {
        isSlower: false,
        text: "a1 loses at once: O answers b2, which completes the row a1–c1 and wins.",
    });
    const quiet = judgeOther(TASK, 0, { ...lost, plies: 24, reply_why: [] });
    assert.equal(quiet.text, "a1 loses in 12 moves: O answers b2, which wins by force.");
    const forked = { ...lost, plies: 4, reply_why: ["makes two threats: c1 and c3"] };
    assert.equal(
        judgeOther(TASK, 0, forked).text,
        "a1 loses in 2 moves: O answers b2, which makes two threats: c1 and c3. X cannot stop both.",
    );
});

test("a move that does not lose is still not what is asked", () => {
    const fork = { ...TASK, aim: "make two threats at once" };
    assert.match(judgeOther(fork, 0, { ...FOUND, value: null }).text, /^a1 does not make two threats at once: O/);
    assert.equal(
        judgeOther(TASK, 0, { ...FOUND, value: null }).text,
        "a1 does not win in 2 moves: O answers b2, which holds.",
    );
    assert.equal(
        judgeOther({ ...TASK, goal: "best", moves: 0 }, 0, { ...FOUND, value: "draw" }).text,
        "a1 only draws: O answers b2, which holds the draw.",
    );
});
