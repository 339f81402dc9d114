// @ts-check
// JSON as in Python: `1` and `1.0` differ, and errors name line and column.
import {
  Dict,
  Float,
  builtins,
  className,
  cls,
  dict,
  error,
  float,
  fn,
  number,
  repr,
  text,
} from "../runtime/index.js";

export const $JSONDecodeError = cls("JSONDecodeError", [builtins.$ValueError], {
  /** @this {any} @param {string} message @param {string} document @param {number} at */
  $__init__(message, document, at) {
    const before = document.slice(0, at);
    this.$msg = message;
    this.$doc = document;
    this.$pos = at;
    this.$lineno = before.split("\n").length;
    this.$colno = at - before.lastIndexOf("\n");
    builtins.$ValueError.prototype.$__init__.call(
      this,
      `${message}: line ${this.$lineno} column ${this.$colno} (char ${at})`,
    );
    return null;
  },
});

// --- reading --------------------------------------------------------------------------------------------------------

const MAX_DEPTH = 900;
const SPACE = /[ \t\n\r]*/y;
const NUMBER = /(-?(?:0|[1-9][0-9]*))(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
const PLAIN_LETTERS = /[^"\\\x00-\x1f]*/y;
/** @type {[string, any][]} */
const WORDS = [
  ["null", null],
  ["true", true],
  ["false", false],
  ["NaN", NaN],
  ["Infinity", Infinity],
  ["-Infinity", -Infinity],
];
/** @type {Record<string, string>} */
const ESCAPES = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

class Reader {
  /** @param {string} document @param {any} parseConstant takes NaN, Infinity and -Infinity, which JSON does not have */
  constructor(document, parseConstant) {
    this.document = document;
    this.parseConstant = parseConstant;
    this.at = 0;
    this.depth = 0;
  }

  /** @param {string} message @param {number} [at] @returns {never} */
  fail(message, at = this.at) {
    throw $JSONDecodeError(message, this.document, at);
  }

  /** @param {RegExp} expression */
  take(expression) {
    expression.lastIndex = this.at;
    const found = expression.exec(this.document);
    this.at += found ? found[0].length : 0;
    return found;
  }

  /** Consume the next character if it is this one; returns whether it was. @param {string} letter */
  accepts(letter) {
    if (this.document[this.at] !== letter) return false;
    this.at++;
    return true;
  }

  readWhole() {
    this.take(SPACE);
    const value = this.readValue();
    this.take(SPACE);
    if (this.at < this.document.length) this.fail("Extra data");
    return value;
  }

  /** @returns {any} */
  readValue() {
    if (this.accepts('"')) return this.readString();
    if (this.accepts("{")) return this.readNested(() => this.readObject());
    if (this.accepts("[")) return this.readNested(() => this.readArray());
    const found = this.take(NUMBER);
    if (found && (found[2] || found[3])) return float(Number(found[0]));
    if (found) return Number.isSafeInteger(Number(found[1])) ? Number(found[1]) || 0 : BigInt(found[1]);
    const word = WORDS.find(([name]) => this.document.startsWith(name, this.at));
    if (!word) this.fail("Expecting value");
    this.at += word[0].length;
    return this.parseConstant && typeof word[1] === "number" ? this.parseConstant(word[0]) : word[1];
  }

  /** @param {() => any} read */
  readNested(read) {
    if (++this.depth > MAX_DEPTH) throw error("RecursionError", "maximum recursion depth exceeded");
    const value = read();
    this.depth--;
    return value;
  }

  readString() {
    const start = this.at - 1;
    let result = "";
    for (;;) {
      result += this.take(PLAIN_LETTERS)?.[0];
      if (this.at >= this.document.length) this.fail("Unterminated string starting at", start);
      if (this.accepts('"')) return result;
      if (!this.accepts("\\")) this.fail("Invalid control character at");
      result += this.readEscape(start);
    }
  }

  /** @param {number} start */
  readEscape(start) {
    const letter = this.document[this.at++];
    if (letter === undefined) this.fail("Unterminated string starting at", start);
    if (letter !== "u") return ESCAPES[letter] ?? this.fail("Invalid \\escape", this.at - 2);
    const digits = this.document.slice(this.at, this.at + 4);
    if (!/^[0-9A-Fa-f]{4}$/.test(digits)) this.fail("Invalid \\uXXXX escape", this.at - 1);
    this.at += 4;
    return String.fromCharCode(parseInt(digits, 16));
  }

  readArray() {
    /** @type {any[]} */
    const items = [];
    this.take(SPACE);
    if (this.accepts("]")) return items;
    for (;;) {
      items.push(this.readValue());
      this.take(SPACE);
      if (this.accepts("]")) return items;
      if (!this.accepts(",")) this.fail("Expecting ',' delimiter");
      this.take(SPACE);
    }
  }

  readObject() {
    /** @type {[string, any][]} */
    const items = [];
    this.take(SPACE);
    if (this.accepts("}")) return dict(items);
    for (;;) {
      if (!this.accepts('"')) this.fail("Expecting property name enclosed in double quotes");
      const key = this.readString();
      this.take(SPACE);
      if (!this.accepts(":")) this.fail("Expecting ':' delimiter");
      this.take(SPACE);
      items.push([key, this.readValue()]);
      this.take(SPACE);
      if (this.accepts("}")) return dict(items);
      if (!this.accepts(",")) this.fail("Expecting ',' delimiter");
      this.take(SPACE);
    }
  }
}

/** `document` is text, or bytes in UTF-8. */
export const $loads = fn("loads", "s * parse_constant", (document, parse_constant = null) => {
  const whole = document instanceof Uint8Array ? new TextDecoder().decode(document) : text(document);
  if (whole.startsWith("\ufeff")) throw $JSONDecodeError("Unexpected UTF-8 BOM (decode using utf-8-sig)", whole, 0);
  return new Reader(whole, parse_constant).readWhole();
});

// --- writing --------------------------------------------------------------------------------------------------------

/** @typedef {{ comma: string, colon: string, isAscii: boolean, isSorted: boolean, indent: string | null, unknown: any }} Options */

export const $dumps = fn(
  "dumps",
  "obj * allow_nan default ensure_ascii indent separators sort_keys",
  (
    value,
    _allow_nan = true,
    unknown = null,
    ensure_ascii = true,
    indent = null,
    separators = null,
    sort_keys = false,
  ) => {
    const [comma, colon] = separators ?? [indent === null ? ", " : ",", ": "];
    return write(value, "", {
      comma,
      colon,
      isAscii: ensure_ascii,
      isSorted: sort_keys,
      unknown,
      indent: indent === null ? null : " ".repeat(indent),
    });
  },
);

/** @param {any} value @param {string} margin @param {Options} options @returns {string} */
function write(value, margin, options) {
  if (value === null) return "null";
  if (typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (typeof value === "number" || value instanceof Float) return writeNumber(value);
  if (typeof value === "string" || value instanceof String) return writeString(text(value), options);
  if (Array.isArray(value))
    return writeItems("[]", value, margin, options, (item, inner) => write(item, inner, options));
  if (value instanceof Dict) return writeDict(value, margin, options);
  if (value.valueOf !== undefined && typeof value.valueOf() === "number") return writeNumber(value.valueOf());
  if (options.unknown) return write(options.unknown(value), margin, options);
  throw error("TypeError", `Object of type ${className(value)} is not JSON serializable`);
}

/** @param {any} value */
function writeNumber(value) {
  const plain = number(value);
  if (Number.isNaN(plain)) return "NaN";
  return Math.abs(plain) === Infinity ? (plain > 0 ? "Infinity" : "-Infinity") : repr(value);
}

/** @param {string} string @param {Options} options */
function writeString(string, options) {
  const escaped = JSON.stringify(string).replace(/\\u([d][89a-f][0-9a-f]{2})/g, (whole, digits) =>
    options.isAscii ? whole : String.fromCharCode(parseInt(digits, 16)),
  );
  if (!options.isAscii) return escaped;
  return escaped.replace(/[\x7f-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** @param {any} value @param {string} margin @param {Options} options */
function writeDict(value, margin, options) {
  const items = Array.from(value.$items(), ([key, item]) => [keyText(key), item]);
  if (options.isSorted) items.sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
  return writeItems("{}", items, margin, options, ([key, item], inner) => {
    return writeString(key, options) + options.colon + write(item, inner, options);
  });
}

/** @param {any} key */
function keyText(key) {
  if (typeof key === "string" || key instanceof String) return text(key);
  if (key === null || ["boolean", "number", "bigint"].includes(typeof key) || key instanceof Float) {
    return write(key, "", /** @type {any} */ ({}));
  }
  throw error("TypeError", `keys must be str, int, float, bool or None, not ${className(key)}`);
}

/** @param {string} brackets @param {any[]} items @param {string} margin @param {Options} options
 * @param {(item: any, margin: string) => string} writeItem */
function writeItems(brackets, items, margin, options, writeItem) {
  if (!items.length) return brackets;
  const inner = options.indent === null ? "" : margin + options.indent;
  const [before, between, after] =
    options.indent === null ? ["", "", ""] : [`\n${inner}`, `\n${inner}`, `\n${margin}`];
  const texts = Array.from(items, (item) => writeItem(item, inner));
  return brackets[0] + before + texts.join(options.comma + between) + after + brackets[1];
}
