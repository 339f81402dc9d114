// @ts-check
// The parts of `sys` that make sense without an interpreter.
import { modules, text } from "../runtime/index.js";

export const $maxsize = 2 ** 53 - 1;
export const $float_info = { $max: Number.MAX_VALUE };
export const $modules = { $__getitem__: (/** @type {any} */ name) => modules.get(text(name)) };
