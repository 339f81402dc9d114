#include "rules/symmetry.hpp"

#include <algorithm>
#include <set>

#include "boards.hpp"
#include "check.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

bool maps_lines_to_lines(const Game& game, const Permutation& permutation) {
    std::set<std::set<int>> lines, images;
    for (const LineData& line : game.data().lines) {
        std::set<int> image;
        for (int cell : line.cells) image.insert(permutation[cell]);
        images.insert(image);
        lines.insert({line.cells.begin(), line.cells.end()});
    }
    return lines == images;
}

}  // namespace

TEST("groups have the published sizes") {
    CHECK_EQUAL(Symmetry(Game(board(3, 3, 3)), {}).elements().size(), 8u);
    CHECK_EQUAL(Symmetry(Game(board(4, 4, 4)), {}).elements().size(), 32u);
    CHECK_EQUAL(Symmetry(Game(board(5, 5, 5)), {}).elements().size(), 32u);
    CHECK_EQUAL(Symmetry(Game(board(5, 5, 4)), {}).elements().size(), 8u);
    CHECK_EQUAL(Symmetry(Game(board(7, 6, 4, false, true)), {}).elements().size(), 2u);
    CHECK_EQUAL(Symmetry(Game(cube(3)), {}).elements().size(), 48u);
    CHECK_EQUAL(Symmetry(Game(cube(4)), {}).elements().size(), 192u);
    CHECK_EQUAL(Symmetry(Game(ultimate(3)), {}).elements().size(), 8u);
    CHECK_EQUAL(Symmetry(Game(ultimate(4)), {}).elements().size(), 32u);
}

TEST("every element maps lines to lines, and other permutations do not") {
    const Game game(cube(3));
    const Symmetry symmetry(game, {});
    for (const auto& element : symmetry.elements()) CHECK(maps_lines_to_lines(game, element));
    Permutation swapped = symmetry.elements().front();
    std::swap(swapped[0], swapped[1]);
    CHECK(!maps_lines_to_lines(game, swapped));
    CHECK(std::ranges::find(symmetry.elements(), swapped) == symmetry.elements().end());
}

TEST("a group that is too large to list is replaced by the geometric one, with a note") {
    GameData data;
    data.cells = 15;
    data.lines.push_back({});
    for (int cell = 0; cell < 15; ++cell) data.lines[0].cells.push_back(cell);
    Permutation flip;
    for (int cell = 14; cell >= 0; --cell) flip.push_back(static_cast<std::uint16_t>(cell));
    const Symmetry symmetry(Game(data), {flip});
    std::uint64_t order = 1;
    for (int size : symmetry.orbit_sizes()) order *= static_cast<std::uint64_t>(size);
    CHECK_EQUAL(order, 1307674368000u);
    CHECK_EQUAL(symmetry.elements().size(), 2u);
    CHECK(!symmetry.note().empty());
}

TEST("symmetric positions share their canonical hash") {
    auto game = make(cube(4));
    const Symmetry symmetry(*game, {});
    const std::vector<Cell> moves = {0, 21, 63, 5, 40};
    Position position = played(game, moves);
    for (const auto& element : symmetry.elements()) {
        Position image(game);
        for (int move : moves) image.play(element[move]);
        CHECK_EQUAL(symmetry.canonical_hash(image), symmetry.canonical_hash(position));
    }
    position.undo();
    const std::uint64_t before = symmetry.canonical_hash(position);
    position.play(1);
    CHECK(symmetry.canonical_hash(position) != before);
}
