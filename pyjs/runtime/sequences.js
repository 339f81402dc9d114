// @ts-check
/** Sequences: list (`Array`), tuple (a subclass of `Array`), range, bytes, and slices of them. */

import { builtins, className, error, extend } from "./base.js";
import { add, index, numeric } from "./numbers.js";
import { eq, isIn, lt } from "./operators.js";
import { text, textLength, textPart } from "./text.js";

/** A tuple. */
export class Tuple extends Array {
  /** @override */
  static get [Symbol.species]() {
    return Array;
  }
}

/** Fill a new tuple (or an instance of a subclass).
 * @template {any[]} T @param {T} made @param {ArrayLike<any>} items */
export function fill(made, items) {
  for (let place = 0; place < items.length; place++) made[place] = items[place];
  return made;
}

/** Make a tuple of the items of an array. @param {ArrayLike<any>} items */
export const tuple = (items) => fill(new Tuple(items.length), items);

/** Make a tuple of two items. @param {any} first @param {any} second */
export function pair(first, second) {
  const made = new Tuple(2);
  made[0] = first;
  made[1] = second;
  return made;
}

/** The items of an iterable as an array; not a copy if it is an array already. @param {any} items @returns {any[]} */
export const arrayOf = (items) => (Array.isArray(items) ? items : (items?.toArray?.() ?? [...items]));

/** A tuple of a range of items. (`Array.slice` is slow on tuples.)
 * @param {ArrayLike<any>} whole @param {number} start @param {number} stop */
export function tuplePart(whole, start, stop) {
  const made = new Tuple(Math.max(0, stop - start));
  for (let place = start; place < stop; place++) made[place - start] = whole[place];
  return made;
}

/** `a[start:stop:step]`. */
export class Slice {
  /** @param {any} start @param {any} stop @param {any} step */
  constructor(start, stop, step) {
    this.$start = start;
    this.$stop = stop;
    this.$step = step;
  }

  /** Start, stop and step of the slice for a sequence of this length. @param {number} length */
  bounds(length) {
    const step = this.$step === null ? 1 : index(this.$step);
    if (step === 0) throw error("ValueError", "slice step cannot be zero");
    const [lowest, highest] = step > 0 ? [0, length] : [-1, length - 1];
    const clamp = (/** @type {any} */ bound, /** @type {number} */ missing) => {
      if (bound === null) return missing;
      const at = Number(index(bound));
      return at < 0 ? Math.max(lowest, at + length) : Math.min(highest, at);
    };
    const start = clamp(this.$start, step > 0 ? lowest : highest);
    const stop = clamp(this.$stop, step > 0 ? highest : lowest);
    return [start, stop, step];
  }

  /** The indices that the slice selects in a sequence of this length. @param {number} length */
  places(length) {
    const [start, stop, step] = this.bounds(length);
    return new Range(start, stop, step);
  }

  /** Apply the slice to a str, list, tuple, range or bytes. @param {any} whole @returns {any} */
  of(whole) {
    const length = typeof whole === "string" ? textLength(whole) : whole.length;
    const [start, stop, step] = this.bounds(length);
    if (whole instanceof Range) return new Range(whole.at(start), whole.at(stop), whole.step * step);
    if (step === 1 && typeof whole === "string") return textPart(whole, start, stop);
    if (step === 1) return whole instanceof Tuple ? tuplePart(whole, start, stop) : whole.slice(start, stop);
    const items = typeof whole === "string" ? Array.from(whole) : whole;
    const part = Array.from(this.places(length), (place) => items[place]);
    if (typeof whole === "string") return part.join("");
    if (whole instanceof Uint8Array) return new /** @type {any} */ (whole.constructor)(part);
    return whole instanceof Tuple ? tuple(part) : part;
  }

  /** @param {number} length */
  $indices(length) {
    return tuple(this.bounds(length));
  }
}

/** The position of an index, which may be negative; raises IndexError.
 * @param {number} length @param {any} at @param {string} kind */
function placeOf(length, at, kind) {
  const found = Number(index(at));
  const place = found < 0 ? found + length : found;
  if (place < 0 || place >= length) throw error("IndexError", `${kind} out of range`);
  return place;
}

/** @param {any[]} list @param {any} items */
function extendList(list, items) {
  for (const item of items === list ? [...items] : items) list.push(item);
  return null;
}

/** @param {any[]} items @param {any} item @param {any} start @param {any} end @returns {number} */
function indexOf(items, item, start, end) {
  const [from, to] = new Slice(start, end, null).bounds(items.length);
  for (let place = from; place < to; place++) if (eq(items[place], item)) return place;
  return -1;
}

/** @param {any[]} items @param {any} times */
function repeat(items, times) {
  const count = Math.max(0, Number(index(times)));
  const made = [];
  for (let turn = 0; turn < count; turn++) for (let place = 0; place < items.length; place++) made.push(items[place]);
  return items instanceof Tuple ? tuple(made) : made;
}

/** Sort in place, by keys if given; stable in both directions.
 * @param {any[]} list @param {any} key @param {any} isReverse */
export function sortList(list, key, isReverse) {
  const keyed = list.map((item) => ({ item, key: key === null ? item : key(item) }));
  const sign = isReverse ? -1 : 1;
  keyed.sort((a, b) => (lt(a.key, b.key) ? -sign : lt(b.key, a.key) ? sign : 0));
  keyed.forEach(({ item }, place) => (list[place] = item));
  return null;
}

/** @param {any[]} list @param {Slice} slice @param {any} items */
function setSlice(list, slice, items) {
  const values = [...items];
  const [start, stop, step] = slice.bounds(list.length);
  if (step === 1) return void list.splice(start, stop - start, ...values);
  const places = [...slice.places(list.length)];
  if (places.length !== values.length) {
    const sizes = `sequence of size ${values.length} to extended slice of size ${places.length}`;
    throw error("ValueError", `attempt to assign ${sizes}`);
  }
  places.forEach((place, turn) => (list[place] = values[turn]));
}

extend(Array.prototype, {
  /** @param {any} item */
  $append(item) {
    this.push(item);
    return null;
  },
  /** @param {any} items */
  $extend(items) {
    return extendList(this, items);
  },
  /** @param {any} place @param {any} item */
  $insert(place, item) {
    this.splice(Number(index(place)), 0, item);
    return null;
  },
  $pop(at = -1) {
    if (this.length === 0) throw error("IndexError", "pop from empty list");
    return at === -1 ? this.pop() : this.splice(placeOf(this.length, at, "pop index"), 1)[0];
  },
  /** @param {any} item */
  $remove(item) {
    const place = indexOf(this, item, null, null);
    if (place < 0) throw error("ValueError", "list.remove(x): x not in list");
    this.splice(place, 1);
    return null;
  },
  $clear() {
    this.length = 0;
    return null;
  },
  $copy() {
    return this.slice();
  },
  $reverse() {
    this.reverse();
    return null;
  },
  $sort: Object.assign(
    /** @this {any[]} */
    function (key = null, isReverse = false) {
      return sortList(this, key, builtins.$bool(isReverse));
    },
    { signature: "* key reverse" },
  ),
  /** @param {any} item */
  $index(item, start = null, end = null) {
    const place = indexOf(this, item, start, end);
    if (place >= 0) return place;
    const what = this instanceof Tuple ? "tuple.index(x): x not in tuple" : `${builtins.$repr(item)} is not in list`;
    throw error("ValueError", what);
  },
  /** @param {any} item */
  $count(item) {
    let count = 0;
    for (const other of this) if (eq(other, item)) count++;
    return count;
  },
  $__len__() {
    return this.length;
  },
  /** @param {any} item */
  $__contains__(item) {
    for (let place = 0; place < this.length; place++) if (eq(this[place], item)) return true;
    return false;
  },
  /** @param {any} at */
  $__getitem__(at) {
    if (at instanceof Slice) return at.of(this);
    return this[placeOf(this.length, at, this instanceof Tuple ? "tuple index" : "list index")];
  },
  /** @param {any} at @param {any} value */
  $__setitem__(at, value) {
    if (at instanceof Slice) setSlice(this, at, value);
    else this[placeOf(this.length, at, "list assignment index")] = value;
  },
  /** @param {any} at */
  $__delitem__(at) {
    if (!(at instanceof Slice)) return void this.splice(placeOf(this.length, at, "list assignment index"), 1);
    const places = new Set(at.places(this.length));
    const kept = this.filter((/** @type {any} */ _, /** @type {number} */ place) => !places.has(place));
    this.length = 0;
    extendList(this, kept);
  },
  /** @param {any} other */
  $__add__(other) {
    if (Array.isArray(other) && other instanceof Tuple === this instanceof Tuple) {
      const joined = [...this, ...other];
      return this instanceof Tuple ? tuple(joined) : joined;
    }
    const kind = this instanceof Tuple ? "tuple" : "list";
    throw error("TypeError", `can only concatenate ${kind} (not "${className(other)}") to ${kind}`);
  },
  /** @param {any} items */
  $__iadd__(items) {
    if (/** @type {any} */ (this) instanceof Tuple) return add(this, items);
    extendList(this, items);
    return this;
  },
  /** @param {any} times */
  $__mul__(times) {
    return repeat(this, times);
  },
  /** @param {any} times */
  $__rmul__(times) {
    return repeat(this, times);
  },
  *$__reversed__() {
    for (let place = this.length - 1; place >= 0; place--) yield this[place];
  },
});
for (const name of [
  "append",
  "extend",
  "insert",
  "pop",
  "remove",
  "clear",
  "sort",
  "reverse",
  "__setitem__",
  "__delitem__",
]) {
  extend(Tuple.prototype, { [`$${name}`]: undefined });
}

/** Iterates over a range; without `return`, so that a loop that ends early does not close it. */
class RangeIterator {
  /** @param {Range} range */
  constructor(range) {
    this.place = 0;
    this.range = range;
  }
  [Symbol.iterator]() {
    return this;
  }
  /** @returns {IteratorResult<number>} */
  next() {
    const { range, place } = this;
    if (place >= range.length) return { value: undefined, done: true };
    this.place = place + 1;
    return { value: range.start + place * range.step, done: false };
  }
}

/** `range`. */
export class Range {
  /** @param {number} start @param {number} stop @param {number} step */
  constructor(start, stop, step) {
    this.start = start;
    this.stop = stop;
    this.step = step;
    this.length = Math.max(0, Math.ceil((stop - start) / step));
  }
  [Symbol.iterator]() {
    return new RangeIterator(this);
  }
  get $start() {
    return this.start;
  }
  get $stop() {
    return this.stop;
  }
  get $step() {
    return this.step;
  }
  /** @param {number} place */
  at(place) {
    return this.start + place * this.step;
  }
  $__len__() {
    return this.length;
  }
  /** @param {any} at */
  $__getitem__(at) {
    return at instanceof Slice ? at.of(this) : this.at(placeOf(this.length, at, "range object index"));
  }
  /** @param {any} item */
  $__contains__(item) {
    const value = Number(numeric(item) ?? NaN);
    const place = (value - this.start) / this.step;
    return Number.isInteger(place) && place >= 0 && place < this.length;
  }
  /** @param {any} item */
  $index(item) {
    if (!this.$__contains__(item)) throw error("ValueError", `${builtins.$repr(item)} is not in range`);
    return (Number(item) - this.start) / this.step;
  }
  /** @param {any} item */
  $count(item) {
    return this.$__contains__(item) ? 1 : 0;
  }
  $__reversed__() {
    return new Range(this.at(this.length - 1), this.start - this.step, -this.step)[Symbol.iterator]();
  }
  /** @param {any} other */
  $__eq__(other) {
    return other instanceof Range && eq([...this], [...other]);
  }
  $__repr__() {
    return `range(${this.start}, ${this.stop}${this.step === 1 ? "" : `, ${this.step}`})`;
  }
}

const BYTES_METHODS = {
  $decode: Object.assign(
    /** @this {Uint8Array} */
    function (encoding = "utf-8", errors = "strict") {
      return decode(this, text(encoding), text(errors));
    },
    { signature: "encoding errors" },
  ),
  $hex() {
    return Array.from(/** @type {any} */ (this), (byte) => byte.toString(16).padStart(2, "0")).join("");
  },
  $__len__() {
    return /** @type {any} */ (this).length;
  },
  /** @param {any} at */
  $__getitem__(at) {
    const bytes = /** @type {any} */ (this);
    return at instanceof Slice ? at.of(bytes) : bytes[placeOf(bytes.length, at, "index")];
  },
  /** @param {any} item */
  $__contains__(item) {
    const bytes = /** @type {any} */ (this);
    return item instanceof Uint8Array ? latin(bytes).includes(latin(item)) : bytes.includes(Number(item));
  },
  /** @param {any} prefix */
  $startswith(prefix) {
    const bytes = /** @type {any} */ (this);
    return alternatives(prefix).some((each) => latin(bytes.subarray(0, each.length)) === latin(each));
  },
  /** @param {any} suffix */
  $endswith(suffix) {
    const bytes = /** @type {any} */ (this);
    return alternatives(suffix).some(
      (each) => latin(bytes.subarray(Math.max(0, bytes.length - each.length))) === latin(each),
    );
  },
  /** @param {any} other */
  $__add__(other) {
    const bytes = /** @type {any} */ (this);
    const made = new bytes.constructor(bytes.length + other.length);
    made.set(bytes);
    made.set(other, bytes.length);
    return made;
  },
  /** @param {any} times */
  $__mul__(times) {
    const bytes = /** @type {any} */ (this);
    return bytes.constructor.from(repeat(Array.from(bytes), times));
  },
};

/** The argument of `startswith` and `endswith` as an array. @param {any} bytes or a tuple of them @returns {any[]} */
const alternatives = (bytes) => (bytes instanceof Uint8Array ? [bytes] : bytes);

/** Bytes as a string of Latin-1 characters. @param {Uint8Array} bytes */
export const latin = (bytes) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");

/** `bytes`. */
export class Bytes extends Uint8Array {}

/** `bytearray`; its length is fixed. */
export class ByteArray extends Uint8Array {
  /** @param {any} at @param {any} value */
  $__setitem__(at, value) {
    if (at instanceof Slice) this.set(value, at.bounds(this.length)[0]);
    else this[placeOf(this.length, at, "bytearray index")] = Number(index(value));
  }
}
for (const type of [Bytes, ByteArray]) extend(type.prototype, BYTES_METHODS);

/** Make bytes of a Latin-1 string or of numbers. @param {string | Iterable<number>} items */
export const bytes = (items) =>
  Bytes.from(typeof items === "string" ? Array.from(items, (c) => c.charCodeAt(0)) : [...items]);

/** @param {string} name */
const encodingOf = (name) => {
  const plain = name.toLowerCase().replaceAll("_", "-");
  if (["utf-8", "utf8"].includes(plain)) return 0x110000;
  if (["ascii", "us-ascii"].includes(plain)) return 0x80;
  if (["latin-1", "iso-8859-1", "latin1"].includes(plain)) return 0x100;
  throw error("LookupError", `unknown encoding: ${name}`);
};

/** @param {string} value @param {string} encoding @param {string} errors */
export function encode(value, encoding, errors) {
  const limit = encodingOf(encoding);
  const isBad = (/** @type {string} */ c) => {
    const code = Number(c.codePointAt(0));
    return code >= limit || (limit > 0x100 && code >= 0xd800 && code < 0xe000);
  };
  const characters = Array.from(value);
  const bad = characters.findIndex(isBad);
  if (bad >= 0 && errors === "strict") {
    const code = `\\u${Number(characters[bad].codePointAt(0)).toString(16).padStart(4, "0")}`;
    throw error("UnicodeEncodeError", `'${encoding}' codec can't encode character '${code}' in position ${bad}`);
  }
  const kept = characters.map((c) => (isBad(c) ? (errors === "replace" ? "?" : "") : c)).join("");
  return limit > 0x100 ? Bytes.from(new TextEncoder().encode(kept)) : bytes(kept);
}

/** @param {Uint8Array} value @param {string} encoding @param {string} errors */
function decode(value, encoding, errors) {
  const limit = encodingOf(encoding);
  if (limit <= 0x100) {
    const bad = value.findIndex((byte) => byte >= limit);
    if (bad >= 0 && errors === "strict") {
      const byte = `0x${value[bad].toString(16)} in position ${bad}: ordinal not in range(128)`;
      throw error("UnicodeDecodeError", `'${encoding}' codec can't decode byte ${byte}`);
    }
    return latin(value.filter((byte) => byte < limit));
  }
  try {
    return new TextDecoder("utf-8", { fatal: errors === "strict", ignoreBOM: true }).decode(value);
  } catch {
    throw error("UnicodeDecodeError", `'${encoding}' codec can't decode the bytes`);
  }
}

/** The values for the targets of `a, *b, c = value`.
 * @param {any} value @param {number} count number of targets
 * @param {number} star index of the starred target, or -1 */
export function unpack(value, count, star) {
  const items = arrayOf(value);
  if (star < 0) {
    if (items.length === count) return items;
    const got = items.length < count ? `, got ${items.length}` : "";
    const what = items.length < count ? "not enough" : "too many";
    throw error("ValueError", `${what} values to unpack (expected ${count}${got})`);
  }
  const rest = items.length - count + 1;
  if (rest < 0) {
    throw error("ValueError", `not enough values to unpack (expected at least ${count - 1}, got ${items.length})`);
  }
  return [...items.slice(0, star), [...items.slice(star, star + rest)], ...items.slice(star + rest)];
}

/** Whether a value is a sequence of this length, for sequence patterns. @param {any} value @param {number} length */
export const isSequence = (value, length) =>
  (Array.isArray(value) || value instanceof Range) && value.length === length;

export { isIn };
