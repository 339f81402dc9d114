import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { isLasting, namesWith, read, write } from "../../src/noughts/web/static/js/storage.js";

/** A storage like the browser's, whose entries are its own properties. */
class Storage {
    getItem(name) {
        return Object.hasOwn(this, name) ? this[name] : null;
    }
    setItem(name, text) {
        this[name] = text;
    }
    removeItem(name) {
        delete this[name];
    }
}

function block() {
    Object.defineProperty(globalThis, "localStorage", {
        configurable: true,
        get: () => {
            throw new Error("denied");
        },
    });
}

function allow(storage = new Storage()) {
    Object.defineProperty(globalThis, "localStorage", { configurable: true, value: storage });
    return storage;
}

afterEach(() => {
    allow();
    for (const name of ["a", "b", "game.1", "game.2"]) write(name, null);
});

test("values are stored as JSON and deleted by null", () => {
    const storage = allow();
    write("a", { moves: [4] });
    assert.deepEqual(read("a", null), { moves: [4] });
    assert.equal(storage.a, '{"moves":[4]}');
    write("a", null);
    assert.equal(read("a", "nothing"), "nothing");
    assert.ok(isLasting());
});

test("nonsense in the storage reads as nothing", () => {
    allow().a = "{";
    assert.equal(read("a", 7), 7);
});

test("a blocked storage is replaced by memory", () => {
    block();
    write("a", 1);
    write("game.1", {});
    assert.equal(read("a", 0), 1);
    assert.deepEqual(namesWith("game."), ["game.1"]);
    assert.ok(!isLasting());
});

test("a full storage holds what it has, and the newest value counts", () => {
    const storage = allow();
    write("a", "old");
    storage.setItem = () => {
        throw new Error("full");
    };
    write("a", "new");
    assert.equal(storage.getItem("a"), '"old"');
    assert.equal(read("a", ""), "new");
    write("a", null);
    assert.equal(read("a", ""), "");
});

test("a value deleted while the storage is blocked stays deleted", () => {
    const storage = allow();
    write("game.1", {});
    block();
    write("game.1", null);
    allow(storage);
    assert.deepEqual(namesWith("game."), []);
});
