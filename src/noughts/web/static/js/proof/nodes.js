// @ts-check
/** Reads a proof: its header, its claims, and their nodes one by one. docs/proof-format.md describes the file. */

/**
 * What one side can force, and the nodes that show it.
 * @typedef {object} Claim
 * @property {"X" | "O"} side
 * @property {string} goal win, draw or block
 * @property {(number: number) => string} node
 *
 * @typedef {object} Proof
 * @property {import("../board/panels.js").GameData} game
 * @property {string} position
 * @property {number[][]} symmetries
 * @property {Claim[]} claims
 *
 * @typedef {object} Node
 * @property {number} number
 * @property {string} kind
 * @property {string} text
 * @property {number[]} cells of a move or a forced sequence
 * @property {number[]} listed the replies with an answer of their own
 * @property {Map<number, number>} dominating for each dominated reply the one that dominates it
 * @property {number[] | null} rest the forced sequence that answers other replies
 *
 * To the node after a move, or after a pass.
 * @typedef {{move: number | null, target: number, symmetry: number}} Edge
 */

const LINE_FEED = 10;

/** Read a proof, packed or not; throws an error if it is none. @param {Blob} file @returns {Promise<Proof>} */
export async function readProof(file) {
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isPacked = first === 0x1f && second === 0x8b;
  const stream = isPacked ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
  return parseProof(new Uint8Array(await new Response(stream).arrayBuffer()));
}

/** @param {Uint8Array} bytes @returns {Proof} */
export function parseProof(bytes) {
  const starts = [0];
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) starts.push(at + 1);
  if (starts[starts.length - 1] < bytes.length) starts.push(bytes.length + 1);
  const decoder = new TextDecoder();
  const line = (/** @type {number} */ at) => decoder.decode(bytes.subarray(starts[at], starts[at + 1] - 1));
  const header = JSON.parse(line(0));
  if (header.noughts_proof !== 1) throw new Error("expected a proof of version 1");
  const claims = starts.flatMap((start, at) => (bytes[start] === 99 /* c */ ? [claimAt(line, at)] : []));
  if (!claims.length) throw new Error("expected a claim");
  return { ...header, claims };
}

/** @param {(at: number) => string} line @param {number} at @returns {Claim} */
function claimAt(line, at) {
  const [, side, goal] = line(at).split(" ");
  return { side: /** @type {"X" | "O"} */ (side), goal, node: (number) => line(at + 1 + number) };
}

/** @param {Claim} claim @param {number} number @returns {Node} */
export function parse(claim, number) {
  const text = claim.node(number);
  const kind = text.charAt(0);
  const [items, , rest] = text.split(/ (=)/);
  const listed = kind === "r" ? items.split(" ~ ")[0].split(" ").slice(1) : [];
  const pairs = listed.filter((item) => item.includes("<")).map((item) => item.split("<").map(Number));
  const cells = kind === "f" ? items.split(" ").slice(1) : kind === "m" ? [items.split(" ")[1]] : [];
  return {
    ...{ number, kind, text, cells: cells.map(Number), listed: listed.map((item) => parseInt(item, 10)) },
    dominating: new Map(/** @type {[number, number][]} */ (pairs)),
    rest: rest === undefined ? null : rest.split(" ").filter(Boolean).map(Number),
  };
}

const EDGES = { m: / (\d+) (\+?)(\d+)(?:\/(\d+))?/g, r: / (?:(\d+):|~ )(\+?)(\d+)(?:\/(\d+))?/g };

/** The nodes that a node leads to. @param {Node} node @returns {Edge[]} */
export function edgesOf({ kind, number, text }) {
  if (kind !== "m" && kind !== "r") return [];
  return [...text.matchAll(EDGES[kind])].map(([, move, plus, target, symmetry]) => ({
    move: move === undefined ? null : Number(move),
    target: Number(target) + (plus ? number : 0),
    symmetry: symmetry === undefined ? -1 : Number(symmetry),
  }));
}
