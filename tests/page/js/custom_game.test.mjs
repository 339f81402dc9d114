import assert from "node:assert/strict";
import { test } from "node:test";

import { pathThrough } from "../../../src/noughts/web/static/js/board/line_drawing.js";
import * as make from "../../../src/noughts/web/static/js/custom/custom_game.js";
import { STARTS, fromPicture } from "../../../src/noughts/web/static/js/custom/starts.js";

const SQUARE = fromPicture("square", ["ab", "cd"], "ab cd");

test("the id names the sides, the length of a line and the options in their order", () => {
    const rules = { ...make.FIRST_RULES, width: 7, height: 6, k: 4 };
    assert.equal(make.idOf(rules), "7x6:4");
    assert.equal(make.idOf({ ...rules, gravity: true, misere: true }), "7x6:4+gravity+misere");
    assert.equal(make.idOf({ ...rules, depth: 3, wrap: true, exact: true }), "7x6x3:4+exact+wrap");
});

test("the controls of a game give its id again, and there are none for more than three dimensions", () => {
    const game = { dimensions: [4, 5, 6], k: 4, options: ["gravity", "wrap"] };
    assert.equal(make.idOf(make.rulesOf(game)), "4x5x6:4+gravity+wrap");
    assert.equal(make.rulesOf({ dimensions: [3, 3, 3, 3], k: 3, options: [] }), null);
    assert.equal(make.rulesOf({ dimensions: null, k: 3, options: [] }), null);
});

test("a line never becomes longer than the board", () => {
    const wide = make.changeRules(make.FIRST_RULES, { width: 9, k: 9 });
    assert.equal(wide.k, 9);
    assert.equal(make.changeRules(wide, { width: 5 }).k, 6);
    assert.equal(make.changeRules(wide, { width: 5, wrap: true }).k, 9);
    assert.equal(make.changeRules(make.FIRST_RULES, { width: 1, height: 1 }).k, 2);
});

test("a cell is placed once", () => {
    const one = make.addCell(make.EMPTY, { x: 2, y: 3 });
    assert.equal(make.addCell(one, { x: 2, y: 3 }), one);
    assert.equal(make.cellAt(one, { x: 2, y: 3 }), 0);
    assert.equal(make.cellAt(one, { x: 3, y: 2 }), -1);
});

test("removing a cell removes the lines through it and renumbers the others", () => {
    const left = make.removeCell(SQUARE, 0);
    assert.deepEqual(left.cells, SQUARE.cells.slice(1));
    assert.deepEqual(left.lines, [[1, 2]]);
});

test("a line has at least two cells, and each set of cells is a line once", () => {
    assert.match(make.refusal(SQUARE, [0]), /at least two/);
    assert.match(make.refusal(SQUARE, [1, 0]), /exists already/);
    assert.equal(make.addLine(SQUARE, [1, 0]), SQUARE);
    assert.equal(make.refusal(SQUARE, [0, 3]), null);
    assert.deepEqual(make.addLine(SQUARE, [3, 0]).lines.at(-1), [3, 0]);
    const long = Array.from({ length: 16 }, (_, cell) => cell);
    assert.match(make.refusal(SQUARE, long), /at most 15/);
});

test("going back along a line shortens it", () => {
    assert.deepEqual(make.extendLine([4, 2], 7), [4, 2, 7]);
    assert.deepEqual(make.extendLine([4, 2, 7], 2), [4, 2]);
});

test("all straight lines of three on nine cells are the eight of tic-tac-toe", () => {
    const nine = fromPicture("nine", ["abc", "def", "ghi"], "abc");
    const all = make.addStraightLines(nine, 3);
    assert.equal(all.lines.length, 8);
    assert.equal(make.addStraightLines(all, 3).lines.length, 8);
});

test("a smaller grid loses the cells outside it", () => {
    const small = make.resize(SQUARE, 1, 2);
    assert.deepEqual(small.cells, [
        { x: 0, y: 0 },
        { x: 0, y: 1 },
    ]);
    assert.deepEqual(small.lines, []);
});

test("a drawing as data and back is the same drawing", () => {
    for (const start of STARTS) {
        const data = make.toData({ ...start, misere: true });
        assert.equal(data.cells, start.cells.length);
        const game = {
            family: "custom",
            has_gravity: false,
            title: data.name,
            lines: data.lines,
            coordinates: data.layout,
            is_misere: true,
        };
        assert.deepEqual(make.toDrawing(game), { ...start, misere: true });
        for (const line of start.lines) assert.ok(line.every((cell) => cell >= 0));
    }
});

test("a game that the canvas cannot show is not changed on it", () => {
    const game = { family: "custom", has_gravity: false, title: "far", lines: [[0, 1]], is_misere: false };
    assert.equal(
        make.toDrawing({
            ...game,
            coordinates: [
                [0, 0],
                [30, 0],
            ],
        }),
        null,
    );
    assert.equal(
        make.toDrawing({
            ...game,
            coordinates: [
                [0, 0, 0],
                [1, 0, 0],
            ],
        }),
        null,
    );
    assert.deepEqual(
        make.toDrawing({
            ...game,
            coordinates: [
                [0, 0.5],
                [1.5, 2],
            ],
        })?.cells,
        [
            { x: 0, y: 0 },
            { x: 1, y: 1 },
        ],
    );
});

test("with gravity a cell rests on the next one below it, and such a game can be drawn again", () => {
    const drawing = { ...fromPicture("tower", ["ab", ".c", "d."], "ab cd"), gravity: true };
    const data = make.toData(drawing);
    assert.deepEqual(data.rests_on, [[3], [2], [], []]);
    assert.equal(make.toData({ ...drawing, gravity: false }).rests_on, undefined);
    const game = {
        family: "custom",
        title: "tower",
        has_gravity: true,
        is_misere: false,
        coordinates: data.layout,
        lines: data.lines,
        data,
    };
    assert.equal(make.toDrawing(game)?.gravity, true);
    assert.deepEqual(make.toData(make.toDrawing(game)), data);
    assert.equal(make.toDrawing({ ...game, data: { ...data, rests_on: [[2], [], [], []] } }), null);
});

test("a drawing names one missing thing at a time, in order", () => {
    assert.match(make.missing(make.EMPTY), /cells/);
    assert.match(make.missing({ ...SQUARE, lines: [] }), /line/);
    assert.equal(make.missing(SQUARE), null);
});

test("a message of the server becomes a sentence without its example", () => {
    assert.equal(make.sentence("expected a board; for example 3x3"), "Expected a board.");
});

test("a straight line is drawn straight, another one as a curve through its points", () => {
    assert.equal(
        pathThrough([
            [0, 0],
            [1, 1],
            [2, 2],
        ]),
        "M0 0L1 1L2 2",
    );
    const curve = pathThrough([
        [0, 0],
        [1, 1],
        [2, 0],
    ]);
    assert.match(curve, /^M0 0C.* 1 1C.* 2 0$/);
    assert.equal(pathThrough([[0, 0]]), "");
});
