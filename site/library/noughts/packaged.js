// @ts-check
// The files of the package, in the folder `package` of the site. They are loaded when they are first read: a worker may
// wait for a file.
import { Bytes, error, text } from "../../../pyjs/runtime/index.js";

/** @param {string} name @returns {Uint8Array | null} */
let find = (name) => {
  const request = new XMLHttpRequest();
  request.open("GET", new URL(`../../package/${name}`, import.meta.url), false);
  request.responseType = "arraybuffer";
  request.send();
  return request.status === 200 ? new Uint8Array(request.response) : null;
};

/** Replace the function that reads files; it returns null for a missing file. @param {(name: string) => Uint8Array | null} reader */
export function setReader(reader) {
  find = reader;
}

/** @param {any} name relative to the package */
export function $read_packaged(name) {
  const contents = find(text(name));
  if (!contents) throw error("FileNotFoundError", `there is no file ${text(name)}`);
  return Bytes.from(contents);
}
