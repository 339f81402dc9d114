// Answers cases on standard input with the translated program: node site_answers.mjs PROGRAM WASM
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [program, wasm] = process.argv.slice(2);
const site = new URL("../../site/", import.meta.url);
const { load } = await import(new URL("core.js", site));
const { setReader } = await import(new URL("library/noughts/packaged.js", site));
const { python } = await import(pathToFileURL(program));

await load(readFileSync(wasm));
setReader((name) => readFileSync(new URL(`../../src/noughts/${name}`, import.meta.url)));
const driver = python.importModule("site_driver");
process.stdout.write(driver.$run(readFileSync(0, "utf8")));
