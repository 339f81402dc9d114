// @ts-check
// Log messages go to the console.
import { cls, fn, text } from "../runtime/index.js";

export const $Logger = cls("Logger", [], {
  /** @this {any} @param {any} name */
  $__init__(name) {
    this.$name = name;
    return null;
  },
  $error: fn("error", "msg * exc_info", function (message, exc_info) {
    console.error(`${text(this.$name)}: ${text(message)}`, exc_info?.stack ?? "");
    return null;
  }),
});

/** @param {any} name */
export const $getLogger = (name) => $Logger(name);
