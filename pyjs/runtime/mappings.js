// @ts-check
/**
 * Dictionaries and sets on JavaScript's `Map`. A `Map` compares keys by identity, so each Python key is converted to a
 * map key that is identical for equal Python keys: most keys are their own map keys, tuples and frozensets become
 * strings. `hash` returns the map key, too. Keys of a class with `__hash__` can share a map key without being equal, so
 * they are also compared by `__eq__`; on a collision, `'` is added to the map key.
 */

import { builtins, className, error, extend, identity } from "./base.js";
import { Float, integer } from "./numbers.js";
import { eq } from "./operators.js";
import { Tuple, pair } from "./sequences.js";

/** The map key of a Python key. @param {any} key @returns {any} */
export function hash(key) {
  switch (typeof key) {
    case "string":
      return key.charCodeAt(0) === 0 ? `\0s${key}` : key;
    case "boolean":
      return key ? 1 : 0;
    case "object":
      return key === null ? null : hashObject(key);
    default:
      return key;
  }
}

/** @param {any} key */
function hashObject(key) {
  if (key instanceof Tuple && !(/** @type {any} */ (key).$__hash__)) return hashTuple(key);
  if (key instanceof Float) return integer(key.value);
  if (key.$__hash__) return `\0h${serialize(key.$__hash__())}`;
  if (key instanceof String || key instanceof Number) return hash(key.valueOf());
  if (key instanceof FrozenSet) return `\0{${[...key.map.keys()].map(serialize).sort().join()}}`;
  const isUnhashable = key.$__hash__ === null || Array.isArray(key) || key instanceof Dict || key instanceof PySet;
  if (isUnhashable) throw error("TypeError", `unhashable type: '${className(key)}'`);
  return key instanceof Uint8Array ? `\0b${key.join()}` : key;
}

/** @param {any} key */
function hashTuple(key) {
  let mapKey = "\0(";
  for (let place = 0; place < key.length; place++) mapKey += `${serialize(hash(key[place]))},`;
  return mapKey;
}

/** A string that is different for different map keys. @param {any} mapKey */
function serialize(mapKey) {
  if (typeof mapKey === "string") return `${mapKey.length}:${mapKey}`;
  return typeof mapKey === "object" || typeof mapKey === "function" ? `#${mapKey && identity(mapKey)}` : `${mapKey}`;
}

/** Whether different Python keys can have this map key, because their class defines `__hash__`.
 * @param {any} mapKey */
const isAmbiguous = (mapKey) =>
  typeof mapKey === "string" && mapKey.charCodeAt(0) === 0 && mapKey.charCodeAt(1) === 104;

/** The map key under which a Python key is, or would be, stored; `keyOf` returns the Python key of a stored value.
 * @param {Map<any, any>} map @param {any} key @param {(kept: any) => any} keyOf */
function locate(map, key, keyOf) {
  if (typeof key === "number" || (typeof key === "string" && key.charCodeAt(0) !== 0)) return key;
  let mapKey = hash(key);
  if (!isAmbiguous(mapKey)) return mapKey;
  for (let kept = map.get(mapKey); kept !== undefined && !eq(keyOf(kept), key); kept = map.get(mapKey)) {
    mapKey += "'";
  }
  return mapKey;
}

/** Remove a map key; if others collided with it, rebuild the map.
 * @param {Map<any, any>} map @param {any} mapKey @param {(kept: any) => any} keyOf */
function remove(map, mapKey, keyOf) {
  map.delete(mapKey);
  if (!isAmbiguous(mapKey) || !map.has(`${mapKey}'`)) return;
  const kept = [...map.values()];
  map.clear();
  for (const entry of kept) map.set(locate(map, keyOf(entry), keyOf), entry);
}

/** @typedef {{key: any, value: any}} Entry */
const entryKey = (/** @type {Entry} */ entry) => entry.key;
const entryValue = (/** @type {Entry} */ entry) => entry.value;
const entryPair = (/** @type {Entry} */ entry) => pair(entry.key, entry.value);

/** Iterates over the entries of a map. */
class EntryIterator {
  /** @param {Map<any, Entry>} map @param {(entry: Entry) => any} take */
  constructor(map, take) {
    this.entries = map.values();
    this.take = take;
  }
  [Symbol.iterator]() {
    return this;
  }
  /** @returns {IteratorResult<any>} */
  next() {
    const { value, done } = this.entries.next();
    return done ? { value: undefined, done } : { value: this.take(value), done: false };
  }
}

/** `dict`. */
export class Dict {
  constructor() {
    /** @type {Map<any, Entry>} */
    this.map = new Map();
  }
  get size() {
    return this.map.size;
  }
  [Symbol.iterator]() {
    return new EntryIterator(this.map, entryKey);
  }
  /** @param {any} key @returns {Entry | undefined} */
  entry(key) {
    return this.map.get(locate(this.map, key, entryKey));
  }
  /** @param {any} key @param {any} value */
  put(key, value) {
    const mapKey = locate(this.map, key, entryKey);
    const entry = this.map.get(mapKey);
    if (entry === undefined) this.map.set(mapKey, { key, value });
    else entry.value = value;
  }
  /** @param {any} items a mapping or an iterable of pairs */
  putAll(items) {
    if (items instanceof Dict) for (const { key, value } of items.map.values()) this.put(key, value);
    else if (items.$keys) for (const key of items.$keys()) this.put(key, items.$__getitem__(key));
    else for (const [key, value] of items) this.put(key, value);
  }
  $__len__() {
    return this.map.size;
  }
  /** @param {any} key */
  $__contains__(key) {
    return this.entry(key) !== undefined;
  }
  /** @param {any} key */
  $__getitem__(key) {
    const entry = this.entry(key);
    if (entry !== undefined) return entry.value;
    const missing = /** @type {any} */ (this).$__missing__;
    if (missing) return missing.call(this, key);
    throw error("KeyError", key);
  }
  /** @param {any} key @param {any} value */
  $__setitem__(key, value) {
    this.put(key, value);
    return null;
  }
  /** @param {any} key */
  $__delitem__(key) {
    if (this.entry(key) === undefined) throw error("KeyError", key);
    remove(this.map, locate(this.map, key, entryKey), entryKey);
    return null;
  }
  /** @param {any} key */
  $get(key, missing = null) {
    const entry = this.entry(key);
    return entry === undefined ? missing : entry.value;
  }
  /** @param {any} key */
  $setdefault(key, missing = null) {
    const entry = this.entry(key);
    if (entry !== undefined) return entry.value;
    this.put(key, missing);
    return missing;
  }
  /** @param {any} key @param {any} [missing] */
  $pop(key, missing) {
    const entry = this.entry(key);
    if (entry === undefined && missing === undefined) throw error("KeyError", key);
    if (entry === undefined) return missing;
    this.$__delitem__(key);
    return entry.value;
  }
  $popitem() {
    const entry = [...this.map.values()].at(-1);
    if (!entry) throw error("KeyError", "popitem(): dictionary is empty");
    this.$__delitem__(entry.key);
    return pair(entry.key, entry.value);
  }
  $clear() {
    this.map.clear();
    return null;
  }
  $copy() {
    return dict([this]);
  }
  $keys() {
    return new KeysView(this, entryKey);
  }
  $values() {
    return new ValuesView(this, entryValue);
  }
  $items() {
    return new ItemsView(this, entryPair);
  }
  /** @param {any} other */
  $__or__(other) {
    if (!(other instanceof Dict)) return builtins.$NotImplemented;
    const joined = this.$copy();
    joined.putAll(other);
    return joined;
  }
  /** @param {any} other */
  $__ior__(other) {
    this.putAll(other);
    return this;
  }
  /** @param {any} other */
  $__eq__(other) {
    if (!(other instanceof Dict) || other.size !== this.size)
      return other instanceof Dict ? false : builtins.$NotImplemented;
    for (const { key, value } of this.map.values()) {
      const entry = other.entry(key);
      if (entry === undefined || !eq(value, entry.value)) return false;
    }
    return true;
  }
  *$__reversed__() {
    for (const key of [...this].reverse()) yield key;
  }
}
extend(Dict.prototype, {
  $update: Object.assign(
    /** @this {Dict} */
    function (/** @type {any} */ items, /** @type {any} */ more) {
      if (items !== undefined) this.putAll(items);
      if (more !== undefined) this.putAll(more);
      return null;
    },
    { signature: "other **more" },
  ),
});

/** Make a dict. @param {Iterable<any>} pairs pairs of key and value, or dicts to merge */
export function dict(pairs) {
  const made = new Dict();
  for (const item of pairs) {
    if (item instanceof Dict) made.putAll(item);
    else made.put(item[0], item[1]);
  }
  return made;
}

/** The operators of sets, shared by sets and the views of dicts. */
const SET_OPERATORS = {
  /** @param {any} other */
  $__or__(other) {
    return join(this, /** @type {any} */ (this), other);
  },
  /** @param {any} other */
  $__and__(other) {
    return pick(this, (item) => other.$__contains__(item));
  },
  /** @param {any} other */
  $__sub__(other) {
    return pick(this, (item) => !other.$__contains__(item));
  },
  /** @param {any} other */
  $__xor__(other) {
    return join(
      this,
      pick(this, (item) => !other.$__contains__(item)),
      pick(other, (item) => !(/** @type {any} */ (this).$__contains__(item))),
    );
  },
  /** @param {any} other */
  $__le__(other) {
    const items = /** @type {any} */ (this);
    return items.$__len__() <= other.$__len__() && [...items].every((item) => other.$__contains__(item));
  },
  /** @param {any} other */
  $__lt__(other) {
    return /** @type {any} */ (this).$__len__() < other.$__len__() && this.$__le__(other);
  },
  /** @param {any} other */
  $__ge__(other) {
    return SET_OPERATORS.$__le__.call(other, this);
  },
  /** @param {any} other */
  $__gt__(other) {
    return SET_OPERATORS.$__lt__.call(other, this);
  },
  /** @param {any} other */
  $__eq__(other) {
    if (!(other instanceof PySet || other instanceof KeysView)) return builtins.$NotImplemented;
    return /** @type {any} */ (this).$__len__() === other.$__len__() && this.$__le__(other);
  },
  /** @param {any} other */
  $isdisjoint(other) {
    return ![...other].some((item) => /** @type {any} */ (this).$__contains__(item));
  },
};

/** The union of iterables, a frozenset if `like` is one. @param {any} like @param {Iterable<any>[]} parts */
function join(like, ...parts) {
  const made = like instanceof FrozenSet ? new FrozenSet() : new PySet();
  for (const items of parts) for (const item of items) made.insert(item);
  return made;
}

/** The items that pass a test, as a set. @param {any} items @param {(item: any) => boolean} test */
const pick = (items, test) => join(items, [...items].filter(test));

/** @param {Iterable<any>} items @returns {any} */
const asSet = (items) => (items instanceof PySet ? items : join(null, items));

const itself = (/** @type {any} */ item) => item;

/** `set`. */
export class PySet {
  constructor() {
    /** @type {Map<any, any>} */
    this.map = new Map();
  }
  [Symbol.iterator]() {
    return this.map.values();
  }
  /** @param {any} item */
  insert(item) {
    const mapKey = locate(this.map, item, itself);
    if (!this.map.has(mapKey)) this.map.set(mapKey, item);
  }
  /** @param {any} item */
  $add(item) {
    this.insert(item);
    return null;
  }
  $__len__() {
    return this.map.size;
  }
  /** @param {any} item */
  $__contains__(item) {
    return this.map.has(locate(this.map, item, itself));
  }
  /** @param {any} item */
  $discard(item) {
    remove(this.map, locate(this.map, item, itself), itself);
    return null;
  }
  /** @param {any} item */
  $remove(item) {
    if (!this.$__contains__(item)) throw error("KeyError", item);
    return this.$discard(item);
  }
  $pop() {
    const first = this.map.entries().next();
    if (first.done) throw error("KeyError", "pop from an empty set");
    this.map.delete(first.value[0]);
    return first.value[1];
  }
  $clear() {
    this.map.clear();
    return null;
  }
  $copy() {
    return join(this, this);
  }
  /** @param {Iterable<any>[]} others */
  $update(...others) {
    for (const items of others) for (const item of [...items]) this.insert(item);
    return null;
  }
  /** @param {Iterable<any>} other */
  $difference_update(other) {
    for (const item of [...other]) this.$discard(item);
    return null;
  }
  /** @param {Iterable<any>[]} others */
  $union(...others) {
    return join(this, this, ...others);
  }
  /** @param {Iterable<any>[]} others */
  $intersection(...others) {
    const sets = others.map(asSet);
    return pick(this, (item) => sets.every((set) => set.$__contains__(item)));
  }
  /** @param {Iterable<any>[]} others */
  $difference(...others) {
    const sets = others.map(asSet);
    return pick(this, (item) => !sets.some((set) => set.$__contains__(item)));
  }
  /** @param {Iterable<any>} other */
  $symmetric_difference(other) {
    return SET_OPERATORS.$__xor__.call(this, asSet(other));
  }
  /** @param {Iterable<any>} other */
  $issubset(other) {
    return SET_OPERATORS.$__le__.call(this, asSet(other));
  }
  /** @param {Iterable<any>} other */
  $issuperset(other) {
    return SET_OPERATORS.$__le__.call(asSet(other), this);
  }
  /** @param {any} other */
  $__ior__(other) {
    this.$update(other);
    return this;
  }
  /** @param {any} other */
  $__isub__(other) {
    this.$difference_update(other);
    return this;
  }
  /** @param {any} other */
  $__iand__(other) {
    this.$difference_update([...this].filter((item) => !other.$__contains__(item)));
    return this;
  }
  /** @param {any} other */
  $__ixor__(other) {
    const changed = SET_OPERATORS.$__xor__.call(this, other);
    this.map = changed.map;
    return this;
  }
}

/** `frozenset`. */
export class FrozenSet extends PySet {}
const CHANGING = [
  "add",
  "discard",
  "remove",
  "pop",
  "clear",
  "update",
  "difference_update",
  "__ior__",
  "__isub__",
  "__iand__",
  "__ixor__",
];
for (const name of CHANGING) extend(FrozenSet.prototype, { [`$${name}`]: undefined });

/** @param {Iterable<any>} items */
export const set = (items) => join(null, items);

class View {
  /** @param {Dict} dict @param {(entry: Entry) => any} take */
  constructor(dict, take) {
    this.dict = dict;
    this.take = take;
  }
  [Symbol.iterator]() {
    return new EntryIterator(this.dict.map, this.take);
  }
  toArray() {
    const items = [];
    for (const entry of this.dict.map.values()) items.push(this.take(entry));
    return items;
  }
  $__len__() {
    return this.dict.size;
  }
  /** @param {any} item */
  $__contains__(item) {
    return this.toArray().some((other) => eq(other, item));
  }
  $__reversed__() {
    return this.toArray().reverse()[Symbol.iterator]();
  }
}

export class KeysView extends View {
  /** @param {any} key @override */
  $__contains__(key) {
    return this.dict.$__contains__(key);
  }
}

export class ValuesView extends View {}

export class ItemsView extends View {}
for (const type of [PySet, KeysView, ItemsView]) extend(type.prototype, SET_OPERATORS);
