import assert from "node:assert/strict";
import { test } from "node:test";

import {
    afterTry,
    dailyStreak,
    dateText,
    nextPuzzle,
    noProgress,
    upgradePuzzle,
} from "../../../src/noughts/web/static/js/puzzles/choice.js";

const PUZZLES = Array.from({ length: 30 }, (_, at) => ({
    id: `p${at}`,
    game: at % 2 ? "3x3" : "4x4x4",
    rating: 500 + 50 * at,
    cells: [4, 0, 8],
    steps: 2,
    moves: 2,
    goal: "win",
    turn: "X",
    themes: at % 3 ? ["fork"] : ["fork", "zugzwang"],
}));

test("the date is that of the person", () => {
    assert.equal(dateText(new Date(2026, 0, 5, 23, 59)), "2026-01-05");
});

test("the next puzzle is near the rating, new, of the game asked for, and not the last one", () => {
    const progress = { ...noProgress(), rating: 800, tried: { p7: true } };
    for (const chance of [0, 0.5, 0.999]) {
        const found = nextPuzzle(PUZZLES, progress, { game: "3x3", theme: "" }, "p5", chance);
        assert.equal(found.game, "3x3");
        assert.ok(!["p5", "p7"].includes(found.id));
        assert.ok(Math.abs(found.rating - 800) <= 650);
    }
    assert.equal(nextPuzzle(PUZZLES, progress, { game: "9x9", theme: "" }, null, 0.5), null);
});

test("the next puzzle has the theme asked for", () => {
    for (const chance of [0, 0.5, 0.999]) {
        const found = nextPuzzle(PUZZLES, noProgress(), { game: "", theme: "zugzwang" }, null, chance);
        assert.ok(found.themes.includes("zugzwang"));
    }
});

test("the first puzzles are of familiar games", () => {
    const wish = { game: "", theme: "", familiar: ["3x3"] };
    const later = Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`q${at}`, true]));
    for (const chance of [0, 0.3, 0.999])
        assert.equal(nextPuzzle(PUZZLES, noProgress(), wish, null, chance).game, "3x3");
    const games = [0, 0.2, 0.4, 0.6, 0.8].map(
        (chance) => nextPuzzle(PUZZLES, { ...noProgress(), tried: later }, wish, null, chance).game,
    );
    assert.ok(games.includes("4x4x4"));
});

test("with a hint solving counts, but gains nothing", () => {
    const solved = afterTry(noProgress(), PUZZLES[0], true, { isHinted: true });
    assert.deepEqual([solved.rating, solved.streak, solved.tried], [800, 0, { p0: true }]);
    assert.ok(afterTry(noProgress(), PUZZLES[0], false, { isHinted: true }).rating < 800);
});

test("when all were tried they come again", () => {
    const tried = Object.fromEntries(PUZZLES.map(({ id }) => [id, true]));
    assert.ok(nextPuzzle(PUZZLES, { ...noProgress(), tried }, { game: "", theme: "" }, null, 0));
});

test("solving raises rating and streak, failing lowers them, and only the first try counts", () => {
    const [easy, hard] = [PUZZLES[0], PUZZLES[29]];
    const solved = afterTry(noProgress(), hard, true);
    assert.ok(solved.rating > 800);
    assert.equal(solved.streak, 1);
    assert.deepEqual(afterTry(solved, hard, false), solved);
    const failed = afterTry(solved, easy, false);
    assert.ok(failed.rating < solved.rating);
    assert.deepEqual([failed.streak, failed.best], [0, 1]);
    const gain = (puzzle) => afterTry(noProgress(), puzzle, true).rating;
    assert.ok(gain(hard) > gain(easy));
});

test("days in a row count up to today or yesterday", () => {
    const daily = { "2026-11-13": true, "2026-11-14": true, "2026-11-15": true, "2026-11-11": true };
    const streak = (today) => dailyStreak({ ...noProgress(), daily }, today);
    assert.equal(streak("2026-11-15"), 3);
    assert.equal(streak("2026-11-16"), 3);
    assert.equal(streak("2026-11-17"), 0);
    assert.equal(dailyStreak({ ...noProgress(), daily: { ...daily, "2026-11-16": false } }, "2026-11-16"), 0);
});

test("a puzzle that an older version of the page stored can be solved", () => {
    const { cells, ...stored } = PUZZLES[0];
    assert.deepEqual(upgradePuzzle({ ...stored, line: cells }).cells, cells);
    assert.deepEqual(upgradePuzzle(PUZZLES[0]), PUZZLES[0]);
    assert.deepEqual(upgradePuzzle({ cells: [1, 2, 3] }).themes, []);
});
