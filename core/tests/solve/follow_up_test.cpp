#include "solve/exhaustive/follow_up.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "boards.hpp"
#include "check.hpp"
#include "positions.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

// Columns of random heights, with random lines of three and four cells.
GameData random_columns(std::mt19937& random) {
    GameData data;
    for (int column = 0; column < 4; ++column)
        for (int height = 2 + static_cast<int>(random() % 4), row = 0; row < height; ++row, ++data.cells)
            data.rests_on.push_back(row == 0 ? std::vector<int>{} : std::vector<int>{data.cells - 1});
    for (int i = 0; i < 2 * data.cells; ++i) {
        std::vector<int> cells(static_cast<std::size_t>(data.cells));
        std::iota(cells.begin(), cells.end(), 0);
        std::shuffle(cells.begin(), cells.end(), random);
        cells.resize(std::min<std::size_t>(cells.size(), 3 + random() % 2));
        data.lines.push_back({cells, {}});
    }
    data.weights.line = {0, 1, 4, 16};
    return data;
}

// How often the argument refuted each goal, in positions with an even and an odd number of empty cells.
struct Refuted {
    int goals[2][2] = {};
};

void check_against_brute_force(const std::shared_ptr<const Game>& game, int free, std::mt19937& random,
                               Refuted& refuted) {
    Position position = random_ending(game, free, random);
    if (position.is_over()) return;
    const BitboardLayout board(*game);
    const LinePatterns patterns(*game, board.bit_of);
    CHECK(FollowUp::fits(*game, board));
    const Word own = board.to_bits(position, position.turn()),
               rival = board.to_bits(position, opponent(position.turn()));
    const Word playable = board.playable(own | rival),
               rival_wins = patterns.completing(rival) & board.all & ~own & ~rival;
    if (rival_wins & playable) return;
    for (int goal : {0, 1})
        if (FollowUp(board, patterns).refutes({own, rival, rival_wins, playable}, goal)) {
            CHECK(brute_force_value(position) < goal);
            ++refuted.goals[goal][position.now().free % 2];
        }
}

}  // namespace

TEST("the side that follows up is never refuted by brute force") {
    std::mt19937 random(3);
    Refuted refuted;
    for (int i = 0; i < fewer(4000); ++i) {
        const int free = 4 + static_cast<int>(random() % 7);
        check_against_brute_force(make(random_columns(random)), free, random, refuted);
        if (i % 4 == 0) check_against_brute_force(make(board(7, 6, 4, false, true)), free, random, refuted);
        if (i % 4 == 1) check_against_brute_force(make(board(5, 5, 4, false, true)), free, random, refuted);
        if (i % 4 == 2) check_against_brute_force(make(board(8, 8, 4, false, true)), free, random, refuted);
    }
    for (int goal : {0, 1})
        for (int odd : {0, 1}) CHECK(refuted.goals[goal][odd] >= fewer(10));
}
