// Lists the playthroughs and steps through them on a board (board.js).
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const PAGE = 100;
let chosen = -1, ply = 0, timer = 0, shown = PAGE;

const board = new Board($("board"), data.board);

const ending = (play) => play.f || play.r;
const endingName = (name) => data.endings[name] || name;
const result = (play) => (play.w === "X" ? "1–0" : play.w === "O" ? "0–1" : "½–½");

function draw() {
  const play = data.plays[chosen], list = moves(play), atEnd = ply === list.length;
  const text = describe(play, list, atEnd);
  board.draw(play, ply, text);
  tell(list, atEnd, text);
}

function describe(play, list, atEnd) {
  const mover = (ply + first(play)) % 2 ? "X" : "O";
  const who = (s) => data.bots[s === "X" ? play.x : play.o];
  let text = ply ? `${mover} ${data.board.names[list[ply - 1]]}, move ${ply} of ${list.length}` : "the start";
  if (ply && ply <= play.b) text += " (opening)";
  if (atEnd) {
    const points = play.p.join("–");
    text += play.w ? `. ${who(play.w)} wins ${data.how[play.r]} (${points})` : `. A draw (${points})`;
    if (play.d) text += `: ${play.d}`;
  }
  return text;
}

function tell(list, atEnd, text) {
  $("status").textContent = text;
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
  const found = data.plays.map((play, number) => [play, number]).filter(([play]) =>
    (bot === "" || play.x === Number(bot) || play.o === Number(bot)) && (end === "" || ending(play) === end));
  return data.latestFirst ? found.reverse() : found;
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

/** Show playthroughs that were added to the data: in the list, in the filters, and the first one on the board. */
function refresh() {
  for (let number = $("bot").options.length - 1; number < data.bots.length; number++) {
    $("bot").add(new Option(data.bots[number], number));
  }
  const known = new Set([...$("ending").options].map((option) => option.value));
  const found = [...new Set(data.plays.map(ending))].filter((name) => !known.has(name)).sort();
  for (const name of found) $("ending").add(new Option(endingName(name), name));
  $("viewer").hidden = !data.plays.length;
  list();
  if (chosen < 0 && data.plays.length) open(0, true);
}

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
refresh();
