// @ts-check
// Calls functions of the core in WebAssembly (core/wasm) from modules of translated Python. Call `start` first, once.
// Every failure is an exception of Python. Objects are freed when JavaScript collects them.
import { Bytes, className, error } from "../pyjs/runtime/index.js";

/** @typedef {{ [name: string]: (...numbers: (number | bigint)[]) => any }} Exports */
/** @typedef {{ report: ((reader: Reader) => unknown) | null, write: ((bytes: Uint8Array) => unknown) | null,
 *     read: ((size: number) => unknown) | null, watch: (() => unknown) | null, raised: unknown[] }} Call */

const KINDS = ["", "ValueError", "RuntimeError", "MemoryError", "OSError", "KeyboardInterrupt"];

// --- the instance ---------------------------------------------------------------------------------------------------

/** @type {WebAssembly.Instance | null} */
let instance = null;
/** @type {(() => unknown) | null} */
let interrupt = null;
/** @type {Call[]} Stack of the running calls: a callback may call the core again. */
const calls = [];

/** Start the core.
 * @param {BufferSource | WebAssembly.Module} source the bytes of noughts.wasm, or the module compiled from them */
export async function start(source) {
  const imports = { noughts: callbacks, wasi_snapshot_preview1: system };
  const started = await WebAssembly.instantiate(/** @type {BufferSource} */ (source), imports);
  instance = started instanceof WebAssembly.Instance ? started : started.instance;
  exports()._initialize();
}

/** Set a function that is called every few milliseconds while the core works.
 * @param {(() => unknown) | null} ask */
export function set_interrupt(ask) {
  interrupt = ask;
}

/** @returns {Exports} */
function exports() {
  if (!instance) throw error("RuntimeError", "the core is not loaded");
  return /** @type {Exports} */ (instance.exports);
}

/** @returns {ArrayBuffer} */
function memory() {
  return /** @type {WebAssembly.Memory} */ (/** @type {unknown} */ (exports().memory)).buffer;
}

/** Call a function of the core with numbers and addresses.
 * @param {string} name @param {...(number | bigint)} numbers */
export function call(name, ...numbers) {
  const { [name]: run, take_error } = exports();
  let result;
  try {
    result = run(...numbers);
  } catch (failure) {
    instance = null;
    throw error("RuntimeError", `the core has failed and must be loaded again: ${failure}`);
  }
  const kind = take_error();
  if (kind) throw error(KINDS[kind], errorMessage());
  return result;
}

/** Call a function of the core and read its output. @param {string} name @param {...(number | bigint)} numbers */
export function ask(name, ...numbers) {
  call(name, ...numbers);
  return new Reader();
}

function errorMessage() {
  const { error_address, error_bytes } = exports();
  return new TextDecoder().decode(new Uint8Array(memory(), error_address() >>> 0, error_bytes() >>> 0));
}

/** Call a function of the core that may call back. An exception in a callback stops the work and is thrown afterwards.
 * @param {Partial<Call>} callbacks @param {string} name @param {...(number | bigint)} numbers */
export function callWith(callbacks, name, ...numbers) {
  /** @type {Call} */
  const running = { report: null, write: null, read: null, watch: null, ...callbacks, raised: [] };
  calls.push(running);
  try {
    return call(name, ...numbers);
  } catch (failure) {
    throw running.raised.length ? running.raised[0] : failure;
  } finally {
    calls.pop();
    if (running.raised.length) throw running.raised[0];
  }
}

/** Run a callback; if it throws, return `failed` to the core.
 * @template Answer @param {(running: Call) => Answer} ask @param {Answer} failed @returns {Answer} */
function callBack(ask, failed) {
  const running = calls[calls.length - 1];
  if (running.raised.length) return failed;
  try {
    return ask(running);
  } catch (failure) {
    running.raised.push(failure);
    return failed;
  }
}

const callbacks = {
  report: () => callBack((running) => (running.report?.(new Reader()) === false ? 0 : 1), 0),
  interrupt: () => callBack((running) => (running.watch?.(), interrupt?.(), 0), 1),
  /** @param {number} address @param {number} size */
  write: (address, size) =>
    callBack((running) => void running.write?.(Bytes.from(new Uint8Array(memory(), address, size))), undefined),
  /** @param {number} address @param {number} size */
  read: (address, size) =>
    callBack((running) => {
      const bytes = bytesOf("what read() returns", running.read?.(size)).subarray(0, size);
      new Uint8Array(memory(), address, size).set(bytes);
      return bytes.length;
    }, 0),
};

// The WASI calls of the C library: a clock, and standard streams that are always closed.
const BAD_FILE = 8;
const system = {
  /** @param {number} _clock @param {bigint} _precision @param {number} address */
  clock_time_get(_clock, _precision, address) {
    new DataView(memory()).setBigUint64(address, BigInt(Math.round(performance.now() * 1e6)), true);
    return 0;
  },
  fd_close: () => BAD_FILE,
  fd_seek: () => BAD_FILE,
  fd_write: () => BAD_FILE,
};

// --- the buffers ----------------------------------------------------------------------------------------------------

/** Fills the input of the core; see core/wasm/boundary.hpp. */
export class Writer {
  /** @type {(number | Uint8Array)[]} */
  #parts = [];
  #words = 0;

  /** @param {string} what @param {unknown} value */
  number(what, value) {
    this.#add(int32(what, value));
    return this;
  }

  /** @param {string} what @param {unknown} values */
  list(what, values) {
    const items = listOf(what, values);
    this.#add(items.length);
    for (const item of items) this.number(what, item);
    return this;
  }

  /** @param {string} what @param {unknown} values */
  lists(what, values) {
    const items = listOf(what, values);
    this.#add(items.length);
    for (const item of items) this.list(what, item);
    return this;
  }

  /** @param {string} what @param {unknown} value */
  bytes(what, value) {
    const bytes = bytesOf(what, value);
    this.#add(bytes.length);
    this.#parts.push(bytes);
    this.#words += Math.ceil(bytes.length / 4);
    return this;
  }

  /** @param {unknown} value bytes, or null */
  network(value) {
    this.#add(Number(value !== null));
    return value === null ? this : this.bytes("a network", value);
  }

  send() {
    let address = call("prepare_input", this.#words) >>> 0;
    const view = new DataView(memory());
    for (const part of this.#parts)
      if (typeof part === "number") {
        view.setInt32(address, part, true);
        address += 4;
      } else {
        new Uint8Array(memory(), address, part.length).set(part);
        address += 4 * Math.ceil(part.length / 4);
      }
  }

  /** @param {number} number */
  #add(number) {
    this.#parts.push(number);
    this.#words += 1;
  }
}

/** Reads a copy of the core's output. */
export class Reader {
  #view;
  #at = 0;

  constructor() {
    const { output_address, output_words } = exports();
    const start = output_address() >>> 0;
    this.#view = new DataView(memory().slice(start, start + 4 * output_words()));
  }

  number() {
    this.#at += 4;
    return this.#view.getInt32(this.#at - 4, true);
  }

  real() {
    this.#at += 8;
    return this.#view.getFloat64(this.#at - 8, true);
  }

  list() {
    return Array.from({ length: this.number() }, () => this.number());
  }

  lists() {
    return Array.from({ length: this.number() }, () => this.list());
  }

  bytes() {
    const size = this.number();
    const start = this.#at;
    this.#at += 4 * Math.ceil(size / 4);
    return new Uint8Array(this.#view.buffer, start, size);
  }

  text() {
    return new TextDecoder().decode(this.bytes());
  }
}

// --- arguments and objects ------------------------------------------------------------------------------------------

/** @param {string} what @param {unknown} value @returns {never} */
export function refuse(what, value) {
  throw error("TypeError", `expected ${what}, got ${className(value)}`);
}

/** @param {string} what @param {unknown} value */
export function int32(what, value) {
  if (typeof value !== "number" || (value | 0) !== value) refuse(`${what} as a whole number of 32 bits`, value);
  return /** @type {number} */ (value);
}

/** @param {string} what @param {unknown} value @returns {any[]} */
export function listOf(what, value) {
  return Array.isArray(value) ? value : refuse(`${what} as a list`, value);
}

/** @param {string} what @param {unknown} value */
function bytesOf(what, value) {
  return value instanceof Uint8Array ? value : refuse(`${what} as bytes`, value);
}

const freed = new FinalizationRegistry((/** @type {{ free: string, at: number }} */ { free, at }) => {
  if (instance) exports()[free](at);
});

/** An object of the core, at an address. */
export class Handle {
  /** @param {number} address @param {string} free the function that frees it */
  constructor(address, free) {
    this.at = address >>> 0;
    this.#free = free;
    freed.register(this, { free, at: this.at }, this);
  }
  #free;

  /** Free the memory of the core; the object cannot be used afterwards. */
  free() {
    freed.unregister(this);
    exports()[this.#free](this.at);
  }
}
