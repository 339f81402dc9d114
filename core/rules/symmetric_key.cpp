#include "rules/symmetric_key.hpp"

#include <algorithm>

namespace noughts {

SymmetricKey::SymmetricKey(const Position& position, const Symmetry& symmetry)
    : symmetry_(symmetry), words_(position.game().words()), count_(symmetry.elements().size()) {
    const Game& game = position.game();
    // With several blocks, the block to play is part of the key; where won blocks stay open, their owners are too.
    key_words_ = 2 * words_ + (game.blocks() > 1 ? 1 : 0) + (game.keeps_won_blocks_open() ? 2 : 0);
    if (words_ == 1) {
        bits_.resize(static_cast<std::size_t>(game.cells()) * count_);
        for (int cell = 0; cell < game.cells(); ++cell)
            for (std::size_t i = 0; i < count_; ++i) bits_[cell * count_ + i] = bit(symmetry.elements()[i][cell]);
    }
    for (auto& images : images_) images.assign(count_ * words_, 0);
    for (const auto& element : symmetry.elements()) {
        auto& inverse = inverse_.emplace_back(element.size());
        for (std::size_t cell = 0; cell < element.size(); ++cell)
            inverse[element[cell]] = static_cast<std::uint16_t>(cell);
    }
    for (int cell = 0; cell < game.cells(); ++cell)
        if (const Side side = position.at(cell); side != NO_SIDE) toggle(cell, side);
}

void SymmetricKey::toggle_wide(Cell cell, Side side) {
    Word* images = images_[side].data();
    for (std::size_t i = 0; i < count_; ++i) {
        const int image = symmetry_.elements()[i][cell];
        images[i * words_ + word_of(image)] ^= bit(image);
    }
}

int SymmetricKey::write(const Position& position, std::span<Word> key) const {
    return key_words_ == 2 ? write_narrow(key) : write_wide(position, key);
}

int SymmetricKey::write_narrow(std::span<Word> key) const {
    const Word* x = images_[X].data();
    const Word* o = images_[O].data();
    Word least = ~Word{0};
    for (std::size_t i = 0; i < count_; ++i) least = std::min(least, x[i]);
    Word second = ~Word{0};
    std::size_t best = 0;
    for (std::size_t i = 0; i < count_; ++i)
        if (x[i] == least && (o[i] < second || second == ~Word{0})) {
            second = o[i];
            best = i;
        }
    key[0] = least;
    key[1] = second;
    return static_cast<int>(best);
}

int SymmetricKey::write_wide(const Position& position, std::span<Word> key) const {
    std::size_t best = 0;
    write_image(position, best, key);
    for (std::size_t i = 1; i < count_; ++i)
        if (precedes(position, i, key)) {
            best = i;
            write_image(position, best, key);
        }
    return static_cast<int>(best);
}

void SymmetricKey::write_image(const Position& position, std::size_t symmetry, std::span<Word> key) const {
    for (Side side : BOTH_SIDES) std::ranges::copy(image(side, symmetry), key.begin() + index(side) * words_);
    std::ranges::copy_n(block_words(position, symmetry).begin(), key_words_ - 2 * words_, key.begin() + 2 * words_);
}

// Whether the image of the position under the symmetry precedes the key in lexicographic order.
bool SymmetricKey::precedes(const Position& position, std::size_t symmetry, std::span<const Word> key) const {
    for (Side side : BOTH_SIDES) {
        const auto own = image(side, symmetry);
        const auto [ours, theirs] = std::ranges::mismatch(own, key.subspan(index(side) * words_, words_));
        if (ours != own.end()) return *ours < *theirs;
    }
    const auto extra = block_words(position, symmetry);
    return std::ranges::lexicographical_compare(std::span(extra).first(key_words_ - 2 * words_),
                                                key.subspan(2 * words_));
}

// The block to play (0 for any) and the blocks won by each side, in the image. A key contains only those words that the
// game needs.
std::array<Word, 3> SymmetricKey::block_words(const Position& position, std::size_t symmetry) const {
    std::array<Word, 3> words{};
    const Game& game = position.game();
    if (game.has_one_block()) return words;
    const auto& blocks = symmetry_.block_elements()[symmetry];
    if (const Block block = position.block_to_play(); block >= 0) words[0] = static_cast<Word>(blocks[block]) + 1;
    if (!game.keeps_won_blocks_open()) return words;
    for (Block b = 0; b < game.blocks(); ++b)
        if (is_won(position.owner(b))) words[1 + index(position.owner(b))] |= bit(blocks[b]);
    return words;
}

}  // namespace noughts
