// @ts-check
/**
 * Walks through a proof: what does it play after these moves, and what does that rest on? A walk trusts the proof, and
 * gives the answers of noughts/proof/proof_walk.py.
 */

import { edgesOf, parse } from "./nodes.js";
import { cellsIn, lacking, maskOf, Zones } from "./zones.js";

/**
 * @typedef {import("./nodes.js").Node} Node
 * @typedef {{cell: number | null, reason: string}} Answer the move of the proof, null if it names none
 *
 * A place in the proof of a claim.
 * @typedef {object} Walk
 * @property {import("./nodes.js").Proof} proof
 * @property {import("./nodes.js").Claim} claim
 * @property {number} number of the node
 * @property {number[]} cells for each cell of the node's position the cell of the board
 * @property {number[]} extra marks of the opponent that were answered like a pass
 * @property {number[] | null} sequence the rest of a forced sequence, after its first move
 *
 * @typedef {Pick<import("../board/panels.js").Game, "cells" | "lines" | "names" | "options" | "data" | "has_gravity" |
 *   "dimensions" | "coordinates">} Game
 * @typedef {Pick<import("../server/types.d.ts").PositionAnswer, "marks" | "legal_cells" | "last_cell" | "threats">} Position
 */

const ARGUMENTS = { p: "a pairing", s: "an Erdős–Selfridge sum", t: "a set matching", S: "strategy stealing" };

/** @param {import("./nodes.js").Proof} proof @param {import("./nodes.js").Claim} claim @param {Game} game @returns {Walk} */
export function begin(proof, claim, { cells }) {
  return { proof, claim, number: 0, cells: Array.from({ length: cells }, (_, at) => at), extra: [], sequence: null };
}

/**
 * The move of the prover, who is to move.
 * @param {Walk} walk @param {Game} game @param {Position} position @returns {Answer}
 */
export function answerOf(walk, game, position) {
  const node = parse(walk.claim, walk.number);
  const after = walk.extra.length
    ? `, which answers ${walk.extra.map((cell) => game.names[cell]).join(" ")} like a pass`
    : "";
  const where = `node ${walk.number}`;
  if (walk.sequence) {
    const completing = position.threats[walk.claim.side].find((cell) => position.legal_cells.includes(cell));
    if (completing !== undefined) return { cell: completing, reason: "completes a line" };
    return { cell: walk.cells[walk.sequence[0]] ?? null, reason: `a forced sequence, ${where}${after}` };
  }
  const many = node.cells.length === 1 ? "1 move" : `${node.cells.length} moves`;
  switch (node.kind) {
    case "m":
      return { cell: walk.cells[node.cells[0]], reason: `a move, ${where}${after}` };
    case "f":
      return { cell: walk.cells[node.cells[0]], reason: `a forced sequence of ${many}, ${where}${after}` };
    case "g":
      return { cell: byStrategy(walk, game, position, node), reason: `a fixed strategy, ${where}` };
    case "o":
      return { cell: mirrored(walk, position, node), reason: `a mirror strategy, ${where}` };
    case "p":
    case "s":
      return { cell: partner(walk, game, position, node), reason: `${ARGUMENTS[node.kind]}, ${where}` };
    default: {
      const what = ARGUMENTS[/** @type {"t" | "S"} */ (node.kind)] ?? "replies";
      return { cell: null, reason: `${what}, ${where}, which names no move` };
    }
  }
}

/**
 * The place after a move of either side; the prover's is that of the proof. Null if the reply is not in the proof.
 * @param {Walk} walk @param {Game} game @param {Position} position before the move @param {number} cell
 * @param {boolean} isReply @returns {Walk | null}
 */
export function follow(walk, game, position, cell, isReply) {
  if (walk.sequence) return isReply ? walk : { ...walk, sequence: walk.sequence.slice(1) };
  const node = parse(walk.claim, walk.number);
  const edges = edgesOf(node);
  if (!isReply) {
    if (node.kind === "f") return { ...walk, sequence: node.cells.slice(1) };
    return edges.length ? go(walk, edges[0]) : walk;
  }
  if (node.kind !== "r") return walk;
  let [here, reply] = [walk, walk.cells.indexOf(cell)];
  const other = node.dominating.get(reply);
  if (other !== undefined) {
    // A dominated reply is answered like the one that dominates it, with their cells exchanged.
    const cells = walk.cells.with(reply, walk.cells[other]).with(other, walk.cells[reply]);
    [here, reply] = [{ ...walk, cells }, other];
  }
  const edge = edges.find(({ move }) => move === reply);
  if (edge) return go(here, edge);
  const passes = edges.filter(({ move }) => move === null);
  if (passes.length && hasGuards(game)) return null;
  const [own, against] = marksOf(here, position);
  const zones = new Zones(game.cells, linesOf(game), walk.claim, walk.proof.symmetries);
  for (const pass of passes) {
    const [mine, theirs] = [own, against].map((mask) => zones.original(mask, pass.symmetry));
    const [zone] = zones.of(pass.target, mine, theirs, 1).map((mask) => zones.image(mask, pass.symmetry));
    if (!((zone >> BigInt(reply)) & 1n)) return { ...go(here, pass), extra: [...here.extra, cell] };
  }
  if (node.listed.includes(reply)) return here; // it ends the game
  return node.rest ? { ...here, sequence: node.rest } : null;
}

/** @param {Walk} walk @param {import("./nodes.js").Edge} edge @returns {Walk} */
function go(walk, { target, symmetry }) {
  const cells = symmetry < 0 ? walk.cells : walk.proof.symmetries[symmetry].map((cell) => walk.cells[cell]);
  return { ...walk, number: target, cells };
}

/** Whether some lines do not count beside other marks. @param {Game} game */
function hasGuards({ options, data }) {
  return options.includes("exact") || (typeof data === "object" && "guards" in data);
}

/** @param {Game} game */
function linesOf({ lines }) {
  return lines.map(maskOf);
}

/** The marks of the prover and of the opponent as the node knows them. @param {Walk} walk @param {Position} position */
function marksOf({ cells, claim, extra }, { marks }) {
  const of = (/** @type {string} */ side) =>
    maskOf(cells.flatMap((place, cell) => (marks[place] === side && !extra.includes(place) ? [cell] : [])));
  return claim.side === "X" ? [of("X"), of("O")] : [of("O"), of("X")];
}

/** The image of the last reply. @param {Walk} walk @param {Position} position @param {Node} node */
function mirrored({ cells, proof }, { last_cell: last }, { text }) {
  if (last === null) return null;
  return cells[proof.symmetries[Number(text.split(" ")[1])][cells.indexOf(last)]];
}

/**
 * The partner of the last reply in a pairing, else the cell of the most danger.
 * @param {Walk} walk @param {Game} game @param {Position} position @param {Node} node
 */
function partner(walk, game, position, { text }) {
  const pairs = text
    .split(" ")
    .slice(1)
    .map((item) => item.split("-").map(Number));
  const reply = position.last_cell === null ? -1 : walk.cells.indexOf(position.last_cell);
  const pair = pairs.find((one) => one.includes(reply));
  const answer = pair && walk.cells[pair[0] === reply ? pair[1] : pair[0]];
  if (answer !== undefined && position.legal_cells.includes(answer)) return answer;
  const [own, other] = marksOf(walk, position);
  const paired = maskOf(pairs.flat());
  const danger = new Map(position.legal_cells.map((cell) => [walk.cells.indexOf(cell), 0n]));
  for (const line of linesOf(game)) {
    const open = line & ~other;
    if (line & own || pairs.some((one) => !(maskOf(one) & ~open))) continue;
    const rest = cellsIn(open & ~paired);
    for (const cell of rest) danger.set(cell, (danger.get(cell) ?? 0n) + (1n << BigInt(game.cells - rest.length)));
  }
  const [[cell]] = [...danger].sort(([, a], [, b]) => (a < b ? 1 : a > b ? -1 : 0));
  return walk.cells[cell];
}

/**
 * Complete a line, else stop one, else the first item that applies and lets the opponent complete none.
 * @param {Walk} walk @param {Game} game @param {Position} position @param {Node} node
 */
function byStrategy(walk, game, position, { text }) {
  if (hasGuards(game)) return null;
  const items = text
    .split(" ")
    .slice(1)
    .map((item) => item.split("-").map(Number));
  const lines = linesOf(game);
  const [own, other] = marksOf(walk, position);
  const legal = position.legal_cells.map((cell) => walk.cells.indexOf(cell)).sort((a, b) => a - b);
  const playable = maskOf(legal);
  const hopes = cellsIn(lacking(lines, own, other) & playable);
  if (hopes.length) return walk.cells[hopes[hopes.length - 1]];
  const fears = lacking(lines, other, own) & ~(own | other);
  const [threat] = cellsIn(fears & playable);
  if (threat !== undefined) return walk.cells[threat];
  const isFilled = (/** @type {number} */ cell) => Boolean(((own | other) >> BigInt(cell)) & 1n);
  const ranked = legal.map((cell) => {
    const rank = items.findIndex((item) => item.includes(cell) && item.every((one) => one === cell || isFilled(one)));
    return { cell, rank: rank < 0 ? items.length + cell : rank };
  });
  const isSafe = (/** @type {{cell: number}} */ { cell }) =>
    !above(walk, game, position, cell).some((next) => (fears >> BigInt(next)) & 1n);
  const best = ranked.sort((a, b) => a.rank - b.rank).find(isSafe);
  return best ? walk.cells[best.cell] : null;
}

/** The empty cells that rest on a playable one. @param {Walk} walk @param {Game} game @param {Position} position @param {number} cell */
function above({ cells }, { has_gravity: hasGravity, dimensions, coordinates }, { marks }, cell) {
  if (!hasGravity) return [];
  const falling = dimensions?.length === 2 ? 1 : (dimensions?.length ?? 2) - 1;
  const here = coordinates[cells[cell]];
  return cells.flatMap((place, at) => {
    const there = coordinates[place];
    const isBeside = there.every((x, axis) => Math.abs(x - here[axis]) === Number(axis === falling));
    return isBeside && marks[place] === "." ? [at] : [];
  });
}
