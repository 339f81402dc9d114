// Sorting and filtering of the rows of the atlas, without the page.

/**
 * @typedef {{ family: string, game: string, value: string, opening: string, nodes: number, time: number,
 *   certificate: number, published: string }} Row
 * @typedef {{ text: string, family: string, value: string, published: string }} Filter
 * @typedef {keyof Row} Key
 */

/** The number at the beginning of a text such as "1,234.5 ms", or -1 if there is none. @param {string} text */
export function numberOf(text) {
  const digits = text.replaceAll(",", "").match(/^[0-9.]+/);
  return digits ? Number(digits[0]) : -1;
}

/** Whether a row is shown. @param {Row} row @param {Filter} filter */
export function matches(row, filter) {
  const words = filter.text.toLowerCase().split(/\s+/);
  return (
    words.every((word) => row.game.includes(word) || row.family.includes(word)) &&
    (!filter.family || row.family === filter.family) &&
    (!filter.value || row.value === filter.value) &&
    (!filter.published || (row.published === "new") === (filter.published === "new"))
  );
}

/** Compares two rows by a column; numbers in texts count as numbers. @param {Row} a @param {Row} b @param {Key} key */
export function compare(a, b, key) {
  const [first, second] = [a[key], b[key]];
  if (typeof first === "number" && typeof second === "number") return first - second;
  return String(first).localeCompare(String(second), "en", { numeric: true });
}
