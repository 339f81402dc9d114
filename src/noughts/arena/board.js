// Draws playthroughs on boards. It does not know the rules: the data has all effects of a move.
"use strict";
const SVG = "http://www.w3.org/2000/svg";

const moves = (play) => (play.m ? play.m.split(" ").map(Number) : []);
const first = (play) => (play.t === "O" ? 1 : 0);

class Board {
  /** A board in an element; `data` is the empty board and its marks, from `board_data`. */
  constructor(element, data) {
    this.data = data;
    element.innerHTML = data.svg;
    this.svg = element.querySelector("svg");
    this.svg.removeAttribute("width");
    this.svg.removeAttribute("height");
    this.under = this.svg.appendChild(document.createElementNS(SVG, "g"));
    this.marks = this.svg.appendChild(document.createElementNS(SVG, "g"));
    this.marks.setAttribute("class", "marks");
  }

  put(layer, name, at) {
    const shape = document.createElementNS(SVG, "g");
    shape.innerHTML = this.data.shapes[name];
    shape.setAttribute("transform", `translate(${at[0]} ${at[1]})`);
    layer.appendChild(shape);
  }

  /** Draw a playthrough after `ply` moves and describe it in words. */
  draw(play, ply, title) {
    const list = moves(play), { centres, blocks, names } = this.data, { under, marks } = this;
    under.replaceChildren();
    marks.replaceChildren();
    const atEnd = ply === list.length;
    if (play.T && !atEnd && play.T[ply] >= 0) this.put(under, "target", blocks[play.T[ply]]);
    if (play.l && atEnd && !play.T) for (const cell of play.l) this.put(under, "glow", centres[cell]);
    if (play.s) [...play.s].forEach((mark, cell) => mark !== "." && this.put(marks, mark.toLowerCase(), centres[cell]));
    for (let at = 0; at < ply; at++) this.put(marks, (at + first(play)) % 2 ? "o" : "x", centres[list[at]]);
    for (const [when, block, owner] of play.B || []) {
      if (when <= ply) this.put(marks, `block-${owner.toLowerCase()}`, blocks[block]);
    }
    if (play.l && atEnd && play.T) for (const block of play.l) this.put(marks, "target", blocks[block]);
    if (ply) this.put(marks, "last", centres[list[ply - 1]]);
    this.svg.querySelector("title").textContent = title;
    this.svg.querySelector("desc").textContent = list.slice(0, ply).map((move) => names[move]).join(" ");
  }
}
