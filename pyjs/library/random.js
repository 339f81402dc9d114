// @ts-check
// The Mersenne Twister: a seed gives the same numbers as in Python.
import { cls, error, float, fn, number } from "../runtime/index.js";

const WORDS = 624;
const SHIFT = 397;

/** @param {any} seed an integer, or null for a random one
 * @returns {number[]} the 32-bit words of the seed, lowest first */
function wordsOf(seed) {
  if (seed === null || seed === undefined) return Array.from(crypto.getRandomValues(new Uint32Array(8)));
  let rest = BigInt(seed);
  if (rest < 0n) rest = -rest;
  const words = [];
  for (; rest > 0n || !words.length; rest >>= 32n) words.push(Number(rest & 0xffffffffn));
  return words;
}

/** @param {number[]} key */
function initialState(key) {
  const state = new Uint32Array(WORDS);
  state[0] = 19650218;
  for (let at = 1; at < WORDS; at++) state[at] = Math.imul(1812433253, scramble(state, at)) + at;
  let at = 1;
  const next = () => {
    if (++at < WORDS) return;
    state[0] = state[WORDS - 1];
    at = 1;
  };
  for (let step = 0; step < Math.max(WORDS, key.length); step++, next()) {
    const index = step % key.length;
    state[at] = (state[at] ^ Math.imul(scramble(state, at), 1664525)) + key[index] + index;
  }
  for (let step = 1; step < WORDS; step++, next()) {
    state[at] = (state[at] ^ Math.imul(scramble(state, at), 1566083941)) - at;
  }
  state[0] = 0x80000000;
  return state;
}

/** @param {Uint32Array} state @param {number} at */
function scramble(state, at) {
  return state[at - 1] ^ (state[at - 1] >>> 30);
}

/** @param {Uint32Array} state */
function advance(state) {
  for (let at = 0; at < WORDS; at++) {
    const joined = (state[at] & 0x80000000) | (state[(at + 1) % WORDS] & 0x7fffffff);
    state[at] = state[(at + SHIFT) % WORDS] ^ (joined >>> 1) ^ (joined & 1 ? 0x9908b0df : 0);
  }
}

/** The next 32 random bits. @param {any} random @returns {number} */
function nextWord(random) {
  if (random.at === WORDS) {
    advance(random.state);
    random.at = 0;
  }
  let word = random.state[random.at++];
  word ^= word >>> 11;
  word ^= (word << 7) & 0x9d2c5680;
  word ^= (word << 15) & 0xefc60000;
  return (word ^ (word >>> 18)) >>> 0;
}

/** A random number in [0, 1). @param {any} random @returns {number} */
function nextFraction(random) {
  const high = nextWord(random) >>> 5;
  return (high * 67108864 + (nextWord(random) >>> 6)) / 9007199254740992;
}

/** @param {any} random @param {number} bits at most 32 @returns {number} */
function nextBits(random, bits) {
  return bits ? nextWord(random) >>> (32 - bits) : 0;
}

/** A random integer in [0, limit). @param {any} random @param {number} limit @returns {number} */
function below(random, limit) {
  const bits = 32 - Math.clz32(limit);
  let found = nextBits(random, bits);
  while (found >= limit) found = nextBits(random, bits);
  return found;
}

export const $Random = cls("Random", [], {
  /** @this {any} @param {any} [seed] */
  $__init__(seed = null) {
    this.state = initialState(wordsOf(seed));
    this.at = WORDS;
    return null;
  },
  /** @this {any} */
  $random() {
    return float(nextFraction(this));
  },
  /** @this {any} @param {any} low @param {any} high */
  $uniform(low, high) {
    return float(number(low) + (number(high) - number(low)) * nextFraction(this));
  },
  /** @this {any} @param {any[]} items */
  $choice(items) {
    if (!items.length) throw error("IndexError", "Cannot choose from an empty sequence");
    return items[below(this, items.length)];
  },
  $sample: fn(
    "sample",
    "population k",
    /** @this {any} @param {any[]} population @param {number} k */ function (population, k) {
      if (k < 0 || k > population.length) throw error("ValueError", "Sample larger than population or is negative");
      const items = Array.from(population);
      return prefersPool(items.length, k) ? drawFromPool(this, items, k) : drawApart(this, items, k);
    },
  ),
});

/** Whether `sample` copies the population; otherwise it keeps a set of chosen indices. The rule is that of Python.
 * @param {number} size @param {number} count */
function prefersPool(size, count) {
  return size <= 21 + (count > 5 ? 4 ** Math.ceil(Math.log(count * 3) / Math.log(4)) : 0);
}

/** @param {any} random @param {any[]} pool modified @param {number} count */
function drawFromPool(random, pool, count) {
  return Array.from({ length: count }, (_, done) => {
    const at = below(random, pool.length - done);
    const chosen = pool[at];
    pool[at] = pool[pool.length - done - 1];
    return chosen;
  });
}

/** @param {any} random @param {any[]} population @param {number} count */
function drawApart(random, population, count) {
  const chosen = new Set();
  return Array.from({ length: count }, () => {
    let at = below(random, population.length);
    while (chosen.has(at)) at = below(random, population.length);
    chosen.add(at);
    return population[at];
  });
}
