// @ts-check
// Regular expressions, translated to JavaScript's. As in Python, `\w`, `\d`, `\s` and `\b` cover all of Unicode, and `$`
// also matches before a newline at the end. Patterns of bytes are not supported.
import { builtins, cls, dict, error, fn, hasWide, text, tuple } from "../runtime/index.js";

/** @typedef {{ source: string, names: (string | null)[] }} Translated `names` begin with group 1 */

export const $IGNORECASE = 2;
export const $MULTILINE = 8;
export const $DOTALL = 16;
export const $VERBOSE = 64;
export const $ASCII = 256;

export const $error = cls("error", [builtins.$ValueError], {});

// --- the syntax -----------------------------------------------------------------------------------------------------

/** @type {Record<string, string>} */
const UNICODE_SETS = {
  w: "\\p{L}\\p{N}_",
  d: "\\p{Nd}",
  s: "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000",
};
/** @type {Record<string, string>} */
const ASCII_SETS = { w: "A-Za-z0-9_", d: "0-9", s: "\\t-\\r\\x20" };
const END = "(?![\\s\\S])";
const TOKEN =
  /\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|[1-9][0-9]?|[\s\S])|\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]|\(\?P<(\w+)>|\(\?P=(\w+)\)|\(\?|\(|\{[0-9]*,?[0-9]*\}|#[^\n]*|[\s\S]/gu;

/** @param {string} pattern @param {number} flags @returns {Translated} */
function translate(pattern, flags) {
  const sets = flags & $ASCII ? ASCII_SETS : UNICODE_SETS;
  /** @type {(string | null)[]} */
  const names = [];
  const source = pattern.replace(TOKEN, (token, name, reference) => {
    if (name || token === "(") names.push(name ?? null);
    if (name) return `(?<${name}>`;
    if (reference) return `\\k<${reference}>`;
    if (flags & $VERBOSE && /^[\s#]/.test(token)) return "";
    return translateToken(token, sets, flags);
  });
  return { source, names };
}

/** @param {string} token @param {Record<string, string>} sets @param {number} flags */
function translateToken(token, sets, flags) {
  if (token.length > 1 && token[0] === "[") {
    const closed = token.replace(/^(\[\^?)\]/, "$1\\]");
    return closed.replace(/\\[\s\S]/g, (escape) => translateEscape(escape, sets, true));
  }
  if (token[0] === "\\") return translateEscape(token, sets, false);
  if (token[0] === "{") return /[0-9]/.test(token) ? token.replace("{,", "{0,") : token.replace(/[{}]/g, "\\$&");
  if (token === "]" || token === "}") return `\\${token}`;
  if (token === ".") return flags & $DOTALL ? "[\\s\\S]" : "[^\\n]";
  if (token === "^") return flags & $MULTILINE ? "(?<![^\\n])" : "(?<![\\s\\S])";
  if (token === "$") return flags & $MULTILINE ? `(?=\\n|${END})` : `(?=\\n?${END})`;
  return token[0] === "#" ? token.replace(/[{}[\]()*+?.^$|\\]/g, "\\$&") : token;
}

/** @param {string} escape @param {Record<string, string>} sets @param {boolean} isInSet */
function translateEscape(escape, sets, isInSet) {
  const letter = escape[1];
  const set = sets[letter.toLowerCase()];
  if (set && letter === letter.toLowerCase()) return isInSet ? set : `[${set}]`;
  if (set && !isInSet) return `[^${set}]`;
  if (set) throw $error(`\\${letter} is not supported in a set`);
  if (letter === "A") return "(?<![\\s\\S])";
  if (letter === "Z") return END;
  if (letter === "b" && !isInSet) return `(?:(?<=[${sets.w}])(?![${sets.w}])|(?<![${sets.w}])(?=[${sets.w}]))`;
  if (/[a-zA-Z0-9]/.test(letter) || /[\^$\\.*+?()[\]{}|/]/.test(letter)) return escape;
  return letter === "-" && isInSet ? "\\-" : letter;
}

// --- matches --------------------------------------------------------------------------------------------------------

export const $Match = cls("Match", [], {
  /** @this {any} @param {...any} which */
  $group(...which) {
    if (which.length > 1) return tuple(which.map((each) => groupOf(this, each)));
    return groupOf(this, which.length ? which[0] : 0);
  },
  /** @this {any} @param {any} which */
  $__getitem__(which) {
    return groupOf(this, which);
  },
  /** @this {any} */
  $groups() {
    return tuple(Array.from(this.found).slice(1).map(orNone));
  },
  /** @this {any} */
  $groupdict() {
    return dict(Object.entries(this.found.groups ?? {}).map(([name, value]) => [name, orNone(value)]));
  },
  /** @this {any} @param {number} [which] */
  $start(which = 0) {
    return spanOf(this, which)[0];
  },
  /** @this {any} @param {number} [which] */
  $end(which = 0) {
    return spanOf(this, which)[1];
  },
  /** @this {any} @param {number} [which] */
  $span(which = 0) {
    return tuple(spanOf(this, which));
  },
});

/** @param {any} found @param {string} string @param {(string | null)[]} names */
function makeMatch(found, string, names) {
  if (!found) return null;
  const match = Object.create($Match.prototype);
  match.found = found;
  match.$string = string;
  match.$lastgroup = lastGroup(found, names);
  return match;
}

/** `lastgroup`: the name of the group that ended last; if several end there, of the outermost.
 * @param {any} found @param {(string | null)[]} names */
function lastGroup(found, names) {
  let last = 0;
  for (let at = 1; at <= names.length; at++) {
    if (found.indices[at] && (!last || found.indices[at][1] > found.indices[last][1])) last = at;
  }
  return last ? names[last - 1] : null;
}

/** @param {any} match @param {any} which */
function groupOf(match, which) {
  const isKnown = typeof which === "number" ? which in match.found : which in (match.found.groups ?? {});
  if (!isKnown) throw error("IndexError", "no such group");
  return orNone(typeof which === "number" ? match.found[which] : match.found.groups[which]);
}

/** Start and end of a group, in code points. @param {any} match @param {any} which */
function spanOf(match, which) {
  const { indices } = match.found;
  const span = typeof which === "number" ? indices[which] : indices.groups[which];
  return span ? [lettersBefore(match.$string, span[0]), lettersBefore(match.$string, span[1])] : [-1, -1];
}

/** Cache of `countLetters`: the last string, and the number of code points before each of its UTF-16 units. */
let counted = { string: "", letters: new Uint32Array(1) };

/** @param {string} string that may contain surrogate pairs */
function countLetters(string) {
  if (counted.string !== string) {
    const letters = new Uint32Array(string.length + 1);
    for (let at = 0; at < string.length; at++) {
      const isPair = (string.codePointAt(at) ?? 0) > 0xffff;
      letters[at + 1] = letters[at] + (isPair ? 0 : 1);
    }
    counted = { string, letters };
  }
  return counted.letters;
}

/** The code points before a UTF-16 unit. @param {string} string @param {number} at */
const lettersBefore = (string, at) => (hasWide(string) ? countLetters(string)[at] : at);

/** The UTF-16 units before a code point.
 * @param {string} string @param {number} letters index of the code point @returns {number} */
function unitsBefore(string, letters) {
  if (!letters || !hasWide(string)) return letters;
  const found = countLetters(string).lastIndexOf(letters);
  return found < 0 ? string.length : found;
}

/** @param {any} value */
function orNone(value) {
  return value ?? null;
}

// --- patterns -------------------------------------------------------------------------------------------------------

export const $Pattern = cls("Pattern", [], {
  /** @this {any} @param {any} string @param {number} [from] */
  $match(string, from = 0) {
    return exec(this, this.sticky, string, from);
  },
  /** @this {any} @param {any} string @param {number} [from] */
  $fullmatch(string, from = 0) {
    return exec(this, this.full, string, from);
  },
  /** @this {any} @param {any} string @param {number} [from] */
  $search(string, from = 0) {
    return exec(this, this.global, string, from);
  },
  /** @this {any} @param {any} string */
  $finditer(string) {
    const whole = text(string);
    return Array.from(matchesIn(this, whole), (found) => makeMatch(found, whole, this.names)).values();
  },
  /** @this {any} @param {any} string */
  $findall(string) {
    return Array.from(matchesIn(this, text(string)), (/** @type {any} */ found) => {
      if (found.length < 3) return found[found.length - 1] ?? "";
      return tuple(
        Array.from(found)
          .slice(1)
          .map((value) => value ?? ""),
      );
    });
  },
  $sub: fn("sub", "repl string count", /** @type {any} */ (substitute)),
});

/** @param {any} pattern @param {RegExp} expression @param {any} string @param {number} from */
function exec(pattern, expression, string, from) {
  const whole = text(string);
  expression.lastIndex = unitsBefore(whole, from);
  return makeMatch(expression.exec(whole), whole, pattern.names);
}

/** @param {any} pattern @param {string} whole */
function matchesIn(pattern, whole) {
  pattern.global.lastIndex = 0;
  return whole.matchAll(pattern.global);
}

/** @this {any} @param {any} replacement a template with groups such as `\1` or `\g<name>`, or a function of the match
 * @param {any} string @param {number} [count] maximum number of replacements; 0 for all */
function substitute(replacement, string, count = 0) {
  const whole = text(string);
  let result = "";
  let end = 0;
  let left = count || Infinity;
  for (const found of matchesIn(this, whole)) {
    if (left-- <= 0) break;
    const match = makeMatch(found, whole, this.names);
    const [start, next] = match.found.indices[0];
    result +=
      whole.slice(end, start) +
      (typeof replacement === "function" ? text(replacement(match)) : fill(match, text(replacement)));
    end = next;
  }
  return result + whole.slice(end);
}

/** @type {Record<string, string>} */
const ESCAPED = { n: "\n", t: "\t", r: "\r", "\\": "\\" };

/** @param {any} match @param {string} template */
function fill(match, template) {
  return template.replace(/\\(?:g<(\w+)>|([0-9]{1,2})|([\s\S]))/g, (whole, name, digits, letter) => {
    if (letter !== undefined) return ESCAPED[letter] ?? whole;
    const group = digits ?? name;
    return groupOf(match, /^[0-9]/.test(group) ? Number(group) : group) ?? "";
  });
}

/** @type {Map<string, any>} */
const compiled = new Map();

export const $compile = fn("compile", "pattern flags", compile);

/** @param {any} pattern @param {number} [flags] */
function compile(pattern, flags = 0) {
  if (pattern instanceof Object && "global" in pattern) return pattern;
  const key = `${flags} ${text(pattern)}`;
  let made = compiled.get(key);
  if (!made) compiled.set(key, (made = makePattern(text(pattern), flags)));
  return made;
}

/** @param {string} source @param {number} flags */
function makePattern(source, flags) {
  const pattern = Object.create($Pattern.prototype);
  const translated = translate(source, flags);
  const letters = `du${flags & $IGNORECASE ? "i" : ""}`;
  pattern.$pattern = source;
  pattern.$flags = flags;
  pattern.names = translated.names;
  try {
    pattern.global = new RegExp(translated.source, `g${letters}`);
    pattern.sticky = new RegExp(translated.source, `y${letters}`);
    pattern.full = new RegExp(`(?:${translated.source})${END}`, `y${letters}`);
  } catch (problem) {
    throw $error(String(problem));
  }
  return pattern;
}

export const $match = fn("match", "pattern string flags", (pattern, string, flags = 0) =>
  compile(pattern, flags).$match(string),
);
export const $fullmatch = fn("fullmatch", "pattern string flags", (pattern, string, flags = 0) =>
  compile(pattern, flags).$fullmatch(string),
);
export const $search = fn("search", "pattern string flags", (pattern, string, flags = 0) =>
  compile(pattern, flags).$search(string),
);
export const $finditer = fn("finditer", "pattern string flags", (pattern, string, flags = 0) =>
  compile(pattern, flags).$finditer(string),
);
export const $findall = fn("findall", "pattern string flags", (pattern, string, flags = 0) =>
  compile(pattern, flags).$findall(string),
);
export const $sub = fn("sub", "pattern repl string count flags", (pattern, repl, string, count = 0, flags = 0) =>
  compile(pattern, flags).$sub(repl, string, count),
);
/** @param {any} string */
export const $escape = (string) => text(string).replace(/[()[\]{}?*+\-|^$\\.&~# \t\n\r\v\f]/g, "\\$&");
