// @ts-check
/**
 * Zones of the passes in a proof (docs/proof-format.md): the cells at which a mark of the opponent would matter. Sets of cells
 * are masks, of numbers as large as needed, and a zone is a list of masks, one for each tolerance from 1.
 */

import { edgesOf, parse } from "./nodes.js";

/** @typedef {bigint[]} Zone */

/** @param {Iterable<number>} cells */
export function maskOf(cells) {
  let mask = 0n;
  for (const cell of cells) mask |= 1n << BigInt(cell);
  return mask;
}

/** The cells of a mask, from the lowest. @param {bigint} mask */
export function cellsIn(mask) {
  return [...mask.toString(2)].reverse().flatMap((bit, cell) => (bit === "1" ? [cell] : []));
}

/** The number of cells of a mask if it is at most `most`, else `most + 1`. @param {bigint} mask @param {number} most */
function countUpTo(mask, most) {
  let count = 0;
  for (let rest = mask; rest && count <= most; rest &= rest - 1n) count += 1;
  return count;
}

/** The cells that would complete a line. @param {bigint[]} lines @param {bigint} own @param {bigint} other */
export function lacking(lines, own, other) {
  let found = 0n;
  for (const line of lines) {
    if (line & other) continue;
    const rest = line & ~own;
    if (!(rest & (rest - 1n))) found |= rest;
  }
  return found;
}

/** @param {Zone} zone @param {bigint} cells */
function add(zone, cells) {
  zone.forEach((_, at) => (zone[at] |= cells));
}

/** @param {Zone} zone @param {Zone} other */
function unite(zone, other) {
  other.forEach((cells, at) => (zone[at] |= cells));
}

/** @param {number} length @returns {Zone} */
function zeros(length) {
  return Array(length).fill(0n);
}

/** Finds the zones of a claim of a flat game without gravity, misère and guards. */
export class Zones {
  /** @param {number} cells @param {bigint[]} lines @param {import("./nodes.js").Claim} claim @param {number[][]} symmetries */
  constructor(cells, lines, claim, symmetries) {
    this.board = (1n << BigInt(cells)) - 1n;
    this.lines = lines;
    this.through = Array.from({ length: cells }, (_, cell) => lines.filter((line) => (line >> BigInt(cell)) & 1n));
    this.claim = claim;
    this.symmetries = symmetries;
    /** @type {Map<number, Zone>} */
    this.known = new Map();
  }

  /** @param {bigint} mask @param {number} symmetry */
  image(mask, symmetry) {
    return symmetry < 0 ? mask : maskOf(cellsIn(mask).map((cell) => this.symmetries[symmetry][cell]));
  }

  /** @param {bigint} mask @param {number} symmetry */
  original(mask, symmetry) {
    return symmetry < 0 ? mask : maskOf(cellsIn(mask).map((cell) => this.symmetries[symmetry].indexOf(cell)));
  }

  /**
   * The zone of a node at the tolerances up to `most`, for the marks of the prover and of the opponent.
   * @param {number} number @param {bigint} own @param {bigint} other @param {number} most @returns {Zone}
   */
  of(number, own, other, most) {
    const known = this.known.get(number);
    if (known) return known;
    const node = parse(this.claim, number);
    const zone = zeros(most);
    let left = this.board & ~(own | other) & ~maskOf(node.listed);
    for (const { move, target, symmetry } of edgesOf(node)) {
      const isPass = move === null;
      const bit = isPass ? 0n : 1n << BigInt(move);
      const after = node.kind === "m" ? [own | bit, other] : [own, other | bit];
      const [mine, theirs] = after.map((mask) => this.original(mask, symmetry));
      const below = this.of(target, mine, theirs, most + Number(isPass)).map((mask) => this.image(mask, symmetry));
      if (isPass) left &= below[0];
      unite(zone, isPass ? below.slice(1) : below);
    }
    this.complete(zone, node, own, other, left);
    this.known.set(number, zone);
    return zone;
  }

  /**
   * Add the cells of the node itself; `left` are the replies of the default.
   * @param {Zone} zone @param {import("./nodes.js").Node} node @param {bigint} own @param {bigint} other @param {bigint} left
   */
  complete(zone, node, own, other, left) {
    const all = zone.map(() => this.board);
    if (node.kind === "m") return add(zone, maskOf(node.cells));
    if (node.kind === "f") return unite(zone, this.replay(own, other, node.cells, zone.length, false) ?? all);
    if (node.kind !== "r") return unite(zone, all);
    this.addLines(zone, this.lines, own, other);
    add(zone, maskOf(node.dominating.values()));
    const { rest } = node;
    if (!rest || !left) return undefined;
    const passed = this.replay(own, other, rest, zone.length + 1, true);
    if (!passed) return unite(zone, all);
    unite(zone, passed.slice(1));
    for (const cell of cellsIn(left & passed[0]))
      unite(zone, this.replay(own, other | (1n << BigInt(cell)), rest, zone.length, true) ?? all);
    return undefined;
  }

  /**
   * Add the empty cells of the opponent's lines that lack at most one cell more than the tolerance.
   * @param {Zone} zone @param {bigint[]} lines @param {bigint} own @param {bigint} other
   */
  addLines(zone, lines, own, other) {
    const most = zone.length + 1;
    for (const line of lines) {
      if (line & own) continue;
      const rest = line & ~other;
      const missing = countUpTo(rest, most);
      if (missing > most) continue;
      for (let at = Math.max(missing - 2, 0); at < zone.length; at += 1) zone[at] |= rest;
    }
  }

  /**
   * The zone of a forced sequence; null if it does not win. `atOnce`: the first line that can be completed ends it.
   * @param {bigint} own @param {bigint} other @param {number[]} moves @param {number} most @param {boolean} atOnce
   * @returns {Zone | null}
   */
  replay(own, other, moves, most, atOnce) {
    const zone = zeros(most);
    let free = this.board & ~(own | other);
    let [hopes, fears] = [lacking(this.lines, own, other), lacking(this.lines, other, own)];
    let changed = this.lines;
    for (const cell of moves) {
      const bit = 1n << BigInt(cell);
      if (hopes & free && atOnce) break;
      if (!(free & bit)) return null;
      add(zone, bit);
      if (hopes & bit) return zone;
      [own, free] = [own | bit, free ^ bit];
      hopes |= lacking(this.through[cell], own, other);
      const wins = hopes & free;
      if (!wins || fears & free) return null;
      add(zone, wins);
      this.addLines(zone, changed, own, other);
      if (wins & (wins - 1n)) return zone;
      [other, free] = [other | wins, free ^ wins];
      changed = this.through[cellsIn(wins)[0]];
      fears |= lacking(changed, other, own);
    }
    const wins = hopes & free;
    add(zone, wins);
    return wins ? zone : null;
  }
}
