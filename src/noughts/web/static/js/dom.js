// @ts-check
/** A page described by plain data: `h` describes an element, `patch` makes the document look like the description. */

/**
 * @typedef {{tag: string, attrs: Record<string, any>, kids: Child[], key?: string | number}} Node
 * @typedef {Node | string} Child
 */

const SVG = "http://www.w3.org/2000/svg";
/** Set as properties: as attributes they would only be what the element begins with. */
const PROPERTIES = new Set(["value", "checked", "selected", "open", "scrollTop", "innerText"]);

/**
 * Describe an element. `on…` attributes are listeners, `style` an object of properties (custom ones too), and
 * attributes that are null, undefined or false are left out. An element with a `key` is found again after it moved.
 * @param {string} tag with classes: `"div.board.flat"`
 * @param {Record<string, any> | null} [attrs]
 * @param {...any} kids nodes, texts, numbers, and arrays of them; null and false are left out
 * @returns {Node}
 */
export function h(tag, attrs, ...kids) {
  const [name, ...classes] = tag.split(".");
  const all = { ...attrs };
  if (classes.length) all.class = [...classes, all.class].filter(Boolean).join(" ");
  const key = all.key;
  delete all.key;
  return { tag: name, attrs: all, kids: flat(kids), key };
}

/** @param {any[]} kids @returns {Child[]} */
function flat(kids) {
  return kids
    .flat(Infinity)
    .filter((kid) => kid !== null && kid !== undefined && kid !== false && kid !== true && kid !== "")
    .map((kid) => (typeof kid === "number" ? String(kid) : kid));
}

/** Class names that hold: `names({on: true, off: false})` is `"on"`. @param {Record<string, any>} wanted */
export function names(wanted) {
  return Object.keys(wanted).filter((name) => wanted[name]).join(" ");
}

/**
 * Make the children of an element look as described, keeping what is alike, so that focus and scrolling stay.
 * @param {Element} parent
 * @param {Child[]} kids
 */
export function patch(parent, kids) {
  const old = [...parent.childNodes];
  const keyed = new Map(old.filter((node) => memory(node)?.key !== undefined).map((node) => [memory(node)?.key, node]));
  let at = parent.firstChild;
  for (const kid of flat([kids])) {
    let found = typeof kid === "object" && kid.key !== undefined ? keyed.get(kid.key) : at;
    if (found && found !== at && !parent.contains(found)) found = undefined;
    if (found && !isAlike(found, kid)) found = undefined;
    if (!found) {
      found = create(kid, parent.namespaceURI);
      parent.insertBefore(found, at);
    } else if (found !== at) {
      parent.insertBefore(found, at);
    } else {
      at = at?.nextSibling ?? null;
    }
    update(found, kid);
  }
  while (at) {
    const next = at.nextSibling;
    parent.removeChild(at);
    at = next;
  }
}

/** What was last drawn into a node. @param {any} node @returns {Node | undefined} */
function memory(node) {
  return node.drawn;
}

/** @param {any} node @param {Child} kid */
function isAlike(node, kid) {
  if (typeof kid === "string") return node.nodeType === 3;
  return node.nodeType === 1 && node.localName === kid.tag && memory(node)?.key === kid.key;
}

/** @param {Child} kid @param {string | null} space @returns {any} */
function create(kid, space) {
  if (typeof kid === "string") return document.createTextNode(kid);
  const name = kid.tag === "svg" ? SVG : space;
  return name === SVG ? document.createElementNS(SVG, kid.tag) : document.createElement(kid.tag);
}

/** @param {any} node @param {Child} kid */
function update(node, kid) {
  if (typeof kid === "string") {
    if (node.data !== kid) node.data = kid;
    return;
  }
  // The very same description as last time: nothing has changed.
  if (memory(node) === kid) return;
  const before = memory(node)?.attrs ?? {};
  for (const name of Object.keys(before)) if (!(name in kid.attrs)) assign(node, name, null, before[name]);
  const last = [];
  for (const [name, value] of Object.entries(kid.attrs)) {
    // What a person is typing stays until something else is to be there.
    const isBeingTyped = name === "value" && kid.attrs.type === "text" && before.value === value;
    if (PROPERTIES.has(name)) last.push(...(isBeingTyped ? [] : [[name, value]]));
    else if (value !== before[name]) assign(node, name, value, before[name]);
  }
  if (!("owned" in kid.attrs)) patch(node, kid.kids);
  // A select can only be given a value that one of its options has.
  for (const [name, value] of last) if (node[name] !== value) node[name] = value;
  const mounted = kid.attrs.onmount && !memory(node);
  node.drawn = kid;
  if (mounted) kid.attrs.onmount(node);
}

/** @param {any} node @param {string} name @param {any} value @param {any} before */
function assign(node, name, value, before) {
  if (name === "onmount" || name === "owned") return;
  // What a listener returns is dropped: false would keep the browser from doing its part.
  if (name.startsWith("on")) node[name] = value ? (/** @type {Event} */ event) => { value(event); } : null;
  else if (name === "style") restyle(node, value ?? {}, before ?? {});
  else if (PROPERTIES.has(name)) node[name] = name === "value" ? "" : false;
  else if (value === null || value === undefined || value === false) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? "" : String(value));
}

/** @param {HTMLElement} node @param {Record<string, any>} wanted @param {Record<string, any>} before */
function restyle(node, wanted, before) {
  for (const name of Object.keys(before)) if (!(name in wanted)) node.style.removeProperty(name);
  for (const [name, value] of Object.entries(wanted)) if (before[name] !== value) node.style.setProperty(name, String(value));
}
