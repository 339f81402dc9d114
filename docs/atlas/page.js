// The table of the atlas: sorted by a click on a column, filtered by the form above it. Without this script it is a
// plain table, grouped by family.

import { compare, matches, numberOf } from "./rows.js";

/** @typedef {import("./rows.js").Row} Row @typedef {import("./rows.js").Key} Key */

const NUMBERS = new Set(["nodes", "time", "certificate"]);
const table = /** @type {HTMLTableElement} */ (document.querySelector("table.atlas"));
const heads = [...table.rows[0].cells];
const keys = heads.map((head) => /** @type {Key} */ (head.dataset.key));
const groups = [...table.tBodies];
const rows = groups.flatMap((group) => [...group.rows].slice(1).map((element) => read(group, element)));
const sorted = document.createElement("tbody");

/** @type {{ key: Key | null, isDown: boolean }} */
let order = { key: null, isDown: false };

/** @param {HTMLTableSectionElement} group @param {HTMLTableRowElement} element */
function read(group, element) {
  const texts = keys.map((key, at) => [key, textOf(element.cells[at], key)]);
  const values = texts.map(([key, text]) => [key, NUMBERS.has(key) ? numberOf(text) : text]);
  const row = /** @type {Row} */ ({ family: group.dataset.family, ...Object.fromEntries(values) });
  return { element, group, row };
}

/** @param {HTMLTableCellElement} cell @param {string} key */
function textOf(cell, key) {
  const source = key === "game" ? cell.querySelector("summary") : cell;
  return source?.textContent?.trim() ?? "";
}

const form = document.createElement("form");
form.className = "atlas-filter";
form.innerHTML = `
  <input type="search" name="text" placeholder="Filter, e.g. 5x or el:" aria-label="Filter by name">
  <select name="family" aria-label="Family"><option value="">all families</option></select>
  <select name="value" aria-label="Value"><option value="">all values</option>
    <option>win</option><option>draw</option><option>loss</option><option>open</option></select>
  <select name="published" aria-label="Published"><option value="">new or published</option>
    <option value="new">new</option><option value="published">published</option></select>
  <button type="reset" class="md-button">Reset</button>
  <output></output>`;
/** @param {string} name */
const field = (name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
for (const group of groups) field("family").append(new Option(group.dataset.family));
table.parentElement?.before(form);

function update() {
  const filter = {
    text: field("text").value,
    family: field("family").value,
    value: field("value").value,
    published: field("published").value,
  };
  let shown = 0;
  for (const { element, row } of rows) {
    element.hidden = !matches(row, filter);
    shown += element.hidden ? 0 : 1;
  }
  for (const group of groups) group.rows[0].hidden = ![...group.rows].slice(1).some((element) => !element.hidden);
  const output = form.querySelector("output");
  if (output) output.textContent = `${shown.toLocaleString("en")} of ${rows.length.toLocaleString("en")} games`;
}

/** Sort by a column: ascending, descending, then grouped by family again. @param {Key} key */
function sortBy(key) {
  if (order.key !== key) order = { key, isDown: NUMBERS.has(key) };
  else if (order.isDown === NUMBERS.has(key)) order.isDown = !order.isDown;
  else order = { key: null, isDown: false };
  const column = order.key;
  if (column === null) {
    for (const { element, group } of rows) group.append(element);
    sorted.remove();
    table.append(...groups);
  } else {
    const sign = order.isDown ? -1 : 1;
    sorted.append(...rows.toSorted((a, b) => sign * compare(a.row, b.row, column)).map(({ element }) => element));
    groups.forEach((group) => group.remove());
    table.append(sorted);
  }
  heads.forEach((head, at) => {
    const direction = order.isDown ? "descending" : "ascending";
    head.setAttribute("aria-sort", keys[at] === order.key ? direction : "none");
  });
  update();
}

heads.forEach((head, at) => {
  const button = document.createElement("button");
  button.textContent = head.textContent;
  button.addEventListener("click", () => sortBy(keys[at]));
  head.replaceChildren(button);
});
form.addEventListener("input", update);
form.addEventListener("reset", () => setTimeout(update));
form.addEventListener("submit", (event) => event.preventDefault());
update();
