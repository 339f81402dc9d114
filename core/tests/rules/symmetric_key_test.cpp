#include "rules/symmetric_key.hpp"

#include "boards.hpp"
#include "check.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

std::vector<Word> key_of(const Position& position, const Symmetry& symmetry) {
    const SymmetricKey key(position, symmetry);
    std::vector<Word> words(key.key_words());
    key.write(position, words);
    return words;
}

// Plays the moves, then checks that the key equals those of all symmetric positions, and differs after one more move.
void check_keys(const std::shared_ptr<const Game>& game, const std::vector<Cell>& moves, Cell other) {
    const Symmetry symmetry(*game, {});
    const auto key = key_of(played(game, moves), symmetry);
    for (const Permutation& element : symmetry.elements()) {
        Position image(game);
        for (Cell cell : moves) image.play(element[cell]);
        CHECK(key_of(image, symmetry) == key);
        image.undo();
        image.play(element[other]);
        CHECK(key_of(image, symmetry) != key);
    }
}

}  // namespace

TEST("positions have the same key if and only if they are symmetric") {
    check_keys(make(cube(3)), {0, 5, 13, 7}, 8);
    check_keys(make(board(9, 9, 5)), {40, 31, 22, 50}, 51);  // more than one word
    for (const bool open : {false, true})
        check_keys(make(with(ultimate(3), {.keeps_won_blocks_open = open})), {40, 36, 2, 20}, 19);
}

TEST("a key that is updated move by move equals that of the position") {
    const auto game = make(ultimate(3));
    const Symmetry symmetry(*game, {});
    Position position(game);
    SymmetricKey key(position, symmetry);
    std::vector<Word> words(key.key_words());
    for (int ply = 0; ply < 30 && !position.is_over(); ++ply) {
        const Cell cell = position.legal_cells().first();
        key.toggle(cell, position.turn());
        position.play(cell);
        const int element = key.write(position, words);
        CHECK(words == key_of(position, symmetry));
        CHECK_EQUAL(key.preimage(element, symmetry.elements()[element][cell]), cell);
    }
}
