// @ts-check
// BLAKE2b (RFC 7693).
import { Bytes, cls, fn } from "../runtime/index.js";

const BLOCK_BYTES = 128;
const ROUNDS = 12;
/** The initial state: 64-bit words, each as two halves, lower half first. */
const INITIAL = Uint32Array.of(
  0xf3bcc908, 0x6a09e667, 0x84caa73b, 0xbb67ae85, 0xfe94f82b, 0x3c6ef372, 0x5f1d36f1, 0xa54ff53a, 0xade682d1,
  0x510e527f, 0x2b3e6c1f, 0x9b05688c, 0xfb41bd6b, 0x1f83d9ab, 0x137e2179, 0x5be0cd19,
); // prettier-ignore
const ORDER = [
  "0123456789abcdef", "ea489fd61c02b753", "b8c052fdae367194", "7931dcbe265a40f8", "905724afe1bc683d",
  "2c6a0b834d75fe19", "c51fed4a0763928b", "db7ec13950f4862a", "6fe9b308c2d714a5", "a2847615fb9e3cd0",
].map((row) => Array.from(row, (digit) => parseInt(digit, 16))); // prettier-ignore

/** Add a 64-bit word: `words[to] += others[from]`. @param {Uint32Array} words @param {number} to
 * @param {Uint32Array} others @param {number} from */
function add(words, to, others, from) {
  const low = words[to] + others[from];
  words[to] = low;
  words[to + 1] += others[from + 1] + (low > 0xffffffff ? 1 : 0);
}

/** XOR a 64-bit word and rotate: `words[to] = (words[to] ^ words[from]) >>> bits`. @param {Uint32Array} words
 * @param {number} to @param {number} from @param {number} bits */
function mix(words, to, from, bits) {
  let low = words[to] ^ words[from];
  let high = words[to + 1] ^ words[from + 1];
  if (bits >= 32) [low, high, bits] = [high, low, bits - 32];
  words[to] = bits ? (low >>> bits) | (high << (32 - bits)) : low;
  words[to + 1] = bits ? (high >>> bits) | (low << (32 - bits)) : high;
}

/** @param {Uint32Array} state @param {Uint32Array} block @param {number} count bytes so far @param {boolean} isLast */
function compress(state, block, count, isLast) {
  const words = new Uint32Array(32);
  words.set(state);
  words.set(INITIAL, 16);
  words[24] ^= count;
  if (isLast) {
    words[28] = ~words[28];
    words[29] = ~words[29];
  }
  /** @param {number} a @param {number} b @param {number} c @param {number} d @param {number} x @param {number} y */
  const quarter = (a, b, c, d, x, y) => {
    add(words, a, words, b);
    add(words, a, block, x);
    mix(words, d, a, 32);
    add(words, c, words, d);
    mix(words, b, c, 24);
    add(words, a, words, b);
    add(words, a, block, y);
    mix(words, d, a, 16);
    add(words, c, words, d);
    mix(words, b, c, 63);
  };
  for (let round = 0; round < ROUNDS; round++) {
    const order = ORDER[round % ORDER.length].map((word) => 2 * word);
    for (let at = 0; at < 8; at++) {
      const turn = at < 4 ? 0 : 1;
      const column = (/** @type {number} */ row) => 8 * row + 2 * ((at + turn * row) % 4);
      quarter(column(0), column(1), column(2), column(3), order[2 * at], order[2 * at + 1]);
    }
  }
  for (let at = 0; at < 16; at++) state[at] ^= words[at] ^ words[at + 16];
}

/** @param {Uint8Array} data @param {number} size bytes of the digest, at most 64 */
function blake2b(data, size) {
  const state = Uint32Array.from(INITIAL);
  state[0] ^= 0x01010000 ^ size;
  const blocks = Math.max(1, Math.ceil(data.length / BLOCK_BYTES));
  const padded = new Uint8Array(blocks * BLOCK_BYTES);
  padded.set(data);
  const view = new DataView(padded.buffer);
  const block = new Uint32Array(32);
  for (let at = 0; at < blocks; at++) {
    for (let word = 0; word < 32; word++) block[word] = view.getUint32(at * BLOCK_BYTES + 4 * word, true);
    compress(state, block, Math.min(data.length, (at + 1) * BLOCK_BYTES), at === blocks - 1);
  }
  const digest = new DataView(new ArrayBuffer(64));
  state.forEach((word, at) => digest.setUint32(4 * at, word, true));
  return Bytes.from(new Uint8Array(digest.buffer, 0, size));
}

export const $blake2b = cls("blake2b", [], {
  $__init__: fn(
    "__init__",
    "data * digest_size",
    /** @this {any} @param {Uint8Array} [data] @param {number} [digest_size] */ function (
      data = new Uint8Array(),
      digest_size = 64,
    ) {
      this.parts = [data];
      this.$digest_size = digest_size;
      return null;
    },
  ),
  /** @this {any} @param {Uint8Array} data */
  $update(data) {
    this.parts.push(data);
    return null;
  },
  /** @this {any} */
  $digest() {
    const whole = new Uint8Array(
      this.parts.reduce((/** @type {number} */ sum, /** @type {any} */ part) => sum + part.length, 0),
    );
    let at = 0;
    for (const part of this.parts) {
      whole.set(part, at);
      at += part.length;
    }
    return blake2b(whole, this.$digest_size);
  },
  /** @this {any} */
  $hexdigest() {
    return Array.from(this.$digest(), (byte) => byte.toString(16).padStart(2, "0")).join("");
  },
});
