// @ts-check
/** The builtin exceptions, and the conversion of JavaScript errors to Python exceptions. */

import { builtins, error, extend } from "./base.js";
import { cls, define, isInstance, nativeClass, type } from "./classes.js";
import { repr, str } from "./format.js";
import { tuple } from "./sequences.js";
import { truth } from "./operators.js";

/** The base of all exceptions. It is a JavaScript `Error`, so that exceptions have stack traces. */
class PythonError extends Error {
  /** @type {any} */ $args = tuple([]);
  /** @type {any} */ $__cause__ = null;
  /** @type {any} */ $__context__ = null;
  /** @type {any} */ $__traceback__ = null;
  /** @override */
  get name() {
    return /** @type {any} */ (this).$__class__?.$__name__ ?? "Exception";
  }
  /** @override */
  get message() {
    return str(this);
  }
  /** @param {any[]} values */
  $__init__(...values) {
    this.$args = tuple(values);
    return null;
  }
  $__str__() {
    return this.$args.length === 0 ? "" : this.$args.length === 1 ? str(this.$args[0]) : repr(this.$args);
  }
  $__repr__() {
    return `${this.name}(${Array.from(this.$args, repr).join(", ")})`;
  }
  /** @param {any} traceback */
  $with_traceback(traceback) {
    this.$__traceback__ = traceback;
    return this;
  }
  /** @param {any} note */
  $add_note(note) {
    const self = /** @type {any} */ (this);
    self.$__notes__ = [...(self.$__notes__ ?? []), note];
    return null;
  }
}

/** @param {any} C @param {any[]} values */
function makeException(C, ...values) {
  const made = new C.Instance();
  made.$args = tuple(values);
  return made;
}

const BASE = nativeClass(
  "BaseException",
  PythonError,
  (/** @type {any[]} */ ...values) => makeException(BASE, ...values),
  (value) => value instanceof PythonError,
);
define(
  BASE,
  "$__new__",
  Object.assign(makeException, {
    signature: "C *values **options",
    body: (/** @type {any} */ C, /** @type {any} */ values) => makeException(C, ...values),
  }),
);

/** For each base class the exceptions derived from it. @type {Record<string, string>} */
const CLASSES = {
  BaseException: "Exception GeneratorExit KeyboardInterrupt SystemExit",
  Exception:
    "ArithmeticError AssertionError AttributeError BufferError EOFError ImportError LookupError MemoryError NameError " +
    "OSError RuntimeError StopIteration SyntaxError TypeError ValueError Warning",
  ArithmeticError: "FloatingPointError OverflowError ZeroDivisionError",
  ImportError: "ModuleNotFoundError",
  LookupError: "IndexError KeyError",
  OSError:
    "BlockingIOError ConnectionError FileExistsError FileNotFoundError InterruptedError IsADirectoryError NotADirectoryError PermissionError TimeoutError",
  ConnectionError: "BrokenPipeError ConnectionRefusedError ConnectionResetError",
  RuntimeError: "NotImplementedError RecursionError",
  NameError: "UnboundLocalError",
  ValueError: "UnicodeError",
  UnicodeError: "UnicodeDecodeError UnicodeEncodeError",
  Warning: "DeprecationWarning FutureWarning ResourceWarning RuntimeWarning UserWarning",
};
/** @type {Record<string, any>} */
const BODIES = {
  KeyError: {
    /** @this {any} */
    $__str__() {
      return this.$args.length === 1 ? repr(this.$args[0]) : PythonError.prototype.$__str__.call(this);
    },
  },
  StopIteration: {
    /** @this {any} */
    get $value() {
      return this.$args[0] ?? null;
    },
  },
  SystemExit: {
    /** @this {any} */
    get $code() {
      return this.$args[0] ?? null;
    },
  },
  OSError: {
    /** @this {any} */
    get $errno() {
      return this.$args.length > 1 ? this.$args[0] : null;
    },
    /** @this {any} */
    get $strerror() {
      return this.$args.length > 1 ? this.$args[1] : null;
    },
    /** @this {any} */
    get $filename() {
      return this.$args[2] ?? null;
    },
    /** @this {any} */
    $__str__() {
      if (this.$args.length < 2) return PythonError.prototype.$__str__.call(this);
      const file = this.$args.length > 2 ? `: ${repr(this.$args[2])}` : "";
      return `[Errno ${this.$args[0]}] ${str(this.$args[1])}${file}`;
    },
  },
};
for (const [base, names] of Object.entries(CLASSES)) {
  for (const name of names.split(" ")) {
    builtins[`$${name}`] = cls(name, [builtins[`$${base}`]], BODIES[name] ?? {}, "builtins");
  }
}
builtins.$IOError = builtins.$EnvironmentError = builtins.$OSError;

/** The exception for `raise thrown from cause`.
 * @param {any} thrown an exception or its class @param {any} [cause] @returns {any} */
export function exceptionToThrow(thrown, cause) {
  const made = typeof thrown === "function" && thrown.mro ? thrown() : thrown;
  if (!(made instanceof PythonError)) return error("TypeError", "exceptions must derive from BaseException");
  if (cause !== undefined) made.$__cause__ = typeof cause === "function" ? cause() : cause;
  return made;
}

/** Messages of JavaScript errors, with the Python exception and message for each.
 * @type {[RegExp, string, (match: string[]) => string][]} */
const TRANSLATIONS = [
  [/call stack|too much recursion/, "RecursionError", () => "maximum recursion depth exceeded"],
  [
    /^Cannot (?:read|set) properties of (?:null|undefined) \((?:reading|setting) '\$?(\w+)'\)/,
    "AttributeError",
    ([, name]) => `'NoneType' object has no attribute '${name}'`,
  ],
  [/^Cannot set property \$?(\w+) of/, "AttributeError", ([, name]) => `property '${name}' of object has no setter`],
  [/is not iterable/, "TypeError", ([message]) => message],
  [/Invalid string length|Array buffer allocation|Invalid array length/, "MemoryError", () => ""],
];

/** The Python exception for a value caught by JavaScript's `catch`. @param {any} thrown @returns {any} */
export function asPythonError(thrown) {
  if (thrown instanceof PythonError) return thrown;
  const message = String(thrown?.message ?? thrown);
  for (const [pattern, name, write] of TRANSLATIONS) {
    const match = pattern.exec(message);
    if (match) return Object.assign(error(name, write(match)), { stack: thrown.stack });
  }
  return Object.assign(error(thrown instanceof TypeError ? "TypeError" : "RuntimeError", message), {
    stack: thrown?.stack,
  });
}

/** Call `__exit__` with an exception; returns whether the context manager suppressed it.
 * @param {any} context @param {any} thrown */
export const exitContext = (context, thrown) => truth(context.$__exit__(type(thrown), thrown, thrown.$__traceback__));

/** The attribute that a positional class pattern matches. @param {any} value @param {number} place */
export const matchArgument = (value, place) => value[`$${type(value).$__match_args__[place]}`];

extend(builtins, { isInstance });
