#include "solve/static_draw/set_matching.hpp"

#include <algorithm>
#include <functional>
#include <random>
#include <set>

#include "boards.hpp"
#include "check.hpp"
#include "positions.hpp"
#include "solve/static_draw/set_packing.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

bool is_open_to(const Position& position, int line, Side maker) {
    const auto cells = position.game().line_cells(line);
    return std::ranges::none_of(cells, [&](int cell) { return position.at(cell) == opponent(maker); });
}

bool passes_through_two(const Position& position, int line, const std::vector<int>& set) {
    const auto cells = position.game().line_cells(line);
    return std::ranges::count_if(set, [&](int cell) { return std::ranges::find(cells, cell) != cells.end(); }) > 1;
}

struct Found {
    int all = 0;     // number of matchings found
    int larger = 0;  // number of matchings with a set larger than a pair
};

using Finder = std::function<bool(SetMatching&, const Position&)>;

// Looks for sets in random positions. Checks that they are disjoint and consist of empty cells, and that every open
// line has two cells in one of them.
Found check_random_positions(
    const std::shared_ptr<const Game>& game, int free, int positions,
    const Finder& find = [](auto& matching, auto& position) { return matching.find(position, X); }) {
    Found found;
    std::mt19937 random(12);
    SetMatching matching(*game);
    for (int i = 0; i < positions; ++i) {
        const Position position = random_ending(game, free, random);
        if (position.is_over() || !find(matching, position)) continue;
        ++found.all;
        std::set<int> used;
        bool has_larger = false;
        for (const auto& set : matching.sets()) {
            has_larger |= set.size() > 2;
            CHECK(set.size() >= 2);
            CHECK(set.size() <= SetMatching::MOST_CELLS);
            for (int cell : set) {
                CHECK(used.insert(cell).second);
                CHECK(position.at(cell) == NO_SIDE);
            }
        }
        found.larger += has_larger;
        for (int line = 0; line < game->lines(); ++line)
            if (is_open_to(position, line, X))
                CHECK(std::ranges::any_of(matching.sets(),
                                          [&](const auto& set) { return passes_through_two(position, line, set); }));
    }
    return found;
}

}  // namespace

TEST("sets are disjoint and empty, and every open line has two cells in one") {
    CHECK(check_random_positions(make(board(5, 4, 4)), 9, 150).all > 30);
    CHECK(check_random_positions(make(board(7, 6, 5)), 30, 150).larger > 5);
    CHECK(check_random_positions(make(board(11, 11, 8)), 100, 100).all > 10);  // more than 64 cells
}

TEST("grids stop the lines where there are too few cells for pairs") {
    const Finder find_grids = [](SetMatching& matching, const Position& position) {
        WorkLimit limit;
        if (!matching.has_room_for_packing(position, X)) return false;
        SetPacking packing = matching.start_packing(position, X, nullptr, 20'000);
        return matching.pack(position, X, packing, limit);
    };
    CHECK_EQUAL(check_random_positions(make(cube(7)), 343, 1, find_grids).larger, 1);
    CHECK(check_random_positions(make(cube(6)), 190, 10, find_grids).larger > 5);
    CHECK_EQUAL(check_random_positions(make(cube(4)), 64, 1, find_grids).all, 0);
}

TEST("a search for grids that a limit ends continues where it was") {
    const auto game = make(cube(7));
    const Position position(game);
    SetMatching matching(*game);
    SetPacking at_once = matching.start_packing(position, X, nullptr, 20'000);
    WorkLimit unlimited;
    CHECK(matching.pack(position, X, at_once, unlimited));
    const auto sets = matching.sets();
    SetPacking in_slices = matching.start_packing(position, X, nullptr, 20'000);
    std::uint64_t nodes = 0;
    for (bool is_found = false; !is_found && in_slices.tries_left() > 0;) {
        WorkLimit limit({.nodes = 1});
        is_found = matching.pack(position, X, in_slices, limit);
        nodes += limit.nodes();
    }
    CHECK(nodes > 1);
    CHECK_EQUAL(nodes, unlimited.nodes());
    CHECK_EQUAL(in_slices.tries_left(), at_once.tries_left());
    CHECK(matching.sets() == sets);
}
