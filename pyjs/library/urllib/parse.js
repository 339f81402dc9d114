// @ts-check
// Relative URLs and their query parameters.
import { cls, dict, text } from "../../runtime/index.js";

export const $SplitResult = cls("SplitResult", [], {
  /** @this {any} @param {string} path @param {string} query */
  $__init__(path, query) {
    this.$path = path;
    this.$query = query;
    return null;
  },
});

/** @param {any} url */
export function $urlsplit(url) {
  const [, path, query = ""] = /** @type {RegExpExecArray} */ (/^([^?#]*)(?:\?([^#]*))?/.exec(text(url)));
  return $SplitResult(path, query);
}

/** The values of each parameter, without empty ones. @param {any} query */
export function $parse_qs(query) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const [name, value] of new URLSearchParams(text(query))) {
    if (value) found.set(name, [...(found.get(name) ?? []), value]);
  }
  return dict(found);
}
