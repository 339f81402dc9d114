// A position's images under the symmetries of its game, kept up to date move by move.
#pragma once

#include <span>
#include <vector>

#include "rules/position.hpp"
#include "rules/symmetry.hpp"

namespace noughts {

class Images {
  public:
    Images(const Position& position, const Symmetry& symmetry);

    // Marks a cell, or takes the mark away again: the same thing twice changes nothing.
    void toggle(int cell, Side side) {
        if (words_ == 1) {
            Word* images = images_[side].data();
            const Word* bits = bits_.data() + static_cast<std::size_t>(cell) * count_;
            for (std::size_t i = 0; i < count_; ++i) images[i] ^= bits[i];
        } else {
            toggle_wide(cell, side);
        }
    }

    // Writes the least of all images to `key`, which tells symmetric positions from all others and nothing more, and
    // returns which symmetry leads to it.
    int canonical(const Position& position, std::span<Word> key) const;
    int key_words() const { return key_words_; }

    const Symmetry& symmetry() const { return symmetry_; }
    // Where a cell of the canonical image lies on the board, given the symmetry that leads to the image.
    int back(int symmetry, int cell) const { return inverse_[symmetry][cell]; }

  private:
    void toggle_wide(int cell, Side side);
    int least_narrow(std::span<Word> key) const;
    int least_wide(const Position& position, std::span<Word> key) const;
    void write_wide(const Position& position, int symmetry, std::span<Word> key) const;

    const Symmetry& symmetry_;
    int words_;
    int key_words_;
    std::size_t count_;
    std::vector<Word> bits_;       // one word: cell x symmetry, the bit of the image of the cell
    std::vector<Word> images_[2];  // symmetry x words
    std::vector<Permutation> inverse_;
    mutable std::vector<Word> candidate_;
};

}  // namespace noughts
