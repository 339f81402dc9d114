// @ts-check
/** The layout of a search tree: leaves side by side, parents above the middle of their children. */

/**
 * @typedef {import("./learn.js").TraceNode} TraceNode
 * @typedef {{x: number, y: number, stubs: {move: number, x: number}[]}} Place
 * @typedef {{places: Place[], width: number, height: number, kids: number[][]}} Drawing
 */

/** Distances between nodes. */
export const [ACROSS, DOWN] = [30, 66];
const STUB = 12;

/** @param {{nodes: TraceNode[]}} trace @returns {Drawing} */
export function drawTree(trace) {
  const kids = trace.nodes.map(() => /** @type {number[]} */ ([]));
  for (const node of trace.nodes) if (node.parent !== null) kids[node.parent].push(node.id);
  /** @type {Place[]} */
  const places = trace.nodes.map(() => ({ x: 0, y: 0, stubs: [] }));
  let [edge, deepest] = [0, 0];
  /** @param {number} id @param {number} depth @returns {number} */
  const put = (id, depth) => {
    deepest = Math.max(deepest, depth);
    const xs = kids[id].map((kid) => put(kid, depth + 1));
    const stubs = trace.nodes[id].pruned.map((move) => ({ move, x: (edge += STUB) - STUB / 2 }));
    if (!xs.length && !stubs.length) edge += ACROSS;
    const own = xs.length ? (xs[0] + xs[xs.length - 1]) / 2 : stubs.length ? stubs[0].x : edge - ACROSS / 2;
    places[id] = { x: own, y: depth * DOWN, stubs };
    return own;
  };
  for (const node of trace.nodes) {
    if (node.parent === null) {
      put(node.id, 0);
      edge += ACROSS;
    }
  }
  return { places, kids, width: Math.max(edge - ACROSS, ACROSS), height: deepest * DOWN };
}
