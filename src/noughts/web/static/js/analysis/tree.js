// @ts-check
/** A tree of variations: the moves of an analysis, with comments and evaluations. The server knows the rules. */

/**
 * A position of the tree, and the move that led to it.
 * @typedef {object} Branch
 * @property {number | null} move
 * @property {number} ply
 * @property {Branch | null} parent
 * @property {Branch[]} kids the first is the main line
 * @property {number | null} chance for X, as far as it is known
 * @property {string} comment
 * @property {import("../server/types.d.ts").ReviewedMove | null} judged the review of the move
 */

/** @param {Branch | null} parent @param {number | null} move @returns {Branch} */
function branch(parent, move) {
  return { move, ply: parent ? parent.ply + 1 : 0, parent, kids: [], chance: null, comment: "", judged: null };
}

/** A tree with one line. @param {readonly number[]} [moves] @param {Record<string, string>} [comments] by ply */
export function plant(moves = [], comments = {}) {
  const root = branch(null, null);
  grow(root, moves);
  for (const at of lineThrough(root)) at.comment = comments[at.ply] ?? "";
  return root;
}

/** The comments on a line, by ply. @param {readonly Branch[]} line @returns {Record<string, string>} */
export function commentsOn(line) {
  return Object.fromEntries(line.filter((at) => at.comment).map((at) => [String(at.ply), at.comment]));
}

/** Add the moves that are missing after a branch; returns the last branch. @param {Branch} from @param {readonly number[]} moves */
export function grow(from, moves) {
  return moves.reduce(child, from);
}

/** The branch after a move, added if it is new. @param {Branch} parent @param {number} move */
export function child(parent, move) {
  const known = parent.kids.find((kid) => kid.move === move);
  if (known) return known;
  const made = branch(parent, move);
  parent.kids.push(made);
  return made;
}

/** The branch that these moves lead to, or null if they leave the tree. @param {Branch} root @param {readonly number[]} moves */
export function find(root, moves) {
  return moves.reduce(
    (at, move) => at?.kids.find((kid) => kid.move === move) ?? null,
    /** @type {Branch | null} */ (root),
  );
}

/** The moves that lead to a branch. @param {Branch} to @returns {number[]} */
export function movesTo(to) {
  const moves = [];
  for (let at = to; at.parent; at = at.parent) moves.unshift(/** @type {number} */ (at.move));
  return moves;
}

/** The branches from the root through this one to the end of its main line. @param {Branch} through @returns {Branch[]} */
export function lineThrough(through) {
  const line = [];
  for (let at = /** @type {Branch | null} */ (through); at; at = at.parent) line.unshift(at);
  for (let at = through.kids[0]; at; at = at.kids[0]) line.push(at);
  return line;
}

/** Make a variation the main line at every move where it branches off. @param {Branch} what */
export function promote(what) {
  for (let at = what; at.parent; at = at.parent) at.parent.kids = [at, ...at.parent.kids.filter((kid) => kid !== at)];
}

/** Whether a branch is in a variation. @param {Branch} what */
export function isAside(what) {
  return leaving(what) !== null;
}

/** The last branch on the way here that leaves a line, or null on the main line. @param {Branch} what */
function leaving(what) {
  for (let at = /** @type {Branch | null} */ (what); at?.parent; at = at.parent)
    if (at.parent.kids[0] !== at) return at;
  return null;
}

/** Move a variation one place up among those that replace the same move; the first becomes the line. @param {Branch} what */
export function raise(what) {
  const kids = leaving(what)?.parent?.kids;
  const at = kids?.indexOf(/** @type {Branch} */ (leaving(what))) ?? 0;
  if (kids && at > 0) kids.splice(at - 1, 2, kids[at], kids[at - 1]);
}

/**
 * The lines beside the main one, each from the root, with the comments on the moves of its own.
 * @param {Branch} root @returns {{moves: number[], comments: Record<string, string>}[]}
 */
export function variationsOf(root) {
  const found = [];
  const left = others(lineFrom(root));
  for (let next = left.pop(); next; next = left.pop()) {
    const line = lineFrom(next);
    found.push({ moves: movesTo(line[line.length - 1]), comments: commentsOn(line) });
    left.push(...others(line));
  }
  return found;
}

/** @param {Branch} first @returns {Branch[]} */
function lineFrom(first) {
  const line = [first];
  for (let at = first.kids[0]; at; at = at.kids[0]) line.push(at);
  return line;
}

/** The branches that leave a line, the last one first. @param {readonly Branch[]} line */
function others(line) {
  return [...line].reverse().flatMap(({ kids }) => kids.slice(1).reverse());
}

/** The tree of a playthrough. @param {import("../server/types.d.ts").PlaythroughAnswer} play */
export function treeOf({ cells, comments, variations }) {
  const root = plant(cells, comments);
  for (const line of variations) {
    const end = grow(root, line.cells);
    for (let at = /** @type {Branch | null} */ (end); at; at = at.parent)
      at.comment = line.comments[at.ply] ?? at.comment;
  }
  return root;
}

/** Put a branch back where it was removed. @param {Branch} what @param {number} at its place among the others */
export function restore(what, at) {
  what.parent?.kids.splice(at, 0, what);
}

/** Remove a branch and everything after it; returns the branch before it. @param {Branch} what */
export function prune(what) {
  if (!what.parent) return what;
  what.parent.kids = what.parent.kids.filter((kid) => kid !== what);
  return what.parent;
}

/** The next or previous variation beside a branch. @param {Branch} at @param {1 | -1} by */
export function beside(at, by) {
  const kids = at.parent?.kids ?? [at];
  return kids[(kids.indexOf(at) + by + kids.length) % kids.length];
}

/** Whether a tree is more than one line without comments. @param {Branch} root */
export function isAnnotated(root) {
  for (let at = root; ; at = at.kids[0]) {
    if (at.comment || at.kids.length > 1) return true;
    if (!at.kids.length) return false;
  }
}

/**
 * A tree as text for storage and links: `4.0_2.3*.8` is 4 0 8, with the variation 2 3 instead of 0. A comment
 * follows its move, between hyphens; a comment before the first move belongs to the root. No character needs an escape
 * in an address.
 * @param {Branch} root
 */
export function pack(root) {
  const texts = [packComment(root)];
  /** Stack of what is left to write: texts, and branches whose later moves are written next. @type {(string | Branch)[]} */
  const left = [root];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next === "string") texts.push(next);
    else if (next.kids.length) {
      const [main, ...others] = next.kids;
      texts.push(`${next === root ? "" : "."}${main.move}${packComment(main)}`);
      left.push(main, ...others.reverse().flatMap((kid) => ["*", kid, `_${kid.move}${packComment(kid)}`]));
    }
  }
  return texts.join("");
}

/** @param {Branch} at */
function packComment({ comment }) {
  if (!comment) return "";
  return `-${encodeURIComponent(comment).replace(/[-_.*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}-`;
}

/** Limits of a tree that is read: its branches, and the depth of nested variations. */
export const [MAX_BRANCHES, MAX_NESTING] = [10_000, 100];

/**
 * The tree that `pack` has written as a text; null if the text is invalid or the tree too large.
 * @param {string} text @param {number} cells of the board
 */
export function unpack(text, cells) {
  const root = branch(null, null);
  /** Stack of the branches at which the open variations begin. @type {Branch[]} */
  const opened = [];
  let at = root;
  let [end, branches] = [0, 0];
  for (const found of text.matchAll(/(\d+)|-([^-]*)-|[_.*]/gy)) {
    end = found.index + found[0].length;
    if (found[1] !== undefined) {
      branches += 1;
      if (Number(found[1]) >= cells || branches > MAX_BRANCHES) return null;
      at = child(at, Number(found[1]));
    } else if (found[2] !== undefined) at.comment = readComment(found[2]);
    else if (found[0] === "_") {
      if (!at.parent || opened.length >= MAX_NESTING) return null;
      opened.push(at);
      at = at.parent;
    } else if (found[0] === "*") {
      const back = opened.pop();
      if (!back) return null;
      at = back;
    }
  }
  return end === text.length && !opened.length ? root : null;
}

/** @param {string} text */
function readComment(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
