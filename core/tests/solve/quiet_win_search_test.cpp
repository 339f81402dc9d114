#include "solve/quiet_win/quiet_win_search.hpp"

#include <random>

#include "boards.hpp"
#include "check.hpp"
#include "positions.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

// Searches random endings for wins of each side, and checks them by brute force. Returns the number of wins that rest
// on the zone of a win after a pass.
int check_wins(const std::shared_ptr<const Game>& game, int free, int positions) {
    std::mt19937 random(static_cast<unsigned>(free));
    int with_zones = 0;
    for (int round = 0; round < fewer(positions); ++round) {
        Position position(game);
        if (!play_randomly(position, free, random)) continue;
        for (const Side attacker : BOTH_SIDES) {
            QuietWinSearch search(position, 64);
            WorkLimit limit({.nodes = 500});
            if (!search.search(attacker, limit).is_proved()) continue;
            const bool attacks = position.turn() == attacker;
            CHECK_EQUAL(brute_force_value(position), attacks ? 1 : -1);
            with_zones += !attacks && search.zone(0) != nullptr;
            if (!attacks) continue;
            const ScopedMove move(position, search.first_move());
            CHECK_EQUAL(brute_force_value(position), -1);
        }
    }
    return with_zones;
}

Position after(const std::shared_ptr<const Game>& game, std::initializer_list<Cell> moves) {
    Position position(game);
    for (const Cell move : moves) position.play(move);
    return position;
}

}  // namespace

TEST("wins by quiet moves agree with brute force") {
    const int narrow = check_wins(make(board(5, 4, 4)), 10, 400);
    const int square = check_wins(make(board(5, 5, 4)), 10, 200);
    const int exact = check_wins(make(board(5, 5, 4, true)), 10, 200);
    CHECK(SLOWNESS > 1 || narrow + square + exact > 0);  // rare: sanitized tests take too few positions
}

TEST("a win by quiet moves is found on a large board, in the same way each time") {
    const auto game = make(board(15, 15, 5));
    const Position position = after(game, {112, 210, 98, 14});
    QuietWinSearch search(position, 64), again(position, 64);
    WorkLimit limit({.nodes = 1000}), half({.nodes = 10}), rest({.nodes = 1000});
    CHECK(search.search(X, limit).is_proved());
    CHECK(!again.search(X, half).is_proved());
    CHECK(again.search(X, rest).is_proved());
    CHECK_EQUAL(half.nodes() + rest.nodes(), limit.nodes());
    CHECK_EQUAL(again.first_move(), search.first_move());
}

TEST("the search ends when its memory is full") {
    const auto game = make(board(15, 15, 5));
    QuietWinSearch search(after(game, {112, 97, 98, 126}), 1);
    WorkLimit limit;
    CHECK(!search.search(X, limit).is_proved());
    CHECK(search.is_full());
}
