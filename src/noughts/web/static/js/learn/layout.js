// @ts-check
/** The layout of a search tree: leaves side by side, parents above the middle of their children. */

/**
 * @typedef {import("../server/types.d.ts").TraceNode} TraceNode
 * @typedef {import("../server/types.d.ts").TraceAnswer} TraceAnswer
 *
 * A node as it is drawn. In a typed tree, those below a pruned branch are drawn as well, though they were never visited:
 * `cutAt` is then the node that pruned it. `leaf` is the value of a leaf that was typed.
 * @typedef {Pick<TraceNode, "id" | "parent" | "cell" | "move" | "side" | "pruned"> & {cutAt: number | null, leaf: number | null}} DrawnNode
 * @typedef {{x: number, y: number, stubs: {cell: number, x: number}[]}} Place
 * @typedef {{places: Place[], width: number, height: number}} Drawing the places by the id of the node
 *
 * The distances between nodes, half the width of one, and the names of the texts below it, one line each.
 * @typedef {{across: number, down: number, half: number, lines: string[]}} Sizes
 */

/** Half the height of a node, and the height of a line of text below it. */
export const [RADIUS, LINE] = [11, 12];
const STUB = 12;

/** @type {Record<import("../server/types.d.ts").Family, Sizes>} */
const SIZES = {
  depth_first: { across: 30, down: 66, half: RADIUS, lines: [] },
  monte_carlo: { across: 76, down: 112, half: 22, lines: ["visits", "terms", "ucb"] },
  proof_number: { across: 46, down: 96, half: 13, lines: ["proof", "disproof"] },
};

/** A typed tree shows alpha and beta, and its values have more digits. */
const TYPED = { across: 46, down: 96, half: 17, lines: ["alpha", "beta"] };

/** @param {Pick<TraceAnswer, "family" | "leaves">} trace @returns {Sizes} */
export function sizesOf({ family, leaves }) {
  return leaves ? TYPED : SIZES[family];
}

/** The nodes to draw: those of the trace, and all others of a typed tree, whose leaves are known from the start.
 * @param {TraceAnswer} trace @returns {DrawnNode[]} */
export function nodesOf({ nodes, branches, leaves, names }) {
  const leafOf = (/** @type {number | null} */ cell) => (leaves === null ? null : branches[cell ?? 0].value);
  /** @type {DrawnNode[]} */
  const drawn = nodes.map((node) => ({
    ...node,
    pruned: leaves === null ? node.pruned : [],
    cutAt: null,
    leaf: leafOf(node.cell),
  }));
  /** @param {number} cell @param {number} parent @param {boolean} isMax @param {number} cutAt */
  const add = (cell, parent, isMax, cutAt) => {
    const id = drawn.length;
    const { children } = branches[cell];
    const side = children.length ? (isMax ? "X" : "O") : null;
    drawn.push({ id, parent, cell, move: names[cell], side, pruned: [], cutAt, leaf: leafOf(cell) });
    children.forEach((child) => add(child, id, !isMax, cutAt));
  };
  if (leaves !== null)
    for (const { id, pruned, side } of nodes) pruned.forEach((cell) => add(cell, id, side !== "X", id));
  return drawn;
}

/**
 * Lay out the shown nodes of a trace; the others take no room.
 * @param {Pick<TraceAnswer, "family" | "leaves">} trace
 * @param {readonly Pick<DrawnNode, "id" | "parent" | "pruned">[]} nodes
 * @returns {Drawing}
 */
export function drawTree(trace, nodes, isShown = (/** @type {number} */ _) => true) {
  const { across, down } = sizesOf(trace);
  const shown = nodes.filter(({ id }) => isShown(id));
  const kids = nodes.map(() => /** @type {number[]} */ ([]));
  for (const node of shown) if (node.parent !== null) kids[node.parent].push(node.id);
  /** @type {Place[]} */
  const places = nodes.map(() => ({ x: 0, y: 0, stubs: [] }));
  let [edge, deepest] = [0, 0];
  /** @param {number} id @param {number} depth @returns {number} */
  const put = (id, depth) => {
    deepest = Math.max(deepest, depth);
    const xs = kids[id].map((kid) => put(kid, depth + 1));
    const stubs = nodes[id].pruned.map((cell) => ({ cell, x: (edge += STUB) - STUB / 2 }));
    if (!xs.length && !stubs.length) edge += across;
    const own = xs.length ? (xs[0] + xs[xs.length - 1]) / 2 : stubs.length ? stubs[0].x : edge - across / 2;
    places[id] = { x: own, y: depth * down, stubs };
    return own;
  };
  for (const node of shown) {
    if (node.parent === null) {
      put(node.id, 0);
      edge += across;
    }
  }
  return { places, width: Math.max(edge - across, across), height: deepest * down };
}
