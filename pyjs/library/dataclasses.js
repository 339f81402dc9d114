// @ts-check
// Dataclasses. Assignments to frozen ones are not refused: the type checker finds them.
import {
  Dict,
  Tuple,
  builtins,
  call,
  define,
  dict,
  eq,
  error,
  fill,
  fn,
  hash,
  install,
  repr,
  tuple,
} from "../runtime/index.js";

/** @typedef {{ name: string, key: string, default: any, factory: any, isShown: boolean, isHashed: boolean, isCompared: boolean }} Field */

class Declared {
  /** @param {any} value @param {any} factory @param {boolean} isShown @param {boolean} isHashed @param {boolean} isCompared */
  constructor(value, factory, isShown, isHashed, isCompared) {
    Object.assign(this, { default: value, factory, isShown, isHashed, isCompared });
  }
}

export const $field = fn(
  "field",
  "* default default_factory repr hash compare",
  (value, factory, isShown = true, isHashed = true, isCompared = true) =>
    new Declared(value, factory, isShown, isHashed && isCompared, isCompared),
);

export const $dataclass = fn("dataclass", "cls * frozen eq kw_only slots", (C, frozen = false) =>
  C === undefined || C === null ? (/** @type {any} */ later) => declare(later, frozen) : declare(C, frozen),
);

/** @param {any} C @param {boolean} isFrozen */
function declare(C, isFrozen) {
  const inherited = C.mro.slice(1).toReversed();
  const fields = new Map(
    inherited.flatMap((/** @type {any} */ base) =>
      (base.dataclassFields ?? []).map((/** @type {Field} */ field) => [field.name, field]),
    ),
  );
  for (const [name] of C.annotations) fields.set(name, makeField(C, name));
  C.dataclassFields = Array.from(fields.values());
  if (!Object.hasOwn(C.own, "$__init__")) install(C, "$__init__", makeInit(C, C.dataclassFields));
  if (!Object.hasOwn(C.own, "$__repr__")) install(C, "$__repr__", describe);
  if (!Object.hasOwn(C.own, "$__eq__")) {
    install(C, "$__eq__", isEqual);
    define(C.prototype, "$__hash__", isFrozen ? hashOf : null);
  }
  return C;
}

/** @param {any} C @param {string} name @returns {Field} */
function makeField(C, name) {
  const key = `$${name}`;
  const value = C.own[key];
  if (!(value instanceof Declared)) {
    return { name, key, default: value, factory: undefined, isShown: true, isHashed: true, isCompared: true };
  }
  delete C.own[key];
  delete C[key];
  delete C.prototype[key];
  return /** @type {any} */ ({ name, key, ...value });
}

/** @param {any} C @param {Field[]} fields */
function makeInit(C, fields) {
  const hasPost = C.prototype.$__post_init__ !== undefined;
  /** @this {any} @param {any[]} values */
  const init = function (...values) {
    if (values.length > fields.length) throw error("TypeError", `${C.$__name__}() got too many values`);
    for (let at = 0; at < fields.length; at++) {
      const field = fields[at];
      const value = values[at] === undefined ? defaultOf(C, field) : values[at];
      this[field.key] = value;
    }
    if (hasPost) this.$__post_init__();
    return null;
  };
  return fn("__init__", fields.map(({ name }) => name).join(" "), init);
}

/** @param {any} C @param {Field} field */
function defaultOf(C, field) {
  const value = field.factory ? field.factory() : field.default;
  if (value === undefined) {
    throw error("TypeError", `${C.$__name__}.__init__() missing 1 required positional argument: '${field.name}'`);
  }
  return value;
}

/** @param {any} made @returns {Field[]} */
const fieldsOf = (made) => made.$__class__.dataclassFields;

/** @param {any} made @param {Field[]} fields */
const valuesOf = (made, fields = fieldsOf(made)) => tuple(fields.map(({ key }) => made[key]));

/** @this {any} */
function describe() {
  const parts = fieldsOf(this)
    .filter(({ isShown }) => isShown)
    .map(({ name, key }) => `${name}=${repr(this[key])}`);
  return `${this.$__class__.$__qualname__}(${parts.join(", ")})`;
}

/** @this {any} @param {any} other */
function isEqual(other) {
  if (other?.$__class__ !== this.$__class__) return builtins.$NotImplemented;
  const compared = fieldsOf(this).filter(({ isCompared }) => isCompared);
  return eq(valuesOf(this, compared), valuesOf(other, compared));
}

/** @this {any} */
function hashOf() {
  return hash(
    valuesOf(
      this,
      fieldsOf(this).filter(({ isHashed }) => isHashed),
    ),
  );
}

export const $replace = fn("replace", "obj **changes", (made, changes) => {
  const kept = made.$__class__.dataclassFields.map((/** @type {Field} */ { name, key }) => [name, made[key]]);
  return call(made.$__class__, [], { ...Object.fromEntries(kept), ...Object.fromEntries(changes?.$items() ?? []) });
});

/** @param {any} value @returns {any} */
export function $asdict(value) {
  const fields = value?.$__class__?.dataclassFields;
  if (fields) return dict(fields.map((/** @type {Field} */ { name, key }) => [name, $asdict(value[key])]));
  if (value instanceof Dict) return dict(Array.from(value.$items(), ([key, item]) => [$asdict(key), $asdict(item)]));
  if (value instanceof Tuple)
    return fill(new /** @type {any} */ (value).constructor(value.length), Array.from(value, $asdict));
  return Array.isArray(value) ? value.map($asdict) : value;
}

/** Stands for a default that a field does not have. */
export const $MISSING = { $__repr__: () => "MISSING" };

/** The fields of a dataclass, or of one of its instances. @param {any} made */
export const $fields = (made) =>
  tuple(
    (made.dataclassFields ?? fieldsOf(made)).map((/** @type {Field} */ field) => ({
      $name: field.name,
      $default: field.default === undefined ? $MISSING : field.default,
      $default_factory: field.factory ?? $MISSING,
    })),
  );

/** @param {any} thing */
export const $is_dataclass = (thing) => Boolean(thing?.dataclassFields ?? thing?.$__class__?.dataclassFields);
