// @ts-check
/** Operators for values of any type: equality, order, truth, membership, subscripts. */

import { builtins, className, error, isClass } from "./base.js";
import {
  Float,
  add,
  and,
  floordiv,
  lshift,
  matmul,
  mod,
  mul,
  numeric,
  or,
  pow,
  real,
  rshift,
  sub,
  xor,
  div,
} from "./numbers.js";
import { Tuple } from "./sequences.js";
import { isText, text, textBefore } from "./text.js";

/** `a == b`. @param {any} a @param {any} b @returns {boolean} */
export function eq(a, b) {
  if (a === b) return true;
  const type = typeof a;
  return type === typeof b && type !== "object" && type !== "function" ? false : equal(a, b);
}

/** @param {any} a @param {any} b @returns {boolean} */
function equal(a, b) {
  if (a === null || b === null || a === undefined || b === undefined) return false;
  if (Array.isArray(a) && Array.isArray(b) && !hasOwnEquality(a) && !hasOwnEquality(b)) return equalItems(a, b);
  if (isText(a) && isText(b)) return text(a) === text(b);
  const x = numeric(a);
  const y = numeric(b);
  if (x !== undefined && y !== undefined) return x.valueOf() == y.valueOf();
  if (a instanceof Uint8Array && b instanceof Uint8Array) return equalItems(a, b);
  const found = method(a, "$__eq__")?.call(a, b) ?? builtins.$NotImplemented;
  if (found !== builtins.$NotImplemented) return truth(found);
  const reflected = method(b, "$__eq__")?.call(b, a) ?? builtins.$NotImplemented;
  return reflected !== builtins.$NotImplemented && truth(reflected);
}

/** @param {any} value */
const hasOwnEquality = (value) => value.$__eq__ !== undefined;

/** A method of a value. For a class the result is undefined: its properties are the methods of its instances.
 * @param {any} value @param {string} name */
const method = (value, name) => (isClass(value) ? undefined : value[name]);

/** @param {any} a @param {any} b */
function equalItems(a, b) {
  if (a.length !== b.length || a instanceof Tuple !== b instanceof Tuple) return false;
  for (let place = 0; place < a.length; place++) if (!eq(a[place], b[place])) return false;
  return true;
}

/** `a != b`. @param {any} a @param {any} b */
export const ne = (a, b) => !eq(a, b);

/** The general case of `<`, `<=`, `>` and `>=`. `test` gets the order: negative, 0, positive, or NaN.
 * @param {any} a @param {any} b @param {string} name @param {string} reflected @param {string} symbol @param {(order: number) => boolean} test @returns {boolean} */
function compare(a, b, name, reflected, symbol, test) {
  const x = numeric(a);
  const y = numeric(b);
  if (x !== undefined && y !== undefined)
    return test(x < y ? -1 : x > y ? 1 : x == y || x.valueOf() == y.valueOf() ? 0 : NaN);
  if (isText(a) && isText(b)) return test(text(a) === text(b) ? 0 : textBefore(text(a), text(b)) ? -1 : 1);
  const found = a?.[name]?.(b) ?? builtins.$NotImplemented;
  if (found !== builtins.$NotImplemented) return truth(found);
  const other = b?.[reflected]?.(a) ?? builtins.$NotImplemented;
  if (other !== builtins.$NotImplemented) return truth(other);
  const areSequences = Array.isArray(a) && Array.isArray(b) && a instanceof Tuple === b instanceof Tuple;
  if (areSequences || (a instanceof Uint8Array && b instanceof Uint8Array)) return compareItems(a, b, symbol, test);
  throw error("TypeError", `'${symbol}' not supported between instances of '${className(a)}' and '${className(b)}'`);
}

/** @param {any} a @param {any} b @param {string} symbol @param {(order: number) => boolean} test */
function compareItems(a, b, symbol, test) {
  const shorter = Math.min(a.length, b.length);
  for (let place = 0; place < shorter; place++) {
    if (!eq(a[place], b[place])) return COMPARE[symbol](a[place], b[place]);
  }
  return test(a.length - b.length);
}

/** @param {any} a @param {any} b @returns {boolean} */
export function lt(a, b) {
  if (typeof a === "number" && typeof b === "number") return a < b;
  const x = real(a);
  const y = real(b);
  if (x !== undefined && y !== undefined) return x < y;
  return compare(a, b, "$__lt__", "$__gt__", "<", (order) => order < 0);
}

/** @param {any} a @param {any} b @returns {boolean} */
export function le(a, b) {
  if (typeof a === "number" && typeof b === "number") return a <= b;
  const x = real(a);
  const y = real(b);
  if (x !== undefined && y !== undefined) return x <= y;
  return compare(a, b, "$__le__", "$__ge__", "<=", (order) => order <= 0);
}

/** @param {any} a @param {any} b @returns {boolean} */
export function gt(a, b) {
  if (typeof a === "number" && typeof b === "number") return a > b;
  const x = real(a);
  const y = real(b);
  if (x !== undefined && y !== undefined) return x > y;
  return compare(a, b, "$__gt__", "$__lt__", ">", (order) => order > 0);
}

/** @param {any} a @param {any} b @returns {boolean} */
export function ge(a, b) {
  if (typeof a === "number" && typeof b === "number") return a >= b;
  const x = real(a);
  const y = real(b);
  if (x !== undefined && y !== undefined) return x >= y;
  return compare(a, b, "$__ge__", "$__le__", ">=", (order) => order >= 0);
}

/** @type {Record<string, (a: any, b: any) => boolean>} */
const COMPARE = { "<": lt, "<=": le, ">": gt, ">=": ge };

/** `bool(value)`. @param {any} value @returns {boolean} */
export function truth(value) {
  switch (typeof value) {
    case "boolean":
      return value;
    case "number":
      return value !== 0;
    case "string":
      return value !== "";
    case "bigint":
      return true;
  }
  if (Array.isArray(value)) return value.length > 0;
  return value !== null && value !== undefined && truthOfObject(value);
}

/** @param {any} value */
function truthOfObject(value) {
  if (isClass(value)) return true;
  if (value instanceof Float || value instanceof Number) return Number(value) !== 0;
  if (value.$__bool__) return truth(value.$__bool__());
  return value.$__len__ ? value.$__len__() !== 0 : true;
}

/** `item in container`. @param {any} item @param {any} container @returns {boolean} */
export function isIn(item, container) {
  if (!isClass(container) && container?.$__contains__) return truth(container.$__contains__(item));
  if (!container?.[Symbol.iterator])
    throw error("TypeError", `argument of type '${className(container)}' is not iterable`);
  for (const other of container) if (eq(item, other)) return true;
  return false;
}

/** `owner[at]`. @param {any} owner @param {any} at @returns {any} */
export function getItem(owner, at) {
  if (Array.isArray(owner) && at >= 0 && at < owner.length && typeof at === "number") return owner[at];
  if (owner?.$__getitem__ && !isClass(owner)) return owner.$__getitem__(at);
  const subscript = isClass(owner) && (owner.subscript ?? owner.$__class_getitem__);
  if (subscript) return subscript.call(owner, at);
  throw error("TypeError", `'${className(owner)}' object is not subscriptable`);
}

/** `owner[at] = value`. @param {any} owner @param {any} at @param {any} value */
export function setItem(owner, at, value) {
  if (typeof at === "number" && at >= 0 && Array.isArray(owner) && at < owner.length && !(owner instanceof Tuple))
    owner[at] = value;
  else if (owner?.$__setitem__) owner.$__setitem__(at, value);
  else throw error("TypeError", `'${className(owner)}' object does not support item assignment`);
}

/** `del owner[at]`. @param {any} owner @param {any} at */
export function deleteItem(owner, at) {
  if (!owner?.$__delitem__) throw error("TypeError", `'${className(owner)}' object does not support item deletion`);
  owner.$__delitem__(at);
}

/** An augmented assignment: `a += b` uses `__iadd__` if there is one (lists), else `a + b`.
 * @param {string} name @param {(a: any, b: any) => any} plain */
const inPlace = (name, plain) => (/** @type {any} */ a, /** @type {any} */ b) => {
  const change = typeof a === "object" && a !== null ? a[name] : undefined;
  return change ? change.call(a, b) : plain(a, b);
};
export const iadd = inPlace("$__iadd__", add);
export const isub = inPlace("$__isub__", sub);
export const imul = inPlace("$__imul__", mul);
export const iand = inPlace("$__iand__", and);
export const ior = inPlace("$__ior__", or);
export const ixor = inPlace("$__ixor__", xor);
export const idiv = div;
export const ifloordiv = floordiv;
export const imod = mod;
export const ipow = pow;
export const ilshift = lshift;
export const irshift = rshift;
export const imatmul = matmul;
