#include "rules/game.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "boards.hpp"
#include "check.hpp"

using namespace noughts;
using namespace noughts::testing;

TEST("boards have the lines the formula gives") {
    CHECK_EQUAL(board(3, 3, 3).lines.size(), 8u);
    CHECK_EQUAL(board(15, 15, 5).lines.size(), 572u);
    CHECK_EQUAL(cube(4).lines.size(), 76u);
}

TEST("an empty line has no marks, and the sum of all its cells") {
    const Game game(board(3, 3, 3));
    CHECK_EQUAL(empties_of(game.start_lines()[0]), 3);
    CHECK_EQUAL(marks_of(game.start_lines()[0], X), 0);
    CHECK_EQUAL(sum_of_empties(game.start_lines()[0]), 0 + 1 + 2);
}

TEST("marks and guards change a line's state as game.hpp describes") {
    LineState line = (3u << EMPTIES_SHIFT) | (12u << SUM_SHIFT);  // 3, 4, 5
    line += mark_delta(X, 4);
    CHECK_EQUAL(sum_of_empties(line), 8);
    line += mark_delta(X, 3);
    CHECK(lacks_one(line, X));
    CHECK(!lacks_one(line, O));
    CHECK_EQUAL(sum_of_empties(line), 5);
    CHECK(is_complete(line + mark_delta(X, 5), X));
    CHECK(!lacks_one(line + guard_delta(X), X));
}

TEST("data that contradict themselves are refused") {
    GameData data = board(3, 3, 3);
    data.lines[0].cells.push_back(9);
    CHECK_THROWS(Game(data));
    data = board(3, 3, 3);
    data.lines[0].cells[0] = data.lines[0].cells[1];
    CHECK_THROWS(Game(data));
    data = board(3, 3, 3);
    data.rests_on = {{1}, {0}, {}, {}, {}, {}, {}, {}, {}};
    CHECK_THROWS(Game(data));
    data = board(3, 3, 3);
    data.cells = 0;
    CHECK_THROWS(Game(data));
}

TEST("games that differ in gravity, blocks or sending have different fingerprints") {
    std::vector<GameData> games(2, board(3, 3, 3));
    games[0].rests_on = {{8}, {}, {}, {}, {}, {}, {}, {}, {}};
    games[1].rests_on = {{}, {}, {}, {}, {}, {8}, {}, {}, {}};
    const GameData plain = ultimate(2);
    for (int change = 0; change < 6; ++change) {
        GameData& data = games.emplace_back(plain);
        if (change == 1) std::swap(data.sends[0], data.sends[1]);
        if (change == 2) data.outer_lines.pop_back();
        if (change == 3) data.outer_lines = {{0, 1, 2, 3}};
        if (change == 4) data.outer_lines = {{0, 1}, {2, 3}};
        if (change == 5) data.sends.assign(data.sends.size(), -1);
    }
    std::set<std::uint64_t> keys;
    for (const GameData& data : games) keys.insert(Game(data).fingerprint());
    CHECK_EQUAL(keys.size(), games.size());
}

TEST("different games have different fingerprints") {
    CHECK(Game(board(3, 3, 3)).fingerprint() != Game(board(4, 4, 4)).fingerprint());
    CHECK(Game(board(3, 3, 3)).fingerprint() != Game(with(board(3, 3, 3), {.misere = true})).fingerprint());
}
