#include "tactics/fork_defence.hpp"

#include <random>

#include "boards.hpp"
#include "check.hpp"
#include "positions.hpp"
#include "tactics/threats.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

// Plays random moves until `free` cells are left. Returns false if the game ends before that, or if a side could
// complete a line.
bool play_quietly(Position& position, int free, unsigned seed) {
    std::mt19937 random(seed);
    return play_randomly(position, free, random) && winning_move(position) == NO_CELL &&
           threat_against(position).count == 0;
}

// Checks that the replies to a fork are exactly the moves after which the opponent cannot win within three plies, plus
// the moves that make a threat.
void check_replies(const std::shared_ptr<const Game>& game, int free, int positions) {
    ForkDefence defence(*game);
    int forks = 0;
    for (int seed = 0; seed < fewer(positions); ++seed) {
        Position position(game);
        if (!play_quietly(position, free, seed)) continue;
        const bool forked = defence.find(position);
        forks += forked;
        bool found = false;
        position.for_each_legal([&](int cell) {
            const ScopedMove move(position, cell);
            position.pass();
            const bool threatens = !position.is_over() && winning_move(position) != NO_CELL;
            position.pass();
            const bool is_reply = !forked || defence.replies().contains(cell);
            found |= is_reply;
            if (!threatens)
                CHECK_EQUAL(is_reply, !BruteForceWins().within(position, 3));
            else
                CHECK(is_reply);
        });
        if (forked) CHECK_EQUAL(defence.has_reply(), found);
    }
    CHECK(forks > 0);
}

}  // namespace

TEST("the replies to a fork are the moves that do not lose to it") {
    check_replies(make(board(5, 5, 4)), 17, 300);
    check_replies(make(board(6, 6, 4)), 26, 100);
    check_replies(make(board(6, 6, 4, true)), 24, 100);
    check_replies(make(cube(3)), 23, 100);
}

TEST("an open three is answered at its ends, and a half-open one also from further away") {
    const auto replies = [game = make(board(15, 15, 5))](const std::vector<Cell>& moves) {
        const Position position = played(game, moves);
        ForkDefence defence(*game);
        CHECK(defence.find(position));
        std::vector<int> found = legal_moves(position);
        std::erase_if(found, [&](Cell cell) { return !defence.replies().contains(cell); });
        return found;
    };
    // X is on 112, 113 and 114 in the row from 105 to 119; O is far away.
    CHECK(replies({112, 0, 113, 30, 114}) == (std::vector<int>{111, 115}));
    // If one end is closed, the three can also be stopped from further away.
    CHECK(replies({112, 0, 113, 30, 60, 110, 114}) == (std::vector<int>{111, 115, 116}));
}
