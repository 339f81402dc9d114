// @ts-check
/**
 * The storage of this browser. Where it is blocked or full, values are held in memory until the page is left, so the
 * page works without it; `isLasting` says whether everything was stored.
 */

/** Values that the browser did not take; null marks one that was deleted. @type {Map<string, string | null>} */
const memory = new Map();

/** Whether everything written so far survives a reload. */
export function isLasting() {
  return memory.size === 0;
}

/** @template T @param {string} name @param {T} otherwise @returns {T} */
export function read(name, otherwise) {
  try {
    return JSON.parse(textOf(name) ?? "null") ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** @param {string} name */
function textOf(name) {
  const held = memory.get(name);
  return held === undefined ? localStorage.getItem(name) : held;
}

/** @param {string} name @param {unknown} value null deletes it */
export function write(name, value) {
  const text = value === null ? null : JSON.stringify(value);
  try {
    if (text === null) localStorage.removeItem(name);
    else localStorage.setItem(name, text);
    memory.delete(name);
  } catch {
    memory.set(name, text);
  }
}

/**
 * A list in the storage, the latest entry first; of entries with the same key it has one.
 * @template T
 * @param {string} name @param {(entry: T) => unknown} keyOf @param {number} [most] the number of entries it holds
 * @param {(stored: any) => T} [upgrade] returns an entry that an older version of the page may have stored
 */
export function storedList(name, keyOf, most = Infinity, upgrade = (stored) => stored) {
  const all = () => read(name, /** @type {unknown[]} */ ([])).map(upgrade);
  const has = (/** @type {T} */ entry) => all().some((other) => keyOf(other) === keyOf(entry));
  const without = (/** @type {T} */ entry) => all().filter((other) => keyOf(other) !== keyOf(entry));
  return {
    all,
    /** @param {T} entry */
    add: (entry) => write(name, [entry, ...without(entry)].slice(0, most)),
    /** Remove an entry. Returns a function that puts it back and leaves all others alone. @param {T} entry */
    remove: (entry) => {
      const at = all().findIndex((other) => keyOf(other) === keyOf(entry));
      write(name, without(entry));
      return () => {
        const now = all();
        if (!has(entry)) write(name, [...now.slice(0, at), entry, ...now.slice(at)]);
      };
    },
  };
}

/** The names that begin with a prefix and have a value. @param {string} prefix */
export function namesWith(prefix) {
  const held = [...memory].filter(([, text]) => text !== null).map(([name]) => name);
  return [...new Set([...stored(), ...held])].filter((name) => name.startsWith(prefix) && memory.get(name) !== null);
}

function stored() {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}
