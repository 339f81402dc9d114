#include "tactics/fork_win.hpp"

#include <random>

#include "boards.hpp"
#include "check.hpp"
#include "positions.hpp"
#include "tactics/threat_search.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

// Counts random positions, up to 20, in which threats of a fork win but threats alone do not. Checks by brute force
// that the first move of each win leads to a lost position.
int count_wins(const std::shared_ptr<const Game>& game, int free, int positions) {
    std::mt19937 random(static_cast<unsigned>(free));
    ForkWin fork_win(*game);
    ThreatSearch threats(*game);
    int wins = 0;
    for (int round = 0; round < positions && wins < fewer(20); ++round) {
        Position position(game);
        if (!play_randomly(position, free, random) || threats.search(position, 10'000) > 0) continue;
        const std::uint64_t key = position.key();
        if (!fork_win.find(position, 300)) continue;
        CHECK_EQUAL(position.key(), key);
        ++wins;
        position.play(fork_win.move());
        CHECK_EQUAL(brute_force_value(position), -1);
    }
    return wins;
}

}  // namespace

TEST("wins by threats of a fork that are played out agree with brute force") {
    CHECK(count_wins(make(board(5, 4, 4)), 9, 3000) > 0);
    CHECK(count_wins(make(board(5, 5, 4)), 9, 3000) > 0);
    CHECK(count_wins(make(board(5, 4, 4, true)), 9, 3000) > 0);
}
