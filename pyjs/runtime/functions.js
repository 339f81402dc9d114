// @ts-check
/** Functions: signatures, keyword arguments, bound methods, generators. */

import { className, error, isClass } from "./base.js";
import { Dict, dict } from "./mappings.js";
import { tuplePart } from "./sequences.js";

/** A parsed signature. `places` maps names to positions in the argument list; `star` and `options` are the positions
 * of `*args` and `**options`, or -1; `positional` counts the parameters before `*`.
 * @typedef {{names: string[], places: Map<string, number>, positional: number, star: number, options: number}} Signature */

/** @type {Map<string, Signature>} */
const signatures = new Map();

/** @param {string} source @returns {Signature} */
function parseSignature(source) {
  const found = signatures.get(source);
  if (found) return found;
  const words = source.split(" ").filter(Boolean);
  const names = words.filter((word) => word !== "*").map((word) => word.replace(/^\*+/, ""));
  const firstStar = words.findIndex((word) => word.startsWith("*"));
  const options = words.at(-1)?.startsWith("**") ? names.length - 1 : -1;
  const star = words[firstStar] !== "*" && firstStar !== options ? firstStar : -1;
  const positional = firstStar < 0 ? names.length : firstStar;
  const keywords = names.map((name, place) => /** @type {[string, number]} */ ([name, place]));
  const places = new Map(keywords.filter(([, place]) => place !== star && place !== options));
  const signature = { names, places, positional, star, options };
  signatures.set(source, signature);
  return signature;
}

/** Attach a name and a signature to a function. If it has `*args`, wrap it to collect the extra values in a tuple.
 * @param {string} name @param {string} signature @param {(this: any, ...values: any[]) => any} body @returns {any} */
export function fn(name, signature, body) {
  const made = /** @type {any} */ (/(^| )\*\w/.test(signature) ? gatherPositional(signature, body) : body);
  made.signature = signature;
  made.$__name__ = name;
  return made;
}

/** Wrap a function with `*args`; `body` on the wrapper is the function itself.
 * @param {string} signature @param {any} body */
function gatherPositional(signature, body) {
  const { positional } = parseSignature(signature);
  /** @this {any} @param {any[]} values */
  const gather = function (...values) {
    const arranged = new Array(positional + 1);
    for (let at = 0; at < positional; at++) arranged[at] = values[at];
    arranged[positional] = tuplePart(values, positional, values.length);
    return Reflect.apply(body, this, arranged);
  };
  return Object.assign(gather, { body });
}

/** The argument list for a call with keywords; raises TypeError if they do not fit the signature.
 * @param {any} called @param {any[]} values @param {Record<string, any>} keywords */
function arrange(called, values, keywords) {
  const name = `${called.$__name__ ?? "function"}()`;
  const source = called.signature;
  if (source === undefined) throw error("TypeError", `${name} takes no keyword arguments`);
  const { names, places, positional, star, options } = parseSignature(source);
  if (values.length > positional && star < 0) {
    throw error("TypeError", `${name} takes ${positional} positional arguments but ${values.length} were given`);
  }
  const arranged = new Array(names.length);
  for (let at = 0; at < positional; at++) arranged[at] = values[at];
  if (star >= 0) arranged[star] = tuplePart(values, positional, values.length);
  if (options >= 0) arranged[options] = dict([]);
  for (const keyword of Object.keys(keywords)) {
    const place = places.get(keyword);
    if (place !== undefined && arranged[place] !== undefined) {
      throw error("TypeError", `${name} got multiple values for argument '${keyword}'`);
    }
    if (place !== undefined) arranged[place] = keywords[keyword];
    else if (options >= 0) arranged[options].put(keyword, keywords[keyword]);
    else throw error("TypeError", `${name} got an unexpected keyword argument '${keyword}'`);
  }
  return arranged;
}

/** `called(*values, **keywords)`.
 * @param {any} called @param {any[]} values @param {Record<string, any>} keywords @returns {any} */
export function call(called, values, keywords) {
  return callWith(undefined, called, values, keywords);
}

/** @param {any} self @param {any} called @param {any[]} values @param {Record<string, any>} keywords @returns {any} */
function callWith(self, called, values, keywords) {
  if (Object.keys(keywords).length === 0) return Reflect.apply(called, self, values);
  if (called.construct) return called.construct(values, keywords);
  if (called.signature === undefined && called.$__call__) return callMethod(called, "$__call__", values, keywords);
  return Reflect.apply(called.body ?? called, self, arrange(called, values, keywords));
}

/** `owner.name(*values, **keywords)`.
 * @param {any} owner @param {string} name @param {any[]} values @param {Record<string, any>} keywords
 * @returns {any} */
export function callMethod(owner, name, values, keywords) {
  const called = owner[name];
  if (called === undefined) {
    throw error("AttributeError", `'${className(owner)}' object has no attribute '${name.slice(1)}'`);
  }
  return callWith(owner, called, values, keywords);
}

/** The keyword names of one call in the source, with a cache: where they go in the signature of the last callee.
 * @typedef {Signature & {source: string, keywordPlaces: number[]}} Plan
 * @typedef {string[] & {plan?: Plan}} Keywords */

/** `called(…)`; the values of the keywords come last in `values`.
 * @param {any} called @param {any[]} values @param {Keywords} keywords @returns {any} */
export function callNamed(called, values, keywords) {
  return callNamedWith(undefined, called, values, keywords);
}

/** `owner.name(…)`; the values of the keywords come last in `values`.
 * @param {any} owner @param {string} name @param {any[]} values @param {Keywords} keywords @returns {any} */
export function callMethodNamed(owner, name, values, keywords) {
  const called = owner[name];
  if (called !== undefined) return callNamedWith(owner, called, values, keywords);
  throw error("AttributeError", `'${className(owner)}' object has no attribute '${name.slice(1)}'`);
}

/** @param {any} self @param {any} called @param {any[]} values @param {Keywords} keywords @returns {any} */
function callNamedWith(self, called, values, keywords) {
  if (called.isPlainClass) {
    const made = new called.Instance();
    callNamedWith(made, made.$__init__, values, keywords);
    return made;
  }
  const plan = called.construct || !called.signature ? null : planOf(called.signature, keywords);
  const count = values.length - keywords.length;
  if (
    plan &&
    (count <= plan.positional || plan.star >= 0) &&
    !plan.keywordPlaces.some((place) => place < count && place < plan.positional)
  ) {
    return Reflect.apply(called.body ?? called, self, arrangeByPlan(plan, values, count));
  }
  const named = Object.fromEntries(keywords.map((keyword, at) => [keyword, values[count + at]]));
  return callWith(self, called, values.slice(0, count), named);
}

/** The positions of keywords in a signature, cached; null if a keyword is not the name of a parameter.
 * @param {string} source @param {Keywords} keywords @returns {Plan | null} */
function planOf(source, keywords) {
  if (keywords.plan?.source === source) return keywords.plan;
  const signature = parseSignature(source);
  const places = keywords.map((keyword) => signature.places.get(keyword) ?? -1);
  keywords.plan = places.includes(-1) ? undefined : { ...signature, keywordPlaces: places, source };
  return keywords.plan ?? null;
}

/** The argument list by a plan.
 * @param {Plan} plan @param {any[]} values @param {number} count number of positional values */
function arrangeByPlan(plan, values, count) {
  const { names, positional, star, keywordPlaces } = plan;
  const arranged = new Array(names.length);
  const direct = Math.min(count, positional);
  for (let at = 0; at < direct; at++) arranged[at] = values[at];
  if (star >= 0) arranged[star] = tuplePart(values, positional, count);
  for (let at = count; at < values.length; at++) arranged[keywordPlaces[at - count]] = values[at];
  return arranged;
}

/** The keywords of `**mapping` in a call. @param {any} mapping @returns {Record<string, any>} */
export const keywordObject = (mapping) =>
  Object.fromEntries(
    mapping instanceof Dict
      ? Array.from(mapping.map.values(), ({ key, value }) => [String(key), value])
      : Array.from(mapping.$keys(), (key) => [key, mapping.$__getitem__(key)]),
  );

/** Bind a method to an object. @param {any} method @param {any} self */
export function bind(method, self) {
  const bound = Function.prototype.bind.call(method, self);
  bound.signature = method.signature;
  bound.$__name__ = method.$__name__;
  bound.$__self__ = self;
  if (method.body) bound.body = Function.prototype.bind.call(method.body, self);
  return bound;
}

/** Read an attribute that may be a method: methods are bound to the object.
 * @param {any} owner @param {string} name @returns {any} */
export function attribute(owner, name) {
  const value = owner[name];
  if (typeof value !== "function" && value !== undefined) return value;
  if (value === undefined) {
    const kind = isClass(owner) ? `type object '${owner.$__name__}'` : `'${className(owner)}' object`;
    throw error("AttributeError", `${kind} has no attribute '${name.slice(1)}'`);
  }
  if (isClass(value)) return value;
  if (isClass(owner)) return value.isClassMethod ? bind(value, owner) : value;
  const isOwn = Object.hasOwn(Object(owner), name);
  return isOwn || value.isStatic || value.$__class__ ? value : bind(value, owner);
}

/** Turn a function with `self` as first parameter into a method that uses `this`.
 * @param {any} plain @returns {any} */
export function method(plain) {
  /** @this {any} @param {any[]} values */
  const made = function (...values) {
    return plain(this, ...values);
  };
  made.signature = plain.signature?.replace(/^\S+ ?/, "");
  if (plain.body) {
    /** @this {any} @param {any[]} values */
    made.body = function (...values) {
      return plain.body(this, ...values);
    };
  }
  return Object.assign(made, { $__name__: plain.$__name__, $__wrapped__: plain.$__wrapped__, plain });
}

/** An iterator without `return`: as in Python, a loop that ends early does not close it. */
export class LazyIterator {
  /** @param {() => IteratorResult<any>} next */
  constructor(next) {
    this.next = next;
  }
  [Symbol.iterator]() {
    return this;
  }
}

/** The result of `next` after the last value. @type {IteratorResult<any>} */
export const END = { value: undefined, done: true };

const nativeGenerator = Object.getPrototypeOf(function* () {}).prototype;

/** Prototype of generators. It hides `return`, so that a loop that ends early does not close the generator. */
const GENERATOR = Object.create(nativeGenerator, {
  return: { value: undefined },
  $send: {
    value: /** @this {any} @param {any} value */ function (value) {
      return advance(this.next(value));
    },
  },
  $throw: {
    value: /** @this {any} @param {any} thrown */ function (thrown) {
      return advance(this.throw(thrown));
    },
  },
  $close: {
    value: /** @this {any} */ function () {
      nativeGenerator.return.call(this);
      return null;
    },
  },
});

/** The value of a result; raises StopIteration at the end. @param {IteratorResult<any>} result */
function advance(result) {
  if (result.done)
    throw result.value === null || result.value === undefined
      ? error("StopIteration")
      : error("StopIteration", result.value);
  return result.value;
}

/** `next(iterator)`. @param {any} iterator @param {any} [missing] */
export function next(iterator, missing) {
  if (typeof iterator?.next !== "function")
    throw error("TypeError", `'${className(iterator)}' object is not an iterator`);
  const result = iterator.next();
  return result.done && missing !== undefined ? missing : advance(result);
}

/** Make a generator function. @param {string} name @param {string} signature @param {any} body */
export function generator(name, signature, body) {
  body.prototype = GENERATOR;
  return fn(name, signature, body);
}

/** Call a generator function with a value: a generator expression.
 * @param {any} body @param {any} [value] @returns {any} */
export function generate(body, value) {
  body.prototype = GENERATOR;
  return body(value);
}

/** The iterable for `yield from`: `close` and `throw` of the outer generator are forwarded to it.
 * @param {any} iterable */
export function delegate(iterable) {
  if (iterable?.return === undefined && iterable?.$close) {
    const iterator = {
      next: (/** @type {any} */ value) => iterable.next(value),
      throw: (/** @type {any} */ thrown) => iterable.throw(thrown),
      return: (/** @type {any} */ value) => nativeGenerator.return.call(iterable, value),
    };
    return { [Symbol.iterator]: () => iterator };
  }
  if (iterable?.[Symbol.iterator]) return iterable;
  throw error("TypeError", `'${className(iterable)}' object is not iterable`);
}
