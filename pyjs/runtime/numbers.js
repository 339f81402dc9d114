// @ts-check
/**
 * Numbers. An int is a JavaScript number if it is safe, else a BigInt. A float is a `Float` object if its value is
 * integral, else a JavaScript number. So the common cases need `typeof` and one range check, and ints are never rounded.
 */

import { builtins, className, error, extend, isClass } from "./base.js";
import { union } from "./classes.js";
import { divideMagnitudes, power } from "./powers.js";

/** A float with an integral value. */
export class Float {
  /** @param {number} value */
  constructor(value) {
    this.value = value;
  }
  valueOf() {
    return this.value;
  }
}

/** Python's float of a JavaScript number. @param {number} value */
export const float = (value) => (Number.isInteger(value) ? new Float(value) : value);

/** Whether a value is a float (instances of subclasses of float are not recognised). @param {any} value */
export const isFloat = (value) => value instanceof Float || (typeof value === "number" && !Number.isInteger(value));

/** The int of a BigInt: a number if it is safe. @param {bigint} value */
export const normal = (value) => (value <= 9007199254740991n && value >= -9007199254740991n ? Number(value) : value);

/** The int of a JavaScript number or BigInt with an integral value. @param {number | bigint} value */
export const integer = (value) => {
  if (typeof value === "bigint") return normal(value);
  return Number.isSafeInteger(value) ? value + 0 : BigInt(value);
};

/** The plain number of a number, a bool or an instance of a subclass; else undefined.
 * @param {any} value @returns {any} */
export function numeric(value) {
  switch (typeof value) {
    case "number":
    case "bigint":
      return value;
    case "boolean":
      return value ? 1 : 0;
    case "object":
      if (value instanceof Float) return value;
      if (value instanceof Number) return integer(value.valueOf());
  }
  return undefined;
}

/** The JavaScript number nearest to a Python number. @param {any} value @returns {number} */
export function number(value) {
  if (typeof value === "number") return value;
  const found = numeric(value) ?? numeric(value?.$__float__?.() ?? value?.$__index__?.());
  if (found === undefined) throw error("TypeError", `must be real number, not ${className(value)}`);
  return asFloat(found);
}

/** The JavaScript number nearest to an int or a float. @param {any} value */
function asFloat(value) {
  const found = Number(value);
  if (typeof value === "bigint" && !Number.isFinite(found))
    throw error("OverflowError", "int too large to convert to float");
  return found;
}

/** The int of a value that can be used as an index (`__index__`). @param {any} value @returns {any} */
export function index(value) {
  if (Number.isInteger(value)) return value;
  const found = numeric(value) ?? numeric(value?.$__index__?.());
  if (found === undefined || isFloat(found)) {
    throw error("TypeError", `'${className(value)}' object cannot be interpreted as an integer`);
  }
  return found;
}

/** A binary operator: its symbol, the name in its methods (`__name__`), and its functions for floats and BigInts.
 * @typedef {{symbol: string, name: string, float?: (a: number, b: number) => any, big?: (a: bigint, b: bigint) => any}} Operator */

/** The JavaScript number of a float or a safe int, else undefined. @param {any} value @returns {any} */
export const real = (value) => (typeof value === "number" ? value : value instanceof Float ? value.value : undefined);

/** The general case of an operator. @param {Operator} operator @param {any} a @param {any} b @returns {any} */
function apply(operator, a, b) {
  if ((a instanceof Float || b instanceof Float) && operator.float) {
    const x = real(a);
    const y = real(b);
    if (x !== undefined && y !== undefined) return float(operator.float(x, y));
  }
  const x = numeric(a);
  const y = numeric(b);
  if (x === undefined || y === undefined) return callOverload(operator, a, b);
  if (isFloat(x) || isFloat(y)) {
    if (operator.float) return float(operator.float(asFloat(x), asFloat(y)));
    throw unsupported(operator, a, b);
  }
  return operator.big ? normal(operator.big(BigInt(x), BigInt(y))) : callOverload(operator, a, b);
}

/** Call `__add__` or `__radd__` and the like. @param {Operator} operator @param {any} a @param {any} b */
function callOverload({ symbol, name }, a, b) {
  if (name === "or" && (isClass(a) || isClass(b))) return union(a, b);
  const right = `$__r${name}__`;
  const found = a?.[`$__${name}__`]?.(b);
  if (found !== undefined && found !== builtins.$NotImplemented) return found;
  const reflected = b?.[right]?.(a);
  if (reflected !== undefined && reflected !== builtins.$NotImplemented) return reflected;
  throw unsupported({ symbol, name }, a, b);
}

/** @param {Operator} operator @param {any} a @param {any} b */
const unsupported = ({ symbol, name }, a, b) =>
  error(
    "TypeError",
    `unsupported operand type(s) for ${symbol}${name === "pow" ? " or pow()" : ""}: '${className(a)}' and '${className(b)}'`,
  );

const ADD = {
  symbol: "+",
  name: "add",
  float: plus,
  big: (/** @type {bigint} */ a, /** @type {bigint} */ b) => a + b,
};
const SUB = {
  symbol: "-",
  name: "sub",
  float: minus,
  big: (/** @type {bigint} */ a, /** @type {bigint} */ b) => a - b,
};
const MUL = {
  symbol: "*",
  name: "mul",
  float: times,
  big: (/** @type {bigint} */ a, /** @type {bigint} */ b) => a * b,
};
const DIV = { symbol: "/", name: "truediv", float: divideFloats };
const FLOORDIV = { symbol: "//", name: "floordiv", float: floorFloats, big: floorBig };
const MOD = { symbol: "%", name: "mod", float: moduloFloats, big: moduloBig };
const POW = { symbol: "**", name: "pow", float: powerFloats, big: powerBig };
const MATMUL = { symbol: "@", name: "matmul" };
const LSHIFT = { symbol: "<<", name: "lshift", big: shiftLeft };
const RSHIFT = { symbol: ">>", name: "rshift", big: shiftRight };
const OR = { symbol: "|", name: "or", big: (/** @type {bigint} */ a, /** @type {bigint} */ b) => a | b };
const AND = { symbol: "&", name: "and", big: (/** @type {bigint} */ a, /** @type {bigint} */ b) => a & b };
const XOR = { symbol: "^", name: "xor", big: (/** @type {bigint} */ a, /** @type {bigint} */ b) => a ^ b };

/** @param {number} a @param {number} b */
function plus(a, b) {
  return a + b;
}

/** @param {number} a @param {number} b */
function minus(a, b) {
  return a - b;
}

/** @param {number} a @param {number} b */
function times(a, b) {
  return a * b;
}

/** @param {number} a @param {number} b */
function divideFloats(a, b) {
  if (b === 0) throw error("ZeroDivisionError", "float division by zero");
  return a / b;
}

/** @param {number} a @param {number} b */
function moduloFloats(a, b) {
  if (b === 0) throw error("ZeroDivisionError", "float modulo");
  const rest = a % b;
  if (rest !== 0) return rest < 0 !== b < 0 ? rest + b : rest;
  return b < 0 ? -0 : 0;
}

/** @param {number} a @param {number} b */
function floorFloats(a, b) {
  if (b === 0) throw error("ZeroDivisionError", "float floor division by zero");
  const rest = a % b;
  const quotient = (a - rest) / b - (rest !== 0 && rest < 0 !== b < 0 ? 1 : 0);
  if (quotient === 0) return a / b < 0 || Object.is(a / b, -0) ? -0 : 0;
  const floor = Math.floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}

/** @param {bigint} a @param {bigint} b */
function moduloBig(a, b) {
  if (b === 0n) throw error("ZeroDivisionError", "integer modulo by zero");
  const rest = a % b;
  return rest !== 0n && rest < 0n !== b < 0n ? rest + b : rest;
}

/** @param {bigint} a @param {bigint} b */
function floorBig(a, b) {
  if (b === 0n) throw error("ZeroDivisionError", "integer division or modulo by zero");
  return (a - moduloBig(a, b)) / b;
}

/** @param {number} a @param {number} b */
function powerFloats(a, b) {
  if (a === 0 && b < 0) throw error("ZeroDivisionError", "0.0 cannot be raised to a negative power");
  const found = power(a, b);
  if (Number.isNaN(found) && a < 0 && !Number.isNaN(b))
    throw error("ValueError", "complex numbers are not supported");
  if (Math.abs(found) === Infinity && Number.isFinite(a) && Number.isFinite(b)) {
    throw error("OverflowError", 34, "Numerical result out of range");
  }
  return found;
}

/** @param {bigint} a @param {bigint} b */
function powerBig(a, b) {
  return a ** b;
}

/** @param {bigint} b */
function checkShift(b) {
  if (b < 0n) throw error("ValueError", "negative shift count");
}

/** @param {bigint} a @param {bigint} b */
function shiftLeft(a, b) {
  checkShift(b);
  return a << b;
}

/** @param {bigint} a @param {bigint} b */
function shiftRight(a, b) {
  checkShift(b);
  return a >> b;
}

/** @param {any} a @param {any} b @returns {any} */
export function add(a, b) {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if ((a | 0) === a && (b | 0) === b) return sum;
    if (!Number.isInteger(sum) || (Number.isInteger(a) && Number.isInteger(b) && Number.isSafeInteger(sum)))
      return sum;
  } else if (typeof a === "string" && typeof b === "string") return a + b;
  return apply(ADD, a, b);
}

/** @param {any} a @param {any} b @returns {any} */
export function sub(a, b) {
  if (typeof a === "number" && typeof b === "number") {
    const difference = a - b;
    if ((a | 0) === a && (b | 0) === b) return difference;
    if (!Number.isInteger(difference)) return difference;
    if (Number.isInteger(a) && Number.isInteger(b) && Number.isSafeInteger(difference)) return difference;
  }
  return apply(SUB, a, b);
}

/** @param {any} a @param {any} b @returns {any} */
export function mul(a, b) {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b;
    if (Number.isSafeInteger(product) && Number.isInteger(a) && Number.isInteger(b)) return product + 0;
    if (!Number.isInteger(product)) return product;
  }
  return apply(MUL, a, b);
}

/** @param {any} a @param {any} b @returns {any} */
export function div(a, b) {
  const x = numeric(a);
  const y = numeric(b);
  if (x === undefined || y === undefined) return callOverload(DIV, a, b);
  if (isFloat(x) || isFloat(y)) return float(divideFloats(asFloat(x), asFloat(y)));
  if (y === 0) throw error("ZeroDivisionError", "division by zero");
  return float(typeof x === "number" && typeof y === "number" ? x / y : divideBig(BigInt(x), BigInt(y)));
}

/** @param {bigint} a @param {bigint} b */
function divideBig(a, b) {
  const size = divideMagnitudes(a < 0n ? -a : a, b < 0n ? -b : b);
  if (size === Infinity) throw error("OverflowError", "integer division result too large for a float");
  return a < 0n !== b < 0n ? -size : size;
}

/** @param {any} a @param {any} b @returns {any} */
export function floordiv(a, b) {
  if (Number.isInteger(a) && Number.isInteger(b) && b !== 0) {
    const multiple = a - mod(a, b);
    if (Number.isSafeInteger(multiple)) return multiple / b + 0;
  }
  return apply(FLOORDIV, a, b);
}

/** @param {any} a @param {any} b @returns {any} */
export function mod(a, b) {
  if (Number.isInteger(a) && Number.isInteger(b) && b !== 0) {
    const rest = a % b;
    return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest + 0;
  }
  return apply(MOD, a, b);
}

/** @param {any} a @param {any} b @returns {any} */
export function pow(a, b) {
  const x = numeric(a);
  const y = numeric(b);
  if (Number.isInteger(x) && Number.isInteger(y)) {
    if (y < 0) return float(powerFloats(x, y));
    const found = x ** y;
    if (Number.isSafeInteger(found)) return found + 0;
  } else if (typeof x === "bigint" && typeof y === "number" && y < 0) return float(powerFloats(asFloat(x), y));
  return apply(POW, a, b);
}

/** @param {any} a @param {any} b @returns {any} */
export function lshift(a, b) {
  if (Number.isInteger(a) && Number.isInteger(b) && b >= 0 && b < 1000) {
    const shifted = a * 2 ** b;
    if (Number.isSafeInteger(shifted)) return shifted;
  }
  return apply(LSHIFT, a, b);
}

/** @param {any} a @param {any} b @returns {any} */
export function rshift(a, b) {
  if (Number.isInteger(a) && Number.isInteger(b) && b >= 0 && b < 1000) return Math.floor(a / 2 ** b);
  return apply(RSHIFT, a, b);
}

/** @param {any} a @param {any} b @returns {any} */
export function or(a, b) {
  if (typeof a === "number" && typeof b === "number" && (a | 0) === a && (b | 0) === b) return a | b;
  return typeof a === "boolean" && typeof b === "boolean" ? a || b : apply(OR, a, b);
}

/** @param {any} a @param {any} b @returns {any} */
export function and(a, b) {
  if (typeof a === "number" && typeof b === "number" && (a | 0) === a && (b | 0) === b) return a & b;
  return typeof a === "boolean" && typeof b === "boolean" ? a && b : apply(AND, a, b);
}

/** @param {any} a @param {any} b @returns {any} */
export function xor(a, b) {
  if (typeof a === "number" && typeof b === "number" && (a | 0) === a && (b | 0) === b) return a ^ b;
  return typeof a === "boolean" && typeof b === "boolean" ? a !== b : apply(XOR, a, b);
}

/** @param {any} a @param {any} b */
export function matmul(a, b) {
  return callOverload(MATMUL, a, b);
}

/** @param {any} value @returns {any} */
export function neg(value) {
  const x = numeric(value);
  if (typeof x === "number") return Number.isInteger(x) ? 0 - x : -x;
  if (typeof x === "bigint") return normal(-x);
  if (x instanceof Float) return new Float(-x.value);
  return unary("-", "neg", value);
}

/** `abs(value)`. @param {any} value @returns {any} */
export function abs(value) {
  const x = numeric(value);
  if (x === undefined) return value.$__abs__();
  return x < 0 || Object.is(Number(x), -0) ? neg(x) : x;
}

/** @param {any} value @returns {any} */
export const pos = (value) => numeric(value) ?? unary("+", "pos", value);

/** @param {any} value @returns {any} */
export function invert(value) {
  const x = numeric(value);
  return x === undefined || isFloat(x) ? unary("~", "invert", value) : sub(neg(x), 1);
}

/** @param {string} symbol @param {string} name @param {any} value */
function unary(symbol, name, value) {
  const method = value?.[`$__${name}__`];
  if (method) return method.call(value);
  throw error("TypeError", `bad operand type for unary ${symbol}: '${className(value)}'`);
}

/** `f"{x:.2f}"`: rounded exactly, ties to even. @param {number} value @param {number} digits */
export function fixed(value, digits) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value < 0 ? "-inf" : "inf";
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const size = Math.abs(value);
  if (size >= 1e21) return `${sign}${BigInt(size)}${digits ? `.${"0".repeat(digits)}` : ""}`;
  const rounded = size.toFixed(digits);
  const rest = size
    .toFixed(Math.min(100, digits + 25))
    .split(".")[1]
    .slice(digits);
  const isHalf = /^50*$/.test(rest);
  return sign + (isHalf && "13579".includes(rounded.at(-1) ?? "") ? decrementLastDigit(rounded) : rounded);
}

/** Undo rounding a tie up to an odd digit. @param {string} rounded */
function decrementLastDigit(rounded) {
  return rounded.slice(0, -1) + String(Number(rounded.at(-1)) - 1);
}

/** `round(value, digits)`. @param {any} value @param {any} [places] @returns {any} */
export function round(value, places = null) {
  const x = numeric(value);
  const digits = places === null ? null : Number(index(places));
  if (x === undefined) return value.$__round__(places);
  if (!isFloat(x)) return digits === null || digits >= 0 ? x : roundInteger(x, digits);
  const plain = Number(x);
  if (digits === null) return roundToInteger(plain);
  if (!Number.isFinite(plain) || digits > 75) return float(plain);
  if (digits >= 0) return float(Number(fixed(plain, digits)));
  return float(Number(roundInteger(roundToInteger(plain), digits)));
}

/** @param {number} value */
function roundToInteger(value) {
  if (!Number.isFinite(value)) {
    if (Number.isNaN(value)) throw error("ValueError", "cannot convert float NaN to integer");
    throw error("OverflowError", "cannot convert float infinity to integer");
  }
  const floor = Math.floor(value);
  const rest = value - floor;
  return integer(rest > 0.5 || (rest === 0.5 && floor % 2 !== 0) ? floor + 1 : floor);
}

/** @param {number | bigint} value @param {number} digits */
function roundInteger(value, digits) {
  const unit = pow(10, neg(digits));
  const quotient = floordiv(value, unit);
  const twice = mul(2, mod(value, unit));
  const isUp = twice > unit || (twice === unit && mod(quotient, 2) === 1);
  return mul(isUp ? add(quotient, 1) : quotient, unit);
}

/** `repr` of a float. @param {number} value */
export function floatText(value) {
  if (!Number.isFinite(value)) return fixed(value, 0);
  const [digits, power] = Math.abs(value).toExponential().split("e");
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) {
    return `${sign}${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
  }
  const plain = digits.replace(".", "");
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${plain}`;
  const whole = plain.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return `${sign}${whole}.${plain.slice(exponent + 1) || "0"}`;
}

/** `repr` of a number. @param {any} value */
export const numberText = (value) => (isFloat(value) ? floatText(Number(value)) : String(value));

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";

/** Replace the decimal digits of any script by ASCII digits. @param {string} text */
const asciiDigits = (text) =>
  text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    const code = Number(digit.codePointAt(0));
    let first = code;
    while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--;
    return String((code - first) % 10);
  });

/** `int(text, base)`. @param {string} text @param {number} base @returns {any} */
export function parseInteger(text, base) {
  const match = /^([+-]?)(0[xX]_?|0[oO]_?|0[bB]_?)?([0-9a-zA-Z]+(?:_[0-9a-zA-Z]+)*)$/.exec(
    asciiDigits(/** @type {any} */ (text).$strip()),
  );
  const prefixed = { x: 16, o: 8, b: 2 }[match?.[2]?.[1].toLowerCase() ?? ""];
  const actual = base === 0 ? (prefixed ?? 10) : base;
  const isPrefix = prefixed === actual;
  const digits = ((isPrefix ? "" : (match?.[2] ?? "")) + (match?.[3] ?? "")).replaceAll("_", "").toLowerCase();
  if (!match || !digits || [...digits].some((digit) => DIGITS.indexOf(digit) >= actual)) {
    throw error("ValueError", `invalid literal for int() with base ${base}: ${builtins.$repr(text)}`);
  }
  let value = 0n;
  for (const digit of digits) value = value * BigInt(actual) + BigInt(DIGITS.indexOf(digit));
  return normal(match[1] === "-" ? -value : value);
}

const FLOAT =
  /^[+-]?(?:(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+(?:_\d+)*)?|(inf(?:inity)?)|(nan))$/i;

/** `float(text)`. @param {string} text @returns {any} */
export function parseFloatText(text) {
  const plain = asciiDigits(/** @type {any} */ (text).$strip());
  const match = FLOAT.exec(plain);
  if (!match) throw error("ValueError", `could not convert string to float: ${builtins.$repr(text)}`);
  if (match[2]) return NaN;
  if (match[1]) return plain.startsWith("-") ? -Infinity : Infinity;
  return float(Number(plain.replaceAll("_", "")));
}

/** `int(value)` of a number. @param {any} value @returns {any} */
export function truncate(value) {
  const plain = Number(value);
  return Number.isFinite(plain) ? integer(Math.trunc(plain)) : roundToInteger(plain);
}

/** @param {any} value */
const bits = (value) => {
  const size = BigInt(value);
  return (size < 0n ? -size : size).toString(2);
};

const INTEGER_METHODS = {
  $bit_length() {
    return Number(this) === 0 ? 0 : bits(this).length;
  },
  $bit_count() {
    return bits(this).replaceAll("0", "").length;
  },
  $is_integer() {
    return isFloat(numeric(this)) ? Number.isInteger(Number(this)) : true;
  },
  /** @param {number} length @param {string} order */
  $to_bytes(length = 1, order = "big") {
    const value = BigInt(/** @type {any} */ (this).valueOf());
    const bytes = Uint8Array.from({ length }, (_, place) => Number((value >> BigInt(8 * place)) & 255n));
    if (value >> BigInt(8 * length) !== 0n) throw error("OverflowError", "int too big to convert");
    return builtins.$bytes(order === "big" ? bytes.reverse() : bytes);
  },
};
for (const type of [Number, BigInt, Boolean, Float]) extend(type.prototype, INTEGER_METHODS);
const INDEX = {
  get $__index__() {
    const value = numeric(/** @type {any} */ (this).valueOf());
    return isFloat(value) ? undefined : () => value;
  },
};
for (const type of [Number, BigInt, Boolean]) extend(type.prototype, INDEX);
