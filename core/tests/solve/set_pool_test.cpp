#include "solve/static_draw/set_pool.hpp"

#include <algorithm>
#include <set>

#include "boards.hpp"
#include "check.hpp"
#include "solve/static_draw/set_game.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

// The part of each line within the set; cells are numbered by their place in the set.
std::vector<Word> parts_of(const Game& game, const StoppingSet& set) {
    std::vector<Word> parts;
    for (const int line : set.lines) {
        const auto cells = game.line_cells(line);
        Word part = 0;
        for (std::size_t i = 0; i < set.cells.size(); ++i)
            if (std::ranges::find(cells, set.cells[i]) != cells.end()) part |= bit(static_cast<int>(i));
        parts.push_back(part);
    }
    return parts;
}

bool breaker_wins_slowly(const std::vector<Word>& lines) {
    Word cells = 0;
    for (const Word line : lines) cells |= line;
    bool holds = true;
    for_each_bit(cells, 0, [&](int played) {
        bool is_answered = false;
        for_each_bit(cells & ~bit(played), 0, [&](int reply) {
            if (is_answered || !holds) return;
            std::vector<Word> rest;
            bool is_complete = false;
            for (const Word line : lines) {
                is_complete |= line == bit(played);
                if (!contains(line, reply)) rest.push_back(line & ~bit(played));
            }
            is_answered = !is_complete && std::ranges::find(rest, Word{0}) == rest.end() && breaker_wins_slowly(rest);
        });
        holds &= is_answered || cells == 0;
    });
    return holds;
}

}  // namespace

TEST("the breaker stops all lines of a set of the pool, in any symmetric image") {
    const auto game = make(cube(5));
    const Symmetry symmetry(*game, {});
    SetPool pool(*game, symmetry);
    WorkLimit limit;
    CHECK(pool.fill(limit));
    CHECK(!pool.is_empty());
    std::mt19937 random(7);
    StoppingSet set;
    std::set<std::size_t> sizes;
    for (int i = 0; i < 200; ++i) {
        pool.draw(random, set);
        sizes.insert(set.cells.size());
        CHECK(set.cells.size() <= SetPool::MOST_CELLS);
        CHECK(5 * set.cells.size() <= 7 * set.lines.size());
        CHECK_EQUAL(std::set(set.cells.begin(), set.cells.end()).size(), set.cells.size());
        CHECK(SetGame().breaker_wins(parts_of(*game, set)));
        if (set.cells.size() <= 8) CHECK(breaker_wins_slowly(parts_of(*game, set)));
    }
    CHECK(sizes.size() > 1);
}

TEST("the game in a set is that of brute force") {
    std::mt19937 random(3);
    int wins = 0;
    for (int i = 0; i < 300; ++i) {
        std::vector<Word> lines(2 + random() % 4);
        for (Word& line : lines) line = 1 + random() % 127;
        const bool is_win = breaker_wins_slowly(lines);
        wins += is_win;
        CHECK_EQUAL(SetGame().breaker_wins(lines), is_win);
    }
    CHECK(wins > 30);
}
