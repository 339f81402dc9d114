// @ts-check
/** Sentences for people, made from answers of the server and the names of the players. */

/**
 * @typedef {import("../server/types.d.ts").Side} Side
 * @typedef {import("../server/types.d.ts").OutcomeAnswer} Outcome
 */

/** @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const RATING = "elo:";

/** The name of a player as people read it: "Easy", "Elo 1500". @param {string} name */
export function shownName(name) {
  return name.startsWith(RATING) ? `Elo ${name.slice(RATING.length)}` : capital(name);
}

/**
 * Who won and how, without a full stop: "You win on the diagonal", "Easy wins in the top row".
 * @param {Outcome} outcome
 * @param {Record<Side, string>} names as they are shown
 * @param {Side | null} viewer the side of the reader, null if that is both or neither
 */
export function outcomeWords(outcome, names, viewer) {
  const { winner, reason, how } = outcome;
  if (!winner) return outcome.text;
  if (winner === viewer) return `You win ${how}`;
  const wins = `${names[winner]} wins`;
  return viewer && reason === "resign" ? `You resigned: ${wins}` : `${wins} ${how}`;
}

/**
 * Whose move it is, and where.
 * @param {{turn: Side | null, place_to_play: string | null}} position
 * @param {Record<Side, string>} names @param {Side | null} viewer
 */
export function turnWords({ turn, place_to_play: place }, names, viewer) {
  if (!turn) return "";
  const where = place ? `, in ${place}` : "";
  if (turn === viewer) return `Your move${where}`;
  const name = names[turn];
  return name === turn ? `${turn} to move${where}` : `${name} (${turn}) to move${where}`;
}

/**
 * The value of a move for the side that makes it: "wins in 6", "draw", "loses in 2", or the estimated chance, "62%".
 * @param {Pick<import("../server/types.d.ts").Evaluation, "value" | "plies" | "text">} evaluation
 */
export function worthWords({ value, plies, text }) {
  if (!value) return text;
  if (value === "draw") return value;
  const verb = value === "win" ? "wins" : "loses";
  return plies ? `${verb} in ${Math.ceil(plies / 2)}` : verb;
}

/** A number of things: "1 move", "3 moves". @param {number} number @param {string} noun */
export function count(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}
