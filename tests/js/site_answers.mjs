// Answers cases on standard input with the translated program: node --expose-gc site_answers.mjs PROGRAM WASM
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
const replies = [];
for (const asked of JSON.parse(readFileSync(0, "utf8"))) {
    replies.push(...JSON.parse(driver.$run(JSON.stringify([asked]))));
    if (asked.question) globalThis.gc(); // tables of the core are freed with the objects that own them
    await new Promise((resolve) => setTimeout(resolve));
}
process.stdout.write(JSON.stringify(replies));
