import assert from "node:assert/strict";
import { test } from "node:test";

import {
    allMoves,
    cutAt,
    isTimed,
    mayMove,
    outcomeOf,
    phaseOf,
    plyToRedo,
    plyToUndo,
    sideAt,
    swapped,
    viewerOf,
    whyNoMove,
    workOf,
} from "../../../src/noughts/web/static/js/play/phase.js";

const PERSON = { kind: "person", name: "you" };
const ENGINE = { kind: "engine", name: "easy", level: "easy" };
const WON = { winner: "X", reason: "line", points: [1, 0], text: "X wins", how: "in the top row" };
const RESIGNED = { winner: "O", reason: "resign", points: [0, 1], text: "O wins", how: "by resignation" };

/** A position after some moves. */
function after(moves, outcome = null) {
    return { cells: moves, turn: outcome ? null : sideAt({ start: null }, moves.length), outcome, legal_cells: [] };
}

/** A person as X against an engine, after some moves. */
function play(moves = [], fields = {}) {
    const end = after(moves);
    return {
        ...{
            id: "a",
            start: null,
            moves,
            undone: [],
            end,
            at: moves.length,
            position: end,
            ended: null,
            clock: null,
        },
        ...{ players: { X: PERSON, O: ENGINE }, pending: null, isPaused: false, isElsewhere: false, failed: null },
        ...fields,
    };
}

const FAILED = { text: "the server does not answer", retry: () => {} };

test("a person is to move, then the engine thinks", () => {
    assert.equal(phaseOf(play()), "person");
    assert.equal(phaseOf(play([4])), "thinking");
    assert.equal(phaseOf(play([4, 0])), "person");
});

test("a finished game is over, however it ended and in every other state", () => {
    const won = after([0, 3, 1, 4, 2], WON);
    for (const fields of [{ end: won }, { ended: RESIGNED }]) {
        assert.equal(phaseOf(play([4], fields)), "over");
        assert.equal(phaseOf(play([4], { ...fields, failed: FAILED, isPaused: true, pending: 3 })), "over");
    }
});

test("an engine that could not move has failed until it is tried again", () => {
    assert.equal(phaseOf(play([4], { failed: FAILED })), "failed");
    assert.equal(phaseOf(play([4], { failed: null })), "thinking");
    assert.equal(phaseOf(play([4, 0], { failed: FAILED })), "person");
});

test("looking back changes neither the phase nor the work", () => {
    const [here, past] = [play([4, 0, 8]), play([4, 0, 8], { at: 1, position: after([4]) })];
    assert.equal(phaseOf(past), phaseOf(here));
    assert.equal(workOf(past), workOf(here));
});

test("every state asks for exactly one thing", () => {
    const flags = [false, true];
    for (const moves of [[], [4], [4, 0]])
        for (const isPaused of flags)
            for (const isElsewhere of flags)
                for (const failed of [null, FAILED])
                    for (const pending of [null, 8])
                        for (const ended of [null, RESIGNED]) {
                            const one = play(moves, { isPaused, isElsewhere, failed, pending, ended });
                            const phase = phaseOf(one);
                            assert.equal(workOf(one) !== null, phase === "thinking");
                            assert.equal(isTimed(phase), phase === "thinking" || phase === "person");
                            if (mayMove(one)) assert.equal(phase, "person");
                        }
});

test("work begins again when the moves or the level change, and only then", () => {
    const work = workOf(play([4]));
    assert.equal(workOf(play([4], { isHinting: true, pointed: 3 })), work);
    assert.notEqual(workOf(play([5])), work);
    assert.notEqual(workOf(play([4], { players: { X: PERSON, O: { ...ENGINE, level: "master" } } })), work);
    assert.notEqual(workOf(play([4], { id: "b" })), work);
});

test("two engines stop while they are paused", () => {
    const players = { X: ENGINE, O: ENGINE };
    assert.equal(phaseOf(play([], { players })), "thinking");
    assert.equal(phaseOf(play([], { players, isPaused: true })), "paused");
});

test("a game that another tab continues is left alone", () => {
    const taken = play([], { isElsewhere: true });
    assert.equal(phaseOf(taken), "elsewhere");
    assert.ok(!mayMove(taken));
    assert.match(whyNoMove(taken), /another tab/);
});

test("a person may move in the past of a game without clocks only", () => {
    const past = { at: 2, position: after([4, 0]) };
    assert.ok(mayMove(play([4, 0, 8], past)));
    assert.ok(!mayMove(play([4, 0, 8], { ...past, clock: {} })));
    assert.match(whyNoMove(play([4, 0, 8], { ...past, clock: {} })), /looking back/);
    assert.ok(!mayMove(play([4, 0, 8], { at: 1, position: after([4]) })));
});

test("a move that is not confirmed yet keeps others from being made", () => {
    assert.ok(mayMove(play()));
    assert.ok(!mayMove(play([], { pending: 4 })));
});

test("a resignation shows at the end of the game, not before it", () => {
    assert.equal(outcomeOf(play([4, 0], { ended: RESIGNED })), RESIGNED);
    assert.equal(outcomeOf(play([4, 0], { ended: RESIGNED, at: 1, position: after([4]) })), null);
});

test("undo leads to the last turn of a person", () => {
    assert.equal(plyToUndo(play([4, 0]), 2), 0);
    assert.equal(plyToUndo(play([4, 0, 8]), 3), 2);
    assert.equal(plyToUndo(play(), 0), null);
    const second = { players: { X: ENGINE, O: PERSON } };
    assert.equal(plyToUndo(play([4], second), 1), null);
    assert.equal(plyToUndo(play([4, 0, 8], second), 3), 1);
    assert.equal(plyToUndo(play([4, 0], { players: { X: PERSON, O: PERSON } }), 2), 1);
    assert.equal(plyToUndo(play([4, 0], { players: { X: ENGINE, O: ENGINE } }), 2), null);
});

test("redo leads to the next turn of a person or to the end, and undoes undo", () => {
    assert.equal(plyToRedo(play([4, 0])), null);
    const back = { ...play(), ...cutAt(play([4, 0, 8, 1]), 0) };
    assert.equal(plyToRedo(back), 2);
    assert.equal(plyToRedo(back, 3), 4);
    assert.equal(plyToRedo(back, 99), 4);
    assert.deepEqual(allMoves(back), [4, 0, 8, 1]);
    assert.deepEqual(cutAt(back, 2), { moves: [4, 0], undone: [8, 1] });
});

test("the side to move follows from the start", () => {
    assert.equal(sideAt({ start: null }, 0), "X");
    assert.equal(sideAt({ start: "3/3/3 o" }, 0), "O");
    assert.equal(sideAt({ start: "3/3/3 o" }, 3), "X");
});

test("only a lone person is addressed as you, also after changing sides", () => {
    assert.equal(viewerOf({ players: { X: PERSON, O: ENGINE } }), "X");
    assert.equal(viewerOf({ players: swapped({ X: PERSON, O: ENGINE }) }), "O");
    assert.equal(viewerOf({ players: { X: PERSON, O: PERSON } }), null);
});
