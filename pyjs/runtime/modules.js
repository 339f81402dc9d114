// @ts-check
/** Modules: each runs when it is first imported. */

import { builtins, error } from "./base.js";
import { isInstance } from "./classes.js";

/** For each module a function that executes it, or the exports of a JavaScript module. @type {Record<string, any>} */
const sources = {};

/** The modules imported so far. @type {Map<string, any>} */
export const modules = new Map();

/** @param {Record<string, any>} table */
export function registerModules(table) {
  Object.assign(sources, table);
}

/** A module object. */
class Module {
  /** @param {string} name */
  constructor(name) {
    /** @type {any} */ this.$__name__ = name;
    this.$__file__ = name;
    this.$__doc__ = null;
  }
}
Object.defineProperty(Module.prototype, "$__class__", { get: () => builtins.$object });

/** Let the module's `__getattr__` supply the names that the module lacks. @param {any} module */
function addMissingNames(module) {
  const missing = new Proxy(Module.prototype, {
    get: (target, key) =>
      typeof key === "string" && key.startsWith("$") && !key.startsWith("$__")
        ? module.$__getattr__(key.slice(1))
        : Reflect.get(target, key),
  });
  Object.setPrototypeOf(module, missing);
}

/** Import a module by name; it is executed at the first import. @param {string} name @returns {any} */
export function importModule(name) {
  const found = modules.get(name);
  if (found) return found;
  const [, packageName, last] = /** @type {string[]} */ (/^(?:(.*)\.)?([^.]*)$/.exec(name));
  const parent = packageName ? importModule(packageName) : null;
  const module = modules.get(name) ?? load(name);
  if (parent) parent[`$${last}`] = module;
  return module;
}

/** @param {string} name */
function load(name) {
  const source = sources[name];
  if (source === undefined) throw error("ModuleNotFoundError", `No module named '${name}'`);
  const module = /** @type {any} */ (new Module(name));
  modules.set(name, module);
  try {
    if (typeof source === "function") source(module);
    else Object.assign(module, source);
  } catch (thrown) {
    modules.delete(name);
    throw thrown;
  }
  if (module.$__getattr__) addMissingNames(module);
  return module;
}

/** `from module import name`. @param {any} module @param {string} name @returns {any} */
export function importName(module, name) {
  const found = optional(module, name);
  if (found !== undefined) return found;
  const submodule = `${module.$__name__}.${name}`;
  if (sources[submodule] !== undefined) return importModule(submodule);
  throw error("ImportError", `cannot import name '${name}' from '${module.$__name__}'`);
}

/** The attribute of a module, or undefined. @param {any} module @param {string} name */
function optional(module, name) {
  try {
    return module[`$${name}`];
  } catch (thrown) {
    if (isInstance(thrown, builtins.$AttributeError)) return undefined;
    throw thrown;
  }
}
