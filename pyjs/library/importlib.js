// @ts-check
// Imports by name.
import { importModule, text } from "../runtime/index.js";

/** @param {any} name with a dot at the beginning it is relative to the package @param {any} packageName */
export const $import_module = (name, packageName) =>
  importModule(text(name).startsWith(".") ? text(packageName) + text(name) : text(name));
