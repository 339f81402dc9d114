// @ts-check
/** Shared by all parts of the runtime: the table of builtins, making exceptions, extending JavaScript's own types. */

/** Python's builtins; each key is a name with `$` in front. @type {Record<string, any>} */
export const builtins = {};

/** Make an instance of a builtin exception: `throw error("ValueError", "…")`.
 * @param {string} name @param {any[]} values */
export const error = (name, ...values) => builtins[`$${name}`](...values);

/** Add non-enumerable properties. @param {any} target @param {Record<string, any> & ThisType<any>} properties */
export function extend(target, properties) {
  for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(properties))) {
    Object.defineProperty(target, name, { ...property, enumerable: false, configurable: true });
  }
}

/** The name of a value's class, for error messages. @param {any} value @returns {string} */
export const className = (value) => builtins.$type(value).$__name__;

/** Whether a value is a class. @param {any} value */
export const isClass = (value) => typeof value === "function" && value.mro !== undefined;

let count = 0;
const ids = new WeakMap();

/** A number that is unique to the object (`id`). @param {any} value @returns {number} */
export function identity(value) {
  let id = ids.get(value);
  if (id === undefined) ids.set(value, (id = ++count));
  return id;
}
