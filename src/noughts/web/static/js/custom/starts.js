// @ts-check
/** Drawings to start from, as pictures: every letter is a cell, and a line is a word of letters. */

/** @typedef {import("./custom_game.js").Drawing} Drawing */

/**
 * @param {string} name @param {string[]} picture @param {string} lines
 * @returns {Drawing}
 */
export function fromPicture(name, picture, lines) {
  const letters = picture.join("").replaceAll(/[ .]/g, "");
  const cells = [...letters].map((letter) => {
    const y = picture.findIndex((row) => row.includes(letter));
    return { x: picture[y].indexOf(letter), y };
  });
  return {
    name,
    columns: picture[0].length,
    rows: picture.length,
    cells,
    lines: lines.split(" ").map((word) => [...word].map((letter) => letters.indexOf(letter))),
    misere: false,
    gravity: false,
  };
}

/** @type {Drawing[]} */
export const STARTS = [
  fromPicture(
    "Star",
    [
      "...a...", //
      "b.c.d.e",
      ".f...g.",
      "h.i.j.k",
      "...l...",
    ],
    "acfh adgk bcde hijk bfil egjl",
  ),
  fromPicture(
    "Seven points",
    [
      "...a...", //
      ".......",
      ".b...c.",
      "...d...",
      ".......",
      "e..f..g",
    ],
    "abe acg efg adf bdg cde bcf",
  ),
  fromPicture(
    "Mill",
    [
      "a..b..c", //
      ".d.e.f.",
      "..ghi..",
      "jkl.mno",
      "..pqr..",
      ".s.t.u.",
      "v..w..x",
    ],
    "abc def ghi jkl mno pqr stu vwx ajv dks glp beh qtw imr fnu cox",
  ),
  fromPicture(
    "Hexagon",
    [
      "..a.b.c..", //
      ".d.e.f.g.",
      "h.i.j.k.l",
      ".m.n.o.p.",
      "..q.r.s..",
    ],
    "abc defg hijkl mnop qrs adh beim cfjnq gkor lps hmq dinr aejos bfkp cgl",
  ),
];
