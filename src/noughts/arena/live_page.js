// Follows a tournament that is being played: asks for its state and shows boards, standings and new playthroughs.
// The list and the viewer are those of the report (report.js).
const POLL_MS = 1000, HIDDEN_POLL_MS = 15000;
const PHASES = { checking: "checking the submissions", playing: "playing", finished: "finished", interrupted: "interrupted" };
const cards = new Map();
let run = "", phase = "";

function element(name, text, kind) {
  const made = document.createElement(name);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

function say(text, kind) {
  if (text === phase) return;
  phase = text;
  $("phase").textContent = text;
  $("phase").className = kind || "";
}

/** A score with its half: 3½. */
const half = (score) => (score % 1 ? `${Math.floor(score) || ""}½` : String(score));

function showPhase(state) {
  const checked = state.submissions.filter((each) => each.state !== "waiting").length;
  const counts = state.phase === "checking" ? `${checked} of ${state.submissions.length}` : `${state.done} of ${state.total} playthroughs`;
  const best = state.standings[0];
  say(`${PHASES[state.phase]}: ${state.phase === "finished" && best ? `${data.bots[best.bot]} is first` : counts}`);
  $("progress").max = (state.phase === "checking" ? state.submissions.length : state.total) || 1;
  $("progress").value = state.phase === "checking" ? checked : state.done;
}

function makeCard(slot) {
  const card = element("figure", "", "card"), place = element("div", ""), names = element("figcaption", "");
  for (const kind of ["x", "o"]) names.append(element("span", "", `who ${kind}`));
  card.append(names, place);
  $("boards").append(card);
  const made = { card, names, board: new Board(place, data.board), seen: "" };
  const { width, height } = made.board.svg.viewBox.baseVal;
  $("boards").classList.toggle("broad", width > 1.8 * height);
  cards.set(slot, made);
  return made;
}

/** One card for each playthrough in progress. A card is redrawn only when its playthrough has moved on. */
function showBoards(boards) {
  boards.forEach((play, slot) => {
    const { names, board, ...card } = cards.get(slot) || makeCard(slot);
    const seen = `${run} ${play.n} ${play.m}`;
    if (card.seen === seen) return;
    cards.get(slot).seen = seen;
    const count = moves(play).length, turn = (count + first(play)) % 2 ? "o" : "x";
    for (const kind of ["x", "o"]) {
      const name = names.querySelector(`.${kind}`);
      name.textContent = data.bots[play[kind]];
      name.title = data.bots[play[kind]];
      name.classList.toggle("turn", kind === turn);
    }
    board.draw(play, count, `${data.bots[play.x]} (X) against ${data.bots[play.o]} (O), move ${count}`);
  });
  for (const [slot, { card }] of cards) card.hidden = slot >= boards.length;
  $("now").hidden = !boards.length;
}

function showBot(number) {
  $("bot").value = String(number);
  shown = PAGE;
  list();
  $("filter").scrollIntoView({ block: "start" });
}

function showStandings(rows) {
  const most = Math.max(1, ...rows.map((row) => row.score));
  $("standings").tBodies[0].replaceChildren(...rows.map((row) => {
    const line = document.createElement("tr"), name = element("th", ""), button = element("button", data.bots[row.bot]);
    name.scope = "row";
    button.title = `show the playthroughs of ${data.bots[row.bot]}`;
    button.onclick = () => showBot(row.bot);
    name.append(button);
    line.append(element("td", row.rank), name);
    line.append(element("td", half(row.score)));
    for (const key of ["played", "won", "drawn", "lost", "forfeits"]) line.append(element("td", row[key]));
    line.cells[2].style.setProperty("--share", `${100 * row.score / most}%`);
    line.cells[2].className = "bar-cell";
    if (row.forfeits) line.cells[7].className = "failed";
    return line;
  }));
  $("ranking").hidden = $("plays-section").hidden = !rows.length;
}

function showSubmissions(submissions) {
  $("submissions").replaceChildren(...submissions.map((each) => {
    const item = element("li", each.name);
    item.append(" ", element("span", each.state, `tag ${each.state.replace(" ", "-")}`));
    return item;
  }));
  $("entries").hidden = !submissions.length;
  $("entries").querySelector("summary").textContent =
    `Submissions: ${submissions.filter((each) => each.state === "ready").length} of ${submissions.length} ready`;
}

/** Forget everything: the tournament was restarted, so playthroughs may be numbered differently. */
function restart(state) {
  run = state.run;
  data.bots = state.bots;
  data.plays = [];
  chosen = -1;
  stop();
  for (const id of ["bot", "ending"]) $(id).length = 1;
}

let last = "";
function show(state) {
  if (!run) $("entries").open = state.phase === "checking";
  const isNew = state.run !== run || data.bots.length !== state.bots.length;
  if (isNew) restart(state);
  if (state.after === data.plays.length && state.plays.length) data.plays.push(...state.plays);
  const changed = isNew || state.plays.length;
  if (changed) refresh();
  const standings = JSON.stringify([run, state.standings, state.submissions]);
  if (standings !== last) {
    const active = document.activeElement, at = active && active.closest("#standings tr");
    showStandings(state.standings);
    showSubmissions(state.submissions);
    if (at) $("standings").tBodies[0].rows[at.rowIndex - 1]?.querySelector("button").focus();
    last = standings;
  }
  showBoards(state.boards);
  showPhase(state);
}

let waiting = 0;
async function poll() {
  clearTimeout(waiting);
  let wait = document.hidden ? HIDDEN_POLL_MS : POLL_MS;
  try {
    const answer = await fetch(`/state.json?run=${run}&after=${data.plays.length}`, { cache: "no-store" });
    if (!answer.ok) throw new Error(answer.statusText);
    const state = await answer.json();
    show(state);
    if (data.plays.length < state.played) wait = 0;
  } catch {
    say("the tournament does not answer; trying again …", "lost");
  }
  clearTimeout(waiting);
  waiting = setTimeout(poll, wait);
}

document.addEventListener("visibilitychange", () => { if (!document.hidden) poll(); });
poll();
