// @ts-check
// Warnings go to the console.
import { fn, text } from "../runtime/index.js";

export const $warn = fn("warn", "message category stacklevel", (message) => {
  console.warn(text(message));
  return null;
});
