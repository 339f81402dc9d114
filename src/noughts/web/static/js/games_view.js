// @ts-check
/** The games kept: open, go on, delete. */

import { api } from "./api.js";
import { complain, notify, redraw, state } from "./app.js";
import { h } from "./dom.js";
import { openPlay } from "./files.js";
import { forgetSeat, seatsKept } from "./friend.js";
import { analysePlay } from "./analysis.js";
import { allKept } from "./play.js";
import { button } from "./play_view.js";

/** Read the list again. */
export async function listKept() {
  try {
    await allKept();
    state.kept = (await api.kept()).games;
  } catch (error) {
    state.kept ??= [];
    complain(error);
  }
  redraw();
}

export function drawGames() {
  const kept = state.kept;
  return [h("section.page.games-page", { key: "games", "aria-labelledby": "games-title" }, h("h1", { id: "games-title" }, "Games kept"),
    withFriends(),
    kept === null ? h("p", null, "Looking …")
      : kept.length === 0 ? h("p", null, "None yet. Every game you play here is kept.")
        : h("ul.kept", null, kept.map(row)))];
}

/** Where a seat waits. */
function withFriends() {
  const seats = seatsKept();
  return seats.length > 0 && h("div.friends", { key: "friends" }, h("h2", null, "With friends, by link"), h("ul.kept", null, seats.map((seat) => h("li", { key: seat.id },
    h("div.text", null, h("strong", null, seat.title), h("span", null, `${seat.x} – ${seat.o}`), h("small", null, `${seat.ended || "unfinished"} · you are ${seat.side} · ${when(seat.when ?? "")}`)),
    h("div.buttons", null, h("a.button", { href: `#friend=${seat.id}`, "aria-label": `Go to ${seat.title} with ${seat.side === "X" ? seat.o : seat.x}` }, seat.ended ? "Open" : "Go on"),
      button("Forget", () => forgetSeat(seat.id), { "aria-label": `Forget ${seat.title}, ${seat.x} against ${seat.o}` }))))),
    h("h2", null, "At this screen"));
}

/** @param {any} entry */
function row(entry) {
  const title = state.catalogue.find((game) => game.id === entry.game)?.title ?? entry.game;
  const result = entry.outcome ? (typeof entry.outcome === "string" ? entry.outcome : entry.outcome.text) : "unfinished";
  const name = `${title}, ${entry.x} against ${entry.o}`;
  return h("li", { key: entry.id },
    h("div.text", null, h("strong", null, title), h("span", null, `${entry.x} – ${entry.o}`),
      h("small", null, `${result} · ${entry.plies} moves · ${when(entry.updated ?? entry.started)}`)),
    h("div.buttons", null,
      button(entry.outcome ? "Open" : "Go on", () => openKept(entry.id), { "aria-label": `Open ${name}`, key: "open" }),
      button("Analyse", () => openKept(entry.id).then(() => state.play && analysePlay(state.play)), { "aria-label": `Analyse ${name}`, key: "analyse" }),
      button("Delete", () => forget(entry.id), { "aria-label": `Delete ${name}`, key: "delete" })));
}

/** @param {string} text */
function when(text) {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

/** @param {number} id */
async function openKept(id) {
  try {
    await openPlay(await api.open(id), id);
  } catch (error) {
    complain(error);
  }
}

/** @param {number} id */
async function forget(id) {
  try {
    await api.forget(id);
    if (state.play?.kept === id) state.play.kept = null;
    notify("deleted");
    await listKept();
  } catch (error) {
    complain(error);
  }
}
