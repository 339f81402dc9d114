// Runs a scenario of tests/helpers/translated_scenarios.py: node run_translated.mjs PROGRAM WASM < [NAME, ARGUMENT...]
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { load } from "../../../site/library/noughts/_core.js";
import { setReader } from "../../../site/library/noughts/packaged.js";

const [program, wasm] = process.argv.slice(2);
const { python } = await import(pathToFileURL(program));

await load(readFileSync(wasm));
setReader((name) => readFileSync(new URL(`../../../src/noughts/${name}`, import.meta.url)));
process.stdout.write(python.importModule("translated_scenarios").$run(readFileSync(0, "utf8")));
