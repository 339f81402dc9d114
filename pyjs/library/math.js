// @ts-check
// Mathematical functions.
import { error, float, fn, integer, mul, number } from "../runtime/index.js";

export const $inf = Infinity;
export const $pi = Math.PI;

/** A function of floats that takes any Python numbers.
 * @param {(...numbers: number[]) => number} compute @returns {(...numbers: any[]) => any} */
const realFunction =
  (compute) =>
  (...numbers) =>
    float(compute(...numbers.map(number)));

export const $sin = realFunction(Math.sin);
export const $cos = realFunction(Math.cos);
export const $exp = realFunction(Math.exp);
export const $log2 = realFunction(logarithm(Math.log2));
export const $sqrt = realFunction((x) => {
  if (x < 0) throw error("ValueError", "math domain error");
  return Math.sqrt(x);
});

/** @param {(x: number) => number} compute @returns {(x: number) => number} */
function logarithm(compute) {
  return (x) => {
    if (x <= 0) throw error("ValueError", "math domain error");
    return compute(x);
  };
}

/** @param {any} x @param {any} [base] */
export const $log = (x, base) => {
  const ln = logarithm(Math.log);
  return float(base === undefined ? ln(number(x)) : ln(number(x)) / ln(number(base)));
};

/** @param {(x: number) => number} round */
const roundingFunction = (round) => (/** @type {any} */ x) => {
  const value = number(x);
  if (Number.isNaN(value)) throw error("ValueError", "cannot convert float NaN to integer");
  if (!Number.isFinite(value)) throw error("OverflowError", "cannot convert float infinity to integer");
  return integer(round(value));
};
export const $ceil = roundingFunction(Math.ceil);
export const $floor = roundingFunction(Math.floor);

/** @param {any} items */
export const $prod = (items) => {
  let product = 1;
  for (const item of items) product = mul(product, item);
  return product;
};

/** A sum that is rounded once, at the end: `parts` have no bits in common and add up to the exact sum so far.
 * @param {any} items */
export const $fsum = (items) => {
  /** @type {number[]} */
  let parts = [];
  for (const item of items) {
    let x = number(item);
    const kept = [];
    for (let y of parts) {
      if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x];
      const sum = x + y;
      const error = y - (sum - x);
      if (error) kept.push(error);
      x = sum;
    }
    parts = [...kept, x];
  }
  return float(roundedSum(parts));
};

/** @param {number[]} parts smallest first */
function roundedSum(parts) {
  let sum = 0;
  let error = 0;
  let at = parts.length;
  while (at > 0 && !error) {
    const [x, y] = [sum, parts[--at]];
    sum = x + y;
    error = y - (sum - x);
  }
  // A tie was rounded to even; the next smaller part may show that the exact sum lies on the other side.
  if (at > 0 && error < 0 === parts[at - 1] < 0) {
    const twice = 2 * error;
    if (sum + twice - sum === twice) return sum + twice;
  }
  return sum;
}

export const $isclose = fn("isclose", "a b * rel_tol abs_tol", (a, b, rel_tol = 1e-9, abs_tol = 0) => {
  const [x, y] = [number(a), number(b)];
  if (x === y) return true;
  if (!Number.isFinite(x) || !Number.isFinite(y)) return false;
  return Math.abs(x - y) <= Math.max(number(rel_tol) * Math.max(Math.abs(x), Math.abs(y)), number(abs_tol));
});
