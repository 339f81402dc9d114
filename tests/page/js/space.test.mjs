import assert from "node:assert/strict";
import { test } from "node:test";

import {
    GAP,
    TILTS,
    ZOOMS,
    approach,
    beamOf,
    between,
    bounce,
    camera,
    coast,
    heightOf,
    liftsOf,
    middleOf,
    numberAt,
    onPlane,
    placeAt,
    project,
    tidyView,
} from "../../../src/noughts/web/static/js/board/space.js";

const WINDOW = [560, 520];
const SHAPES = [
    { columns: 3, rows: 3, levels: 3 },
    { columns: 4, rows: 4, levels: 4 },
    { columns: 5, rows: 5, levels: 5 },
    { columns: 6, rows: 6, levels: 6 },
    { columns: 4, rows: 3, levels: 2 },
];

/** Views all around, from the steepest to the flattest. */
function* views(zoom = 1) {
    for (let turn = -180; turn < 180; turn += 15)
        for (const tilt of [TILTS.least, 45, 60, TILTS.most]) yield { turn, tilt, zoom };
}

function* placesOf({ columns, rows, levels }) {
    for (let level = 0; level < levels; level++)
        for (let row = 0; row < rows; row++)
            for (let column = 0; column < columns; column++) yield { level, row, column };
}

function near(a, b, within = 1e-6) {
    assert.ok(Math.abs(a - b) <= within, `${a} is not near ${b}`);
}

test("a point of a plane is found again where it is projected", () => {
    for (const shape of SHAPES)
        for (const view of views()) {
            const seen = camera(shape, view, ...WINDOW);
            for (const point of [
                [1.3, -0.7, 0.4],
                [-2, 2, -GAP],
                [0, 0, GAP],
            ]) {
                const found = onPlane(seen, project(seen, point), point[2]);
                found.forEach((value, axis) => near(value, point[axis]));
            }
        }
});

test("the whole cube is in the window at every turn", () => {
    for (const shape of SHAPES)
        for (const view of views()) {
            const seen = camera(shape, view, ...WINDOW);
            for (const place of placesOf(shape))
                for (const lifted of [null, ...Array(shape.levels).keys()]) {
                    const [x, y] = project(seen, middleOf(shape, place, liftsOf(shape, lifted)));
                    assert.ok(
                        x > 0 && x < WINDOW[0] && y > 0 && y < WINDOW[1],
                        `${x} ${y} at ${JSON.stringify(view)}`,
                    );
                }
        }
});

test("every cell of a lifted level takes the click at its middle, also where another level covers it", () => {
    for (const shape of SHAPES)
        for (const view of views()) {
            const seen = camera(shape, view, ...WINDOW);
            for (const place of placesOf(shape)) {
                const dot = project(seen, middleOf(shape, place, liftsOf(shape, place.level)));
                assert.deepEqual(placeAt(seen, dot, place.level), place);
            }
        }
});

/** Points of a plate a quarter of a cell within its edges. */
function* rimOf({ columns, rows }, z) {
    const [x, y] = [columns / 2 - 0.25, rows / 2 - 0.25];
    for (let part = -1; part <= 1; part += 0.125)
        yield* [
            [x * part, y, z],
            [x * part, -y, z],
            [x, y * part, z],
            [-x, y * part, z],
        ];
}

test("every level can be lifted: part of its rim is never covered", () => {
    for (const shape of SHAPES)
        for (const view of views()) {
            const seen = camera(shape, view, ...WINDOW);
            for (let level = 0; level < shape.levels; level++) {
                const rim = [...rimOf(shape, heightOf(shape, level))];
                const isFree = rim.some((point) => placeAt(seen, project(seen, point), null)?.level === level);
                assert.ok(isFree, `level ${level} at ${JSON.stringify(view)}`);
            }
        }
});

test("a level does not drop from under a pointer that has lifted it", () => {
    const [shape] = SHAPES;
    for (const view of views()) {
        const seen = camera(shape, view, ...WINDOW);
        for (let x = 0; x < WINDOW[0]; x += 9)
            for (let y = 0; y < WINDOW[1]; y += 9) {
                const found = placeAt(seen, [x, y], null);
                if (found) assert.equal(placeAt(seen, [x, y], found.level)?.level, found.level);
            }
    }
});

test("the highest level takes the point where nothing is lifted", () => {
    const shape = SHAPES[1];
    const seen = camera(shape, { turn: 0, tilt: 60, zoom: 1 }, ...WINDOW);
    const top = { level: 3, row: 3, column: 2 };
    assert.deepEqual(placeAt(seen, project(seen, middleOf(shape, top)), null), top);
    assert.equal(placeAt(seen, [2, 2], null), null);
});

test("lifting a level moves it and those above it up, none below it", () => {
    const shape = SHAPES[1];
    const rise = [0, 1, 2, 3].map((level) => heightOf(shape, level, liftsOf(shape, 1)) - heightOf(shape, level));
    assert.equal(rise[0], 0);
    assert.ok(rise[1] > 0 && rise[2] > rise[1]);
    near(rise[2], rise[3]);
});

test("numbers of levels stand left of their plates, in the window", () => {
    for (const shape of SHAPES)
        for (const view of views()) {
            const seen = camera(shape, view, ...WINDOW);
            for (let level = 0; level < shape.levels; level++) {
                const [x, y] = numberAt(seen, level);
                assert.ok(x > 0 && y > 0 && y < WINDOW[1]);
                assert.equal(placeAt(seen, [x, y], level)?.level === level, false);
            }
        }
});

test("a view turns all the way round and stays within its bounds", () => {
    assert.deepEqual(tidyView({ turn: 190, tilt: 99, zoom: 9 }), { turn: -170, tilt: TILTS.most, zoom: ZOOMS.most });
    assert.deepEqual(tidyView({ turn: -181, tilt: -5, zoom: 0 }), {
        turn: 179,
        tilt: TILTS.least,
        zoom: ZOOMS.least,
    });
});

test("a beam runs through a straight line from beyond its first cell to beyond its last", () => {
    const shape = SHAPES[1];
    const line = [0, 1, 2, 3].map((at) => ({ level: at, row: at, column: 3 - at })).reverse();
    const [from, to] = beamOf(shape, line);
    assert.ok(from[2] < heightOf(shape, 0) && to[2] > heightOf(shape, 3));
    near(from[0] + from[1], 0);
    assert.equal(beamOf(shape, [...line.slice(0, 3), { level: 0, row: 0, column: 0 }]), null);
    assert.equal(beamOf(shape, []), null);
});

test("a beam is cut into one piece for each level", () => {
    const shape = SHAPES[1];
    const beam = beamOf(
        shape,
        [0, 1, 2, 3].map((at) => ({ level: at, row: 0, column: 0 })),
    );
    const cuts = [-Infinity, 1, 2, 3].map((level) => (level === -Infinity ? level : heightOf(shape, level)));
    const pieces = cuts.map((low, at) => between(beam, low, cuts[at + 1] ?? Infinity));
    const height = pieces.reduce((sum, [from, to]) => sum + to[2] - from[2], 0);
    near(height, beam[1][2] - beam[0][2]);
    const flat = beamOf(
        shape,
        [0, 1, 2, 3].map((at) => ({ level: 2, row: 1, column: at })),
    );
    assert.deepEqual(
        cuts.map((low, at) => between(flat, low, cuts[at + 1] ?? Infinity) !== null),
        [false, false, true, false],
    );
});

test("a cube coasts to a standstill, as far at any frame rate", () => {
    const ends = [4, 16, 50].map((ms) => {
        let [view, speed, frames] = [{ turn: 0, tilt: 60, zoom: 1 }, { turn: 0.2, tilt: 0 }, 0];
        for (let next = coast(view, speed, ms); next; next = coast(view, speed, ms)) {
            ({ view, speed } = next);
            assert.ok(++frames < 10_000);
        }
        return view.turn;
    });
    assert.ok(ends[0] > 40 && ends[0] < 60);
    ends.forEach((end) => near(end, ends[0], 1));
});

test("a value approaches its goal and arrives", () => {
    let value = 0;
    for (let frame = 0; frame < 100; frame++) value = approach(value, 1, 16);
    assert.equal(value, 1);
});

test("a fall begins at the top, ends at the bottom and bounces in between", () => {
    assert.equal(bounce(0), 1);
    assert.equal(bounce(1), 0);
    near(bounce(0.55), 0, 0.01);
    assert.ok(bounce(0.7) > 0.05);
});
