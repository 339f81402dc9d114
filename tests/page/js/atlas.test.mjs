import assert from "node:assert/strict";
import { test } from "node:test";

import { compare, matches, numberOf } from "../../../docs/atlas/rows.js";

const ROW = {
    family: "gravity",
    game: "6x4:4+gravity",
    value: "loss",
    published: "Steininger",
    opening: "",
    nodes: 10,
};
const ALL = { text: "", family: "", value: "", published: "" };

test("numbers are read from the texts of the table", () => {
    assert.deepEqual(["1,234", "0.5 ms", "12.1 kB", ""].map(numberOf), [1234, 0.5, 12.1, -1]);
});

test("a row matches if every word and every choice fits", () => {
    assert.ok(matches(ROW, ALL));
    assert.ok(matches(ROW, { ...ALL, text: "6x4 Gravity", value: "loss", published: "published" }));
    assert.ok(!matches(ROW, { ...ALL, text: "6x4 misere" }));
    assert.ok(!matches(ROW, { ...ALL, published: "new" }));
    assert.ok(!matches(ROW, { ...ALL, family: "boards" }));
});

test("sizes are sorted as numbers", () => {
    const games = ["10x4:4", "9x4:4", "el:5x4"].map((game, at) => ({ ...ROW, game, nodes: 3 - at }));
    assert.deepEqual(games.toSorted((a, b) => compare(a, b, "game"))[0].game, "9x4:4");
    assert.deepEqual(games.toSorted((a, b) => compare(a, b, "nodes"))[0].nodes, 1);
});
