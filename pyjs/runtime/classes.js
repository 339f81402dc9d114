// @ts-check
/**
 * Classes. A class is a function that makes instances. Each method exists twice: on the prototype, where it uses
 * `this`, and on the function, where its first argument is the instance (`C.method(x)`). Subclasses inherit both by
 * prototypes.
 */

import { builtins, error, extend, isClass } from "./base.js";
import { bind, call, callMethod } from "./functions.js";

/** A value in a class body that decides how it becomes an attribute: properties, class methods, static methods. */
export class Descriptor {
  /** @param {any} get */
  constructor(get) {
    this.get = get;
  }
  /** @param {any} C @param {string} name */
  install(C, name) {
    throw new Error(`${C} ${name}`);
  }
  /** The value for `super().name`. @param {any} self @returns {any} */
  boundTo(self) {
    return bind(this.get, isClass(self) ? self : self.$__class__);
  }
}

class Property extends Descriptor {
  /** @type {any} */ set;
  /** @param {any} set */
  setter(set) {
    return Object.assign(new Property(this.get), { set });
  }
  /** @param {any} C @param {string} name @override */
  install(C, name) {
    const { get, set } = this;
    define(C, name, this);
    Object.defineProperty(C.prototype, name, { get, set, configurable: true });
  }
  /** @param {any} self @override */
  boundTo(self) {
    return this.get.call(self);
  }
}

class ClassMethod extends Descriptor {
  /** @param {any} C @param {string} name @override */
  install(C, name) {
    const get = this.get;
    get.isClassMethod = true;
    define(C, name, get);
    Object.defineProperty(C.prototype, name, {
      configurable: true,
      get() {
        return bind(get, this.$__class__);
      },
    });
  }
}

class StaticMethod extends Descriptor {
  /** @param {any} C @param {string} name @override */
  install(C, name) {
    this.get.isStatic = true;
    define(C, name, this.get);
    define(C.prototype, name, this.get);
  }
  /** @override */
  boundTo() {
    return this.get;
  }
}

/** `property`: the getter uses `this`. @param {any} get */
export const property = (get) => new Property(get);
/** @param {any} method */
export const classmethod = (method) => new ClassMethod(method);
/** @param {any} method */
export const staticmethod = (method) => new StaticMethod(method);

/** @param {any} target @param {string} name @param {any} value */
export const define = (target, name, value) =>
  Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false });

/** Set an attribute of an existing class as if it were in the class body.
 * @param {any} C @param {string} name with `$` @param {any} value */
export function install(C, name, value) {
  C.own[name] = value;
  installOn(C, name, value);
}

/** @param {any} C @param {string} name @param {any} value */
function installOn(C, name, value) {
  if (value instanceof Descriptor) return value.install(C, name);
  const isMethod = typeof value === "function" && !isClass(value) && !value.$__class__;
  define(C.prototype, name, value);
  define(C, name, isMethod ? unbind(value) : value);
  if (name === "$__iter__") C.prototype[Symbol.iterator] = iterate;
  if (name === "$__next__") C.prototype.next = advance;
}

/** The method as a function whose first argument is the instance. @param {any} method */
export const unbind = (method) =>
  Object.assign((/** @type {any} */ self, /** @type {any[]} */ ...values) => method.apply(self, values), {
    signature: method.signature === undefined ? undefined : `self ${method.signature}`,
    $__name__: method.$__name__,
  });

/** @this {any} */
function iterate() {
  const iterator = this.$__iter__();
  return typeof iterator.next === "function" ? iterator : iterator[Symbol.iterator]();
}

/** @this {any} */
function advance() {
  try {
    return { value: this.$__next__(), done: false };
  } catch (thrown) {
    if (isInstance(thrown, builtins.$StopIteration)) return { value: undefined, done: true };
    throw thrown;
  }
}

/** The method resolution order (C3). @param {any} C @param {any[]} bases @returns {any[]} */
function linearize(C, bases) {
  const lists = [...bases.map((base) => [...base.mro]), [...bases]];
  const order = [C];
  for (let left = lists.filter((list) => list.length); left.length; left = lists.filter((list) => list.length)) {
    const next = left.map(([head]) => head).find((head) => !left.some((list) => list.indexOf(head) > 0));
    if (!next) throw error("TypeError", "Cannot create a consistent method resolution order (MRO)");
    order.push(next);
    for (const list of lists) if (list[0] === next) list.shift();
  }
  return order;
}

/** A JavaScript constructor for the instances of a class.
 * @param {any} base the base class; it decides the JavaScript type */
function instanceConstructor(base) {
  if (base.Instance.isPlain) {
    const Instance = /** @type {any} */ (function () {});
    Instance.prototype = Object.create(base.prototype);
    Instance.isPlain = true;
    return Instance;
  }
  return class extends base.Instance {};
}

/** Make a class.
 * @param {string} name @param {any[]} bases
 * @param {any} body attributes (names with `$`), or a function that sets them
 * @param {string} [module] @param {[string, any][]} [annotations] @returns {any} */
export function cls(name, bases, body, module = "", annotations = []) {
  const parents = bases.length ? bases : [builtins.$object];
  const base = parents.find((parent) => !parent.Instance.isPlain) ?? parents[0];
  const C = makeConstructor();
  Object.setPrototypeOf(C, base);
  C.mro = linearize(C, parents);
  C.bases = parents;
  C.own = bodyOf(body);
  C.annotations = annotations;
  C.Instance = instanceConstructor(base);
  C.prototype = C.Instance.prototype;
  define(C.prototype, "$__class__", C);
  for (const [key, value] of Object.entries({ $__name__: name, $__qualname__: name, $__module__: module }))
    define(C, key, value);
  const sources = parents.length > 1 ? C.mro.slice(0, -1).reverse() : [C];
  for (const source of sources) for (const key of Object.keys(source.own)) installOn(C, key, source.own[key]);
  C.isCallable = C.prototype.$__call__ !== undefined;
  if (Object.hasOwn(C.own, "$__eq__") && !Object.hasOwn(C.own, "$__hash__")) define(C.prototype, "$__hash__", null);
  for (const hook of new Set(parents.map((parent) => parent.subclass))) hook?.(C);
  C.isPlainClass = C.Instance.isPlain && !C.isCallable && C.$__new__ === objectNew;
  return C;
}

/** @param {any} body @returns {Record<string, any>} */
function bodyOf(body) {
  /** @type {Record<string, any>} */
  const own = {};
  if (typeof body === "function") body(own);
  else
    for (const [name, { get, set, value }] of Object.entries(Object.getOwnPropertyDescriptors(body)))
      own[name] = get ? property(get).setter(set) : value;
  return own;
}

/** @returns {any} */
function makeConstructor() {
  const C = /** @type {any} */ (
    function () {
      if (C.$__new__ === objectNew) {
        const made = C.isCallable ? objectNew(C) : new C.Instance();
        made.$__init__.apply(made, arguments);
        return made;
      }
      const made = C.$__new__(C, ...arguments);
      if (made instanceof C && made.$__init__) made.$__init__.apply(made, arguments);
      return made;
    }
  );
  C.construct = (/** @type {any[]} */ values, /** @type {any} */ keywords) => construct(C, values, keywords);
  return C;
}

/** @param {any} C @param {any[]} values @param {Record<string, any>} keywords */
function construct(C, values, keywords) {
  const made = C.$__new__ === objectNew ? objectNew(C) : call(C.$__new__, [C, ...values], keywords);
  const hasInit = made instanceof C && made.$__init__ && made.$__init__ !== builtins.$object.prototype.$__init__;
  if (hasInit) callMethod(made, "$__init__", values, keywords);
  return made;
}

/** `object.__new__`; an instance of a class with `__call__` is a JavaScript function. @param {any} C */
function objectNew(C) {
  if (!C.isCallable) return new C.Instance();
  const made = /** @type {any} */ ((/** @type {any[]} */ ...values) => made.$__call__(...values));
  return Object.setPrototypeOf(made, C.prototype);
}

/** Make a builtin class from a JavaScript type.
 * @param {string} name @param {any} type its constructor @param {any} make the function that becomes the class
 * @param {(value: any) => boolean} test whether a value is an instance @param {any} [base] @returns {any} */
export function nativeClass(name, type, make, test, base = builtins.$object) {
  const C = make;
  if (base) Object.setPrototypeOf(C, base);
  Object.assign(C, {
    mro: [C, ...(base?.mro ?? [])],
    bases: base ? [base] : [],
    own: type.prototype,
    annotations: [],
    Instance: type,
    test,
  });
  C.prototype = type.prototype;
  for (const [key, value] of Object.entries({ $__name__: name, $__qualname__: name, $__module__: "builtins" }))
    define(C, key, value);
  define(type.prototype, "$__class__", C);
  builtins[`$${name}`] = C;
  return C;
}

class PlainObject {
  static isPlain = true;
  $__init__() {
    return null;
  }
  $__repr__() {
    const C = /** @type {any} */ (this).$__class__;
    return `<${C.$__module__}.${C.$__qualname__} object>`;
  }
  get $__dict__() {
    return builtins.$vars(this);
  }
}

/** @this {any} */
function makeObject() {
  return new PlainObject();
}
nativeClass("object", PlainObject, makeObject, () => true, null);
define(builtins.$object, "$__new__", objectNew);

/** The class of a value. @param {any} value @returns {any} */
export function type(value) {
  if (value === null || value === undefined) return builtins.$NoneType;
  if (typeof value === "number") return Number.isInteger(value) ? builtins.$int : builtins.$float;
  if (isClass(value)) return builtins.$type;
  return (
    value.$__class__ ??
    (typeof value === "function" ? builtins.$function : value.next ? builtins.$generator : builtins.$object)
  );
}

/** `isinstance(value, kind)`. @param {any} value @param {any} kind @returns {boolean} */
export function isInstance(value, kind) {
  if (Array.isArray(kind)) return kind.some((one) => isInstance(value, one));
  if (kind === null) return value === null;
  if (kind.union) return isInstance(value, kind.union);
  if (!isClass(kind)) throw error("TypeError", "isinstance() arg 2 must be a type, a tuple of types, or a union");
  if (Object.hasOwn(kind, "test")) return kind.test(value);
  return value instanceof kind || type(value).mro.includes(kind);
}

/** `issubclass(C, kind)`. @param {any} C @param {any} kind @returns {boolean} */
export const isSubclass = (C, kind) =>
  Array.isArray(kind)
    ? kind.some((one) => isSubclass(C, one))
    : C.mro.includes(kind.union ? NaN : kind) ||
      Boolean(kind.union?.some((/** @type {any} */ one) => isSubclass(C, one)));

/** `super().name` in a method of class C. @param {any} C @param {any} self @param {string} name @returns {any} */
export function superMethod(C, self, name) {
  const order = (isClass(self) ? self : type(self)).mro;
  for (const K of order.slice(order.indexOf(C) + 1)) {
    if (Object.hasOwn(K.own, name)) {
      const value = K.own[name];
      return value instanceof Descriptor ? value.boundTo(self) : bind(value, self);
    }
    if (name === "$__new__" && Object.hasOwn(K, name)) return K[name];
  }
  throw error("AttributeError", `'super' object has no attribute '${name.slice(1)}'`);
}

/** A union of types: `A | B`. */
export class Union {
  /** @param {any[]} kinds */
  constructor(kinds) {
    this.union = kinds;
  }
  get $__args__() {
    return builtins.$tuple(this.union);
  }
  /** @param {any} other */
  $__or__(other) {
    return union(this, other);
  }
  /** @param {any} other */
  $__ror__(other) {
    return union(other, this);
  }
}

/** @param {any[]} kinds */
export const union = (...kinds) => new Union(kinds.flatMap((kind) => kind?.union ?? [kind]));

/** A type with parameters, such as `list[int]`; calling it makes an instance of `list`. */
export class GenericAlias {
  /** @param {any} origin @param {any} parameters */
  constructor(origin, parameters) {
    const made = /** @type {any} */ ((/** @type {any[]} */ ...values) => origin(...values));
    made.$__origin__ = this.$__origin__ = origin;
    made.$__args__ = this.$__args__ = builtins.$tuple.test(parameters) ? parameters : builtins.$tuple([parameters]);
    made.construct = (/** @type {any[]} */ values, /** @type {any} */ keywords) => call(origin, values, keywords);
    return Object.setPrototypeOf(made, new.target.prototype);
  }
  /** @param {any} other */
  $__or__(other) {
    return union(this, other);
  }
  /** @param {any} other */
  $__ror__(other) {
    return union(other, this);
  }
  /** @param {any} parameters */
  $__getitem__(parameters) {
    return new GenericAlias(this.$__origin__, parameters);
  }
}
extend(builtins.$object, {
  /** @this {any} @param {any} parameters */
  subscript(parameters) {
    return new GenericAlias(this, parameters);
  },
});
