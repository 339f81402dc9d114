import assert from "node:assert/strict";
import { test } from "node:test";

import { count, outcomeWords, shownName, turnWords } from "../../../src/noughts/web/static/js/ui/words.js";

const names = { X: "You", O: "Easy" };
const won = { winner: "O", reason: "line", points: [0, 2], text: "O wins on the diagonal", how: "on the diagonal" };

test("the winner reads “You win”, the others read who wins", () => {
    assert.equal(outcomeWords(won, names, "O"), "You win on the diagonal");
    assert.equal(outcomeWords(won, names, "X"), "Easy wins on the diagonal");
    assert.equal(outcomeWords(won, { X: "X", O: "O" }, null), "O wins on the diagonal");
});

test("a player who resigned reads “You resigned”", () => {
    const resigned = { ...won, reason: "resign", how: "by resignation" };
    assert.equal(outcomeWords(resigned, names, "X"), "You resigned: Easy wins");
    assert.equal(outcomeWords(resigned, names, "O"), "You win by resignation");
});

test("a draw is the same for all", () => {
    const draw = { winner: null, reason: "full", points: [1, 1], text: "A draw", how: "" };
    for (const viewer of ["X", "O", null]) assert.equal(outcomeWords(draw, names, viewer), "A draw");
});

test("a turn names the player and the block", () => {
    const position = { turn: "X", place_to_play: "the middle board" };
    assert.equal(turnWords(position, names, "X"), "Your move, in the middle board");
    assert.equal(turnWords({ ...position, turn: "O", place_to_play: null }, names, "X"), "Easy (O) to move");
    assert.equal(turnWords({ ...position, place_to_play: null }, { X: "X", O: "O" }, null), "X to move");
    assert.equal(turnWords({ ...position, turn: null }, names, "X"), "");
});

test("levels and ratings read as names, numbers with their nouns", () => {
    assert.deepEqual([shownName("easy"), shownName("elo:1500")], ["Easy", "Elo 1500"]);
    assert.deepEqual([count(1, "move"), count(1200, "move")], ["1 move", "1,200 moves"]);
});
