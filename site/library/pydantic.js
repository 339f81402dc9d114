// @ts-check
// Models of requests and answers. Requests are validated as by pydantic, with the same errors in the same order; answers
// are made by our own code, which a type checker has seen, and are taken as they are.
import {
  Dict,
  Float,
  PySet,
  builtins,
  asPythonError,
  cls,
  dict,
  error,
  fn,
  integer,
  isClass,
  isInstance,
  isText,
  number,
  str,
  text,
  tuple,
} from "../../pyjs/runtime/index.js";
import { $dumps } from "../../pyjs/library/json.js";
import { AnnotatedType, LiteralType } from "../../pyjs/library/typing.js";

/** @typedef {(string | number)[]} Location
 * @typedef {{ type: string, message: string, at: Location, input: any, context?: Record<string, any> }} Problem
 * @typedef {{ gt?: any, ge?: any, le?: any, max_length?: number, pattern?: string, allow_inf_nan?: boolean }} Bounds
 * @typedef {(value: any, at: Location) => any} Validator returns the valid value, or throws a Refusal
 * @typedef {{ name: string, validate: Validator, default: any }} Field `default` is undefined if the field is required
 */

class Refusal extends Error {
  /** @param {Problem[]} problems */
  constructor(problems) {
    super("invalid");
    this.problems = problems;
  }
}

/** @param {string} type @param {string} message @param {Location} at @param {any} input
 * @param {Record<string, any>} [context] @returns {never} */
function refuse(type, message, at, input, context) {
  throw new Refusal([{ type, message, at, input, context }]);
}

/** Call a function, and add the problems it finds to a list. @template T @param {Problem[]} problems
 * @param {() => T} validate @returns {T | undefined} */
function collect(problems, validate) {
  try {
    return validate();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}

export const $ValidationError = cls("ValidationError", [builtins.$ValueError], {
  /** @this {any} */
  $errors() {
    return this.problems.map((/** @type {Problem} */ problem) =>
      dict([
        ["type", problem.type],
        ["loc", tuple(problem.at)],
        ["msg", problem.message],
        ["input", problem.input],
        ...(problem.context ? [["ctx", dict(Object.entries(problem.context))]] : []),
      ]),
    );
  },
});

// --- what annotations say -------------------------------------------------------------------------------------------

/** Bounds and functions in `Annotated[...]`, and the value of a field. */
class Metadata {
  /** @param {Bounds & Record<string, any>} bounds @param {any} [value] the default */
  constructor(bounds, value) {
    this.bounds = Object.fromEntries(
      Object.entries(bounds).filter(([, bound]) => bound !== undefined && bound !== null),
    );
    this.default = value;
  }
}

class Strict {}

class FunctionValidator {
  /** @param {any} call @param {boolean} isBefore */
  constructor(call, isBefore) {
    this.call = call;
    this.isBefore = isBefore;
  }
}

export const $Field = fn(
  "Field",
  "default * gt ge le max_length allow_inf_nan description examples",
  (value, gt, ge, le, max_length, allow_inf_nan) => new Metadata({ gt, ge, le, max_length, allow_inf_nan }, value),
);
export const $StringConstraints = fn(
  "StringConstraints",
  "* max_length pattern",
  (max_length, pattern) => new Metadata({ max_length, pattern }),
);
/** @param {any} call */
export const $AfterValidator = (call) => new FunctionValidator(call, false);
/** @param {any} call */
export const $BeforeValidator = (call) => new FunctionValidator(call, true);
export const $ConfigDict = fn("ConfigDict", "**options", (options) => options);
export const $StrictInt = new AnnotatedType(builtins.$int, tuple([builtins.$int, new Strict()]));

/** @param {any} type @param {Bounds} [bounds] @param {boolean} [isStrict] @returns {Validator} */
function validatorOf(type, bounds = {}, isStrict = false) {
  if (type instanceof AnnotatedType) return annotatedValidator(type, bounds);
  if (type?.union) return unionValidator(type.union, bounds);
  if (type instanceof LiteralType) return literalValidator(type.values);
  const [origin, ...inner] = parameters(type);
  if (origin === builtins.$str) return stringValidator(bounds);
  if (origin === builtins.$int) return isStrict ? strictIntegerValidator : bounded(validateInteger, bounds);
  if (origin === builtins.$float) return bounded(finite(validateFloat, bounds), bounds);
  if (origin === builtins.$bool) return validateBoolean;
  if (origin === builtins.$list) return listValidator(inner.length ? validatorOf(inner[0]) : acceptAny, bounds);
  if (origin === builtins.$dict) return dictValidator(validatorOf(inner[0]), validatorOf(inner[1]), bounds);
  if (isModel(origin)) return (value, at) => validateModel(origin, value, at);
  if (origin?.members) return enumValidator(origin);
  return acceptAny;
}

/** The class of a type, and its parameters. @param {any} type @returns {any[]} */
const parameters = (type) => (isClass(type) ? [type] : [type?.$__origin__, ...(type?.$__args__ ?? [])]);

/** @param {any} value */
const acceptAny = (value) => value;

/** @param {InstanceType<typeof AnnotatedType>} type @param {Bounds} bounds @returns {Validator} */
function annotatedValidator(type, bounds) {
  const all = type.metadata
    .filter((each) => each instanceof Metadata)
    .reduce((sum, each) => ({ ...sum, ...each.bounds }), {});
  const isStrict = type.metadata.some((each) => each instanceof Strict);
  const inner = validatorOf(type.base, { ...all, ...bounds }, isStrict);
  return type.metadata.filter((each) => each instanceof FunctionValidator).reduce(withFunction, inner);
}

/** @param {Validator} validate @param {FunctionValidator} wrapper @returns {Validator} */
function withFunction(validate, wrapper) {
  /** @type {Validator} */
  const call = (value, at) => {
    try {
      return wrapper.call(value);
    } catch (thrown) {
      const problem = asPythonError(thrown);
      if (!isInstance(problem, builtins.$ValueError)) throw problem;
      return refuse("value_error", `Value error, ${str(problem)}`, at, value, { error: problem });
    }
  };
  return (value, at) => (wrapper.isBefore ? validate(call(value, at), at) : call(validate(value, at), at));
}

/** @param {any[]} types @param {Bounds} bounds @returns {Validator} */
function unionValidator(types, bounds) {
  const others = types.filter((type) => type !== null);
  const hasNone = others.length < types.length;
  if (others.length === 1) {
    const inner = validatorOf(others[0], bounds);
    return (value, at) => (value === null ? null : inner(value, at));
  }
  const choices = others.map((type) => ({ label: labelOf(type), validate: validatorOf(type, bounds) }));
  return (value, at) => {
    if (value === null && hasNone) return null;
    /** @type {Problem[]} */
    const problems = [];
    for (const { label, validate } of choices) {
      const found = collect(problems, () => validate(value, [...at, label]));
      if (found !== undefined) return found;
    }
    throw new Refusal(problems);
  };
}

/** The name of a type in the location of an error. @param {any} type @returns {string} */
function labelOf(type) {
  if (type instanceof AnnotatedType) {
    const isText = type.base === builtins.$str && type.metadata.some((each) => each instanceof Metadata);
    return isText ? "constrained-str" : labelOf(type.base);
  }
  const [origin, ...inner] = parameters(type);
  const name = origin?.$__name__?.toLowerCase?.() ?? "any";
  return inner.length ? `${name}[${inner.map(labelOf).join(",")}]` : name;
}

// --- plain values ---------------------------------------------------------------------------------------------------

/** @param {any} value */
const isInteger = (value) => typeof value === "bigint" || Number.isInteger(value);
/** @param {any} value */
const isReal = (value) => typeof value === "number" || value instanceof Float;

/** @param {Bounds} bounds @returns {Validator} */
function stringValidator({ max_length, pattern }) {
  const expression = pattern === undefined ? null : new RegExp(pattern.replace(/\$$/, "(?![\\s\\S])"), "u");
  return (value, at) => {
    if (!isText(value)) return refuse("string_type", "Input should be a valid string", at, value);
    const string = text(value);
    if (/\p{Cs}/u.test(string)) {
      const message = "Input should be a valid string, unable to parse raw data as a unicode string";
      return refuse("string_unicode", message, at, value);
    }
    if (max_length !== undefined && string.length > max_length && Array.from(string).length > max_length) {
      return refuse("string_too_long", `String should have at most ${max_length} characters`, at, value, {
        max_length,
      });
    }
    if (expression && !expression.test(string)) {
      return refuse("string_pattern_mismatch", `String should match pattern '${pattern}'`, at, value, { pattern });
    }
    return value;
  };
}

/** Whether a number fits into 64 bits. @param {number} value */
const isSmall = (value) => Math.abs(value) < 2 ** 63;

/** @type {Validator} */
function strictIntegerValidator(value, at) {
  return isInteger(value) ? value : refuse("int_type", "Input should be a valid integer", at, value);
}

/** @type {Validator} */
function validateInteger(value, at) {
  if (isInteger(value)) return value;
  if (typeof value === "boolean") return Number(value);
  if (isText(value)) {
    const digits = text(value)
      .trim()
      .replace(/^([-+]?[0-9_]+)\.0+$/, "$1");
    if (/^[-+]?[0-9]+(_[0-9]+)*$/.test(digits)) return integer(BigInt(digits.replace(/[_+]/g, "")));
    const message = "Input should be a valid integer, unable to parse string as an integer";
    return refuse("int_parsing", message, at, value);
  }
  if (!isReal(value)) return refuse("int_type", "Input should be a valid integer", at, value);
  if (!Number.isFinite(number(value))) return refuse("finite_number", "Input should be a finite number", at, value);
  if (Number.isInteger(number(value))) {
    if (isSmall(number(value))) return integer(number(value));
    const message = "Unable to parse input string as an integer, exceeded maximum size";
    return refuse("int_parsing_size", message, at, value);
  }
  const message = "Input should be a valid integer, got a number with a fractional part";
  return refuse("int_from_float", message, at, value);
}

/** @type {Validator} */
function validateFloat(value, at) {
  if (isReal(value)) return value;
  if (typeof value === "boolean" || typeof value === "bigint") return Number(value);
  if (!isText(value)) return refuse("float_type", "Input should be a valid number", at, value);
  const digits = text(value).trim().replace(/_/g, "");
  if (/^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]+)?$/i.test(digits)) return Number(digits);
  if (/^[-+]?(inf(inity)?|nan)$/i.test(digits))
    return /nan/i.test(digits) ? NaN : digits[0] === "-" ? -Infinity : Infinity;
  return refuse("float_parsing", "Input should be a valid number, unable to parse string as a number", at, value);
}

/** @param {Validator} validate @param {Bounds} bounds @returns {Validator} */
function finite(validate, bounds) {
  if (bounds.allow_inf_nan !== false) return validate;
  return (value, at) => {
    const found = validate(value, at);
    if (Number.isFinite(number(found))) return found;
    return refuse("finite_number", "Input should be a finite number", at, value);
  };
}

/** @param {Validator} validate @param {Bounds} bounds @returns {Validator} */
function bounded(validate, { gt, ge, le }) {
  return (value, at) => {
    const found = validate(value, at);
    const plain = number(found);
    if (le !== undefined && !(plain <= number(le))) {
      return refuse("less_than_equal", `Input should be less than or equal to ${str(le)}`, at, value, { le });
    }
    if (ge !== undefined && !(plain >= number(ge))) {
      return refuse("greater_than_equal", `Input should be greater than or equal to ${str(ge)}`, at, value, { ge });
    }
    if (gt !== undefined && !(plain > number(gt))) {
      return refuse("greater_than", `Input should be greater than ${str(gt)}`, at, value, { gt });
    }
    return found;
  };
}

const TRUE_WORDS = ["1", "on", "t", "true", "y", "yes"];
const FALSE_WORDS = ["0", "off", "f", "false", "n", "no"];

/** @type {Validator} */
function validateBoolean(value, at) {
  if (typeof value === "boolean") return value;
  if (!isText(value) && !isReal(value) && !isInteger(value)) {
    return refuse("bool_type", "Input should be a valid boolean", at, value);
  }
  const word = isText(value) ? text(value).toLowerCase() : String(number(value));
  if (TRUE_WORDS.includes(word)) return true;
  if (FALSE_WORDS.includes(word)) return false;
  if (!isText(value) && !(Number.isInteger(number(value)) && isSmall(number(value)))) {
    return refuse("bool_type", "Input should be a valid boolean", at, value);
  }
  return refuse("bool_parsing", "Input should be a valid boolean, unable to interpret input", at, value);
}

/** @param {any[]} values */
function inWords(values) {
  const quoted = values.map((value) => `'${text(value)}'`);
  return quoted.length < 2 ? quoted.join("") : `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
}

/** @param {any[]} values texts @returns {Validator} */
function literalValidator(values) {
  const expected = inWords(values);
  const found = new Map(values.map((value) => [text(value), value]));
  return (value, at) => {
    if (isText(value) && found.has(text(value))) return found.get(text(value));
    return refuse("literal_error", `Input should be ${expected}`, at, value, { expected });
  };
}

/** @param {any} type an enumeration of texts @returns {Validator} */
function enumValidator(type) {
  const expected = inWords(type.members.map((/** @type {any} */ member) => member.$value));
  return (value, at) => {
    const found =
      isText(value) && type.members.find((/** @type {any} */ member) => text(member.$value) === text(value));
    return found || refuse("enum", `Input should be ${expected}`, at, value, { expected });
  };
}

// --- collections ----------------------------------------------------------------------------------------------------

/** @param {string} kind @param {number} max_length @param {number} actual @param {Location} at @param {any} input */
function refuseLength(kind, max_length, actual, at, input) {
  const message = `${kind} should have at most ${max_length} item${max_length === 1 ? "" : "s"} after validation, not ${actual}`;
  return refuse("too_long", message, at, input, { field_type: kind, max_length, actual_length: actual });
}

/** @param {Validator} validate @param {Bounds} bounds @returns {Validator} */
function listValidator(validate, { max_length = Infinity }) {
  return (value, at) => {
    if (!Array.isArray(value)) return refuse("list_type", "Input should be a valid list", at, value);
    /** @type {Problem[]} */
    const problems = [];
    /** @type {any[]} */
    const valid = [];
    value.forEach((item, index) => {
      const found = collect(problems, () => validate(item, [...at, index]));
      if (found !== undefined) valid.push(found);
      if (valid.length > max_length) refuseLength("List", max_length, value.length, at, value);
    });
    if (problems.length) throw new Refusal(problems);
    return valid;
  };
}

/** @param {Validator} validateKey @param {Validator} validateValue @param {Bounds} bounds @returns {Validator} */
function dictValidator(validateKey, validateValue, { max_length = Infinity }) {
  return (value, at) => {
    if (!(value instanceof Dict)) return refuse("dict_type", "Input should be a valid dictionary", at, value);
    /** @type {Problem[]} */
    const problems = [];
    /** @type {[any, any][]} */
    const items = [];
    for (const [key, item] of value.$items()) {
      const name = isText(key) ? text(key) : key;
      const validKey = collect(problems, () => validateKey(key, [...at, name, "[key]"]));
      const validItem = collect(problems, () => validateValue(item, [...at, name]));
      items.push([validKey, validItem]);
    }
    if (problems.length) throw new Refusal(problems);
    if (items.length > max_length) refuseLength("Dictionary", max_length, items.length, at, value);
    return dict(items);
  };
}

// --- models ---------------------------------------------------------------------------------------------------------

/** @param {any} type */
function isModel(type) {
  return typeof type === "function" && type.prototype instanceof /** @type {any} */ ($BaseModel);
}

/** The names of the fields of a model with their values when they are not given. @param {any} type
 * @returns {Map<string, { type: () => any, default: any, bounds: Bounds }>} */
function declaredFields(type) {
  if (!Object.hasOwn(type, "declared")) {
    type.declared = new Map();
    for (const base of [...type.mro].reverse()) {
      for (const [name, annotation] of base.annotations ?? []) {
        if (isModel(base)) type.declared.set(name, declare(base, name, annotation));
      }
    }
  }
  return type.declared;
}

/** @param {any} type @param {string} name @param {() => any} annotation */
function declare(type, name, annotation) {
  const given = type.own[`$${name}`];
  if (!(given instanceof Metadata)) return { type: annotation, default: given, bounds: {} };
  return {
    type: annotation,
    default: given.default === builtins.$Ellipsis ? undefined : given.default,
    bounds: given.bounds,
  };
}

/** @param {any} type @returns {Field[]} */
function fieldsOf(type) {
  if (!Object.hasOwn(type, "validated")) {
    type.validated = Array.from(declaredFields(type), ([name, field]) => ({
      name,
      validate: validatorOf(field.type(), field.bounds),
      default: field.default,
    }));
  }
  return type.validated;
}

/** @param {any} value */
function copied(value) {
  if (Array.isArray(value) && !value.length) return [];
  return value instanceof Dict && !value.size ? dict([]) : value;
}

/** @param {any} type @param {any} value @param {Location} at */
function validateModel(type, value, at) {
  if (value instanceof type) return value;
  if (!(value instanceof Dict)) {
    const message = `Input should be a valid dictionary or instance of ${type.$__name__}`;
    return refuse("model_type", message, at, value, { class_name: type.$__name__ });
  }
  /** @type {Problem[]} */
  const problems = [];
  const model = Object.create(type.prototype);
  const given = new Map(Array.from(value.$items(), ([name, item]) => [text(name), item]));
  for (const field of fieldsOf(type)) {
    if (given.has(field.name)) {
      model[`$${field.name}`] = collect(problems, () => field.validate(given.get(field.name), [...at, field.name]));
    } else if (field.default === undefined) {
      problems.push({ type: "missing", message: "Field required", at: [...at, field.name], input: value });
    } else {
      model[`$${field.name}`] = copied(field.default);
    }
  }
  if (type.$model_config && text(type.$model_config.$get("extra") ?? "") === "forbid") {
    const known = declaredFields(type);
    for (const [name, item] of given) {
      if (known.has(name)) continue;
      problems.push({
        type: "extra_forbidden",
        message: "Extra inputs are not permitted",
        at: [...at, name],
        input: item,
      });
    }
  }
  if (problems.length) throw new Refusal(problems);
  return model;
}

/** @param {any} value @param {boolean} isJson whether to turn everything into values of JSON @returns {any} */
function dump(value, isJson) {
  if (value === null || typeof value !== "object") return value;
  if (isModel(value.$__class__))
    return dict(
      Array.from(declaredFields(value.$__class__).keys(), (name) => [name, dump(value[`$${name}`], isJson)]),
    );
  if (value instanceof Dict)
    return dict(Array.from(value.$items(), ([key, item]) => [isJson ? jsonKey(key) : key, dump(item, isJson)]));
  if (Array.isArray(value)) {
    const items = Array.from(value, (item) => dump(item, isJson));
    return isJson || value.constructor === Array ? items : tuple(items);
  }
  if (isJson && value.$__class__?.members) return value.$value;
  if (isJson && value instanceof PySet) return Array.from(value, (item) => dump(item, isJson));
  return value;
}

/** @param {any} key */
function jsonKey(key) {
  return isText(key) ? text(key) : str(key);
}

/** @param {any} value @returns {any} the value with null in place of numbers that JSON has no word for */
function withoutInfinity(value) {
  if (typeof value === "number" && !Number.isFinite(value)) return null;
  if (Array.isArray(value)) return value.map(withoutInfinity);
  if (value instanceof Dict) return dict(Array.from(value.$items(), ([key, item]) => [key, withoutInfinity(item)]));
  return value;
}

export const $BaseModel = cls("BaseModel", [], {
  $__init__: fn(
    "__init__",
    "**data",
    /** @this {any} @param {any} data */ function (data) {
      const given = data ?? dict([]);
      for (const [name, field] of declaredFields(this.$__class__)) {
        const value = given.$get(name, field.default);
        if (value === undefined || (value === null && field.default === undefined && !given.entry(name))) {
          throw error("TypeError", `${this.$__class__.$__name__} needs the field ${name}`);
        }
        this[`$${name}`] = given.entry(name) ? value : copied(value);
      }
      return null;
    },
  ),
  /** @this {any} */
  $__iter__() {
    return Array.from(declaredFields(this.$__class__).keys(), (name) => tuple([name, this[`$${name}`]])).values();
  },
  $model_dump: fn("model_dump", "* mode include", function (mode = "python", include = null) {
    const whole = dump(this, text(mode) === "json");
    if (include === null) return whole;
    return dict(Array.from(whole.$items()).filter(([name]) => include.$__contains__(name)));
  }),
  /** @this {any} */
  $model_dump_json() {
    const options = [false, null, tuple([",", ":"])];
    return $dumps(withoutInfinity(dump(this, true)), ...options);
  },
  $model_validate: builtins.$classmethod(
    /** @this {any} @param {any} value */ function (value) {
      try {
        return validateModel(this, value, []);
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal;
        const error = $ValidationError(`${refusal.problems.length} validation errors for ${this.$__name__}`);
        error.problems = refusal.problems;
        throw error;
      }
    },
  ),
});
