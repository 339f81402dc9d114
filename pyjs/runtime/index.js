// @ts-check
/** The runtime of translated Python. See README.md. */

export { builtins, className, error, extend, identity, isClass } from "./base.js";
export * from "./numbers.js";
export * from "./text.js";
export * from "./sequences.js";
export * from "./mappings.js";
export * from "./operators.js";
export * from "./functions.js";
export * from "./classes.js";
export * from "./format.js";
export { asPythonError, exceptionToThrow, exitContext, matchArgument } from "./errors.js";
export * from "./modules.js";
import "./builtins.js";
