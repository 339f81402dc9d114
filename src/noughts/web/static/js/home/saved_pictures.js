// @ts-check
/** Small boards beside the games of a list; each is fetched when it comes into view. */

import { ask } from "../server/api.js";
import { redraw } from "../shell/app.js";
import { h } from "../ui/dom.js";
import { pictureOf } from "../board/miniature.js";

/** @typedef {{data: import("../board/panels.js").GameData, start: string | null, moves: number[]}} Line */

/** @type {Map<string, {game: import("../board/panels.js").Game, position: import("../server/types.d.ts").PositionAnswer}>} */
const pictures = new Map();
/** What to do when an element comes into view. @type {WeakMap<Element, () => void>} */
const waiting = new WeakMap();

const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      waiting.get(target)?.();
    }
  },
  { rootMargin: "200px" },
);

/**
 * The last position of a game as a small board.
 * @param {string} name key of the cache, which changes with the game
 * @param {() => Promise<Line> | Line} find its moves
 */
export function savedPicture(name, find) {
  const found = pictures.get(name);
  const mount = (/** @type {Element} */ node) => {
    if (pictures.has(name)) return;
    waiting.set(node, () => load(name, find));
    observer.observe(node);
  };
  return h(
    "span.thumb",
    { key: `picture ${name}`, onmount: mount },
    found && pictureOf(found.game, found.position, { turns: false }),
  );
}

/** How a game whose picture is shown was won: "with three in a row, a3–c3". @param {string} name as for its picture */
export function howWon(name) {
  const { game, position } = pictures.get(name) ?? {};
  const how = position?.outcome?.how ?? "";
  const cells = position?.winning_cells ?? [];
  const isStraight = game && (game.family === "flat" || game.family === "cube") && !game.options.includes("wrap");
  return isStraight && cells.length > 1
    ? `${how}, ${game.names[cells[0]]}–${game.names[cells[cells.length - 1]]}`
    : how;
}

/** @param {string} name @param {() => Promise<Line> | Line} find */
async function load(name, find) {
  try {
    const { data, start, moves } = await find();
    const [game, position] = await Promise.all([
      ask("game", { game: data }),
      ask("position", { game: data, start, moves }),
    ]);
    pictures.set(name, { game, position });
    redraw();
  } catch {
    // The list can be used without its pictures.
  }
}
