#include "rules/symmetric_key.hpp"

#include <algorithm>

namespace noughts {

Images::Images(const Position& position, const Symmetry& symmetry)
    : symmetry_(symmetry), words_(position.game().words()), count_(symmetry.elements().size()) {
    const Game& game = position.game();
    // Several blocks: the block to play is part of the position; where won blocks stay open, their owners are, too.
    key_words_ = 2 * words_ + (game.blocks() > 1 ? 1 : 0) + (game.keeps_won_blocks_open() ? 2 : 0);
    candidate_.resize(key_words_);
    if (words_ == 1) {
        bits_.resize(static_cast<std::size_t>(game.cells()) * count_);
        for (int cell = 0; cell < game.cells(); ++cell)
            for (std::size_t i = 0; i < count_; ++i) bits_[cell * count_ + i] = Word{1} << symmetry.elements()[i][cell];
    }
    for (auto& images : images_) images.assign(count_ * words_, 0);
    for (const auto& element : symmetry.elements()) {
        auto& inverse = inverse_.emplace_back(element.size());
        for (std::size_t cell = 0; cell < element.size(); ++cell)
            inverse[element[cell]] = static_cast<std::uint16_t>(cell);
    }
    for (int cell = 0; cell < game.cells(); ++cell)
        if (const Side side = position.at(cell); side != NOBODY) toggle(cell, side);
}

void Images::toggle_wide(int cell, Side side) {
    Word* images = images_[side].data();
    for (std::size_t i = 0; i < count_; ++i) {
        const int image = symmetry_.elements()[i][cell];
        images[i * words_ + (image >> 6)] ^= Word{1} << (image & 63);
    }
}

int Images::canonical(const Position& position, std::span<Word> key) const {
    return key_words_ == 2 ? least_narrow(key) : least_wide(position, key);
}

int Images::least_narrow(std::span<Word> key) const {
    const Word* x = images_[X].data();
    const Word* o = images_[O].data();
    Word least = ~Word{0};
    for (std::size_t i = 0; i < count_; ++i) least = std::min(least, x[i]);
    Word second = ~Word{0};
    std::size_t best = 0;
    for (std::size_t i = 0; i < count_; ++i)
        if (x[i] == least && (o[i] < second || second == ~Word{0})) second = o[i], best = i;
    key[0] = least;
    key[1] = second;
    return static_cast<int>(best);
}

int Images::least_wide(const Position& position, std::span<Word> key) const {
    int best = 0;
    write_wide(position, 0, key);
    for (std::size_t i = 1; i < count_; ++i) {
        // Most images differ in the first word already.
        if (images_[X][i * words_] > key[0]) continue;
        write_wide(position, static_cast<int>(i), candidate_);
        if (!std::ranges::lexicographical_compare(candidate_, key)) continue;
        std::ranges::copy(candidate_, key.begin());
        best = static_cast<int>(i);
    }
    return best;
}

void Images::write_wide(const Position& position, int symmetry, std::span<Word> key) const {
    const auto from = static_cast<std::ptrdiff_t>(symmetry) * words_;
    for (Side side : {X, O}) std::copy_n(images_[side].begin() + from, words_, key.begin() + side * words_);
    const Game& game = position.game();
    if (game.blocks() == 1) return;
    const auto& blocks = symmetry_.block_elements()[symmetry];
    Word* extra = key.data() + 2 * words_;
    const int block = position.block_to_play();
    *extra = block < 0 ? 0 : static_cast<Word>(blocks[block]) + 1;
    if (!game.keeps_won_blocks_open()) return;
    extra[1] = extra[2] = 0;
    for (int b = 0; b < game.blocks(); ++b)
        if (const int owner = position.owner(b); owner == X || owner == O) extra[1 + owner] |= Word{1} << blocks[b];
}

}  // namespace noughts
