#include "solve/static_draw/draw_arguments.hpp"

#include <algorithm>
#include <random>

#include "boards.hpp"
#include "check.hpp"
#include "positions.hpp"
#include "solve/static_draw/set_matching.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

std::vector<std::shared_ptr<const Game>> games() {
    return {make(board(4, 4, 3)), make(board(4, 4, 4)), make(board(5, 3, 3, true)), make(board(5, 4, 4)),
            make(cube(3))};
}

bool is_open(const Position& position, int line, Side maker) {
    const auto cells = position.game().line_cells(line);
    return std::ranges::none_of(cells, [&](int cell) { return position.at(cell) == opponent(maker); });
}

// The value for `maker`, by brute force.
int value_for(Position& position, Side maker) {
    const int value = brute_force_value(position);
    return position.turn() == maker ? value : -value;
}

// Calls visit(position, maker) for random positions that are not over.
template <typename Visit>
void for_random_positions(int free, Visit&& visit) {
    std::mt19937 random(11);
    for (const auto& game : games())
        for (int i = 0; i < fewer(150); ++i) {
            Position position = random_ending(game, free, random);
            if (position.is_over()) continue;
            for (Side maker : BOTH_SIDES) visit(position, maker);
        }
}

}  // namespace

TEST("a maker that a draw argument excludes never wins") {
    int no_line = 0, low = 0, matched = 0;
    const auto check = [&](Position& position, Side maker) {
        const DrawArguments arguments(position.game());
        const bool has_no_line = arguments.has_no_line(position, maker),
                   is_low = arguments.potential_is_low(position, maker),
                   is_matched = SetMatching(position.game()).find(position, maker);
        no_line += has_no_line;
        low += is_low;
        matched += is_matched;
        if (has_no_line || is_low || is_matched) CHECK(value_for(position, maker) <= 0);
    };
    for (int free : {4, 8}) for_random_positions(free, check);
    CHECK(no_line > fewer(20));
    CHECK(low > fewer(100));
    CHECK(matched > fewer(50));
}

TEST("open lines and the potential are what a count by hand gives") {
    for_random_positions(7, [&](Position& position, Side maker) {
        const Game& game = position.game();
        const DrawArguments arguments(game);
        int open = 0;
        std::uint32_t potential = 0;
        for (int line = 0; line < game.lines(); ++line) {
            if (!is_open(position, line, maker)) continue;
            ++open;
            const auto empties =
                std::ranges::count_if(game.line_cells(line), [&](int cell) { return position.at(cell) == NO_SIDE; });
            potential += (1u << MAX_LINE_LENGTH) >> empties;
        }
        CHECK_EQUAL(arguments.count_open(position, maker), open);
        CHECK_EQUAL(arguments.has_no_line(position, maker), open == 0);
        CHECK_EQUAL(arguments.potential(position, maker), potential);
    });
}

TEST("the breaker to move needs a potential below one") {
    const auto game = make(board(3, 3, 3));
    const DrawArguments arguments(*game);
    CHECK_EQUAL(arguments.potential(Position(game), X), (1u << MAX_LINE_LENGTH));  // eight lines of three empty cells
    CHECK(!arguments.potential_is_low(Position(game), O));
    const Position position = played(game, {4, 8});
    CHECK_EQUAL(arguments.potential(position, O), (3u << MAX_LINE_LENGTH) / 4);  // 1/4 + 1/4 + 1/8 + 1/8
    CHECK(arguments.potential_is_low(position, O));
    CHECK(!arguments.potential_is_low(position, X));
}

TEST("a dominated cell is never better than the cell that dominates it") {
    int dominated = 0;
    for_random_positions(8, [&](Position& position, Side maker) {
        if (maker == X || !position.game().marks_never_hurt()) return;
        const DrawArguments arguments(position.game());
        for (int cell : legal_moves(position)) {
            const int other = arguments.dominator(position, cell);
            if (other == NO_CELL) continue;
            ++dominated;
            CHECK(position.is_legal(other));
            const auto value_after = [&](int played) {
                const ScopedMove move(position, played);
                return -brute_force_value(position);
            };
            CHECK(value_after(other) >= value_after(cell));
        }
    });
    CHECK(dominated > fewer(100));
}

TEST("undominated live cells are enough to find the value") {
    for_random_positions(8, [&](Position& position, Side maker) {
        if (maker == X || !position.game().marks_never_hurt()) return;
        const DrawArguments arguments(position.game());
        CellSet cells = arguments.live_cells(position);
        if (cells.is_empty()) {
            CHECK_EQUAL(brute_force_value(position), 0);
            return;
        }
        arguments.keep_undominated(position, cells);
        int best = -1;
        cells.for_each([&](Cell cell) {
            const ScopedMove move(position, cell);
            best = std::max(best, -brute_force_value(position));
        });
        CHECK_EQUAL(best, brute_force_value(position));
    });
}
