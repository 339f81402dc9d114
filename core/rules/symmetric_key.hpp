// A key that is equal for symmetric positions, updated incrementally.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "rules/position.hpp"
#include "rules/symmetry.hpp"

namespace noughts {

// Maintains the images of a position under all symmetries of its game; the least image is the key.
class SymmetricKey {
  public:
    SymmetricKey(const Position& position, const Symmetry& symmetry);

    // Adds a mark, or removes it.
    void toggle(Cell cell, Side side) {
        if (words_ == 1) {
            Word* images = images_[side].data();
            const Word* bits = bits_.data() + static_cast<std::size_t>(cell) * count_;
            for (std::size_t i = 0; i < count_; ++i) images[i] ^= bits[i];
        } else {
            toggle_wide(cell, side);
        }
    }

    // Writes the least image, of key_words() words, to `key`, and returns the number of the symmetry that maps the
    // position to it. Two keys are equal if and only if the positions are symmetric.
    int write(const Position& position, std::span<Word> key) const;
    int key_words() const { return key_words_; }

    const Symmetry& symmetry() const { return symmetry_; }
    // The cell of the position whose image under the symmetry is `cell`.
    Cell preimage(int symmetry, Cell cell) const { return inverse_[symmetry][cell]; }

  private:
    void toggle_wide(Cell cell, Side side);
    int write_narrow(std::span<Word> key) const;
    int write_wide(const Position& position, std::span<Word> key) const;
    void write_image(const Position& position, std::size_t symmetry, std::span<Word> key) const;
    bool precedes(const Position& position, std::size_t symmetry, std::span<const Word> key) const;
    std::array<Word, 3> block_words(const Position& position, std::size_t symmetry) const;
    std::span<const Word> image(Side side, std::size_t symmetry) const {
        return {images_[side].data() + symmetry * words_, static_cast<std::size_t>(words_)};
    }

    const Symmetry& symmetry_;
    int words_;
    int key_words_;
    std::size_t count_;
    std::vector<Word> bits_;             // in games of one word: cell x symmetry, the bit of the image of the cell
    PerSide<std::vector<Word>> images_;  // symmetry x words
    std::vector<Permutation> inverse_;
};

}  // namespace noughts
