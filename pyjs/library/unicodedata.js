// @ts-check
// Unicode normalization and categories, by the tables of the JavaScript engine.
import { text } from "../runtime/index.js";

const CATEGORIES = "Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Cs Co".split(
  " ",
);
const EXPRESSIONS = CATEGORIES.map((name) => new RegExp(`^\\p{${name}}$`, "u"));

/** @param {any} form NFC, NFD, NFKC or NFKD @param {any} string */
export const $normalize = (form, string) => text(string).normalize(text(form));

/** @param {any} letter */
export function $category(letter) {
  const at = EXPRESSIONS.findIndex((expression) => expression.test(text(letter)));
  return at < 0 ? "Cn" : CATEGORIES[at];
}
