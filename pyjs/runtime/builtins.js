// @ts-check
/** The builtin functions and types. */

import { builtins, className, error, extend, identity, isClass } from "./base.js";
import { END, LazyIterator, attribute, fn, generate, next } from "./functions.js";
import {
  classmethod,
  cls,
  define,
  isInstance,
  isSubclass,
  nativeClass,
  property,
  staticmethod,
  type,
  unbind,
} from "./classes.js";
import "./errors.js";
import { format, formatPercent, formatTemplate, quote, repr, str } from "./format.js";
import { Dict, FrozenSet, ItemsView, KeysView, PySet, ValuesView, hash, set } from "./mappings.js";
import {
  Float,
  abs,
  add,
  float,
  floordiv,
  index,
  isFloat,
  mod,
  neg,
  normal,
  number,
  numeric,
  parseFloatText,
  parseInteger,
  pow,
  round,
  truncate,
} from "./numbers.js";
import { eq, gt, lt, truth } from "./operators.js";
import {
  ByteArray,
  Bytes,
  Range,
  Slice,
  Tuple,
  arrayOf,
  bytes,
  encode,
  fill,
  latin,
  pair,
  sortList,
  tuple,
} from "./sequences.js";
import { isText, text, textLength } from "./text.js";

// Types

/** @param {any} value @param {any} [base] */
function makeInteger(value = 0, base = undefined) {
  if (isText(value)) return parseInteger(text(value), base === undefined ? 10 : Number(base));
  const found = numeric(value);
  if (found !== undefined) return isFloat(found) ? truncate(found) : found;
  if (value instanceof Uint8Array) return parseInteger(latin(value), Number(base ?? 10));
  if (value?.$__int__) return value.$__int__();
  if (value?.$__index__) return value.$__index__();
  throw error(
    "TypeError",
    `int() argument must be a string, a bytes-like object or a real number, not '${className(value)}'`,
  );
}

/** @param {any} value */
function makeFloat(value = 0) {
  return isText(value) ? parseFloatText(text(value)) : float(number(value));
}

/** @param {any} value @param {any} encoding @param {any} errors */
function makeText(value = "", encoding = undefined, errors = "strict") {
  return encoding === undefined ? str(value) : value.$decode(encoding, errors);
}

/** @param {any} items */
const makeTuple = (items = []) =>
  items instanceof Tuple && Object.getPrototypeOf(items) === Tuple.prototype
    ? items
    : tuple(arrayOf(expectIterable(items)));

/** The argument; raises TypeError if it is not iterable. @param {any} items */
function expectIterable(items) {
  if (items?.[Symbol.iterator] === undefined)
    throw error("TypeError", `'${className(items)}' object is not iterable`);
  return items;
}

/** @param {any} items @param {any} more */
function makeDict(items = undefined, more = undefined) {
  const made = new Dict();
  if (items !== undefined) made.putAll(items);
  if (more !== undefined) made.putAll(more);
  return made;
}

/** @param {any} items */
function makeFrozenSet(items = []) {
  const made = new FrozenSet();
  for (const item of items) made.insert(item);
  return made;
}

/** @param {any} made @param {any} value @param {any} encoding @param {any} errors */
function makeBytes(made, value, encoding, errors) {
  if (isText(value)) return made.from(encode(text(value), text(encoding ?? "utf-8"), text(errors ?? "strict")));
  return typeof value === "number" ? new made(value) : made.from(arrayOf(value));
}

/** @param {any} start @param {any} [stop] @param {any} [step] */
function makeRange(start, stop, step = 1) {
  if (Number(step) === 0) throw error("ValueError", "range() arg 3 must not be zero");
  return stop === undefined ? new Range(0, index(start), 1) : new Range(index(start), index(stop), index(step));
}

const isNumber = (/** @type {any} */ value) => typeof value === "number" && Number.isInteger(value);
/** @param {any} make */
const callable = (make) =>
  /** @param {any[]} values */
  function (...values) {
    return make(...values);
  };
const INT = nativeClass(
  "int",
  Number,
  fn("int", "x base", callable(makeInteger)),
  (v) => isNumber(v) || typeof v === "bigint" || typeof v === "boolean" || v instanceof Number,
);
nativeClass(
  "bool",
  Boolean,
  callable((/** @type {any} */ value = false) => truth(value)),
  (v) => typeof v === "boolean",
  INT,
);
nativeClass("float", Float, callable(makeFloat), (v) => isFloat(v));
nativeClass("str", String, fn("str", "object encoding errors", callable(makeText)), isText);
nativeClass(
  "list",
  Array,
  callable((/** @type {any} */ items = []) => [...expectIterable(items)]),
  (v) => Array.isArray(v) && !(v instanceof Tuple),
);
nativeClass("tuple", Tuple, callable(makeTuple), (v) => v instanceof Tuple);
nativeClass("dict", Dict, fn("dict", "items **more", callable(makeDict)), (v) => v instanceof Dict);
nativeClass(
  "set",
  PySet,
  callable((/** @type {any} */ items = []) => set(items)),
  (v) => v instanceof PySet && !(v instanceof FrozenSet),
);
nativeClass("frozenset", FrozenSet, callable(makeFrozenSet), (v) => v instanceof FrozenSet);
nativeClass(
  "bytes",
  Bytes,
  fn(
    "bytes",
    "source encoding errors",
    callable((/** @type {any} */ v = [], /** @type {any} */ e, /** @type {any} */ r) => makeBytes(Bytes, v, e, r)),
  ),
  (v) => v instanceof Bytes,
);
nativeClass(
  "bytearray",
  ByteArray,
  fn(
    "bytearray",
    "source encoding errors",
    callable((/** @type {any} */ v = [], /** @type {any} */ e, /** @type {any} */ r) =>
      makeBytes(ByteArray, v, e, r),
    ),
  ),
  (v) => v instanceof ByteArray,
);
nativeClass("range", Range, callable(makeRange), (v) => v instanceof Range);
const makeSlice = (/** @type {any} */ start, /** @type {any} */ stop, /** @type {any} */ step = null) =>
  stop === undefined ? new Slice(null, start, null) : new Slice(start, stop, step);
nativeClass("slice", Slice, callable(makeSlice), (v) => v instanceof Slice);
nativeClass("type", class {}, callable(type), isClass);
nativeClass("function", class {}, callable(type), (v) => typeof v === "function" && !isClass(v));
nativeClass("generator", class {}, callable(type), (v) => typeof v?.next === "function");
nativeClass(
  "NoneType",
  class {},
  callable(() => null),
  (v) => v === null,
);
nativeClass("dict_keys", KeysView, callable(type), (v) => v instanceof KeysView);
nativeClass("dict_values", ValuesView, callable(type), (v) => v instanceof ValuesView);
nativeClass("dict_items", ItemsView, callable(type), (v) => v instanceof ItemsView);
define(BigInt.prototype, "$__class__", INT);

/** `__new__` of the builtin types, for their subclasses. @type {Record<string, (C: any, ...values: any[]) => any>} */
const MAKERS = {
  int: (C, value = 0, base = undefined) => new C.Instance(makeInteger(value, base)),
  float: (C, value = 0) => new C.Instance(Number(makeFloat(value))),
  str: (C, value = "") => new C.Instance(str(value)),
  tuple: (C, items = []) => {
    const array = arrayOf(items);
    return fill(new C.Instance(array.length), array);
  },
  list: (C) => new C.Instance(),
  dict: (C) => new C.Instance(),
  set: (C) => new C.Instance(),
  frozenset: (C, items = []) => {
    const made = new C.Instance();
    for (const item of items) made.insert(item);
    return made;
  },
  bytes: (C, value = []) => makeBytes(C.Instance, value, undefined, undefined),
};
for (const [name, make] of Object.entries(MAKERS))
  define(
    builtins[`$${name}`],
    "$__new__",
    Object.assign(make, {
      signature: "C *values **options",
      body: (/** @type {any} */ C, /** @type {any} */ values) => make(C, ...values),
    }),
  );
extend(Dict.prototype, { $__init__: fn("__init__", "items **more", /** @type {any} */ (Dict.prototype).$update) });
extend(Array.prototype, {
  $__init__(/** @type {any} */ items = []) {
    return this instanceof Tuple ? null : this.$extend(items);
  },
});
extend(PySet.prototype, {
  $__init__(/** @type {any} */ items = []) {
    return this instanceof FrozenSet ? null : this.$update(items);
  },
});
extend(builtins.$dict, {
  $fromkeys(/** @type {any} */ keys, value = null) {
    const made = new Dict();
    for (const key of keys) made.put(key, value);
    return made;
  },
});
extend(builtins.$int, {
  $from_bytes: fn(
    "from_bytes",
    "bytes byteorder * signed",
    (/** @type {Uint8Array} */ source, order = "big", signed = false) => {
      const ordered = order === "big" ? source : [...source].reverse();
      let value = 0n;
      for (const byte of ordered) value = value * 256n + BigInt(byte);
      return normal(signed ? BigInt.asIntN(8 * source.length, value) : value);
    },
  ),
});
extend(builtins.$str, {
  $maketrans(/** @type {any} */ from, /** @type {any} */ to = undefined, /** @type {any} */ dropped = "") {
    const table = new Dict();
    const put = (/** @type {any} */ key, /** @type {any} */ value) =>
      table.put(isText(key) ? text(key).codePointAt(0) : key, value);
    if (to === undefined) for (const { key, value } of from.map.values()) put(key, value);
    else Array.from(text(from)).forEach((character, place) => put(character, Array.from(text(to))[place]));
    for (const character of text(dropped)) put(character, null);
    return table;
  },
});
extend(builtins.$bytes, {
  $fromhex: (/** @type {any} */ digits) =>
    bytes((text(digits).match(/[0-9a-f]{2}/gi) ?? []).map((pair) => parseInt(pair, 16))),
});
extend(String.prototype, {
  $format: fn(
    "format",
    "*values **named",
    /** @this {any} @param {any} values @param {any} named */ function (values, named = new Dict()) {
      return formatTemplate(text(this), values, named);
    },
  ),
  /** @param {any} value */
  $__mod__(value) {
    return formatPercent(text(this), value);
  },
});

// Functions

/** @param {boolean} isLargest @param {string} name */
function extreme(isLargest, name) {
  const before = isLargest ? gt : lt;
  const choose = (/** @type {any[]} */ items, /** @type {any} */ key, /** @type {any} */ missing) => {
    if (items.length === 0 && missing !== undefined) return missing;
    if (items.length === 0) throw error("ValueError", `${name}() arg is an empty sequence`);
    let best = items[0];
    let bestKey = key === null ? best : key(best);
    for (let place = 1; place < items.length; place++) {
      const itemKey = key === null ? items[place] : key(items[place]);
      if (before(itemKey, bestKey)) [best, bestKey] = [items[place], itemKey];
    }
    return best;
  };
  const plain = (/** @type {any} */ first, /** @type {any} */ second, /** @type {any[]} */ ...more) => {
    if (second === undefined) return choose(arrayOf(first), null, undefined);
    return more.length ? choose([first, second, ...more], null, undefined) : before(second, first) ? second : first;
  };
  const body = (/** @type {any} */ values, /** @type {any} */ key = null, /** @type {any} */ missing = undefined) =>
    choose(values.length === 1 ? arrayOf(values[0]) : values, key, missing);
  return Object.assign(plain, { signature: "*values key default", body, $__name__: name });
}

/** `zip`. @param {any} iterables @param {boolean} isStrict */
function zip(iterables, isStrict) {
  const length = commonLength(iterables);
  if (length >= 0) return zipTuples(iterables, length)[Symbol.iterator]();
  /** @type {Iterator<any>[]} */
  const iterators = [];
  for (let at = 0; at < iterables.length; at++) iterators.push(expectIterable(iterables[at])[Symbol.iterator]());
  return new LazyIterator(() => {
    const made = new Tuple(iterators.length);
    for (let at = 0; at < iterators.length; at++) {
      const result = iterators[at].next();
      if (result.done) {
        if (isStrict) checkLengths(iterators, at);
        return END;
      }
      made[at] = result.value;
    }
    return iterators.length ? { value: made, done: false } : END;
  });
}

/** The common length if all arguments are tuples of one length, else -1. @param {any} iterables */
function commonLength(iterables) {
  const length = iterables[0]?.length ?? -1;
  for (let at = 0; at < iterables.length; at++) {
    if (!(iterables[at] instanceof Tuple) || iterables[at].length !== length) return -1;
  }
  return length;
}

/** `zip` of tuples: they are immutable, so all rows can be made at once, which is faster.
 * @param {any} tuples @param {number} length */
function zipTuples(tuples, length) {
  const made = [];
  for (let place = 0; place < length; place++) {
    const items = new Tuple(tuples.length);
    for (let at = 0; at < tuples.length; at++) items[at] = tuples[at][place];
    made.push(items);
  }
  return made;
}

/** @param {Iterator<any>[]} iterators @param {number} ended */
function checkLengths(iterators, ended) {
  if (ended > 0)
    throw error(
      "ValueError",
      `zip() argument ${ended + 1} is shorter than argument${ended > 1 ? `s 1-${ended}` : " 1"}`,
    );
  const longer = iterators.findIndex((iterator, place) => place > 0 && !iterator.next().done);
  if (longer > 0)
    throw error(
      "ValueError",
      `zip() argument ${longer + 1} is longer than argument${longer > 1 ? `s 1-${longer}` : " 1"}`,
    );
}

/** An iterator that applies `change` to each item when it is asked for.
 * @param {any} items @param {(item: any) => any} change */
function mapLazily(items, change) {
  const iterator = expectIterable(items)[Symbol.iterator]();
  return new LazyIterator(() => {
    const result = iterator.next();
    return result.done ? END : { value: change(result.value), done: false };
  });
}

/** @param {any} items @param {any} start */
function sum(items, start = 0) {
  let total = start;
  for (const item of items) total = add(total, item);
  return total;
}

const NONE = {};

/** @param {any} owner @param {any} name @param {any} [missing] */
function getAttribute(owner, name, missing) {
  try {
    return attribute(owner ?? NONE, `$${text(name)}`);
  } catch (thrown) {
    if (missing !== undefined && isInstance(thrown, builtins.$AttributeError)) return missing;
    throw thrown;
  }
}

/** The dict returned by `vars(object)`; writing to it sets attributes of the object. */
class Namespace extends Dict {
  /** @param {any} owner */
  constructor(owner) {
    super();
    this.owner = owner;
    for (const key of Object.keys(owner)) if (key.startsWith("$")) super.put(key.slice(1), owner[key]);
  }
  /** @param {any} key @param {any} value @override */
  put(key, value) {
    super.put(key, value);
    if (this.owner) this.owner[`$${text(key)}`] = value;
  }
  /** @param {any} key @override */
  $__delitem__(key) {
    delete this.owner[`$${text(key)}`];
    return super.$__delitem__(key);
  }
}

/** @param {any} value @param {number} base @param {string} prefix */
const inBase = (value, base, prefix) => {
  const found = index(value);
  return `${found < 0 ? "-" : ""}${prefix}${(found < 0 ? neg(found) : found).toString(base)}`;
};

/** @param {any} items @returns {any} */
function reversed(items) {
  if (items.$__reversed__) return items.$__reversed__();
  return Array.from({ length: items.$__len__() }, (_, place) => items.$__getitem__(items.$__len__() - 1 - place))[
    Symbol.iterator
  ]();
}

/** @param {any} value @param {any} [end] the value that ends the iteration */
function iterator(value, end) {
  if (end === undefined) return expectIterable(value)[Symbol.iterator]();
  return generate(function* () {
    for (let found = value(); !eq(found, end); found = value()) yield found;
  });
}

Object.assign(builtins, {
  $NotImplemented: Object.freeze({ $__repr__: () => "NotImplemented" }),
  $Ellipsis: Object.freeze({ $__repr__: () => "Ellipsis" }),
  $__debug__: true,
  $abs: abs,
  $all: (/** @type {any} */ items) => {
    for (const item of items) if (!truth(item)) return false;
    return true;
  },
  $any: (/** @type {any} */ items) => {
    for (const item of items) if (truth(item)) return true;
    return false;
  },
  $ascii: (/** @type {any} */ value) =>
    repr(value).replace(/[^\0-\x7f]/gu, (c) => quote(c, /[^\0-\x7f]/u).slice(1, -1)),
  $bin: (/** @type {any} */ value) => inBase(value, 2, "0b"),
  $callable: (/** @type {any} */ value) => typeof value === "function",
  $chr: (/** @type {any} */ code) => String.fromCodePoint(Number(code)),
  $classmethod: classmethod,
  $delattr: (/** @type {any} */ owner, /** @type {any} */ name) => void delete owner[`$${text(name)}`],
  $dir: (/** @type {any} */ value) =>
    Object.keys(value)
      .filter((key) => key.startsWith("$"))
      .map((key) => key.slice(1))
      .sort(),
  $divmod: (/** @type {any} */ a, /** @type {any} */ b) => pair(floordiv(a, b), mod(a, b)),
  $enumerate: fn("enumerate", "iterable start", (/** @type {any} */ items, /** @type {any} */ start = 0) => {
    let place = start;
    return mapLazily(items, (item) => pair(place++, item));
  }),
  $filter: (/** @type {any} */ test, /** @type {any} */ items) =>
    generate(function* () {
      for (const item of items) if (truth(test === null ? item : test(item))) yield item;
    }),
  $format: (/** @type {any} */ value, spec = "") => format(value, spec),
  $getattr: getAttribute,
  $hasattr: (/** @type {any} */ owner, /** @type {any} */ name) => getAttribute(owner, name, NONE) !== NONE,
  $hash: hash,
  $hex: (/** @type {any} */ value) => inBase(value, 16, "0x"),
  $id: identity,
  $isinstance: isInstance,
  $issubclass: isSubclass,
  $iter: iterator,
  $len: (/** @type {any} */ value) => {
    if (Array.isArray(value)) return value.length;
    if (typeof value === "string") return textLength(value);
    if (isClass(value) && value[Symbol.iterator]) return [...value].length;
    if (isClass(value) || !value?.$__len__)
      throw error("TypeError", `object of type '${className(value)}' has no len()`);
    return value.$__len__();
  },
  $map: (/** @type {any} */ change, /** @type {any[]} */ ...iterables) =>
    iterables.length === 1
      ? mapLazily(iterables[0], change)
      : mapLazily(zip(iterables, false), (items) => change(...items)),
  $max: extreme(true, "max"),
  $min: extreme(false, "min"),
  $next: next,
  $oct: (/** @type {any} */ value) => inBase(value, 8, "0o"),
  $open: () => {
    throw error("OSError", "files cannot be opened in a page");
  },
  $ord: (/** @type {any} */ value) => {
    if (isText(value) && textLength(text(value)) === 1) return text(value).codePointAt(0);
    throw error("TypeError", `ord() expected a character, but string of length ${value?.length} found`);
  },
  $pow: (/** @type {any} */ a, /** @type {any} */ b, /** @type {any} */ modulus = null) => {
    if (modulus === null) return pow(a, b);
    let [result, base, exponent] = [1n, BigInt(a), BigInt(b)];
    for (; exponent > 0n; exponent >>= 1n) {
      if (exponent & 1n) result = (result * base) % BigInt(modulus);
      base = (base * base) % BigInt(modulus);
    }
    return mod(normal(result), modulus);
  },
  $print: fn("print", "*values sep end file flush", (/** @type {any} */ values, sep = " ") => {
    console.log(Array.from(values, str).join(sep));
    return null;
  }),
  $property: property,
  $repr: repr,
  $reversed: reversed,
  $round: fn("round", "number ndigits", round),
  $setattr: (/** @type {any} */ owner, /** @type {any} */ name, /** @type {any} */ value) => {
    owner[`$${text(name)}`] = value;
    return null;
  },
  $sorted: fn(
    "sorted",
    "iterable * key reverse",
    (/** @type {any} */ items, /** @type {any} */ key = null, /** @type {any} */ reverse = false) => {
      const list = [...expectIterable(items)];
      sortList(list, key, truth(reverse));
      return list;
    },
  ),
  $staticmethod: staticmethod,
  $sum: fn("sum", "iterable start", sum),
  $vars: (/** @type {any} */ owner) => new Namespace(owner),
  $zip: fn("zip", "*iterables strict", (/** @type {any} */ iterables, strict = false) => zip(iterables, strict)),
});
for (const [name, value] of Object.entries(builtins)) {
  if (isClass(value) && value.own === value.prototype) addUnboundMethods(value);
  else if (typeof value === "function") value.$__name__ ??= name.slice(1);
}

/** Let methods be called through the class: `str.upper("a")`. @param {any} C */
function addUnboundMethods(C) {
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(C.prototype))) {
    const isMethod = name.startsWith("$") && typeof value === "function" && !isClass(value);
    if (isMethod && !Object.hasOwn(C, name)) define(C, name, unbind(value));
  }
}

export { builtins, cls };
