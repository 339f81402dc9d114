// @ts-check
/** `repr`, `str` and `format`. */

import { builtins, error, isClass } from "./base.js";
import { Float, fixed, floatText, isFloat, numberText, numeric } from "./numbers.js";
import { Dict, FrozenSet, ItemsView, KeysView, PySet, ValuesView } from "./mappings.js";
import { Tuple } from "./sequences.js";
import { isText, text, textLength } from "./text.js";

/** @type {Record<string, string>} */
const ESCAPES = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\" };
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]/u;

/** @param {string} character */
function escape(character) {
  const code = Number(character.codePointAt(0));
  const [letter, width] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
  return `\\${letter}${code.toString(16).padStart(Number(width), "0")}`;
}

/** @param {string} value @param {RegExp} hidden characters to escape by their code points */
export function quote(value, hidden = UNPRINTABLE) {
  const mark = value.includes("'") && !value.includes('"') ? '"' : "'";
  const shown = Array.from(value, (c) => ESCAPES[c] ?? (c === mark ? `\\${c}` : hidden.test(c) ? escape(c) : c));
  return mark + shown.join("") + mark;
}

/** @param {Iterable<any>} items */
const listItems = (items) => Array.from(items, repr).join(", ");

/** @type {[any, (value: any) => string][]} */
const COLLECTIONS = [
  [Tuple, (value) => (value.length === 1 ? `(${repr(value[0])},)` : `(${listItems(value)})`)],
  [Array, (value) => `[${listItems(value)}]`],
  [FrozenSet, (value) => (value.map.size ? `frozenset({${listItems(value)}})` : "frozenset()")],
  [PySet, (value) => (value.map.size ? `{${listItems(value)}}` : "set()")],
  [
    Dict,
    (value) =>
      `{${Array.from(value.map.values(), (entry) => `${repr(entry.key)}: ${repr(entry.value)}`).join(", ")}}`,
  ],
  [KeysView, (value) => `dict_keys([${listItems(value)}])`],
  [ValuesView, (value) => `dict_values([${listItems(value)}])`],
  [ItemsView, (value) => `dict_items([${listItems(value)}])`],
  [Uint8Array, reprBytes],
];

/** @param {Uint8Array} value */
function reprBytes(value) {
  const shown = `b${quote(Array.from(value, (byte) => String.fromCharCode(byte)).join(""), /[^ -~]/)}`;
  return value.constructor === builtins.$bytearray.Instance ? `bytearray(${shown})` : shown;
}

/** `repr(value)`. @param {any} value @returns {string} */
export function repr(value) {
  if (value === null || value === undefined) return "None";
  if (typeof value === "string") return quote(value);
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number" || typeof value === "bigint" || value instanceof Float) return numberText(value);
  if (isClass(value))
    return `<class '${value.$__module__ === "builtins" ? "" : `${value.$__module__}.`}${value.$__qualname__}'>`;
  if (value.$__repr__) return value.$__repr__();
  const found = COLLECTIONS.find(([type]) => value instanceof type);
  if (found) return found[1](value);
  if (isText(value)) return quote(text(value));
  if (numeric(value) !== undefined) return numberText(numeric(value));
  return typeof value === "function" ? `<function ${value.$__name__}>` : "<object>";
}

/** `str(value)`. @param {any} value @returns {string} */
export function str(value) {
  if (typeof value === "string") return value;
  if (typeof value === "object" && value !== null) {
    if (value.$__str__) return value.$__str__();
    if (value instanceof String && !(/** @type {any} */ (value).$__repr__)) return text(value);
  } else if (typeof value === "function" && !isClass(value) && value.$__str__) return value.$__str__();
  return repr(value);
}

const SPEC = /^(?:(.)?([<>=^]))?([+\- ])?(z)?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([bcdeEfFgGnosxX%])?$/su;

/** `format(value, spec)`. @param {any} value @param {any} spec @returns {string} */
export function format(value, spec) {
  const match = SPEC.exec(text(spec));
  if (value?.$__format__) return value.$__format__(text(spec));
  if (text(spec) === "") return str(value);
  const plain = value?.$__str__ ? undefined : numeric(value);
  const kind = plain === undefined ? "str" : isFloat(plain) ? "float" : "int";
  if (!match) throw error("ValueError", `Invalid format specifier '${text(spec)}' for object of type '${kind}'`);
  const [, fill, align, sign, , , zero, width, , precision] = match;
  const size = Number(width ?? 0);
  if (kind === "str") {
    const cut = precision === undefined ? str(value) : Array.from(str(value)).slice(0, Number(precision)).join("");
    return pad("", cut, align ?? "<", fill ?? (zero ? "0" : " "), size);
  }
  const [mark, digits] = formatNumber(plain, match);
  const prefix = mark || (sign === "+" || sign === " " ? sign : "");
  if (zero && !align) return pad(prefix, digits, "=", "0", size);
  return pad(prefix, digits, align ?? ">", fill ?? " ", size);
}

/** @param {string} prefix @param {string} body @param {string} align @param {string} fill @param {number} width */
function pad(prefix, body, align, fill, width) {
  const space = Math.max(0, width - textLength(prefix + body));
  if (align === "=") return prefix + fill.repeat(space) + body;
  const left = { "<": 0, ">": space, "^": space >> 1 }[align] ?? 0;
  return fill.repeat(left) + prefix + body + fill.repeat(space - left);
}

/** Format a number; returns the sign and the digits.
 * @param {any} value @param {RegExpExecArray} match @returns {[string, string]} */
function formatNumber(value, match) {
  const [, , , , , alternate, , , group, precision, letter] = match;
  const written =
    isFloat(value) || "eEfFgG%".includes(letter ?? "d")
      ? floatDigits(Number(value), letter, precision)
      : integerDigits(value, letter, Boolean(alternate));
  const mark = written.startsWith("-") ? "-" : "";
  const digits = written.slice(mark.length);
  if (!group) return [mark, digits];
  const [whole, rest] = /** @type {string[]} */ (/^(\d*)(.*)$/s.exec(digits)).slice(1);
  return [mark, whole.replace(/\B(?=(\d{3})+$)/g, group) + rest];
}

const BASES = { b: 2, o: 8, x: 16, X: 16 };

/** @param {any} value @param {string | undefined} letter @param {boolean} hasPrefix */
function integerDigits(value, letter, hasPrefix) {
  if (letter === "c") return String.fromCodePoint(Number(value));
  const base = BASES[/** @type {"b"} */ (letter)] ?? 10;
  const digits = value.toString(base).replace(/^(-?)/, hasPrefix && base !== 10 ? `$10${letter}` : "$1");
  return letter === "X" ? digits.toUpperCase() : digits;
}

/** @param {number} value @param {string | undefined} letter @param {string | undefined} precision */
function floatDigits(value, letter, precision) {
  const digits = precision === undefined ? 6 : Number(precision);
  switch (letter?.toLowerCase()) {
    case "f":
      return fixed(value, digits);
    case "%":
      return `${fixed(value * 100, digits)}%`;
    case "e":
      return sameCase(exponential(value, digits), String(letter));
    case "g":
      return sameCase(general(value, digits || 1, 0), String(letter));
  }
  if (letter) throw error("ValueError", `Unknown format code '${letter}' for object of type 'float'`);
  return precision === undefined ? floatText(value) : general(value, digits || 1, 1);
}

/** @param {string} digits @param {string} letter */
const sameCase = (digits, letter) => (letter === letter.toUpperCase() ? digits.toUpperCase() : digits);

/** @param {number} value @param {number} digits */
function exponential(value, digits) {
  if (!Number.isFinite(value)) return fixed(value, 0);
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  return (
    sign +
    Math.abs(value)
      .toExponential(digits)
      .replace(/e([+-])(\d)$/, "e$10$2")
  );
}

/** `%g`: significant digits without trailing zeros, but at least `fraction` digits after the point.
 * @param {number} value @param {number} digits @param {number} fraction */
function general(value, digits, fraction) {
  if (!Number.isFinite(value)) return fixed(value, 0);
  const written = exponential(value, digits - 1);
  const exponent = Number(written.split("e")[1]);
  const isPlain = exponent >= -4 && exponent < digits - fraction;
  if (!isPlain) return written.replace(/\.?0*e/, "e");
  const plain = fixed(value, digits - 1 - exponent);
  const short = plain.includes(".") ? plain.replace(/\.?0*$/, "") : plain;
  return fraction && !short.includes(".") ? `${short}.0` : short;
}

/** `template.format(*values, **named)`. @param {string} template @param {any[]} values @param {Dict} named */
export function formatTemplate(template, values, named) {
  let next = 0;
  return template.replace(/\{\{|\}\}|\{([^{}:!]*)(?:!([rs]))?(?::([^{}]*))?\}/g, (whole, name, conversion, spec) => {
    if (whole === "{{" || whole === "}}") return whole[0];
    const value = name === "" ? values[next++] : /^\d+$/.test(name) ? values[Number(name)] : named.$__getitem__(name);
    return format(conversion === "r" ? repr(value) : value, spec ?? "");
  });
}

/** `template % values`. @param {string} template @param {any} value */
export function formatPercent(template, value) {
  let next = 0;
  const values = value instanceof Tuple ? value : [value];
  return template.replace(/%([-0 +#]*)(\d*)(?:\.(\d+))?([sdrfgxe%])/g, (_, flags, width, precision, letter) => {
    if (letter === "%") return "%";
    const item = values[next++];
    const align = flags.includes("-") ? "<" : letter === "s" || letter === "r" ? ">" : "";
    const sign = flags.includes("+") ? "+" : "";
    const point = precision === undefined ? "" : `.${precision}`;
    const spec = `${align}${sign}${flags.includes("0") && !align ? "0" : ""}${width}${point}`;
    return letter === "s" || letter === "r"
      ? format(letter === "s" ? str(item) : repr(item), spec)
      : format(item, spec + letter);
  });
}
