// @ts-check
// The second checker of proofs (tools/checker) in WebAssembly: call `load` first, with the bytes of checker.wasm.

/** @typedef {{ memory: WebAssembly.Memory, _initialize: () => void, prepare: (size: number) => number,
 *     check: () => number, text_address: () => number, text_bytes: () => number }} Checker */

const HOLDS = 0;
const BAD_FILE = 8;

/** @type {WebAssembly.Module | null} */
let compiled = null;

/** @param {BufferSource | WebAssembly.Module} source the bytes of checker.wasm, or the module compiled from them */
export async function load(source) {
  compiled = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
}

/** Check a proof, the text of an .ngp file. `line` has the proven value and the work done, or why it is refused.
 * @param {Uint8Array} bytes @returns {{ accepted: boolean, line: string }} */
export function check(bytes) {
  if (!compiled) throw new Error("the checker is not loaded");
  if (!(bytes instanceof Uint8Array)) throw new TypeError("expected the bytes of a proof as a Uint8Array");
  // A new instance for each proof: its memory is freed afterwards.
  const instance = new WebAssembly.Instance(compiled, { wasi_snapshot_preview1: streams });
  try {
    return verdict(/** @type {Checker} */ (/** @type {unknown} */ (instance.exports)), bytes);
  } catch (failure) {
    return { accepted: false, line: `not checked: ${failure}` };
  }
}

/** @param {Checker} checker @param {Uint8Array} bytes */
function verdict({ memory, _initialize, prepare, check, text_address, text_bytes }, bytes) {
  _initialize();
  const address = prepare(bytes.length);
  if (!address) return { accepted: false, line: "not checked: out of memory" };
  new Uint8Array(memory.buffer, address >>> 0, bytes.length).set(bytes);
  const accepted = check() === HOLDS;
  const text = new Uint8Array(memory.buffer, text_address() >>> 0, text_bytes());
  return { accepted, line: new TextDecoder().decode(text) };
}

// The standard streams of the C library, which are always closed.
const streams = { fd_close: () => BAD_FILE, fd_seek: () => BAD_FILE, fd_write: () => BAD_FILE };
