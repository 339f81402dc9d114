#include "tactics/block_endings.hpp"

#include <random>

#include "boards.hpp"
#include "check.hpp"
#include "positions.hpp"
#include "rules/symmetry.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

// Plays random moves to an ending with at most `free` empty cells in its open blocks; the game may end before that.
Position random_block_ending(const std::shared_ptr<const Game>& game, const BlockEndings& endings, int free,
                             std::mt19937& random) {
    Position position(game);
    while (!position.is_over() && !(endings.covers(position) && position.now().free <= free))
        position.play(random_move(position, random));
    return position;
}

int value(BlockEndings& endings, const Position& position) {
    WorkLimit limit;
    return endings.reaches(position, 1, limit) ? 1 : endings.reaches(position, 0, limit) ? 0 : -1;
}

}  // namespace

TEST("endings with one or two open blocks have the value that brute force finds") {
    for (int n : {2, 3})
        for (bool misere : {false, true})
            for (bool counts : {false, true}) {
                const auto game = make(with(ultimate(n), {misere, counts}));
                BlockEndings endings(*game, 1 << 16);
                std::mt19937 random(5);
                int compared = 0;
                for (int i = 0; i < fewer(1200); ++i) {
                    Position position = random_block_ending(game, endings, i % 4 == 0 ? 8 : 5, random);
                    if (position.is_over()) continue;
                    ++compared;
                    CHECK_EQUAL(value(endings, position), brute_force_value(position));
                }
                CHECK(compared > 0);
            }
}

TEST("symmetric endings are searched once") {
    const auto game = make(ultimate(3));
    const Symmetry symmetry(*game, {});
    BlockEndings endings(*game, 1 << 20);
    std::mt19937 random(1);
    Position position = random_block_ending(game, endings, 14, random);
    while (position.is_over()) position = random_block_ending(game, endings, 14, random);
    const int expected = value(endings, position);
    for (const Permutation& element : symmetry.elements()) {
        std::vector<int> cells(game->cells());
        for (int cell = 0; cell < game->cells(); ++cell) cells[element[cell]] = index(position.at(cell));
        const Block block = position.block_to_play();
        const Block image = block < 0 ? block : game->block_of(element[game->cells_of(block).front()]);
        const Position moved(game, cells, position.turn(), image, {});
        WorkLimit limit;
        CHECK_EQUAL(endings.reaches(moved, expected, limit), true);
        CHECK(limit.nodes() <= 2);
    }
}

TEST("endings are for games of equal small blocks that close when they are won") {
    const auto open = make(with(ultimate(3), {.keeps_won_blocks_open = true}));
    CHECK(BlockEndings::fits(*make(ultimate(2))) && BlockEndings::fits(*make(ultimate(3))));
    CHECK(!BlockEndings::fits(*make(ultimate(4))) && !BlockEndings::fits(*open));
    CHECK(!BlockEndings::fits(*make(board(3, 3, 3))));
}

TEST("a limit ends the search of an ending, which can be continued") {
    const auto game = make(with(ultimate(3), {.misere = true}));
    BlockEndings endings(*game, 1 << 20);
    std::mt19937 random(2);
    Position position = random_block_ending(game, endings, 18, random);
    while (position.is_over() || position.now().free < 12) position = random_block_ending(game, endings, 18, random);
    WorkLimit few(Limits{0, 3});
    endings.reaches(position, 1, few);
    CHECK(few.is_ended());
    BlockEndings fresh(*game, 1 << 20);
    CHECK_EQUAL(value(endings, position), value(fresh, position));
}
