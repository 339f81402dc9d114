// @ts-check
/** The saved games: open, resume, delete. */

import { api } from "./api.js";
import { commitNow, complain, offerUndo, redraw, state } from "./app.js";
import { h } from "./dom.js";
import { openPlay } from "./files.js";
import { forgetFriendGame, joinedGames } from "./friend.js";
import { openAnalysis } from "./analysis.js";
import { allSaved } from "./saving.js";
import { show } from "./route.js";
import { button } from "./controls.js";

let deleting = Promise.resolve();

/** Read the list again. */
export async function listSaved() {
  commitNow();
  await Promise.all([allSaved(), deleting]);
  state.saved = (await api.savedGames()).games;
  redraw();
}

export function drawGames() {
  const saved = state.saved;
  return [
    h(
      "section.page.games-page",
      { key: "games", "aria-labelledby": "games-title" },
      h("h1", { id: "games-title" }, "Saved games"),
      withFriends(),
      saved === null
        ? h("p", null, "Loading …")
        : saved.length === 0
          ? h("p", null, "None yet. Every game you play here is saved.")
          : h("ul.saved", null, saved.map(row)),
    ),
  ];
}

/** The friend games that this browser has joined. */
function withFriends() {
  const joined = joinedGames();
  return (
    joined.length > 0 &&
    h(
      "div.friends",
      { key: "friends" },
      h("h2", null, "With friends, by link"),
      h(
        "ul.saved",
        null,
        joined.map((game) =>
          h(
            "li",
            { key: game.id },
            h(
              "div.text",
              null,
              h("strong", null, game.title),
              h("span", null, `${game.x} – ${game.o}`),
              h("small", null, `${game.ended || "unfinished"} · you are ${game.side} · ${when(game.when ?? "")}`),
            ),
            h(
              "div.buttons",
              null,
              h(
                "a.button",
                {
                  href: `#friend=${game.id}`,
                  "aria-label": `Go to ${game.title} with ${game.side === "X" ? game.o : game.x}`,
                },
                game.ended ? "Open" : "Resume",
              ),
              button("Remove", () => forgetFriendGame(game.id), {
                "aria-label": `Remove ${game.title}, ${game.x} against ${game.o}`,
              }),
            ),
          ),
        ),
      ),
      h("h2", null, "At this screen"),
    )
  );
}

/** @param {import("./api.js").SavedGame} entry */
function row(entry) {
  const title = state.catalogue.find((game) => game.id === entry.game)?.title ?? entry.game;
  const result = entry.outcome?.text ?? "unfinished";
  const name = `${title}, ${entry.x} against ${entry.o}`;
  return h(
    "li",
    { key: entry.id },
    h(
      "div.text",
      null,
      h("strong", null, title),
      h("span", null, `${entry.x} – ${entry.o}`),
      h("small", null, `${result} · ${entry.plies} moves · ${when(entry.updated)}`),
    ),
    h(
      "div.buttons",
      null,
      button(entry.outcome ? "Open" : "Resume", () => openSaved(entry.id), {
        "aria-label": `Open ${name}`,
        key: "open",
      }),
      button("Analyse", () => analyseSaved(entry.id), {
        "aria-label": `Analyse ${name}`,
        key: "analyse",
      }),
      button("Delete", () => deleteSaved(entry.id, name), { "aria-label": `Delete ${name}`, key: "delete" }),
    ),
  );
}

/** @param {string} text */
function when(text) {
  const date = new Date(text);
  return Number.isNaN(date.getTime())
    ? text
    : date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

/** @param {number} id */
async function openSaved(id) {
  try {
    await openPlay(await api.savedGame(id), id);
  } catch (error) {
    complain(error, () => openSaved(id));
  }
}

/** Analyse a saved game; the one being played stays as it is. @param {number} id */
async function analyseSaved(id) {
  try {
    const { data, start, moves, tags } = await api.savedGame(id);
    show("analyse");
    await openAnalysis({ game: data, start, moves, names: tags });
  } catch (error) {
    complain(error, () => analyseSaved(id));
  }
}

/** Delete a saved game; it can be undone for a few seconds. @param {number} id @param {string} name */
function deleteSaved(id, name) {
  const before = state.saved;
  const restore = () => {
    state.saved = before;
    redraw();
  };
  state.saved = (before ?? []).filter((entry) => entry.id !== id);
  offerUndo(`deleted: ${name}`, restore, () => {
    deleting = api.deleteGame(id).then(
      () => {
        if (state.play?.saved === id) state.play.saved = null;
      },
      (error) => {
        restore();
        complain(error, () => deleteSaved(id, name));
      },
    );
  });
}
