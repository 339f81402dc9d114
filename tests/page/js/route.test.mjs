import assert from "node:assert/strict";
import { test } from "node:test";

// The modules of the page expect a browser's globals; these are enough for addresses.
globalThis.document = { getElementById: () => null };
globalThis.location = { hash: "", origin: "http://127.0.0.1", protocol: "http:" };
const { linkTo, readRoute } = await import("../../../src/noughts/web/static/js/shell/route.js");

/** @param {string} hash */
function at(hash) {
    location.hash = hash;
    return readRoute();
}

test("a link gives back what it was made of", () => {
    const link = linkTo({ game: "5x5:4+gravity", start: "5/5/5/5/5 o", moves: [3, 10], ply: 1, view: "analyse" });
    const { game, start, moves, ply, view } = at(new URL(link).hash);
    assert.deepEqual(
        { game, start, moves, ply, view },
        { game: "5x5:4+gravity", start: "5/5/5/5/5 o", moves: [3, 10], ply: 1, view: "analyse" },
    );
});

test("a ply that is not a number of moves is left out", () => {
    for (const ply of ["-5", "x", "1.5", "", "1e9x"]) assert.equal(at(`#game=3x3&ply=${ply}`).ply, undefined);
    assert.equal(at("#game=3x3&ply=2").ply, 2);
});

test("an address names a view, a game to play, or a friend game", () => {
    assert.equal(at("#view=learn").view, "learn");
    assert.equal(at("#game=3x3").view, "play");
    assert.equal(at("#game=3x3&view=analyse").view, "analyse");
    assert.equal(at("#friend=abc&invite=s").view, "friend");
    assert.equal(at("#view=nonsense").view, at("#").view);
});
