// @ts-check
/** The workshop: a board by its rules, a board drawn by hand, a game from a link, and My own games. */

import { redraw } from "../shell/app.js";
import { button, iconButton, slider, textField, toggle } from "../ui/controls.js";
import { h, inputValue, names } from "../ui/dom.js";
import { saveText } from "../play/files.js";
import { linkButton, onlyHere } from "../play/links.js";
import { playAtOnce } from "../home/home.js";
import { emptyBoard } from "../board/line_drawing.js";
import * as workshop from "./workshop.js";
import { canvas } from "./canvas.js";
import * as make from "./custom_game.js";
import { customGames, customLink } from "./custom_games.js";
import { STARTS } from "./starts.js";
import { openSetup } from "../play/choices.js";
import { count } from "../ui/words.js";

const { changeDraft, draft } = workshop;

/** @typedef {import("../board/panels.js").Game} Game */

export function drawWorkshop() {
  return [
    h(
      "section.page.workshop-page",
      { key: "workshop", "aria-labelledby": "workshop-title" },
      draft.mode === "shared" ? sharedGame() : [heading(), draft.mode === "rules" ? byRules() : byHand()],
      mine(),
    ),
  ];
}

function heading() {
  const way = (/** @type {"rules" | "drawing"} */ mode, /** @type {string} */ text) =>
    button(text, () => changeDraft({ mode }), { key: mode, "aria-pressed": String(draft.mode === mode) });
  return h(
    "header.welcome",
    { key: "heading" },
    h("h1", { id: "workshop-title" }, "Make your own game"),
    h(
      "div.segments",
      { role: "group", "aria-label": "How to make it" },
      way("rules", "Choose the rules"),
      way("drawing", "Draw a board"),
    ),
  );
}

// --- by rules -------------------------------------------------------------------------------------------------------

const LOSES = "the side that completes one loses (misère)";

function byRules() {
  const { rules } = draft;
  const set = (/** @type {Partial<make.Rules>} */ changed) =>
    changeDraft({ rules: make.changeRules(rules, changed) });
  const { side, depth } = make.LIMITS;
  return h(
    "div.workshop",
    { key: "rules" },
    preview(),
    h(
      "div.panel",
      h(
        "fieldset.steppers",
        h("legend", "The board"),
        stepper("Width", rules.width, 1, side, (width) => set({ width })),
        stepper("Height", rules.height, 1, side, (height) => set({ height })),
        stepper("Levels", rules.depth, 1, depth, (levels) => set({ depth: levels })),
        stepper("In a row", rules.k, 2, make.longestLine(rules), (k) => set({ k })),
      ),
      h(
        "fieldset.switches",
        h("legend", "The rules"),
        toggle("Gravity", rules.gravity, (gravity) => set({ gravity }), "marks drop to the lowest free cell"),
        toggle("No edges", rules.wrap, (wrap) => set({ wrap }), "left meets right, top meets bottom (a torus)"),
        toggle("The line loses", rules.misere, (misere) => set({ misere }), LOSES),
        toggle("Exactly", rules.exact, (exact) => set({ exact }), "a longer row does not count"),
      ),
      result(),
    ),
  );
}

/** @param {string} label @param {number} value @param {number} least @param {number} most @param {(value: number) => void} onset */
function stepper(label, value, least, most, onset) {
  const to = (/** @type {number} */ wanted) => onset(Math.max(least, Math.min(most, wanted)));
  return h(
    "div.stepper-row",
    { key: label, role: "group", "aria-label": label },
    h("span", label),
    iconButton("minus", `Less: ${label}`, () => to(value - 1), { disabled: value <= least, key: "less" }),
    slider(value, least, most, to, { key: "slider", "aria-label": label }),
    iconButton("plus", `More: ${label}`, () => to(value + 1), { disabled: value >= most, key: "more" }),
    h("output", { key: "value" }, String(value)),
  );
}

/** The game as a picture. */
function preview() {
  const game = draft.game;
  return h(
    "div.preview",
    { key: "preview", class: names({ custom: game?.family === "custom" }) },
    game && emptyBoard(game, `The board of ${game.title}`),
  );
}

// --- by hand --------------------------------------------------------------------------------------------------------

function byHand() {
  const { drawing, tool } = draft;
  const grid = make.LIMITS;
  return h(
    "div.workshop",
    { key: "drawing" },
    h("div.easel", { key: "easel" }, tools(), canvas(), hintLine()),
    h(
      "div.panel",
      textField("Name", {
        maxlength: grid.name,
        value: drawing.name,
        placeholder: "My game",
        oninput: (event) => changeDraft({ drawing: { ...draft.drawing, name: inputValue(event) } }),
      }),
      drawing.cells.length === 0 && tool === "cells" ? starts() : linesPanel(),
      h(
        "details.more",
        { key: "more" },
        h("summary", "Size and rules"),
        stepper("Columns", drawing.columns, grid.leastGrid, grid.grid, (columns) =>
          workshop.draw(make.resize(drawing, columns, drawing.rows), { line: [], focus: { x: 0, y: 0 } }),
        ),
        stepper("Rows", drawing.rows, grid.leastGrid, grid.grid, (rows) =>
          workshop.draw(make.resize(drawing, drawing.columns, rows), { line: [], focus: { x: 0, y: 0 } }),
        ),
        toggle(
          "Gravity",
          drawing.gravity,
          (gravity) => workshop.draw({ ...drawing, gravity }),
          "marks fall to the lowest free cell of their column",
        ),
        toggle("The line loses", drawing.misere, (misere) => workshop.draw({ ...drawing, misere }), LOSES),
      ),
      result(),
    ),
  );
}

function tools() {
  const choice = (/** @type {"cells" | "lines"} */ tool, /** @type {string} */ text) =>
    button(text, () => changeDraft({ tool, line: [] }), { key: tool, "aria-pressed": String(draft.tool === tool) });
  return h(
    "div.easel-tools",
    { key: "tools" },
    h(
      "div.segments",
      { role: "group", "aria-label": "What to draw" },
      choice("cells", "1  Cells"),
      choice("lines", "2  Lines"),
    ),
    h(
      "div.buttons",
      draft.line.length > 0 && button("Finish the line", workshop.finishLine, { icon: "check", key: "finish" }),
      iconButton("undo", "Undo", workshop.undoDrawing, { disabled: !draft.past.length, key: "undo" }),
      iconButton("redo", "Redo", workshop.redoDrawing, { disabled: !draft.future.length, key: "redo" }),
      iconButton("trash", "Clear the canvas", () => workshop.draw({ ...make.EMPTY }, { tool: "cells", line: [] }), {
        disabled: !draft.drawing.cells.length,
        key: "clear",
      }),
    ),
  );
}

/** How the chosen tool is used. */
function hintLine() {
  const text =
    draft.tool === "cells"
      ? "Click or drag to place cells; click a cell to take it away. Keys: arrows and space."
      : "Drag through the cells of a line, or click them one by one and finish. Keys: arrows, space, Enter.";
  return h("p.how", { key: "how" }, text);
}

function starts() {
  return h(
    "div.starts",
    { key: "starts" },
    h("h2", "Or start from"),
    h(
      "div.buttons",
      STARTS.map((start) =>
        button(start.name, () => workshop.draw(start, { tool: "lines", line: [], focus: { x: 0, y: 0 } }), {
          key: start.name,
        }),
      ),
    ),
  );
}

const STRAIGHT = [3, 4, 5];

function linesPanel() {
  const { drawing } = draft;
  return h(
    "div.line-list",
    { key: "lines" },
    h("h2", count(drawing.lines.length, "line")),
    h(
      "div.buttons",
      h("span.how", "All straight lines of"),
      STRAIGHT.map((length) =>
        button(
          String(length),
          () => workshop.draw(make.addStraightLines(drawing, length), { tool: "lines", line: [] }),
          { key: length, "aria-label": `Add all straight lines of ${length}` },
        ),
      ),
    ),
    drawing.lines.length > 0 && h("ol", { tabindex: "0", "aria-label": "Lines" }, drawing.lines.map(lineRow)),
  );
}

/** @param {readonly number[]} line @param {number} at */
function lineRow(line, at) {
  const point = (/** @type {number | null} */ pointed) => {
    draft.pointed = pointed;
    redraw();
  };
  return h(
    "li",
    {
      key: at,
      onpointerover: () => draft.pointed !== at && point(at),
      onpointerleave: () => point(null),
      onfocusin: () => point(at),
      onfocusout: () => point(null),
    },
    h("span", `Line ${at + 1}: ${count(line.length, "cell")}`),
    iconButton("close", `Remove line ${at + 1}`, () =>
      workshop.draw(make.removeLine(draft.drawing, at), { pointed: null }),
    ),
  );
}

// --- the result -----------------------------------------------------------------------------------------------------

/** The title of the game and its actions, or what the draft lacks. */
function result() {
  const game = draft.game;
  if (!game) return h("p.problem", { key: "problem", role: "status" }, draft.problem);
  return h(
    "div.result",
    { key: "result" },
    h("h2", game.title),
    h("p.how", summaryOf(game), typeof game.data === "string" && [" Its id is ", h("code", game.id), "."]),
    actions(),
    sharing(game),
  );
}

/** @param {Game} game */
function summaryOf(game) {
  return `${count(game.cells, "cell")}, ${count(game.lines.length, "line")}.`;
}

/** The actions with the game; each waits until the server has checked the last change. */
function actions() {
  const isSaved = workshop.isSaved();
  return h(
    "div.buttons",
    { key: "actions" },
    button("Play", () => workshop.withCheckedGame(({ data }) => playAtOnce(data)), {
      class: "primary",
      icon: "play",
      key: "play",
    }),
    button(
      "Play a friend",
      () => workshop.withCheckedGame(({ data }) => openSetup({ game: data, opponent: "link" })),
      {
        icon: "friends",
        key: "friend",
      },
    ),
    button(isSaved ? "Saved" : "Save", workshop.saveDraft, { icon: "star", key: "save", disabled: isSaved }),
  );
}

/** @param {Game} game */
function sharing(game) {
  const link = customLink(workshop.draftData() ?? game.data);
  const save = () => workshop.withCheckedGame(({ title, data }) => saveText(JSON.stringify(data), `${title}.json`));
  if (link.length <= make.LONGEST_LINK)
    return [linkButton("Anyone with the link can play it", "link-custom", link), onlyHere()];
  return h(
    "p.how",
    { key: "too-long" },
    "This game is too large for a link: most messengers would cut it off. Remove some lines, or ",
    button("save it as a file", save, { class: "quiet" }),
    ".",
  );
}

/** A game that came by a link. */
function sharedGame() {
  const game = draft.game;
  if (!game || !workshop.isChecked()) return h("p", { key: "loading" }, "Loading …");
  return [
    h("header.welcome", { key: "heading" }, h("h1", { id: "workshop-title" }, game.title)),
    h(
      "div.workshop",
      { key: "shared" },
      preview(),
      h(
        "div.panel",
        h("p", rulesInWords(game)),
        h("p.how", summaryOf(game)),
        actions(),
        button("Change it", () => workshop.editGame(game), { icon: "edit", key: "edit" }),
        sharing(game),
      ),
    ),
  ];
}

/** @param {Game} game */
function rulesInWords(game) {
  const who = game.is_misere ? "The first to complete a line loses." : "The first to complete a line wins.";
  return game.family === "custom" ? who : game.about;
}

/** My own games. */
function mine() {
  const games = customGames.all();
  return (
    games.length > 0 &&
    h(
      "div.group.mine",
      { key: "mine" },
      h("h2", "My own games"),
      h(
        "ul.saved",
        games.map((game) =>
          h(
            "li",
            { key: game.title },
            h("div.text", h("strong", game.title)),
            h(
              "div.buttons",
              button("Play", () => playAtOnce(game.data), { "aria-label": `Play ${game.title}`, key: "play" }),
              button("Change", () => workshop.editSaved(game), { "aria-label": `Change ${game.title}`, key: "edit" }),
              iconButton("trash", `Delete ${game.title}`, () => workshop.deleteSaved(game), { key: "delete" }),
            ),
          ),
        ),
      ),
    )
  );
}
