// @ts-check
/** Powers and quotients rounded once, as C's library gives them; JavaScript's own powers can be off in the last digit. */

const MAX_EXACT_EXPONENT = 512;
const BITS = 66;

/** @param {bigint} value */
const length = (value) => value.toString(2).length;

/** The leading bits of a size, the last one set if any below is, and the number of bits below. @param {bigint} value @returns {[number, number]} */
function leading(value) {
  const below = length(value) - BITS;
  if (below <= 0) return [Number(value), 0];
  const head = value >> BigInt(below);
  return [Number(head << BigInt(below) === value ? head : head | 1n), below];
}

/** `value * 2 ** exponent`, without a power that is infinite. @param {number} value @param {number} exponent */
function scale(value, exponent) {
  while (Math.abs(exponent) > 1000) {
    value *= 2 ** (1000 * Math.sign(exponent));
    exponent -= 1000 * Math.sign(exponent);
  }
  return value * 2 ** exponent;
}

/** The float nearest to the quotient of two sizes. @param {bigint} a @param {bigint} b */
export function divideSizes(a, b) {
  const shift = Math.max(0, length(b) - length(a) + BITS);
  const dividend = a << BigInt(shift);
  const quotient = dividend / b;
  const [head, below] = leading(dividend % b === 0n ? quotient : quotient | 1n);
  return scale(head, below - shift);
}

/** A finite size as an integer times a power of two. @param {number} value @returns {[bigint, number]} */
function decompose(value) {
  const exponent = Math.max(-1074, Math.floor(Math.log2(value)) - 53);
  return [BigInt(scale(value, -exponent)), exponent];
}

/** @param {number} base @param {number} exponent */
function exactPower(base, exponent) {
  const [mantissa, shift] = decompose(Math.abs(base));
  const power = mantissa ** BigInt(Math.abs(exponent));
  const [head, below] = leading(power);
  const size =
    exponent < 0
      ? scale(divideSizes(1n << BigInt(length(power)), power), -length(power) + shift * exponent)
      : scale(head, below + shift * exponent);
  return base < 0 && exponent % 2 !== 0 ? -size : size;
}

/** `base ** exponent` of floats. @param {number} base @param {number} exponent */
export function power(base, exponent) {
  if (base === 1 || exponent === 0) return 1;
  if (exponent === 0.5 && base > 0) return Math.sqrt(base);
  const isExact = Number.isInteger(exponent) && Math.abs(exponent) <= MAX_EXACT_EXPONENT;
  return isExact && Number.isFinite(base) && base !== 0 ? exactPower(base, exponent) : base ** exponent;
}
