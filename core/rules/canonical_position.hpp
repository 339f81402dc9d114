// A position whose key is equal for all positions symmetric to it.
#pragma once

#include <algorithm>
#include <span>

#include "rules/position.hpp"
#include "rules/symmetric_key.hpp"

namespace noughts {

// Whether `key` is one of `keys`, which are stored one after another.
inline bool contains_key(std::span<const Word> keys, std::span<const Word> key) {
    for (std::size_t at = 0; at < keys.size(); at += key.size())
        if (std::ranges::equal(keys.subspan(at, key.size()), key)) return true;
    return false;
}

class CanonicalPosition {
  public:
    // The symmetry must outlive this object.
    CanonicalPosition(const Position& position, const Symmetry& symmetry)
        : position_(position), key_(position, symmetry) {}

    void play(int cell) {
        key_.toggle(cell, position_.turn());
        position_.play(cell);
    }
    void undo() {
        const int cell = position_.now().cell;
        position_.undo();
        key_.toggle(cell, position_.turn());
    }

    // Changes made through this reference must be undone before the key is used.
    Position& position() { return position_; }
    const Position& position() const { return position_; }

    // Writes the key to `key`, and returns the number of the symmetry that maps the position to its canonical image.
    int write_key(std::span<Word> key) const { return key_.write(position_, key); }
    int key_words() const { return key_.key_words(); }
    const Symmetry& symmetry() const { return key_.symmetry(); }
    const std::vector<Permutation>& symmetries() const { return key_.symmetry().elements(); }
    // The canonical image of a cell under a symmetry, and its inverse.
    int image_of(int symmetry, int cell) const { return symmetries()[symmetry][cell]; }
    int cell_of(int symmetry, int image) const { return key_.preimage(symmetry, image); }

  private:
    Position position_;
    SymmetricKey key_;
};

}  // namespace noughts
