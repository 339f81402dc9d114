// @ts-check
// Signatures of functions: only the names of parameters.
import { dict } from "../runtime/index.js";

/** @param {any} call */
export function $signature(call) {
  while (call.$__wrapped__) call = call.$__wrapped__;
  const names = call.signature.split(" ").filter((/** @type {string} */ name) => name && name !== "*");
  return { $parameters: dict(names.map((/** @type {string} */ name) => [name.replace(/^\*+/, ""), name])) };
}
