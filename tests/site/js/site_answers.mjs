// Answers cases on standard input, or uses as many tables, with the translated program: node site_answers.mjs PROGRAM WASM
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [program, wasm] = process.argv.slice(2);
const site = new URL("../../../site/", import.meta.url);
const { load } = await import(new URL("core.js", site));
const { setReader } = await import(new URL("library/noughts/packaged.js", site));
const { python } = await import(pathToFileURL(program));

await load(readFileSync(wasm));
setReader((name) => readFileSync(new URL(`../../../src/noughts/${name}`, import.meta.url)));
const driver = python.importModule("site_driver");
const input = readFileSync(0, "utf8");
process.stdout.write(
    typeof JSON.parse(input) === "number" ? driver.$use_many_tables(JSON.parse(input)) : driver.$run(input),
);
