#include "tactics/win_tree.hpp"

#include <random>

#include "boards.hpp"
#include "check.hpp"
#include "positions.hpp"
#include "tactics/fork_win.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

// Finds wins of the side that has passed, and checks by brute force that they hold after every reply outside the zone.
// Returns the number of these replies.
int check_zones(const std::shared_ptr<const Game>& game, int free, int positions) {
    std::mt19937 random(static_cast<unsigned>(free));
    ForkWin fork_win(*game);
    int outside = 0;
    for (int round = 0; round < fewer(positions); ++round) {
        Position position(game);
        if (!play_randomly(position, free, random)) continue;
        CellSet zone(game->cells());
        position.pass();
        const bool is_won = fork_win.find(position, 300);
        if (is_won) ZoneCollector(position, zone).add_tree(fork_win.tree(), 1);
        position.pass();
        if (!is_won || winning_move(position) != NO_CELL) continue;
        BruteForceWins wins;
        for (const int reply : legal_moves(position)) {
            if (zone.contains(reply)) continue;
            ++outside;
            const ScopedMove move(position, reply);
            CHECK(wins.within(position, free - 1));
        }
    }
    return outside;
}

}  // namespace

TEST("replies outside the zone of a win after a pass lose") {
    CHECK(check_zones(make(board(5, 4, 4)), 10, 2000) > 0);
    CHECK(check_zones(make(board(5, 5, 4)), 11, 1500) > 0);
    CHECK(check_zones(make(board(5, 5, 4, true)), 11, 1500) > 0);
}

TEST("a win is found by the attacks of a similar one") {
    const auto game = make(board(15, 15, 5));
    Position position(game);
    // X makes two open threes that cross.
    for (const int cell : {112, 0, 113, 14, 126, 210}) position.play(cell);
    ForkWin fork_win(*game);
    CHECK(fork_win.find(position, 10'000));
    const WinTree tree = fork_win.tree();
    Position other(game);
    for (const int cell : {112, 0, 113, 14, 126, 224}) other.play(cell);
    CHECK(fork_win.find_similar(other, tree, 0));
    CHECK_EQUAL(fork_win.move(), tree.first_move(tree.root()));
}
