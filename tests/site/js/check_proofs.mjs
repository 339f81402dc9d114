// Checks proofs with the second checker: node check_proofs.mjs CHECKER < proofs in base64, as a list in JSON
import { readFileSync } from "node:fs";
import * as checker from "../../../site/checker.js";

await checker.load(readFileSync(process.argv[2]));
const proofs = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(proofs.map((proof) => checker.check(new Uint8Array(Buffer.from(proof, "base64"))))));
