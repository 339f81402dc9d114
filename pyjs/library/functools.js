// @ts-check
// Caches, cached properties and `wraps`.
import { Descriptor, dict, fn, tuple } from "../runtime/index.js";

class CachedProperty extends Descriptor {
  /** @param {any} C @param {string} name @override */
  install(C, name) {
    const { get } = this;
    Object.defineProperty(C.prototype, name, {
      configurable: true,
      get() {
        const value = get.call(this);
        Object.defineProperty(this, name, { value, writable: true, configurable: true, enumerable: true });
        return value;
      },
      set(value) {
        Object.defineProperty(this, name, { value, writable: true, configurable: true, enumerable: true });
      },
    });
  }
}
/** @param {any} get */
export const $cached_property = (get) => new CachedProperty(get);

/** @param {any} wrapped */
export const $wraps = (wrapped) => (/** @type {any} */ wrapper) => {
  wrapper.$__name__ = wrapped.$__name__;
  wrapper.$__wrapped__ = wrapped;
  return wrapper;
};

/** Cache the results of a function; when there are more than `most`, drop the least recently used one.
 * @param {any} call @param {number} most */
function remember(call, most) {
  let held = dict([]);
  const cached = fn(call.$__name__, "*args **kwargs", (/** @type {any} */ args, /** @type {any} */ kwargs) => {
    const key = kwargs?.size ? tuple([args, tuple(Array.from(kwargs.$items()))]) : args;
    const entry = held.entry(key);
    if (entry) {
      if (most < Infinity) held.put(key, held.$pop(key));
      return entry.value;
    }
    const value = kwargs?.size ? call(...args, ...Array.from(kwargs.$values())) : call(...args);
    held.put(key, value);
    if (held.size > most) held.$pop(held[Symbol.iterator]().next().value);
    return value;
  });
  cached.$cache_clear = () => {
    held = dict([]);
    return null;
  };
  return $wraps(call)(cached);
}

/** @param {any} call */
export const $cache = (call) => remember(call, Infinity);
export const $lru_cache = fn("lru_cache", "maxsize", (maxsize = 128) => {
  if (typeof maxsize === "function") return remember(maxsize, 128);
  return (/** @type {any} */ call) => remember(call, maxsize ?? Infinity);
});
