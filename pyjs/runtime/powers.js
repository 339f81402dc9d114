// @ts-check
/** Correctly rounded powers and quotients, as in C; `**` of JavaScript can be wrong in the last digit. */

const MAX_EXACT_EXPONENT = 512;
const BITS = 66;

/** @param {bigint} value */
const length = (value) => value.toString(2).length;

/** The leading bits of a magnitude and the number of bits cut off. If one of those is set, so is the last leading bit,
 * which makes the next rounding correct. @param {bigint} value @returns {[number, number]} */
function leadingBits(value) {
  const below = length(value) - BITS;
  if (below <= 0) return [Number(value), 0];
  const head = value >> BigInt(below);
  return [Number(head << BigInt(below) === value ? head : head | 1n), below];
}

/** `value * 2 ** exponent`, in steps so that the power does not overflow.
 * @param {number} value @param {number} exponent */
function scale(value, exponent) {
  while (Math.abs(exponent) > 1000) {
    value *= 2 ** (1000 * Math.sign(exponent));
    exponent -= 1000 * Math.sign(exponent);
  }
  return value * 2 ** exponent;
}

/** The float nearest to the quotient of two magnitudes. @param {bigint} a @param {bigint} b */
export function divideMagnitudes(a, b) {
  const shift = Math.max(0, length(b) - length(a) + BITS);
  const dividend = a << BigInt(shift);
  const quotient = dividend / b;
  const [head, below] = leadingBits(dividend % b === 0n ? quotient : quotient | 1n);
  return scale(head, below - shift);
}

/** A finite magnitude as an integer and an exponent of two. @param {number} value @returns {[bigint, number]} */
function decompose(value) {
  const exponent = Math.max(-1074, Math.floor(Math.log2(value)) - 53);
  return [BigInt(scale(value, -exponent)), exponent];
}

/** `base ** exponent`, computed exactly and rounded once. @param {number} base @param {number} exponent an integer */
function exactPower(base, exponent) {
  const [mantissa, shift] = decompose(Math.abs(base));
  const power = mantissa ** BigInt(Math.abs(exponent));
  const [head, below] = leadingBits(power);
  const size =
    exponent < 0
      ? scale(divideMagnitudes(1n << BigInt(length(power)), power), -length(power) + shift * exponent)
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
