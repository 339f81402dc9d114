#include "tactics/fork_defence.hpp"

#include <random>

#include "boards.hpp"
#include "check.hpp"
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

// Whether the side to move can win within `plies`, by brute force.
bool can_win_within(Position& position, int plies) {
    if (position.is_over() || plies <= 0) return false;
    bool wins = false;
    position.for_each_legal([&](int cell) {
        if (wins) return;
        const Side self = position.turn();
        const ScopedMove move(position, cell);
        if (position.is_over()) {
            wins = position.winner() == self;
            return;
        }
        bool refuted = plies < 3;
        position.for_each_legal([&](int reply) {
            if (refuted) return;
            const ScopedMove answer(position, reply);
            refuted = !can_win_within(position, plies - 2);
        });
        wins = !refuted;
    });
    return wins;
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
                CHECK_EQUAL(is_reply, !can_win_within(position, 3));
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
    Position position(make(board(15, 15, 5)));
    ForkDefence defence(position.game());
    // X is on 112, 113 and 114 in the row from 105 to 119; O is far away.
    for (int cell : {112, 0, 113, 30, 114}) position.play(cell);
    CHECK(defence.find(position));
    std::vector<int> replies;
    position.for_each_legal([&](int cell) {
        if (defence.replies().contains(cell)) replies.push_back(cell);
    });
    CHECK(replies == (std::vector<int>{111, 115}));
    // If one end is closed, the three can also be stopped from further away.
    position.undo();
    position.play(60);
    position.play(110);
    position.play(114);
    CHECK(defence.find(position));
    replies.clear();
    position.for_each_legal([&](int cell) {
        if (defence.replies().contains(cell)) replies.push_back(cell);
    });
    CHECK(replies == (std::vector<int>{111, 115, 116}));
}
