// @ts-check
// Enumerations.
import { Descriptor, builtins, cls, define, eq, error, isClass, repr, text } from "../runtime/index.js";

export const $Enum = cls(
  "Enum",
  [],
  {
    $__init__() {
      return null;
    },
    /** @this {any} */
    $__repr__() {
      return `<${this.$__class__.$__name__}.${this.$name}: ${repr(this.$value)}>`;
    },
    /** @this {any} */
    $__str__() {
      return `${this.$__class__.$__name__}.${this.$name}`;
    },
  },
  "enum",
);

export const $StrEnum = cls(
  "StrEnum",
  [builtins.$str, $Enum],
  {
    /** @this {any} */
    $__str__() {
      return text(this.$value);
    },
  },
  "enum",
);

export const $IntEnum = cls(
  "IntEnum",
  [builtins.$int, $Enum],
  {
    /** @this {any} */
    $__str__() {
      return String(this.$value);
    },
  },
  "enum",
);

/** @param {string} name @param {any} value */
function isMember(name, value) {
  const isPlain = typeof value !== "function" && !(value instanceof Descriptor) && !isClass(value);
  return isPlain && !name.startsWith("$_");
}

/** Replace the attributes of an enumeration by its members. @param {any} C */
function makeMembers(C) {
  C.members = Object.entries(C.own)
    .filter(([name, value]) => isMember(name, value))
    .map(([name, value]) => {
      const member = new C.Instance(value);
      for (const [key, detail] of Object.entries({ $name: name.slice(1), $value: value, $_value_: value })) {
        define(member, key, detail);
      }
      define(C, name, member);
      define(C.prototype, name, member);
      return member;
    });
  define(C, "$__new__", (/** @type {any} */ _, /** @type {any} */ value) => find(C, value));
  C[Symbol.iterator] = () => C.members.values();
  C.subscript = (/** @type {any} */ name) => {
    const found = C.members.find((/** @type {any} */ member) => member.$name === text(name));
    if (!found) throw error("KeyError", name);
    return found;
  };
}

/** @param {any} C @param {any} value */
function find(C, value) {
  const found = C.members.find((/** @type {any} */ member) => member === value || eq(member.$value, value));
  if (!found) throw error("ValueError", `${repr(value)} is not a valid ${C.$__name__}`);
  return found;
}

for (const base of [$Enum, $StrEnum, $IntEnum]) base.subclass = makeMembers;
