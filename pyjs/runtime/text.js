// @ts-check
/** The methods of `str`, added to JavaScript's strings. Lengths and indices count code points, as in Python. */

import { builtins, className, error, extend } from "./base.js";
import { Slice, tuple } from "./sequences.js";
import { index } from "./numbers.js";

/** The primitive string of a `str` or an instance of a subclass. @param {any} value @returns {string} */
export const text = (value) => (typeof value === "string" ? value : String(value));

/** Whether a value is a str. @param {any} value */
export const isText = (value) => typeof value === "string" || value instanceof String;

let checked = "";
let isWide = false;

/** Whether a string contains surrogate pairs. The last answer is cached, since loops ask about the same string.
 * @param {string} value */
export function hasWide(value) {
  if (value !== checked) {
    checked = value;
    isWide = /[\ud800-\udbff][\udc00-\udfff]/.test(value);
  }
  return isWide;
}

/** The number of code points. @param {string} value */
export const textLength = (value) => (hasWide(value) ? Array.from(value).length : value.length);

/** @param {string} value @param {number} start @param {number} end */
export const textPart = (value, start, end) =>
  hasWide(value) ? Array.from(value).slice(start, end).join("") : value.slice(start, end);

/** Convert an index in UTF-16 units to one in code points. @param {string} value @param {number} unit */
const place = (value, unit) => (unit > 0 && hasWide(value) ? Array.from(value.slice(0, unit)).length : unit);

/** @param {any} value */
const expectText = (value) => {
  if (!isText(value)) throw error("TypeError", `must be str, not ${className(value)}`);
  return text(value);
};

const SPACE = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const LEADING = new RegExp(`^${SPACE}+`);
const TRAILING = new RegExp(`${SPACE}+$`);
const SPACES = new RegExp(`${SPACE}+`, "g");
const LINE_END = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/g;

/** @param {string} value @param {string | null} set @param {boolean} atStart @param {boolean} atEnd */
function strip(value, set, atStart, atEnd) {
  if (set === null) {
    if (atStart) value = value.replace(LEADING, "");
    return atEnd ? value.replace(TRAILING, "") : value;
  }
  const characters = Array.from(value);
  let [start, end] = [0, characters.length];
  while (atStart && start < end && set.includes(characters[start])) start++;
  while (atEnd && end > start && set.includes(characters[end - 1])) end--;
  return characters.slice(start, end).join("");
}

/** @param {string} value @param {number} limit */
function splitSpaces(value, limit) {
  const words = [];
  let rest = value.replace(LEADING, "");
  while (rest && words.length !== limit) {
    SPACES.lastIndex = 0;
    const match = SPACES.exec(rest);
    if (!match) break;
    words.push(rest.slice(0, match.index));
    rest = rest.slice(match.index + match[0].length);
  }
  return rest ? [...words, rest] : words;
}

/** @param {string} value @param {any} separator @param {number} limit */
function split(value, separator, limit) {
  if (separator === null) return splitSpaces(value, limit);
  if (text(separator) === "") throw error("ValueError", "empty separator");
  const parts = value.split(text(separator));
  if (limit < 0 || parts.length <= limit + 1) return parts;
  return [...parts.slice(0, limit), parts.slice(limit).join(text(separator))];
}

/** @param {string} value @param {string} separator @param {number} limit */
function splitFromRight(value, separator, limit) {
  const parts = separator === null ? splitSpaces(value, -1) : split(value, separator, -1);
  if (limit < 0 || parts.length <= limit + 1) return parts;
  if (separator === null) throw error("NotImplementedError", "rsplit at spaces with a limit");
  return [parts.slice(0, parts.length - limit).join(text(separator)), ...parts.slice(parts.length - limit)];
}

/** @param {string} value @param {any} affixes @param {(part: string, affix: string) => boolean} has @param {any} start @param {any} end */
function hasAffix(value, affixes, has, start, end) {
  const part = start === 0 && end === null ? value : new Slice(start, end, null).of(value);
  return Array.isArray(affixes) ? affixes.some((affix) => has(part, text(affix))) : has(part, expectText(affixes));
}

/** @param {string} value @param {any} what @param {any} start @param {any} end @param {boolean} fromRight */
function find(value, what, start, end, fromRight) {
  const [from, to] = new Slice(start, end, null).bounds(textLength(value));
  const part = textPart(value, from, to);
  const found = fromRight ? part.lastIndexOf(expectText(what)) : part.indexOf(expectText(what));
  return found < 0 || from > to ? -1 : from + place(part, found);
}

/** @param {RegExp} pattern */
const all = (pattern) =>
  /** @this {any} */
  function () {
    return pattern.test(text(this));
  };

/** @param {string} word */
const capital = (word) => {
  const [first = ""] = word;
  const [upper = "", ...rest] = first.toUpperCase();
  return upper + rest.join("").toLowerCase() + word.slice(first.length).toLowerCase();
};

extend(String.prototype, {
  $strip(set = null) {
    return strip(text(this), set, true, true);
  },
  $lstrip(set = null) {
    return strip(text(this), set, true, false);
  },
  $rstrip(set = null) {
    return strip(text(this), set, false, true);
  },
  $split: builtinMethod("sep maxsplit", function (separator = null, limit = -1) {
    return split(text(this), separator, limit);
  }),
  $rsplit: builtinMethod("sep maxsplit", function (separator = null, limit = -1) {
    return splitFromRight(text(this), separator, limit);
  }),
  $splitlines: builtinMethod("keepends", function (keepEnds = false) {
    const lines = [];
    let start = 0;
    for (const match of text(this).matchAll(LINE_END)) {
      const end = match.index + match[0].length;
      lines.push(text(this).slice(start, keepEnds ? end : match.index));
      start = end;
    }
    return start < this.length ? [...lines, text(this).slice(start)] : lines;
  }),
  /** @param {Iterable<any>} parts */
  $join(parts) {
    const list = Array.isArray(parts) ? parts : [...parts];
    list.forEach((part, place) => {
      if (!isText(part)) {
        throw error("TypeError", `sequence item ${place}: expected str instance, ${className(part)} found`);
      }
    });
    return list.join(text(this));
  },
  /** @param {any} what @param {any} by */
  $replace(what, by, count = -1) {
    if (count < 0 && text(what)) return text(this).replaceAll(text(what), () => text(by));
    if (count < 0) return this.$replace(what, by, Infinity);
    const parts = text(what) ? text(this).split(text(what)) : ["", ...text(this), ""];
    const head = parts.slice(0, count + 1).join(text(by));
    return parts.length > count + 1 ? head + text(what) + parts.slice(count + 1).join(text(what)) : head;
  },
  /** @param {any} prefix */
  $startswith(prefix, start = 0, end = null) {
    return hasAffix(text(this), prefix, (part, affix) => part.startsWith(affix), start, end);
  },
  /** @param {any} suffix */
  $endswith(suffix, start = 0, end = null) {
    return hasAffix(text(this), suffix, (part, affix) => part.endsWith(affix), start, end);
  },
  /** @param {any} prefix */
  $removeprefix(prefix) {
    return text(this).startsWith(text(prefix)) ? text(this).slice(text(prefix).length) : text(this);
  },
  /** @param {any} suffix */
  $removesuffix(suffix) {
    const isThere = text(suffix) !== "" && text(this).endsWith(text(suffix));
    return isThere ? text(this).slice(0, -text(suffix).length) : text(this);
  },
  /** @param {any} what */
  $find(what, start = null, end = null) {
    return find(text(this), what, start, end, false);
  },
  /** @param {any} what */
  $rfind(what, start = null, end = null) {
    return find(text(this), what, start, end, true);
  },
  /** @param {any} what */
  $index(what, start = null, end = null) {
    const found = find(text(this), what, start, end, false);
    if (found < 0) throw error("ValueError", "substring not found");
    return found;
  },
  /** @param {any} what */
  $rindex(what, start = null, end = null) {
    const found = find(text(this), what, start, end, true);
    if (found < 0) throw error("ValueError", "substring not found");
    return found;
  },
  /** @param {any} what */
  $count(what, start = null, end = null) {
    const part = start === null && end === null ? text(this) : new Slice(start, end, null).of(text(this));
    return text(what) ? part.split(text(what)).length - 1 : textLength(part) + 1;
  },
  /** @param {any} separator */
  $partition(separator) {
    const found = text(this).indexOf(text(separator));
    if (found < 0) return tuple([text(this), "", ""]);
    const end = found + text(separator).length;
    return tuple([text(this).slice(0, found), text(separator), text(this).slice(end)]);
  },
  /** @param {any} separator */
  $rpartition(separator) {
    const found = text(this).lastIndexOf(text(separator));
    if (found < 0) return tuple(["", "", text(this)]);
    const end = found + text(separator).length;
    return tuple([text(this).slice(0, found), text(separator), text(this).slice(end)]);
  },
  $upper() {
    return text(this).toUpperCase();
  },
  $lower() {
    return text(this).toLowerCase();
  },
  $casefold() {
    return text(this).toLowerCase().replaceAll("ß", "ss").replaceAll("ς", "σ");
  },
  $capitalize() {
    return capital(text(this));
  },
  $title() {
    return text(this).replace(/[\p{L}\p{Nl}]+/gu, capital);
  },
  $swapcase() {
    return Array.from(text(this), (c) => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase())).join("");
  },
  /** @param {number} width */
  $ljust(width, fill = " ") {
    return text(this) + fill.repeat(Math.max(0, width - textLength(text(this))));
  },
  /** @param {number} width */
  $rjust(width, fill = " ") {
    return fill.repeat(Math.max(0, width - textLength(text(this)))) + text(this);
  },
  /** @param {number} width */
  $center(width, fill = " ") {
    const space = Math.max(0, width - textLength(text(this)));
    const left = (space >> 1) + (space & width & 1);
    return fill.repeat(left) + text(this) + fill.repeat(space - left);
  },
  /** @param {number} width */
  $zfill(width) {
    const [, sign, digits] = /** @type {string[]} */ (/^([+-]?)(.*)$/s.exec(text(this)));
    return sign + "0".repeat(Math.max(0, width - textLength(text(this)))) + digits;
  },
  $expandtabs: builtinMethod("tabsize", function (size = 8) {
    return text(this).replace(/([^\t\n]*)\t/g, (_, part) => part + " ".repeat(size - (part.length % size)));
  }),
  $encode: builtinMethod("encoding errors", function (encoding = "utf-8", errors = "strict") {
    return builtins.$bytes(text(this), encoding, errors);
  }),
  /** @param {any} table */
  $translate(table) {
    const change = (/** @type {string} */ c) => {
      const found = table.entry(c.codePointAt(0))?.value;
      return found === undefined
        ? c
        : found === null
          ? ""
          : isText(found)
            ? text(found)
            : String.fromCodePoint(found);
    };
    return Array.from(text(this), change).join("");
  },
  $isdigit: all(/^[\p{Nd}\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089]+$/u),
  $isdecimal: all(/^\p{Nd}+$/u),
  $isnumeric: all(/^\p{N}+$/u),
  $isalpha: all(/^\p{L}+$/u),
  $isalnum: all(/^[\p{L}\p{N}]+$/u),
  $isspace: all(new RegExp(`^${SPACE}+$`)),
  $isascii: all(/^[\0-\x7f]*$/),
  $isidentifier: all(/^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*$/u),
  $isprintable: all(/^[^\p{C}\p{Zl}\p{Zp}\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]*$/u),
  $isupper() {
    return text(this) !== text(this).toLowerCase() && text(this) === text(this).toUpperCase();
  },
  $islower() {
    return text(this) !== text(this).toUpperCase() && text(this) === text(this).toLowerCase();
  },
  $__len__() {
    return textLength(text(this));
  },
  /** @param {any} what */
  $__contains__(what) {
    if (isText(what)) return text(this).includes(text(what));
    throw error("TypeError", `'in <string>' requires string as left operand, not ${className(what)}`);
  },
  /** @param {any} place */
  $__getitem__(place) {
    return place instanceof Slice ? place.of(text(this)) : characterAt(text(this), place);
  },
  /** @param {any} other */
  $__add__(other) {
    if (isText(other)) return text(this) + text(other);
    throw error("TypeError", `can only concatenate str (not "${className(other)}") to str`);
  },
  /** @param {any} times */
  $__mul__(times) {
    return text(this).repeat(Math.max(0, Number(times)));
  },
  /** @param {any} times */
  $__rmul__(times) {
    return text(this).repeat(Math.max(0, Number(times)));
  },
});

/** @param {string} signature @param {(this: any, ...values: any[]) => any} method */
function builtinMethod(signature, method) {
  return Object.assign(method, { signature });
}

/** @param {string} value @param {any} place */
function characterAt(value, place) {
  const at = index(place);
  const characters = hasWide(value) ? Array.from(value) : value;
  const found = characters[at < 0 ? characters.length + at : at];
  if (found === undefined) throw error("IndexError", "string index out of range");
  return found;
}

/** Whether `a < b`, compared by code points. @param {string} a @param {string} b */
export function textBefore(a, b) {
  if (!hasWide(a) && !hasWide(b)) return a < b;
  const [x, y] = [Array.from(a), Array.from(b)];
  const at = x.findIndex((character, place) => character !== y[place]);
  if (at < 0) return x.length < y.length;
  return y[at] !== undefined && Number(x[at].codePointAt(0)) < Number(y[at].codePointAt(0));
}
