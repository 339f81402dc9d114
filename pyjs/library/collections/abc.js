// @ts-check
// Abstract base classes of collections, for `isinstance` and annotations.
import { Dict, PySet, cls, isClass } from "../../runtime/index.js";

/** @param {string} name @param {(value: any) => boolean} test */
function kind(name, test) {
  const C = cls(name, [], {}, "collections.abc");
  C.test = test;
  return C;
}

/** @param {any} value */
const isIterable = (value) => typeof value === "string" || value?.[Symbol.iterator] !== undefined;
/** @param {any} value */
const isIterator = (value) => typeof value?.next === "function";
/** @param {any} value */
const isSequence = (value) => typeof value === "string" || value instanceof String || Array.isArray(value);

export const $Callable = kind("Callable", (value) => typeof value === "function");
export const $Generator = kind("Generator", isIterator);
export const $Hashable = kind("Hashable", (value) => value?.$__hash__ !== null && !(value instanceof Dict));
export const $Iterable = kind("Iterable", (value) => isIterable(value) && !isClass(value));
export const $Iterator = kind("Iterator", isIterator);
export const $Mapping = kind("Mapping", (value) => value instanceof Dict);
export const $Sequence = kind("Sequence", isSequence);
export const $Set = kind("Set", (value) => value instanceof PySet);
