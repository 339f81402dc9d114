#include "envs/planes.hpp"

#include <vector>

#include "boards.hpp"
#include "check.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

std::vector<std::uint8_t> planes(const Position& position) {
    std::vector<std::uint8_t> found(plane_bytes(position.game()), 9);
    write_planes(position, found);
    return found;
}

std::vector<std::uint8_t> plane(const std::vector<std::uint8_t>& all, Plane number, int cells) {
    const auto begin = all.begin() + number * cells;
    return {begin, begin + cells};
}

}  // namespace

TEST("planes show a position as the side to move sees it") {
    std::mt19937 random(1);
    for (const GameData& data : {board(15, 15, 5), board(7, 6, 4, false, true), cube(4), ultimate(3)}) {
        Position position(make(data));
        const int cells = data.cells;
        CHECK(play_randomly(position, cells / 2, random));
        const auto before = planes(position);
        position.pass();
        const auto after = planes(position);
        CHECK(plane(before, OWN_MARKS, cells) == plane(after, OPPONENT_MARKS, cells));
        CHECK(plane(before, OPPONENT_MARKS, cells) == plane(after, OWN_MARKS, cells));
        CHECK(plane(before, PLAYABLE, cells) == plane(after, PLAYABLE, cells));
        CHECK(plane(before, LAST_MOVE, cells) == plane(after, LAST_MOVE, cells));
        if (position.game().has_one_block()) continue;
        CHECK(plane(before, BLOCK_TO_PLAY, cells) == plane(after, BLOCK_TO_PLAY, cells));
        CHECK(plane(before, OWN_BLOCKS, cells) == plane(after, OPPONENT_BLOCKS, cells));
        CHECK(plane(before, OPPONENT_BLOCKS, cells) == plane(after, OWN_BLOCKS, cells));
    }
}

TEST("the mask is the plane of playable cells") {
    std::mt19937 random(2);
    Position position(make(ultimate(3)));
    while (!position.is_over()) {
        std::vector<std::uint8_t> mask(81, 9);
        write_legal_mask(position, mask);
        CHECK(mask == plane(planes(position), PLAYABLE, 81));
        int legal = 0;
        for (int cell = 0; cell < 81; ++cell) legal += mask[cell] == (position.is_legal(cell) ? 1 : 0);
        CHECK_EQUAL(legal, 81);
        play_randomly(position, position.now().free - 1, random);
    }
    CHECK(plane(planes(position), PLAYABLE, 81) == std::vector<std::uint8_t>(81, 0));
}
