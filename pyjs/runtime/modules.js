// @ts-check
/** Modules: each runs when it is first imported. */

import { builtins, error } from "./base.js";
import { isInstance } from "./classes.js";

/** Functions that run modules, or the exports of modules in JavaScript. @type {Record<string, any>} */
const sources = {};

/** The modules that were imported. @type {Map<string, any>} */
export const modules = new Map();

/** @param {Record<string, any>} table */
export function registerModules(table) {
  Object.assign(sources, table);
}

/** A module; names that it does not have come from its `__getattr__`. */
class Module {
  /** @param {string} name */
  constructor(name) {
    /** @type {any} */ this.$__name__ = name;
    this.$__file__ = name;
    this.$__doc__ = null;
  }
}
Object.defineProperty(Module.prototype, "$__class__", { get: () => builtins.$object });

/** @param {any} module */
function addMissingNames(module) {
  const missing = new Proxy(Module.prototype, {
    get: (target, key) =>
      typeof key === "string" && key.startsWith("$") && !key.startsWith("$__")
        ? module.$__getattr__(key.slice(1))
        : Reflect.get(target, key),
  });
  Object.setPrototypeOf(module, missing);
}

/** The module of a name, run if it is imported for the first time. @param {string} name @returns {any} */
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

/** @param {any} module @param {string} name */
function optional(module, name) {
  try {
    return module[`$${name}`];
  } catch (thrown) {
    if (isInstance(thrown, builtins.$AttributeError)) return undefined;
    throw thrown;
  }
}
