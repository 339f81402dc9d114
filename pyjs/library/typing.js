// @ts-check
// Types at run time. `NamedTuple`, `Literal` and `Annotated` work; all others are placeholders.
import {
  GenericAlias,
  builtins,
  cls,
  define,
  fill,
  fn,
  install,
  property,
  repr,
  tuple,
  dict,
  error,
} from "../runtime/index.js";

export const $TYPE_CHECKING = false;

/** A placeholder type that ignores its parameters: `C[int]` is `C`. @param {string} name */
function mark(name) {
  const C = cls(name, [], {}, "typing");
  C.subscript = function () {
    return this;
  };
  return C;
}

export const $Any = mark("Any");
export const $BinaryIO = mark("BinaryIO");
export const $ClassVar = mark("ClassVar");
export const $Generic = mark("Generic");
export const $Protocol = mark("Protocol");
export const $Self = mark("Self");

export const $TypeVar = fn("TypeVar", "name *constraints **options", () => $Any);
/** @param {any} _type @param {any} value */
export const $cast = (_type, value) => value;
/** @param {any} thing */
export const $overload = (thing) => thing;

/** `Literal["a", "b"]`. */
export class LiteralType extends GenericAlias {
  /** @returns {any[]} */
  get values() {
    return Array.from(this.$__args__);
  }
}
export const $Literal = mark("Literal");
$Literal.subscript = (/** @type {any} */ values) => new LiteralType($Literal, values);

/** `Annotated[int, ...]`. */
export class AnnotatedType extends GenericAlias {
  get base() {
    return this.$__args__[0];
  }
  /** @returns {any[]} */
  get metadata() {
    return Array.from(this.$__args__).slice(1);
  }
}
export const $Annotated = mark("Annotated");
$Annotated.subscript = (/** @type {any} */ parts) => new AnnotatedType($Annotated, parts);

/** `int | None`, as `get_origin` tells it. */
export const $Union = mark("Union");

/** @param {any} type */
export const $get_origin = (type) => (type?.union ? $Union : (type?.$__origin__ ?? null));

/** @param {any} type */
export const $get_args = (type) =>
  type?.union
    ? tuple(type.union.map((/** @type {any} */ each) => (each === null ? NONE : each)))
    : (type?.$__args__ ?? tuple([]));

/** The class of `None`, for which a type says `None`. */
const NONE = builtins.$type(null);

/** The types of the annotated names of a class and its bases. */
export const $get_type_hints = fn("get_type_hints", "obj * include_extras", (C) =>
  dict(
    C.mro
      .toReversed()
      .flatMap((/** @type {any} */ base) =>
        (base.annotations ?? []).map((/** @type {[string, any]} */ [name, type]) => [name, type?.() ?? $Any]),
      ),
  ),
);

// --- named tuples ---------------------------------------------------------------------------------------------------

export const $NamedTuple = cls("NamedTuple", [builtins.$tuple], {
  $_replace: fn("_replace", "**changes", function (changes) {
    const fields = this.$__class__.$_fields;
    const values = Array.from(
      this,
      (value, at) => changes?.$get(fields[at], value) ?? (changes?.entry(fields[at]) ? null : value),
    );
    return fill(new this.$__class__.Instance(values.length), values);
  }),
  /** @this {any} */
  $_asdict() {
    return dict(Array.from(this, (value, at) => [this.$__class__.$_fields[at], value]));
  },
  /** @this {any} */
  $__repr__() {
    const parts = Array.from(this, (value, at) => `${this.$__class__.$_fields[at]}=${repr(value)}`);
    return `${this.$__class__.$__name__}(${parts.join(", ")})`;
  },
});

/** Define the fields of a direct subclass. @param {any} C */
$NamedTuple.subclass = (C) => {
  if (!C.bases.includes($NamedTuple)) return;
  const names = C.annotations.map((/** @type {[string, any]} */ [name]) => name);
  const defaults = names.map((/** @type {string} */ name) => C.own[`$${name}`]);
  /** @param {any} type @param {any[]} values */
  const make = (type, ...values) => {
    for (let at = 0; at < names.length; at++) {
      if (values[at] === undefined) values[at] = defaults[at];
      if (values[at] === undefined) throw error("TypeError", `${C.$__name__}() needs a value for ${names[at]}`);
    }
    if (values.length > names.length) throw error("TypeError", `${C.$__name__}() got too many values`);
    return fill(new type.Instance(names.length), values);
  };
  define(C, "$__new__", fn("__new__", `_cls ${names.join(" ")}`, make));
  C.prototype.$__new__ = C.$__new__;
  define(C, "$_fields", tuple(names));
  define(C.prototype, "$_fields", C.$_fields);
  define(C.prototype, "$__init__", builtins.$object.prototype.$__init__);
  names.forEach((/** @type {string} */ name, /** @type {number} */ at) =>
    install(
      C,
      `$${name}`,
      property(
        /** @this {any} */ function () {
          return this[at];
        },
      ),
    ),
  );
};
