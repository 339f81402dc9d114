// Lists the playthroughs and steps through them. It does not know the rules: the data has all effects of a move.
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const PAGE = 100;
let chosen = -1, ply = 0, timer = 0, shown = PAGE;

$("board").innerHTML = data.board.svg;
const svg = $("board").querySelector("svg");
svg.removeAttribute("width");
svg.removeAttribute("height");
const under = svg.appendChild(document.createElementNS(SVG, "g"));
const marks = svg.appendChild(document.createElementNS(SVG, "g"));
marks.id = "marks";

const moves = (play) => (play.m ? play.m.split(" ").map(Number) : []);
const first = (play) => (play.t === "O" ? 1 : 0);
const ending = (play) => play.f || play.r;
const endingName = (name) => data.endings[name] || name;
const result = (play) => (play.w === "X" ? "1–0" : play.w === "O" ? "0–1" : "½–½");

function put(layer, name, at) {
  const shape = document.createElementNS(SVG, "g");
  shape.innerHTML = data.board.shapes[name];
  shape.setAttribute("transform", `translate(${at[0]} ${at[1]})`);
  layer.appendChild(shape);
}

function draw() {
  const play = data.plays[chosen], list = moves(play), centres = data.board.centres;
  under.replaceChildren();
  marks.replaceChildren();
  const atEnd = ply === list.length;
  if (play.T && !atEnd && play.T[ply] >= 0) put(under, "target", data.board.blocks[play.T[ply]]);
  if (play.l && atEnd && !play.T) for (const cell of play.l) put(under, "glow", centres[cell]);
  if (play.s) [...play.s].forEach((mark, cell) => mark !== "." && put(marks, mark.toLowerCase(), centres[cell]));
  for (let at = 0; at < ply; at++) put(marks, (at + first(play)) % 2 ? "o" : "x", centres[list[at]]);
  for (const [when, block, owner] of play.B || []) {
    if (when <= ply) put(marks, `block-${owner.toLowerCase()}`, data.board.blocks[block]);
  }
  if (play.l && atEnd && play.T) for (const block of play.l) put(marks, "target", data.board.blocks[block]);
  if (ply) put(marks, "last", centres[list[ply - 1]]);
  tell(play, list, atEnd);
}

function tell(play, list, atEnd) {
  const side = (ply + first(play)) % 2 ? "O" : "X";
  const mover = side === "X" ? "O" : "X";
  const who = (s) => data.bots[s === "X" ? play.x : play.o];
  let text = ply ? `${mover} ${data.board.names[list[ply - 1]]}, move ${ply} of ${list.length}` : "the start";
  if (ply && ply <= play.b) text += " (opening)";
  if (atEnd) {
    const points = play.p.join("–");
    text += play.w ? `. ${who(play.w)} wins ${data.how[play.r]} (${points})` : `. A draw (${points})`;
    if (play.d) text += `: ${play.d}`;
  }
  $("status").textContent = text;
  svg.querySelector("title").textContent = text;
  svg.querySelector("desc").textContent = list.slice(0, ply).map((move) => data.board.names[move]).join(" ");
  $("ply").max = list.length;
  $("ply").value = ply;
  $("ply").setAttribute("aria-valuetext", text);
  for (const id of ["first", "back"]) $(id).disabled = ply === 0;
  for (const id of ["forward", "last"]) $(id).disabled = atEnd;
  $("moves").querySelectorAll("button").forEach((button, at) => {
    button.setAttribute("aria-current", at + 1 === ply);
  });
  const current = $("moves").children[Math.max(0, ply - 1)];
  if (current) $("moves").scrollTop = current.offsetTop - $("moves").offsetTop - 60;
}

function go(to) {
  ply = Math.max(0, Math.min(moves(data.plays[chosen]).length, to));
  draw();
}

function open(number, end) {
  stop();
  chosen = number;
  const play = data.plays[number], list = moves(play);
  $("who").textContent = `${play.n}: ${data.bots[play.x]} (X) – ${data.bots[play.o]} (O) ${result(play)}`;
  $("moves").replaceChildren(...list.map((move, at) => {
    const item = document.createElement("li"), button = document.createElement("button");
    if (at < play.b) item.className = "opening";
    button.textContent = data.board.names[move];
    button.setAttribute("aria-label", `move ${at + 1}: ${data.board.names[move]}`);
    button.onclick = () => { stop(); go(at + 1); };
    item.append(button);
    return item;
  }));
  $("stderr").hidden = !play.e;
  $("stderr").textContent = play.e || "";
  for (const row of $("plays").tBodies[0].rows) row.setAttribute("aria-current", row.dataset.number === String(number));
  go(end ? list.length : play.b);
}

function stop() {
  clearInterval(timer);
  timer = 0;
  $("play").textContent = "▶ play";
}

function playOn() {
  if (timer) return stop();
  if (ply === moves(data.plays[chosen]).length) go(0);
  $("play").textContent = "❚❚ pause";
  timer = setInterval(() => {
    go(ply + 1);
    if (ply === moves(data.plays[chosen]).length) stop();
  }, 600);
}

function matching() {
  const bot = $("bot").value, end = $("ending").value;
  return data.plays.map((play, number) => [play, number]).filter(([play]) =>
    (bot === "" || play.x === Number(bot) || play.o === Number(bot)) && (end === "" || ending(play) === end));
}

function list() {
  const found = matching();
  const rows = found.slice(0, shown).map(([play, number]) => {
    const row = document.createElement("tr"), button = document.createElement("button");
    const cells = [play.n, data.bots[play.x], data.bots[play.o], result(play), endingName(ending(play)), moves(play).length];
    for (const text of cells) row.insertCell().textContent = text;
    if (play.f) row.cells[4].className = "failed";
    button.textContent = "replay";
    button.setAttribute("aria-label", `replay ${play.n}, ${data.bots[play.x]} against ${data.bots[play.o]}`);
    button.onclick = () => { open(number, false); $("viewer").scrollIntoView({ block: "nearest" }); };
    row.insertCell().append(button);
    row.dataset.number = number;
    row.setAttribute("aria-current", number === chosen);
    return row;
  });
  $("plays").tBodies[0].replaceChildren(...rows);
  $("count").textContent = `${found.length} of ${data.plays.length} playthroughs`;
  $("more").hidden = found.length <= shown;
}

data.bots.forEach((name, number) => $("bot").add(new Option(name, number)));
[...new Set(data.plays.map(ending))].sort().forEach((name) => $("ending").add(new Option(endingName(name), name)));
for (const id of ["bot", "ending"]) $(id).onchange = () => { shown = PAGE; list(); };
$("filter").onsubmit = () => false;
$("more").onclick = () => { shown += PAGE; list(); };
$("first").onclick = () => { stop(); go(0); };
$("back").onclick = () => { stop(); go(ply - 1); };
$("forward").onclick = () => { stop(); go(ply + 1); };
$("last").onclick = () => { stop(); go(Infinity); };
$("play").onclick = playOn;
$("ply").oninput = () => { stop(); go(Number($("ply").value)); };
document.addEventListener("keydown", (event) => {
  if (event.target.closest("select, input, pre") || event.ctrlKey || event.metaKey || event.altKey || chosen < 0) return;
  const steps = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: Infinity };
  if (event.key in steps) {
    stop();
    go(steps[event.key]);
    event.preventDefault();
  } else if (event.key === " " && !event.target.closest("button")) {
    playOn();
    event.preventDefault();
  }
});
list();
if (data.plays.length) open(0, true);
else $("viewer").hidden = true;
