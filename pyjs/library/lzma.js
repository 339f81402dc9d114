// @ts-check
// Unpacks .xz data: one stream with blocks of LZMA2, as lzma.compress of Python writes it. Checksums are not looked at.
import { Bytes, builtins, cls, fn } from "../runtime/index.js";

export const $LZMAError = cls("LZMAError", [builtins.$Exception], {});

const STREAM_HEADER_BYTES = 12;
const HALF = 1 << 10;
const STATES = 12;
const MAX_POSITION_STATES = 16;

/** @param {number} count */
const evenOdds = (count) => new Uint16Array(count).fill(HALF);

/** Lengths of matches: short ones, middle ones, long ones. */
class LengthModel {
  choices = evenOdds(2);
  low = Array.from({ length: MAX_POSITION_STATES }, () => evenOdds(8));
  middle = Array.from({ length: MAX_POSITION_STATES }, () => evenOdds(8));
  high = evenOdds(256);
}

/** What is known about the data so far. */
class Model {
  state = 0;
  distances = [0, 0, 0, 0];
  isMatch = evenOdds(STATES * MAX_POSITION_STATES);
  isRepeat = evenOdds(STATES);
  isRepeatAfter = [evenOdds(STATES), evenOdds(STATES), evenOdds(STATES)];
  isLongRepeat = evenOdds(STATES * MAX_POSITION_STATES);
  slots = Array.from({ length: 4 }, () => evenOdds(64));
  special = evenOdds(128);
  aligned = evenOdds(16);
  matchLengths = new LengthModel();
  repeatLengths = new LengthModel();

  /** @param {number} contexts of a literal */
  constructor(contexts) {
    this.literals = Array.from({ length: contexts }, () => evenOdds(768));
  }
}

class Decoder {
  /** @param {Uint8Array} data @param {number} at @param {number} most bytes to return */
  constructor(data, at, most) {
    this.data = data;
    this.at = at;
    this.most = most;
    this.out = new Uint8Array(1 << 16);
    this.size = 0;
    this.range = 0;
    this.code = 0;
    this.contextBits = 0;
    this.literalPositionMask = 0;
    this.positionMask = 0;
    this.model = new Model(1);
  }

  // Chunks of LZMA2

  run() {
    for (;;) {
      const control = this.next();
      if (control === 0 || this.size >= this.most) return this.out.subarray(0, Math.min(this.size, this.most));
      if (control >= 0x80) this.readPacked(control);
      else if (control <= 2) this.readPlain();
      else throw $LZMAError("Corrupt input data");
    }
  }

  next() {
    if (this.at >= this.data.length)
      throw $LZMAError("Compressed data ended before the end-of-stream marker was reached");
    return this.data[this.at++];
  }

  nextPair() {
    return this.next() * 256 + this.next();
  }

  readPlain() {
    for (let left = this.nextPair() + 1; left > 0; left--) this.put(this.next());
  }

  /** @param {number} control */
  readPacked(control) {
    const size = (control & 0x1f) * 65536 + this.nextPair() + 1;
    this.nextPair(); // the packed size, which follows from the data
    if (control >= 0xc0) this.setProperties(this.next());
    else if (control >= 0xa0) this.resetState();
    this.range = 0xffffffff;
    this.code = 0;
    for (let left = 5; left > 0; left--) this.code = ((this.code << 8) | this.next()) >>> 0;
    this.decode(this.size + size);
  }

  /** @param {number} byte */
  put(byte) {
    if (this.size === this.out.length) {
      const larger = new Uint8Array(2 * this.size);
      larger.set(this.out);
      this.out = larger;
    }
    this.out[this.size++] = byte;
  }

  // The model

  /** @param {number} byte */
  setProperties(byte) {
    this.contextBits = byte % 9;
    this.literalPositionMask = (1 << Math.floor(byte / 9) % 5) - 1;
    this.positionMask = (1 << Math.floor(byte / 45)) - 1;
    this.resetState();
  }

  resetState() {
    this.model = new Model((this.literalPositionMask + 1) << this.contextBits);
  }

  // Bits

  /** @param {Uint16Array} odds @param {number} which */
  bit(odds, which) {
    const bound = (this.range >>> 11) * odds[which];
    const bit = this.code < bound ? 0 : 1;
    if (bit) {
      this.range -= bound;
      this.code -= bound;
      odds[which] -= odds[which] >> 5;
    } else {
      this.range = bound;
      odds[which] += (2048 - odds[which]) >> 5;
    }
    this.normalize();
    return bit;
  }

  normalize() {
    if (this.range >= 1 << 24) return;
    this.range = (this.range << 8) >>> 0;
    this.code = ((this.code << 8) | this.next()) >>> 0;
  }

  /** @param {number} count */
  plainBits(count) {
    let value = 0;
    for (; count > 0; count--) {
      this.range >>>= 1;
      const bit = this.code >= this.range ? 1 : 0;
      if (bit) this.code -= this.range;
      this.normalize();
      value = 2 * value + bit;
    }
    return value;
  }

  /** @param {Uint16Array} odds @param {number} bits */
  tree(odds, bits) {
    let node = 1;
    for (let left = bits; left > 0; left--) node = 2 * node + this.bit(odds, node);
    return node - (1 << bits);
  }

  /** Lowest bit first. @param {Uint16Array} odds @param {number} offset @param {number} bits */
  reverseTree(odds, offset, bits) {
    let node = 1;
    let value = 0;
    for (let at = 0; at < bits; at++) {
      const bit = this.bit(odds, offset + node);
      node = 2 * node + bit;
      value |= bit << at;
    }
    return value;
  }

  // Literals and matches

  /** @param {number} end */
  decode(end) {
    while (this.size < end) {
      const place = this.size & this.positionMask;
      if (!this.bit(this.model.isMatch, this.model.state * MAX_POSITION_STATES + place)) this.literal();
      else
        this.copy(this.bit(this.model.isRepeat, this.model.state) ? this.repeatedMatch(place) : this.newMatch(place));
    }
  }

  literal() {
    const last = this.size ? this.out[this.size - 1] : 0;
    const place = (this.size & this.literalPositionMask) << this.contextBits;
    const odds = this.model.literals[place + (last >> (8 - this.contextBits))];
    let symbol = 1;
    if (this.model.state >= 7) {
      let match = this.out[this.size - this.model.distances[0] - 1];
      while (symbol < 256) {
        const expected = (match >> 7) & 1;
        match <<= 1;
        const bit = this.bit(odds, ((1 + expected) << 8) + symbol);
        symbol = 2 * symbol + bit;
        if (bit !== expected) break;
      }
    }
    while (symbol < 256) symbol = 2 * symbol + this.bit(odds, symbol);
    this.put(symbol & 255);
    this.model.state = this.model.state < 4 ? 0 : this.model.state < 10 ? this.model.state - 3 : this.model.state - 6;
  }

  /** @param {LengthModel} model @param {number} place */
  length(model, place) {
    if (!this.bit(model.choices, 0)) return 2 + this.tree(model.low[place], 3);
    if (!this.bit(model.choices, 1)) return 10 + this.tree(model.middle[place], 3);
    return 18 + this.tree(model.high, 8);
  }

  /** @param {number} place @returns {number} the length */
  newMatch(place) {
    const length = this.length(this.model.matchLengths, place);
    this.model.state = this.model.state < 7 ? 7 : 10;
    const slot = this.tree(this.model.slots[Math.min(length - 2, 3)], 6);
    this.model.distances = [this.distance(slot), ...this.model.distances.slice(0, 3)];
    return length;
  }

  /** @param {number} slot */
  distance(slot) {
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const base = (2 | (slot & 1)) * 2 ** bits;
    if (slot < 14) return base + this.reverseTree(this.model.special, base - slot, bits);
    return base + this.plainBits(bits - 4) * 16 + this.reverseTree(this.model.aligned, 0, 4);
  }

  /** A match at one of the last four distances. @param {number} place @returns {number} the length */
  repeatedMatch(place) {
    let which = 0;
    if (!this.bit(this.model.isRepeatAfter[0], this.model.state)) {
      if (!this.bit(this.model.isLongRepeat, this.model.state * MAX_POSITION_STATES + place)) {
        this.model.state = this.model.state < 7 ? 9 : 11;
        return 1;
      }
    } else if (!this.bit(this.model.isRepeatAfter[1], this.model.state)) which = 1;
    else which = this.bit(this.model.isRepeatAfter[2], this.model.state) ? 3 : 2;
    const [distance] = this.model.distances.splice(which, 1);
    this.model.distances.unshift(distance);
    this.model.state = this.model.state < 7 ? 8 : 11;
    return this.length(this.model.repeatLengths, place);
  }

  /** @param {number} length */
  copy(length) {
    const back = this.model.distances[0] + 1;
    if (back > this.size) throw $LZMAError("Corrupt input data");
    for (; length > 0; length--) this.put(this.out[this.size - back]);
  }
}

/** @param {Uint8Array} data @param {number} most bytes to return */
export function unpack(data, most) {
  const isXz = [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0].every((byte, at) => data[at] === byte);
  if (!isXz) throw $LZMAError("Input format not supported by decoder");
  const headerBytes = 4 * (data[STREAM_HEADER_BYTES] + 1);
  return new Decoder(data, STREAM_HEADER_BYTES + headerBytes, most).run();
}

export const $LZMADecompressor = cls("LZMADecompressor", [], {
  $decompress: fn("decompress", "data max_length", (data, max_length = -1) =>
    Bytes.from(unpack(data, max_length < 0 ? Infinity : max_length)),
  ),
});
