// @ts-check
// Imports by name.
import { importModule, text } from "../runtime/index.js";

/** @param {any} name relative to the package if it begins with a dot @param {any} packageName */
export const $import_module = (name, packageName) =>
  importModule(text(name).startsWith(".") ? text(packageName) + text(name) : text(name));
