// @ts-check
/** A page described by plain data: `h` describes an element, `patch` changes the document to match a description. */

/**
 * @typedef {object} Handlers
 * @property {(event: Event) => unknown} [onchange]
 * @property {(event: Event) => unknown} [oninput]
 * @property {(event: Event) => unknown} [onclose]
 * @property {(event: SubmitEvent) => unknown} [onsubmit]
 * @property {(event: MouseEvent) => unknown} [onclick]
 * @property {(event: KeyboardEvent) => unknown} [onkeydown]
 * @property {(event: FocusEvent) => unknown} [onfocus]
 * @property {(event: FocusEvent) => unknown} [onblur]
 * @property {(event: FocusEvent) => unknown} [onfocusin]
 * @property {(event: FocusEvent) => unknown} [onfocusout]
 * @property {(event: PointerEvent) => unknown} [onpointerdown]
 * @property {(event: PointerEvent) => unknown} [onpointerover]
 * @property {(event: PointerEvent) => unknown} [onpointerleave]
 * @property {(node: any) => unknown} [onmount] gets the new element, whose type follows from the tag
 *
 * @typedef {Record<string, string | number>} Style
 * @typedef {Handlers & {key?: string | number, class?: string, style?: Style} & Record<string, unknown>} Attributes
 * @typedef {{tag: string, attrs: Attributes, kids: Child[], key?: string | number}} Node
 * @typedef {Node | string} Child
 * @typedef {Node | string | number | boolean | null | undefined} Item
 * @typedef {Item | readonly Item[]} Items
 * @typedef {Items | readonly Items[]} ItemLists
 * @typedef {ItemLists | readonly ItemLists[]} Content elements, texts, arrays of them; null and booleans are left out
 *
 * A node of the document, with the description it was last drawn from.
 * @typedef {(Element | Text) & {drawn?: Node}} Drawn
 */

const SVG = "http://www.w3.org/2000/svg";
/** Set as properties: attributes would only be their initial values. */
const PROPERTIES = new Set(["value", "checked", "selected", "open", "scrollTop", "innerText"]);

/**
 * Describe an element. `on…` attributes are listeners, `style` an object of CSS properties, and attributes that are
 * null, undefined or false are left out. An element with a `key` is recognised after it moved.
 * @param {string} tag with classes: `"div.board.flat"`
 * @param {Attributes | Content} [first] the attributes, or the first of the children
 * @param {...Content} kids
 * @returns {Node}
 */
export function h(tag, first, ...kids) {
  const [name, ...classes] = tag.split(".");
  const [attrs, content] = isAttributes(first) ? [first, kids] : [{}, [first, ...kids]];
  const all = /** @type {Attributes} */ ({ ...attrs });
  if (classes.length) all.class = [...classes, all.class].filter(Boolean).join(" ");
  const key = all.key;
  delete all.key;
  return { tag: name, attrs: all, kids: flat(content), key };
}

/** @param {Attributes | Content} first @returns {first is Attributes} */
function isAttributes(first) {
  return typeof first === "object" && first !== null && !Array.isArray(first) && !("kids" in first);
}

/** @param {readonly Content[]} kids @returns {Child[]} */
function flat(kids) {
  return /** @type {Item[]} */ (kids.flat(Infinity)).flatMap((kid) => {
    if (kid === null || kid === undefined || typeof kid === "boolean" || kid === "") return [];
    return typeof kid === "number" ? String(kid) : kid;
  });
}

/**
 * The names whose values are truthy: `names({on: true, off: false})` is `"on"`.
 * @param {Record<string, unknown>} wanted
 */
export function names(wanted) {
  return Object.keys(wanted)
    .filter((name) => wanted[name])
    .join(" ");
}

/**
 * Change the children of an element to match a description; unchanged ones are kept, with their focus and scrolling.
 * @param {Element} parent
 * @param {readonly Content[]} kids
 */
export function patch(parent, kids) {
  const old = [...parent.childNodes];
  const keyed = new Map(
    old.filter((node) => memory(node)?.key !== undefined).map((node) => [memory(node)?.key, node]),
  );
  let at = parent.firstChild;
  for (const kid of flat(kids)) {
    let found = typeof kid === "object" && kid.key !== undefined ? keyed.get(kid.key) : at;
    if (found && found !== at && !parent.contains(found)) found = undefined;
    if (found && !isAlike(found, kid)) found = undefined;
    const node = found ?? create(kid, parent.namespaceURI);
    if (node === at) at = at.nextSibling;
    else parent.insertBefore(node, at);
    update(node, kid);
  }
  while (at) {
    const next = at.nextSibling;
    parent.removeChild(at);
    at = next;
  }
}

/** The description that a node was last drawn from. @param {globalThis.Node} node */
function memory(node) {
  return /** @type {Drawn} */ (node).drawn;
}

/** The value of the form control that an event is about. @param {Event} event */
export function inputValue(event) {
  return /** @type {HTMLInputElement | HTMLSelectElement} */ (event.target).value;
}

/** @param {globalThis.Node} node @param {Child} kid */
function isAlike(node, kid) {
  if (typeof kid === "string") return node instanceof Text;
  return node instanceof Element && node.localName === kid.tag && memory(node)?.key === kid.key;
}

/** @param {Child} kid @param {string | null} space @returns {Element | Text} */
function create(kid, space) {
  if (typeof kid === "string") return document.createTextNode(kid);
  const name = kid.tag === "svg" ? SVG : space;
  return name === SVG ? document.createElementNS(SVG, kid.tag) : document.createElement(kid.tag);
}

/** @param {any} node properties are set by name, hence `any` @param {Child} kid */
function update(node, kid) {
  if (typeof kid === "string") {
    if (node.data !== kid) node.data = kid;
    return;
  }
  // The same object as last time: nothing has changed.
  if (memory(node) === kid) return;
  const before = memory(node)?.attrs ?? {};
  for (const name of Object.keys(before)) if (!(name in kid.attrs)) assign(node, name, null, before[name]);
  /** @type {[string, unknown][]} */
  const last = [];
  for (const [name, value] of Object.entries(kid.attrs)) {
    // Text that a person is typing stays until the description changes.
    const isText = kid.attrs.type === "text" || kid.tag === "textarea";
    const isBeingTyped = name === "value" && isText && before.value === value;
    if (PROPERTIES.has(name) && !isBeingTyped) last.push([name, value]);
    else if (!PROPERTIES.has(name) && value !== before[name]) assign(node, name, value, before[name]);
  }
  if (!("owned" in kid.attrs)) patch(node, kid.kids);
  // After the children: a select only takes the value of one of its options.
  for (const [name, value] of last) if (node[name] !== value) node[name] = value;
  const isNew = !memory(node);
  node.drawn = kid;
  if (isNew) kid.attrs.onmount?.(node);
}

/** @param {any} node as in `update` @param {string} name @param {any} value of any attribute @param {any} before */
function assign(node, name, value, before) {
  if (name === "onmount" || name === "owned") return;
  // The result of a listener is dropped: false would cancel the event.
  if (name.startsWith("on"))
    node[name] = value
      ? (/** @type {Event} */ event) => {
          value(event);
        }
      : null;
  else if (name === "style") restyle(node, value ?? {}, before ?? {});
  else if (PROPERTIES.has(name)) node[name] = name === "value" ? "" : false;
  else if (value === null || value === undefined || value === false) node.removeAttribute(name);
  else node.setAttribute(name, value === true ? "" : String(value));
}

/** @param {HTMLElement} node @param {Style} wanted @param {Style} before */
function restyle(node, wanted, before) {
  for (const name of Object.keys(before)) if (!(name in wanted)) node.style.removeProperty(name);
  for (const [name, value] of Object.entries(wanted))
    if (before[name] !== value) node.style.setProperty(name, String(value));
}
