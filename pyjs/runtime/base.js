// @ts-check
/** What every part of the runtime shares: the table of builtins, errors, and properties of JavaScript's own types. */

/** The builtins of Python by their names with `$`. @type {Record<string, any>} */
export const builtins = {};

/** Make a builtin exception: `throw error("ValueError", "…")`. @param {string} name @param {any[]} values */
export const error = (name, ...values) => builtins[`$${name}`](...values);

/** Add properties that do not show up in loops. @param {any} target @param {Record<string, any> & ThisType<any>} properties */
export function extend(target, properties) {
  for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(properties))) {
    Object.defineProperty(target, name, { ...property, enumerable: false, configurable: true });
  }
}

/** The name of a value's class, for messages. @param {any} value @returns {string} */
export const className = (value) => builtins.$type(value).$__name__;

/** Whether a value is a class. @param {any} value */
export const isClass = (value) => typeof value === "function" && value.mro !== undefined;

let count = 0;
const ids = new WeakMap();

/** A number for an object that no other has. @param {any} value @returns {number} */
export function identity(value) {
  let id = ids.get(value);
  if (id === undefined) ids.set(value, (id = ++count));
  return id;
}
