import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { isLasting, namesWith, read, storedList, write } from "../../../src/noughts/web/static/js/shell/storage.js";

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

test("an entry that is put back into a list leaves the others alone", () => {
    allow();
    const list = storedList("a", (entry) => entry.id, 3);
    for (const id of [1, 2, 3, 4]) list.add({ id });
    const ids = () => list.all().map(({ id }) => id);
    assert.deepEqual(ids(), [4, 3, 2]);
    const putBack = list.remove({ id: 3 });
    const putFourBack = list.remove({ id: 4 });
    list.add({ id: 5 });
    putBack();
    assert.deepEqual(ids(), [5, 3, 2]);
    putFourBack();
    putFourBack();
    assert.deepEqual(ids(), [4, 5, 3, 2]);
    list.add({ id: 3, isNew: true });
    putBack();
    assert.deepEqual(list.all()[0], { id: 3, isNew: true });
});

test("entries of an older version are upgraded when they are read", () => {
    allow();
    write("a", [{ name: "old" }, { id: 2 }]);
    const upgrade = (entry) => (entry.id ? entry : { id: 1 });
    assert.deepEqual(storedList("a", (entry) => entry.id, 3, upgrade).all(), [{ id: 1 }, { id: 2 }]);
});

test("a value deleted while the storage is blocked stays deleted", () => {
    const storage = allow();
    write("game.1", {});
    block();
    write("game.1", null);
    allow(storage);
    assert.deepEqual(namesWith("game."), []);
});
